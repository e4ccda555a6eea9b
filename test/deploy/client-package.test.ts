/** Packs the typed client, installs it into an empty folder, and compiles and runs a program with it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { npm } from '../../scripts/npm.ts';
import { temporaryFolder } from '../support/files.ts';
import { catalogOf, food, startService } from '../support/service.ts';

const run = promisify(execFile);
const node = (cwd: string, ...args: string[]) => run(process.execPath, args, { cwd });

const MAIN = `
import { type FoodEntry, isSearchError, MAX_FOODS, searchFoods } from 'food-lookup-browser';

const service: string = process.argv[2] ?? '';
const foods: readonly FoodEntry[] = await searchFoods(service, 'quail');
const found: readonly string[] = foods.map(({ description, fat_g }) => description + ' ' + fat_g.length);
// @ts-expect-error The type of a figure is known.
const kcal: string | undefined = foods[0]?.kcal;
const kind = await searchFoods(service, '').catch((error: unknown) => isSearchError(error) && error.kind);
console.log(JSON.stringify({ found, kcal, kind, MAX_FOODS }));
`;

describe('the package of the typed client', () => {
  const folder = temporaryFolder();
  let packed: string;

  beforeAll(async () => {
    const [, pack = '', install = ''] =
      /```sh\nnpm (pack .*)\nnpm (install .*)\n```/.exec(await readFile('README.md', 'utf8')) ?? [];
    await mkdir(folder.path('food-lookup'));
    await run(...npm([...pack.split(' '), '--pack-destination', folder.path('food-lookup')]));
    packed = folder.path(`home/${install.split(' ')[1]}`);
    const home = folder.path('home');
    await mkdir(home);
    await writeFile(`${home}/package.json`, '{"private":true,"type":"module"}');
    await writeFile(`${home}/main.ts`, MAIN);
    await run(...npm([...install.split(' '), '--offline', '--no-audit', '--no-fund']), { cwd: home });
    await cp('node_modules/@types/node', `${home}/node_modules/@types/node`, { recursive: true });
    await cp('node_modules/undici-types', `${home}/node_modules/undici-types`, { recursive: true });
  });

  test('has at most 20 kB, no dependencies, and the version and licence of the service', async () => {
    expect((await stat(packed)).size).toBeLessThan(20_000);
    const [own, service] = await Promise.all(
      ['packages/browser/package.json', 'package.json'].map(
        async (path) => JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>,
      ),
    );
    expect(own).toMatchObject({ version: service?.version, license: service?.license });
    expect(Object.keys(own ?? {}).filter((key) => /dependencies/i.test(key))).toEqual([]);
    const installed = folder.path('home/node_modules/food-lookup-browser');
    expect(await readFile(`${installed}/LICENSE`, 'utf8')).toBe(await readFile('LICENSE', 'utf8'));
    // The file can be copied without the package.
    expect(await readFile(`${installed}/search-foods.js`, 'utf8')).not.toMatch(/\bimport\b|\brequire\(/);
  });

  test('is found by resolvers that do not read `exports`', async () => {
    const require = createRequire(folder.path('home/main.js'));
    expect(require.resolve('./node_modules/food-lookup-browser')).toMatch(/search-foods\.js$/);
    const { types } = require('food-lookup-browser/package.json') as { readonly types: string };
    await stat(folder.path(`home/node_modules/food-lookup-browser/${types}`));
  });

  test('compiles and finds foods', async () => {
    const home = folder.path('home');
    const compiler = resolve('node_modules/typescript/bin/tsc');
    await node(
      home,
      compiler,
      ...'main.ts --strict --ignoreConfig --target es2023 --module nodenext --types node'.split(' '),
    );
    const service = await startService(await catalogOf([food('Quail egg'), food('Quail')]));
    const { stdout } = await node(home, 'main.js', service.url);
    await service.close();
    expect(JSON.parse(stdout)).toEqual({
      found: ['Quail 4', 'Quail egg 4'],
      kcal: 100,
      kind: 'answered-with-error',
      MAX_FOODS: 100,
    });
  });
});
