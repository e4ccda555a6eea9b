import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { Corpus } from '../../bench/tools/corpus.ts';
import { readCsv } from '../../src/readers/tables/csv.ts';
import { collect } from '../support/collect.ts';
import { MAIN, run, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { seeded } from '../support/random.ts';

/** Moments at which an import is killed; more with KILLS=100. */
const KILLS = Number(process.env.KILLS ?? 12);

const STARTER = 'data/starter-foods.csv';
const folder = temporaryFolder();

describe('food-lookup import', () => {
  test('makes a file that is served like its source', async () => {
    const file = folder.path('starter.idx');
    const { code, stdout, stderr } = await run(['import', STARTER, '--to', file, '--name', 'My foods']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /: 1,077 foods, \d\.\d MB, in \d+ s\nTo serve it: FOOD_DATA=.*starter\.idx food-lookup serve\n$/,
    );
    expect(stderr).toContain('sorting all parts of their descriptions\n');

    const service = await serve([], { FOOD_DATA: file });
    expect(service.greeting).toContain('My foods: 1,077 foods');
    const answer = await (await fetch(`${service.url}/api/food?q=milk`)).text();
    await service.stop();
    expect((await run(['search', 'milk', '--json', '--food-data', STARTER])).stdout).toBe(`${answer}\n`);

    const verified = await run(['verify', file]);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toMatch(
      /is as it was written: My foods of \d{4}-\d\d-\d\d, 1,077 foods, [\d,]+ bytes/,
    );
  });

  it.each([
    [['import', STARTER], "required option '--to <target>' not specified"],
    [['import', '/nowhere.csv', '--to', '/tmp/x.idx'], 'there is no such file'],
    [['import', STARTER, '--to', '/nowhere/foods.idx'], 'its folder does not exist'],
    [['import', STARTER, '--to', STARTER], 'is a source itself'],
    [['import', 'LICENSE', '--to', '/tmp/x.idx'], 'line 1: the header lacks'],
    [['verify', STARTER], 'this file is no index of food-lookup'],
    [['verify', '/nowhere.idx'], 'there is no such file'],
  ])('refuses %j with exit code 1', async (args, message) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test('refuses a cut index at start', async () => {
    const file = folder.path('cut.idx');
    await run(['import', STARTER, '--to', file]);
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length - 5));
    const { code, stderr } = await run(['serve'], { FOOD_DATA: file });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^food-lookup: Index file ".*cut\.idx": this file is cut .* Import the data again: [^\n]+\n$/,
    );
  });

  test('killed at random moments leaves the old file or the new one, and the next run clears up', {
    timeout: 20_000 + KILLS * 5000,
  }, async () => {
    const vocabulary = (await collect(readCsv(STARTER))).map((food) => food.description);
    const rows = [...new Corpus(vocabulary).descriptions(20_000, 1)].map(
      (name, i) => `"${name}",${i},2,3,4,5,6`,
    );
    const header = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g';
    const source = await folder.write('large.csv', [header, ...rows, ''].join('\n'));
    const file = folder.path('killed.idx');
    await run(['import', STARTER, '--to', file, '--name', 'old']);
    const started = Date.now();
    await run(['import', source, '--to', folder.path('timing.idx')]);
    const whole = Date.now() - started;
    const random = seeded(KILLS);
    for (let i = 0; i < KILLS; i++) {
      const child = spawn(process.execPath, [MAIN, 'import', source, '--to', file, '--name', 'new'], {
        stdio: 'ignore',
      });
      const moment = (whole * (i + random(1000) / 1000)) / KILLS;
      const timer = setTimeout(() => child.kill('SIGKILL'), moment);
      await once(child, 'exit');
      clearTimeout(timer);
      expect((await run(['verify', file])).stdout).toMatch(/: (old of .*, 1,077|new of .*, 20,000) foods/);
    }
    await run(['import', STARTER, '--to', file]);
    expect((await readdir(folder.path('.'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

test('inspect tells what an index file holds', async () => {
  const file = folder.path('inspected.idx');
  await run(['import', STARTER, '--to', file, '--name', 'My foods']);
  const { stdout } = await run(['inspect', file]);
  expect(stdout).toMatch(/^name {6}My foods\ndate {6}\d{4}-\d\d-\d\d\nsource {4}not known\n/);
  expect(stdout).toContain('foods     1,077; 0 rows without a description were left out');
  expect(stdout).toContain('kcal 100.0 %');
  const facts = JSON.parse((await run(['inspect', file, '--json'])).stdout);
  expect(facts).toMatchObject({ name: 'My foods', foods: 1077, leftOut: 0, notes: [] });
  expect(facts.sample).toHaveLength(5);
  expect((await run(['inspect', STARTER])).stderr).toContain('this file is no index of food-lookup');
});

test('an index is a source as well, and the order of the sources is the order of trust', async () => {
  const header = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g';
  const mine = await folder.write('mine.csv', `${header}\nSoup of the day,1,2,3,,4.005,\nEgg,7,,,,,\n`);
  const again = await folder.write('again.csv', `${header}\nSOUP OF THE DAY,1,2,3,,4.005,\nEgg,8,,,,,\n`);
  const first = folder.path('first.idx');
  const merged = folder.path('merged.idx');
  await run(['import', mine, '--to', first]);
  const { stdout } = await run([
    'import',
    first,
    again,
    '--to',
    merged,
    '--report',
    folder.path('report.json'),
  ]);
  expect(stdout).toContain('merged.idx: 3 foods');
  const soups = await run(['search', 'soup', '--json', '--food-data', merged]);
  expect(JSON.parse(soups.stdout)[0]).toEqual({
    carbohydrate_g: 3,
    protein_g: 2,
    fat_g: '4.01',
    kcal: 1,
    description: 'Soup of the day',
  });
  expect(JSON.parse(await readFile(folder.path('report.json'), 'utf8')).totals.rows).toBe(4);
  const twice = await run(['import', mine, again, '--to', merged]);
  expect(twice.stdout).toMatch(/duplicate +1 of an equal food: SOUP OF THE DAY/);
  expect(twice.stdout).toContain('merged.idx: 3 foods');
});

test('search --explain gives the reasons, in the order of the answer', async () => {
  const { stdout } = await run(['search', 'egg', '--explain']);
  expect(stdout).toMatch(/^1\. Egg, /);
  expect(stdout).toContain('all that names the food +2.5');
  const scores = [...stdout.matchAll(/^\d+\. .*: (-?\d+\.\d)(, inside a word)?/gm)].map(
    ([, score, inside]) => (inside === undefined ? Number(score) : Number(score) - 1000),
  );
  expect(scores.length).toBeGreaterThan(10);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});
