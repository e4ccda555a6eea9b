/** The first hour of strangers with a packed release, and an alert of an operator. */
import { execFile } from 'node:child_process';
import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Running, runAlone, serve } from '../support/command.ts';
import { tableOf, temporaryFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { packedRelease, type Release } from '../support/release.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { rowOf, workbookOf } from '../support/workbook.ts';

const run = promisify(execFile);

const folder = temporaryFolder();
let release: Release;
beforeAll(async () => {
  release = await packedRelease();
}, 300_000);

/** The service of the release, for this test. */
async function served(environment: Record<string, string>, port = 0): Promise<Running> {
  const service = await serve(['--port', String(port)], environment, release.command);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

const PROGRAM = `
import { type FoodEntry, isSearchError, MAX_FOODS, portions, searchFoods } from 'food-lookup-browser';

const [, , service = '', gone = ''] = process.argv;
const foods: readonly FoodEntry[] = await searchFoods(service, 'quail egg');
// @ts-expect-error The type of a figure is known.
const kcal: string | undefined = foods[0]?.kcal;
const [piece] = await portions(service, foods[0]?.description ?? '');
const kindOf = (answer: Promise<unknown>) =>
  answer.catch((error: unknown) => (isSearchError(error) ? error.kind : String(error)));
const controller = new AbortController();
const cancelled = searchFoods(service, 'egg', { signal: controller.signal });
controller.abort();
const kinds = await Promise.all([
  kindOf(cancelled),
  kindOf(searchFoods(service, '')),
  kindOf(searchFoods(gone, 'egg')),
  kindOf(searchFoods('localhost:3001', 'egg')),
]);
console.log(JSON.stringify({ first: foods[0]?.description, kcal, grams: piece?.grams, kinds, MAX_FOODS }));
`;

describe('a front-end developer', () => {
  test('reads in the log what to set, and pastes the command that checks it', async () => {
    const refused = await runAlone(['serve'], { ALLOWED_ORIGIN: '5173' }, release.command);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('probably "http://localhost:5173" is meant');

    const wrong = await served({ ALLOWED_ORIGIN: 'http://localhost:8000', LOG_LEVEL: 'warn' });
    const ask = ({ url }: Running) =>
      fetch(`${url}/api/food?q=egg`, { headers: { origin: 'http://localhost:5173' } });
    expect((await ask(wrong)).headers.get('access-control-allow-origin')).toBeNull();
    await expect.poll(() => wrong.log()).toContain('check-cors');
    const { msg } = JSON.parse(wrong.log()) as { msg: string };
    const [, setting = '', command = ''] =
      /start the service with ALLOWED_ORIGIN=(\S+?)[. ].*?food-lookup (check-cors .*)/.exec(msg) ?? [];
    expect(setting).toBe('http://localhost:5173');
    const pasted = (service: Running) =>
      run('sh', ['-c', `${release.command} ${command.replace(/:\d+(?=\/api)/, `:${service.port}`)}`]);
    await expect(pasted(wrong)).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('\nNo: ') });

    const right = await served({ ALLOWED_ORIGIN: setting });
    expect((await ask(right)).headers.get('access-control-allow-origin')).toBe(setting);
    expect((await pasted(right)).stdout).toContain('\nYes: ');
  });

  test('installs one small file with types, which every tool for packages accepts', async () => {
    expect((await stat(release.clientTarball)).size).toBeLessThan(20_000);
    const installed = `${release.home}/node_modules/food-lookup-browser`;
    const [own, service] = await Promise.all(
      [`${installed}/package.json`, 'package.json'].map(
        async (path) => JSON.parse(await readFile(path, 'utf8')) as Record<string, string>,
      ),
    );
    expect(own).toMatchObject({ version: service?.version, license: service?.license });
    expect(Object.keys(own ?? {}).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect(await readFile(`${installed}/LICENSE`, 'utf8')).toBe(await readFile('LICENSE', 'utf8'));
    // The file can be copied without the package.
    expect(await readFile(`${installed}/search-foods.js`, 'utf8')).not.toMatch(/\bimport\b|\brequire\(/);
    // By resolvers that do not read `exports`, too.
    const require = createRequire(`${release.home}/main.js`);
    expect(require.resolve('./node_modules/food-lookup-browser')).toMatch(/search-foods\.js$/);
    for (const tarball of [release.serviceTarball, release.clientTarball])
      await run(process.execPath, ['node_modules/publint/src/cli.js', 'run', tarball, '--strict']);
    // Node.js 20.19 and newer load an ES module by `require`.
    await run(process.execPath, [
      'node_modules/@arethetypeswrong/cli/dist/index.js',
      ...['--ignore-rules', 'cjs-resolves-to-esm', '--', release.clientTarball],
    ]);
  });

  test('compiles a program that finds foods, cancels a search, and tells errors apart', async () => {
    const { home } = release;
    await writeFile(`${home}/main.ts`, PROGRAM);
    for (const name of ['@types/node', 'undici-types'])
      await cp(`node_modules/${name}`, `${home}/node_modules/${name}`, { recursive: true });
    await run(
      process.execPath,
      [
        resolve('node_modules/typescript/bin/tsc'),
        ...'main.ts --strict --ignoreConfig --target es2023 --module nodenext --types node'.split(' '),
      ],
      { cwd: home },
    );
    const { url } = await served({});
    const nothing = `http://127.0.0.1:${await freePort()}`;
    const { stdout } = await run(process.execPath, ['main.js', url, nothing], { cwd: home });
    expect(JSON.parse(stdout)).toEqual({
      first: 'Quail egg, whole, raw',
      kcal: 158,
      grams: 9,
      kinds: ['aborted', 'answered-with-error', 'blocked-or-unreachable', 'unusable-address'],
      MAX_FOODS: 100,
    });
  });
});

describe('a maker of a diary', () => {
  const row = (...cells: (string | number)[]) => rowOf(...cells);
  const sheet = (...rows: string[]) => workbookOf({ sheets: [{ name: 'Foods', data: rows.join('') }] });
  const imported = (file: string, ...options: string[]) =>
    runAlone(['import', file, '--to', folder.path('foods.idx'), ...options], {}, release.command);

  test('mends three spreadsheets by what the import says, and searches them', async () => {
    const lacking = await folder.write('lacking.csv', 'Name,kcal,Carbs,Fat\nStew,90,8,3\n');
    const worded = await folder.write('worded.csv', 'Name;kcal;Protein;Carbs;Fat\nSoup;40;2,5;5;a little\n');
    const head = row('Food', 'Calories per serving', 'Protein', 'Carbs', 'Fat');
    const served = await folder.write('served.xlsx', await sheet(head, row('Pie', 100, 2, 20, 4)));
    const files = [lacking, worded, served];

    const refused = await Promise.all(files.map((file) => imported(file)));
    expect(refused.map(({ code }) => code)).toEqual([1, 1, 1]);
    const remedies = [
      /lacking\.csv", line 1: the header lacks protein_g; .* --column protein_g=/,
      /worded\.csv", line 2, column "Fat": "a little" is not a plain decimal number .* Leave the cell empty/,
      /served\.xlsx", .*"Calories per serving" says that kcal is per serving.* --per 30g /,
    ];
    for (const [i, remedy] of remedies.entries()) expect(refused[i]?.stderr).toMatch(remedy);
    await expect(stat(folder.path('foods.idx'))).rejects.toThrow('ENOENT');

    await writeFile(worded, 'Name;kcal;Protein;Carbs;Fat\nSoup;40;2,5;5;\n');
    const mended = [await imported(lacking, '--column', 'protein_g='), await imported(worded)];
    expect(mended.map(({ code }) => code)).toEqual([0, 0]);
    const { code, stdout } = await imported(served, '--per', '50g');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('To serve it: food-lookup serve --food-data'),
    ]);
    const found = await runAlone(
      ['search', 'pie', '--json', '--food-data', folder.path('foods.idx')],
      {},
      release.command,
    );
    expect(JSON.parse(found.stdout)).toMatchObject([{ description: 'Pie', kcal: 200, fat_g: '8.00' }]);
  });
});

describeWithProgram('prometheus', () => {
  test('an operator is alerted when a process ends, and no longer when it is back', async () => {
    const few = { FOOD_DATA: await folder.write('egg.csv', tableOf(['Egg'])) };
    const port = await freePort();
    const [well, ill] = await Promise.all([served(few), served(few, port)]);
    const prometheus = await startPrometheus(folder.path('prometheus'), [well, ill]);
    onTestFinished(() => prometheus.stop());
    await expect.poll(prometheus.targetsUp, { timeout: 90_000 }).toBe(2);
    // Until it has read them, none is there.
    await expect.poll(prometheus.firing, { timeout: 90_000 }).toEqual([]);
    await ill.stop();
    const alert = { alertname: 'FoodLookupDown', instance: `127.0.0.1:${port}`, severity: 'page' };
    await expect.poll(prometheus.firing, { timeout: 90_000 }).toMatchObject([alert]);
    await served(few, port);
    await expect.poll(prometheus.firing, { timeout: 90_000 }).toEqual([]);
  }, 300_000);
});
