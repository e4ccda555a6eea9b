import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';
import { describeWithPrograms } from '../support/requirements.ts';
import { NUTRIENT_ROWS, nutrientRows, table, writeZip } from '../support/usda.ts';
import { succeeds, waitFor } from '../support/wait.ts';

const readme = await readFile('README.md', 'utf8');
const COMMANDS = Array.from(readme.matchAll(/```sh\n([\s\S]*?)```/g)).flatMap(([, block = '']) =>
  block
    .trim()
    .split('\n')
    .map((line) => line.trim()),
);

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };

/** Commands that are tried elsewhere, and the file that does it. */
const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm test': '.ci/run',
  'npm pack ./packages/browser': 'test/deploy/package.release.test.ts',
  [`npm install ../food-lookup/food-lookup-browser-${version}.tgz`]: 'test/deploy/package.release.test.ts',
  'docker build -t food-lookup . && docker run -p 3001:3001 -e ALLOWED_ORIGIN=https://app.example food-lookup':
    'test/deploy/dockerfile.release.test.ts',
  'systemctl enable --now food-lookup@3001 food-lookup@3002': 'test/deploy/systemd.release.test.ts',
};

describe('the README', () => {
  const folder = temporaryFolder();
  const tried = new Set<string>();
  const groups: number[] = [];
  afterAll(() => {
    for (const group of groups) process.kill(-group);
  });

  /** A command of the README, with the files and ports of this test. */
  function command(text: string, replaced: Readonly<Record<string, string>> = {}): string {
    tried.add(text);
    const all = {
      'npm start': 'npm start --ignore-scripts',
      'foods.xlsx': folder.path('foods.xlsx'),
      'foods.idx': folder.path('foods.idx'),
      ...replaced,
    };
    return Object.entries(all).reduce((line, [from, to]) => line.replaceAll(from, to), text);
  }

  /** The output of a command. It has its own npm cache: npx remembers where a folder had its command, even after that moved. */
  const outputOf = async (line: string): Promise<string> => {
    const env = { ...process.env, npm_config_cache: folder.path('npm') };
    return (await promisify(execFile)('sh', ['-c', line], { env })).stdout;
  };

  async function start(line: string, port: number, cwd?: string): Promise<string> {
    const child = spawn('sh', ['-c', line], {
      cwd,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, PORT: String(port) },
    });
    if (child.pid !== undefined) groups.push(child.pid);
    const url = `http://127.0.0.1:${port}/`;
    await waitFor(() => succeeds(fetch(url)));
    return url;
  }

  test('imports a spreadsheet and public data, and serves both', async () => {
    await copyFile('test/files/workbooks/my-foods.xlsx', folder.path('foods.xlsx'));
    const zip = await writeZip(folder.path('foundation.zip'), {
      'food.csv': table('food.csv', [
        { fdc_id: 1, data_type: 'foundation_food', description: 'Kohlrabi, raw' },
      ]),
      'foundation_food.csv': table('foundation_food.csv', [{ fdc_id: 1 }]),
      'nutrient.csv': table('nutrient.csv', NUTRIENT_ROWS),
      'food_nutrient.csv': table('food_nutrient.csv', nutrientRows({ 1: { 1008: 27 } })),
    });
    const site = createServer(async (_request, response) => response.end(await readFile(zip)));
    const address = `${await listen(site)}/foundation.zip`;

    const dryRun = await outputOf(command('npx food-lookup import foods.xlsx --dry-run'));
    expect(dryRun).toContain('kcal');
    await expect(stat(folder.path('foods.idx'))).rejects.toThrow('ENOENT');
    const real = command('npx food-lookup import foods.xlsx usda:foundation --to foods.idx');
    await outputOf(`${real} --url ${address} --cache-folder ${folder.path('cache')}`);
    site.close();

    const url = await start(command('FOOD_DATA=foods.idx npm start'), await freePort());
    for (const text of ['kohlrabi', 'a']) {
      expect(await (await fetch(`${url}api/food?q=${text}`)).json()).not.toEqual([]);
    }
  });

  test('adds up a recipe', async () => {
    const recipe = await folder.write('recipe.txt', '2 x 400g tins chopped tomatoes\n1 lb 4 oz beef mince\n');
    const printed = await outputOf(command('npx food-lookup amounts recipe.txt', { 'recipe.txt': recipe }));
    for (const cell of ['Tomatoes, canned', '2 × 400 g', '1 lb + 4 oz', 'total'])
      expect(printed).toContain(cell);
  });

  describeWithPrograms('curl', 'python3')('with the programs that it names', () => {
    test('starts the service with its page, and shows a real answer', async () => {
      const port = await freePort();
      const url = await start(command('npm ci && npm start', { 'npm ci && ': '' }), port);
      expect(await (await fetch(url)).text()).toContain('<title>');
      const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? [];
      const asked = command('curl "http://localhost:3001/api/food?q=avocado"', { 3001: String(port) });
      expect(JSON.parse(await outputOf(`${asked} --silent`))).toEqual(JSON.parse(shown));
    });

    test('serves a page from another origin, and allows that origin', async () => {
      const [pagePort, port] = [await freePort(), await freePort()];
      await mkdir(folder.path('site'));
      await folder.write('site/index.html', 'a page');
      const page = command('python3 -m http.server 8000', { 8000: `${pagePort} --bind 127.0.0.1` });
      expect(await (await fetch(await start(page, pagePort, folder.path('site')))).text()).toBe('a page');
      const url = await start(command('ALLOWED_ORIGIN=http://localhost:8000 npm start'), port);
      const answer = await fetch(`${url}api/food?q=egg`, { headers: { origin: 'http://localhost:8000' } });
      expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:8000');
    });

    test('has no other commands', () => {
      expect(new Set([...tried, ...Object.keys(TRIED_ELSEWHERE)])).toEqual(new Set(COMMANDS));
    });
  });

  test.each(Object.values(TRIED_ELSEWHERE))('relies on %s, which exists', async (file) => {
    expect((await stat(file)).isFile()).toBe(true);
  });
});
