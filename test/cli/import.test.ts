import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { recombined } from '../../load/tools/corpus.ts';
import { BATCH_SIZE } from '../../src/engine/building/food-batch.ts';
import { casesOf } from '../support/cases.ts';
import { type Ended, run, runAlone, serve } from '../support/command.ts';
import { HEADER, tableOf, temporaryFolder } from '../support/files.ts';
import { STARTER, STARTER_COUNT, STARTER_FOODS, starterNames } from '../support/starter-foods.ts';

const folder = temporaryFolder();
let starter = '';
let imported: Ended;

/** The standard output of a command that succeeds. */
async function printedBy(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect(code, stderr).toBe(0);
  return stdout;
}

beforeAll(async () => {
  starter = folder.path('starter.idx');
  imported = await runAlone(['import', STARTER, '--to', starter, '--name', 'My foods']);
});

describe('food-lookup import', () => {
  test('writes a file that is served like its source', async () => {
    const { code, stdout, stderr } = imported;
    expect(code).toBe(0);
    const end = /, \d\.\d MB, in \d+ s\nTo serve it: food-lookup serve --food-data .*starter\.idx\n$/;
    expect(stdout).toMatch(end);
    expect(stdout).toContain(`: ${STARTER_FOODS}, `);
    expect(stderr).toContain('sorting all parts of their descriptions\n');

    const service = await serve([], { FOOD_DATA: starter });
    expect(service.greeting).toContain(`My foods: ${STARTER_FOODS}`);
    const answer = await (await fetch(`${service.url}/api/food?q=milk`)).text();
    await service.stop();
    expect((await run(['search', 'milk', '--json', '--food-data', STARTER])).stdout).toBe(`${answer}\n`);
  });

  it.each([
    [2, ['import', STARTER], "required option '--to <target>' not specified. Name the index file to write"],
    [1, ['import', 'LICENSE', '--to', '/tmp/x.idx'], 'line 8: the header lacks'],
    [1, ['inspect', STARTER], 'this file is not an index of food-lookup'],
    ...['0', '33', 'two', '1.5'].map((threads): [number, string[], string] => [
      2,
      ['import', STARTER, '--to', '/tmp/x.idx', '--threads', threads],
      `food-lookup: --threads: "${threads}" cannot be used: expected a whole number from 1 to 32, such as 2.`,
    ]),
  ])('refuses with exit code %i: %j', async (expected, args, message) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(expected);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test('writes the same bytes whatever the number of threads', async () => {
    // A batch for each thread, and a further one. test/search/build-index.test.ts has two threads, too.
    const foods = recombined(await starterNames(), 3 * BATCH_SIZE + 1, 7);
    const source = await folder.write('threads.csv', tableOf(foods));
    const to = folder.path('threads.idx');
    const indexes: Buffer[] = [];
    for (const threads of ['1', '3']) {
      await printedBy('import', source, '--to', to, '--threads', threads);
      indexes.push(await readFile(to));
    }
    expect(indexes[0]?.equals(indexes[1] ?? Buffer.alloc(0))).toBe(true);
  });
});

describe("a user's own table", () => {
  const imports = (file: string, ...flags: string[]) =>
    run(['import', file, '--to', folder.path('own.idx'), ...flags]);
  const found = async (text: string) =>
    JSON.parse(await printedBy('search', text, '--json', '--food-data', folder.path('own.idx')));

  test('may need flags: columns, the weight of a serving, the encoding', async () => {
    const table = Buffer.from('Was;E;EW;KH;Fett\nMüsliriegel;628;3,0;18;7,5\n', 'latin1');
    const file = await folder.write('flags.csv', table);
    const columns = ['name=Was', 'kJ=E', 'protein=EW', 'carbs=KH'].flatMap((each) => ['--column', each]);
    const { code, stderr } = await imports(file, ...columns, '--per', '30g', '--encoding', 'windows-1252');
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(await found('a')).toEqual([]);
    expect(await found('müsli')).toEqual([
      { carbohydrate_g: 60, protein_g: 10, fat_g: '25.00', kcal: 500.32, description: 'Müsliriegel' },
    ]);
  });

  it.each(
    casesOf(`
      --column | kcal | "kcal" cannot be used: expected FIELD=HEADING, such as kcal="Energy (kcal)".
      --column | salt=Salt | "salt=Salt" cannot be used: expected FIELD=HEADING
      --per | a spoon | "a spoon" cannot be used: expected the weight that the figures are for, such as 30g.
      --per | 0g | "0g" cannot be used
      --encoding | martian | "martian" cannot be used: there is no such encoding.`),
  )('refuses %s %s', async (flag = '', value = '', sentence = '') => {
    const { code, stderr } = await imports('test/files/spreadsheets/sheets-en.csv', flag, value);
    expect(code).toBe(2);
    expect(stderr).toContain(`food-lookup: ${flag} ${sentence}`);
  });

  test('is refused with its first ten faults and their number', async () => {
    const { code, stdout, stderr } = await imports('test/files/bad/many-faults.csv');
    expect([code, stdout]).toEqual([1, '']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toMatch(
      /^food-lookup: Data file "[^"]+", line 2, column kcal: "x1" is not a plain decimal number .* There are 14 faults:$/,
    );
    expect(lines[10]).toBe('  line 11, column kcal: "x10" is not a plain decimal number such as 1.5');
    expect(lines[11]).toBe('  and 4 more');
  });

  test('is imported with impossible figures, and a warning for each kind', async () => {
    const { code, stdout } = await imports('test/files/programs/impossible-figures.csv', '--strict');
    expect(code).toBe(0);
    expect(stdout).toContain('  suspicious     2 energy below 0 or over 950 kcal: line 3; line 4\n');
    expect(stdout).toContain('own.idx: 6 foods');
  });
});

test('inspect describes an index file', async () => {
  const stdout = await printedBy('inspect', starter);
  expect(stdout).toMatch(/^name {6}My foods\ndate {6}\d{4}-\d\d-\d\d\nsource {4}not known\n/);
  const count = STARTER_COUNT.toLocaleString('en');
  expect(stdout).toContain(`foods     ${count}; 0 rows without a description were left out`);
  expect(stdout).toContain('\nintact    every byte is as it was written\n');
  expect(stdout).toContain('kcal 100.0 %');
  const facts = JSON.parse(await printedBy('inspect', starter, '--json'));
  expect(facts).toMatchObject({ name: 'My foods', foods: STARTER_COUNT, leftOut: 0, notes: [] });
  expect(facts.sample).toHaveLength(5);
});

describe('--source, --licence and --language', () => {
  const CREDIT = { source: "Smith's bakery; our kitchen", licence: 'CC BY 4.0', language: 'de' };
  const FLAGS = ['--source', CREDIT.source, '--licence', CREDIT.licence, '--language', CREDIT.language];
  const factsOf = async (index: string) => JSON.parse(await printedBy('inspect', index, '--json'));

  test('name the origin, the licence and the language of your own foods wherever a data set is described', async () => {
    const mine = await folder.write('bakery.csv', `${HEADER}\nRye bread,259,8.5,48.3,,,\n`);
    const index = folder.path('bakery.idx');
    const report = await printedBy('import', mine, '--to', index, '--json', ...FLAGS);
    expect(JSON.parse(report)).toMatchObject({ label: CREDIT, sources: [{ label: CREDIT }] });
    expect(await factsOf(index)).toMatchObject(CREDIT);
    const shown = `\nsource    ${CREDIT.source}\nlicence   CC BY 4.0\nlanguage  de\n`;
    expect(await printedBy('inspect', index)).toContain(shown);
    const service = await serve([], { FOOD_DATA: index });
    expect(await (await fetch(`${service.url}/data-set`)).json()).toMatchObject(CREDIT);
    await service.stop();
    const again = folder.path('bakery again.idx');
    await printedBy('import', index, '--to', again);
    expect(await factsOf(again)).toMatchObject(CREDIT);
  });

  test('leave those of other sources, and give an old index its own', async () => {
    const products = await folder.write('off.tsv', 'code\tproduct_name\tproteins_100g\n1\tNutella\t6\n');
    const mixed = folder.path('mixed.idx');
    await printedBy('import', products, starter, '--to', mixed, ...FLAGS);
    const facts = await factsOf(mixed);
    // Products are in many languages.
    expect(facts).not.toHaveProperty('language');
    expect(facts).toMatchObject({
      source: `Open Food Facts contributors, world.openfoodfacts.org; ${CREDIT.source}`,
      licence: expect.stringMatching(/^Open Database License.*; CC BY 4\.0$/),
    });
    for (const target of [['--to', folder.path('refused.idx')], ['--dry-run']])
      for (const [flag, value] of [['--licence', 'MIT'] as const, ['--language', 'fr'] as const]) {
        const { code, stderr } = await run(['import', products, ...target, flag, value]);
        const reason = 'it is for your own foods, and every source here has its own. Leave it out.';
        expect([code, stderr]).toEqual([1, expect.stringContaining(`${flag} "${value}": ${reason}`)]);
      }
  });
});

test.each(['german', 'd', ''])('--language %j is refused, since no language has this tag', async (tag) => {
  const { code, stderr } = await run(['import', starter, '--dry-run', '--language', tag]);
  const message = `--language ${JSON.stringify(tag)}: expected the tag of a language, such as de or pt-BR.`;
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('search --explain gives the reasons for the order of the answer', async () => {
  const stdout = await printedBy('search', 'egg', '--explain', '--food-data', starter);
  expect(stdout).toMatch(/^1\. Egg, /);
  expect(stdout).toContain('all that names the food +2.5');
  const scores = [...stdout.matchAll(/^\d+\. .*: (-?\d+\.\d)(, inside a word)?/gm)].map(
    ([, score, inside]) => (inside === undefined ? Number(score) : Number(score) - 1000),
  );
  expect(scores.length).toBeGreaterThan(10);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});
