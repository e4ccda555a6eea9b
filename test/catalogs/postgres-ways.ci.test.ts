/**
 * The same table gives the same answers, and of equal foods the first, by whatever way it is served. `readers/ways-in.test.ts` says
 * that tables of other kinds have the same foods.
 */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoodCatalog, NO_OTHER_NAMES } from '#core';
import { indexAsSource, MemoryCatalog, openCatalog, readEverydayFoods } from '#service';
import { readFoods } from '#tables';
import { entryOf } from '../oracle.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { importSources } from '../support/import.ts';
import { writeIndexFile } from '../support/index.ts';
import { zipOf } from '../support/packing.ts';
import { copyOf } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { TEST_LABEL } from '../support/service.ts';

const COLUMNS = [...HEADER.split(','), 'popularity', 'portion_1', 'portion_1_g'];
/** In every name, so that one search finds all foods. */
const SHARED_TEXT = 'g';

const oneOf = (...cells: string[]) => fc.constantFrom(...cells.map((cell) => [cell]));
const acid = fc.constantFrom('', '0', '0.1', '0.2', '0.001', '0.005');
/** The cells of a food; those that belong together in one list. */
const food = fc.tuple(
  oneOf('Egg', 'EGG', 'Egg ', 'Eggs, raw', 'Bérg', 'Be\u0301rg'),
  oneOf('20', '21', ''),
  oneOf('1', '0', ''),
  oneOf('2', ''),
  fc.tuple(acid, acid, acid),
  oneOf('', '0', '3', '700'),
  fc.constantFrom(['', ''], ['1 slice', '30'], ['1 slice', '31'], ['1 cup', '30']),
);

/** Rows of few foods: many are equal, perhaps in another spelling, and many others differ in one thing. */
const rowOfSome = (foods: readonly (readonly (readonly string[])[])[]) =>
  fc
    .tuple(fc.constantFrom(...foods), fc.constantFrom(...foods), fc.nat(2 * 7), fc.boolean())
    .map(([cells, others, other, isLong]) =>
      cells
        .flatMap((each, i) => (i === other ? (others[i] ?? each) : each))
        .map((cell) => (isLong && /^\d+$/.test(cell) ? `+${cell}.0` : cell)),
    );
const MOST_ROWS = 12;
const table = fc
  .array(food, { minLength: 1, maxLength: 3 })
  .chain((foods) => fc.array(rowOfSome(foods), { minLength: 1, maxLength: MOST_ROWS }));
type Table = readonly (readonly string[])[];
/** Shrinking a failure would take minutes. */
const RUNS = { numRuns: 15, endOnFailure: true };

const folder = temporaryFolder();
const everydayFoods = await readEverydayFoods();

const csvOf = (rows: Table): string =>
  [COLUMNS, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join()).join('\n');

/** Imports the sources as the command does, but into memory. */
async function imported(...sources: string[]): Promise<MemoryCatalog> {
  const { foods, report } = await importSources(sources, { readIndex: indexAsSource });
  return MemoryCatalog.from(foods, report.label, everydayFoods);
}

/** What the searches and the portions answer. */
async function answersOf(catalog: FoodCatalog, rows: Table): Promise<string[]> {
  const names = new Set(rows.map(([name = '']) => name));
  const answers: string[] = [];
  for (const text of [SHARED_TEXT, ...names]) {
    const found = await catalog.search(text);
    const { body } = await catalog.searchWords(text, NO_OTHER_NAMES);
    const portions = await catalog.lookUp('portions', text);
    answers.push(...[found, body, portions].map((each) => String('body' in each ? each.body : each)));
  }
  await catalog.close();
  return answers;
}

/** The entries of the foods of which none equals an earlier one, sorted. */
function expectedEntries(rows: Table): string[] {
  const entries = new Map<string, string>();
  for (const cells of rows) {
    const entry = JSON.stringify(entryOf(Object.fromEntries(cells.map((cell, i) => [COLUMNS[i], cell]))));
    const [portion = '', grams = ''] = cells.slice(-2);
    entries.set(`${entry} ${portion} ${Number(grams)}`, entry);
  }
  return [...entries.values()].sort();
}

const entriesIn = (answer = ''): string[] =>
  (JSON.parse(answer) as object[]).map((entry) => JSON.stringify(entry)).sort();

/** Returns the answers. @param at where the table is divided in two sources */
async function expectSameAnswers(rows: Table, at: number): Promise<readonly string[]> {
  const text = csvOf(rows);
  const csv = await folder.write('foods.csv', text);
  const gzip = await folder.write('foods.csv.gz', gzipSync(text));
  const zip = await folder.write('foods.zip', await zipOf({ 'foods.csv': text }));
  const opened = await openCatalog(csv);
  expect(opened.dataSet.foods).toBe(expectedEntries(rows).length);
  const expected = await answersOf(opened, rows);
  const expectSame = async (way: string, catalog: FoodCatalog): Promise<void> =>
    expect([way, ...(await answersOf(catalog, rows))]).toEqual([way, ...expected]);
  for (const file of [csv, gzip, zip]) {
    await expectSame(file, await MemoryCatalog.from(readFoods(file), TEST_LABEL, everydayFoods));
    await expectSame(`an import of ${file}`, await imported(file));
  }
  const { index, label } = (await imported(csv)).loaded;
  const indexFile = folder.path('foods.idx');
  await writeIndexFile(indexFile, index, label);
  await expectSame('an index file', await openCatalog(indexFile));
  const halves = [rows.slice(0, at), rows.slice(at)].filter((half) => half.length > 0);
  const parts = await Promise.all(halves.map((half, i) => folder.write(`${i}.csv`, csvOf(half))));
  for (const sources of [parts, [indexFile], [indexFile, csv], [csv, indexFile], [csv, gzip, zip]])
    await expectSame(`an import of ${sources}`, await imported(...sources));
  return expected;
}

test('15 tables answer alike as files, packed or not, imports of them, indexes, imports of these, and several sources', async () => {
  const check = fc.asyncProperty(table, fc.nat(MOST_ROWS), async (rows, at) => {
    const [all] = await expectSameAnswers(rows, at);
    expect(entriesIn(all)).toEqual(expectedEntries(rows));
  });
  await fc.assert(check, RUNS);
});

/** Tables as one, each with a number in its names: made and loaded at once, they take a hundredth of the time. */
const joined = fc
  .array(table, { minLength: 200, maxLength: 200 })
  .map((tables) =>
    tables.flatMap((rows, i) => rows.map(([name, ...others]) => [`${name}, ${1000 + i}`, ...others])),
  );

describeWithPostgres('with PostgreSQL, too,', () => {
  test('200 tables in one answer alike', async () => {
    const check = fc.asyncProperty(joined, async (rows) => {
      const expected = await expectSameAnswers(rows, 700);
      const stored = await copyOf(await imported(folder.path('foods.csv')));
      expect(await answersOf(stored, rows)).toEqual(expected);
    });
    await fc.assert(check, { ...RUNS, numRuns: 1 });
  });
});
