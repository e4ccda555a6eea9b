/** Nutrients and codes come out as they went in: from memory, an index file, an index of that file, and PostgreSQL. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoodCatalog, type FoodRecord, foodCodeOf, type Nutrient } from '#core';
import { parsePostgresUrl } from '#postgres';
import { indexAsSource, LiveCatalog, MemoryCatalog } from '#service';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { temporaryFolder } from '../support/files.ts';
import { sectionsOf, writeIndexFile } from '../support/index.ts';
import { load, newDatabase } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { food, TEST_LABEL } from '../support/service.ts';

const folder = temporaryFolder();
const LABEL = { ...TEST_LABEL, leftOut: 0 };

/** Few, so that many foods have the same, or the same but for case. */
const DESCRIPTIONS = [
  'Milk',
  'milk',
  'Käse',
  'Ka\u0308se',
  'A "B"',
  '__proto__',
  '🥚',
  `${'long '.repeat(390)}food`,
];
const CODES = [
  ...['1', '17', '4006381333931', '96385074', '12345000065', '99999999999999', '999999999999999'],
  // Those of 16 digits and more are no safe numbers; these differ in the first digits or the last.
  ...['1000000000000017', '900719925474099317', '900719925474099318', '400719925474099318'],
];

const nutrient: fc.Arbitrary<Nutrient> = fc.record({
  nutrient: fc.oneof(
    fc.constantFrom('Fibre', 'Sodium', '__proto__', '"', '\n'),
    fc.string({ unit: 'binary' }),
  ),
  amount: fc.oneof(
    fc.constantFrom('0', '0.0', '2.40', '12345678901234567890.123', `0.${'0'.repeat(40)}1`),
    fc.tuple(fc.nat(1e9), fc.nat(9)).map(([units, scale]) => (units / 10 ** scale).toFixed(scale)),
  ),
  unit: fc.constantFrom('g', 'mg', 'µg', 'IU', '% vol'),
});

/** Foods that can be distinguished by their `kcal`. */
const foods: fc.Arbitrary<FoodRecord[]> = fc
  .array(
    fc.record({
      description: fc.constantFrom(...DESCRIPTIONS),
      nutrients: fc.uniqueArray(nutrient, { maxLength: 6, selector: (each) => each.nutrient }),
      codes: fc.subarray(CODES),
      popularity: fc.nat(3),
    }),
    { maxLength: 150 },
  )
  .map((all) => all.map((each, i) => food(each.description, { ...each, kcal: String(i) })));

const bodyOf = async (found: ReturnType<FoodCatalog['searchBarcode']>): Promise<string> => {
  const answer = await found;
  return (Buffer.isBuffer(answer) ? answer : answer.body).toString();
};

/** Compares with the foods in the order of the catalog. */
async function expectAnswers(catalog: FoodCatalog, order: readonly FoodRecord[]): Promise<void> {
  for (const description of [...DESCRIPTIONS, 'Mil', '', '\ud800']) {
    const first = order.find((each) => each.description.normalize() === description.normalize());
    const expected = JSON.stringify(first?.nutrients ?? []);
    expect(await bodyOf(catalog.lookUp('nutrients', description)), description).toBe(expected);
  }
  for (const code of [...CODES, '2', '0-1', 'egg', '01234565', '4006381333932']) {
    const with_ = order.filter(({ codes = [] }) => codes.includes(foodCodeOf(code) ?? ''));
    const found = JSON.parse(await bodyOf(catalog.searchBarcode(code))) as { kcal: number }[];
    expect(found.map(({ kcal }) => String(kcal))).toEqual(with_.slice(0, 100).map(({ kcal }) => kcal));
  }
}

test('from memory, an index file, and an index of that file', async () => {
  const file = folder.path('nutrients.idx');
  await fc.assert(
    fc.asyncProperty(foods, async (given) => {
      await writeIndexFile(file, await sectionsOf(given), LABEL);
      const again = (await indexAsSource(file)).foods;
      const [made, opened] = [await MemoryCatalog.from(given, TEST_LABEL), await LiveCatalog.open(file)];
      expect(opened.dataSet).toEqual(made.dataSet);
      for (const catalog of [made, opened, await MemoryCatalog.from(again, TEST_LABEL)]) {
        const records = [...catalog.records()];
        for (const { kcal, nutrients = [], codes = [] } of records) {
          expect(nutrients).toEqual(given[Number(kcal)]?.nutrients);
          expect(new Set(codes)).toEqual(new Set(given[Number(kcal)]?.codes));
        }
        await expectAnswers(catalog, records);
      }
    }),
    { numRuns: 30 },
  );
});

test('a file without them is the same as before, and one with them has their sections', async () => {
  const bytesOf = async (facts: Partial<FoodRecord>) => {
    const file = folder.path('without.idx');
    await writeIndexFile(file, await sectionsOf(DESCRIPTIONS.map((each) => food(each, facts))), LABEL);
    return readFile(file, 'latin1');
  };
  const without = await bytesOf({});
  expect(await bytesOf({ nutrients: [], codes: [] })).toBe(without);
  expect(without).not.toMatch(/nutrient|code[A-Z]/);
  const [fibre] = fc.sample(nutrient, { seed: 1, numRuns: 1 });
  expect(await bytesOf({ nutrients: fibre ? [fibre] : [], codes: ['1'] })).toMatch(
    /nutrientRows.*codeFoods/s,
  );
});

describeWithPostgres('in PostgreSQL', () => {
  test('byte for byte as from memory', async () => {
    const given = fc
      .sample(fc.tuple(foods, foods, foods), { seed: 7, numRuns: 3 })
      .flat(2)
      .map((each, i) => ({ ...each, kcal: String(i) }));
    const url = await newDatabase();
    await load(url, given, TEST_LABEL);
    const database = await PostgresCatalog.open(parsePostgresUrl(url));
    const memory = await MemoryCatalog.from(given, TEST_LABEL);
    expect(database.dataSet.identity).toBe(memory.dataSet.identity);
    await expectAnswers(database, [...memory.records()]);
    for (const code of CODES)
      expect(await bodyOf(database.searchBarcode(code))).toBe(await bodyOf(memory.searchBarcode(code)));
    // The next data set has none, and so no tables of them.
    await load(url, [food('Milk')], TEST_LABEL);
    await database.reload();
    expect(await bodyOf(database.lookUp('nutrients', 'Milk'))).toBe('[]');
    expect(await bodyOf(database.searchBarcode('17'))).toBe('[]');
    await database.close();
  });
});
