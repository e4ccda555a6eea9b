/** What is known of a food comes out as it went in: from memory, an index file, an index of that file, and PostgreSQL. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FactName, type FoodCatalog, type FoodRecord, foodCodeOf } from '#core';
import { parsePostgresUrl } from '#postgres';
import { indexAsSource, LiveCatalog, MemoryCatalog } from '#service';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { temporaryFolder } from '../support/files.ts';
import { sectionsOf, writeIndexFile } from '../support/index.ts';
import { load, newDatabase } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { food, TEST_LABEL } from '../support/service.ts';

const folder = temporaryFolder();

/** Few, so that many foods have the same or nearly the same: in another case, decomposed, like JSON or the end of an entry. */
const DESCRIPTIONS = [
  ...['Milk', 'milk', 'MILK', 'Milk ', 'Milk, whole', 'Käse', 'Ka\u0308se', 'KÄSE', '🥚', '__proto__'],
  ...['A "B"', 'A \\"B\\"', '"}', ',"description":"Milk"}', '\0', 'N', '%', '\ud83e', '\ufffd', '\n'],
  ...["'; DROP TABLE food_lookup.data_set; --", `${'long '.repeat(390)}food`],
];
const CODES = [
  ...['1', '17', '4006381333931', '96385074', '12345000065', '99999999999999', '999999999999999'],
  // Those of 16 digits and more are no safe numbers; these differ in the first digits or the last.
  ...['1000000000000017', '900719925474099317', '900719925474099318', '400719925474099318'],
];

const portion = fc.record({
  portion: fc.oneof(
    fc.constantFrom('1 cup', '1 cup, diced', '½ "Laib"', '🧀', '\\', '\0'),
    fc.string({ unit: 'binary', minLength: 1 }),
  ),
  grams: fc
    .oneof(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }))
    .map((milligrams) => String(milligrams / 1000)),
});

const nutrient = fc.record({
  nutrient: fc.oneof(fc.constantFrom('Fibre', 'Salt', '__proto__', '"', '\n'), fc.string({ unit: 'binary' })),
  amount: fc.oneof(
    fc.constantFrom('0', '0.0', '2.40', '12345678901234567890.123', `0.${'0'.repeat(40)}1`),
    fc.tuple(fc.nat(1e9), fc.nat(9)).map(([units, scale]) => (units / 10 ** scale).toFixed(scale)),
  ),
  unit: fc.constantFrom('g', 'mg', 'µg', 'IU', '% vol'),
});

const name = fc.constantFrom('Lait', 'Rocket', 'lait', 'Melk "vers"', '番茄', 'Mjölk', '1% milk');

/** Any food has any of the facts, and can be told from others by its `kcal`. */
const foods: fc.Arbitrary<FoodRecord[]> = fc
  .array(
    fc.record(
      {
        description: fc.constantFrom(...DESCRIPTIONS),
        portions: fc.array(portion, { maxLength: 3 }),
        nutrients: fc.uniqueArray(nutrient, { maxLength: 6, selector: (each) => each.nutrient }),
        names: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
        codes: fc.subarray(CODES),
        popularity: fc.constantFrom(0, 1, 2.5, 3e20, Number.MAX_VALUE),
      },
      { requiredKeys: ['description'] },
    ),
    { maxLength: 150 },
  )
  .map((all) => all.map((each, i) => food(each.description, { ...each, kcal: String(i) })));

const bodyOf = async (found: ReturnType<FoodCatalog['searchBarcode']>): Promise<string> => {
  const answer = await found;
  return (Buffer.isBuffer(answer) ? answer : answer.body).toString();
};

/** What is said of the foods of a description, in the order of the catalog: the first that has any, or the first. */
const FACTS: Readonly<Record<FactName, (same: readonly FoodRecord[]) => readonly unknown[] | undefined>> = {
  portions: (same) => {
    const { portions } = same.find((each) => each.portions?.length) ?? {};
    return portions?.map((each) => ({ ...each, grams: Number(each.grams) }));
  },
  names: (same) => same.find(({ names }) => names?.length)?.names,
  nutrients: ([first]) => first?.nutrients,
};

/** Compares with the foods in the order of the catalog. */
async function expectAnswers(catalog: FoodCatalog, order: readonly FoodRecord[]): Promise<void> {
  for (const description of [...DESCRIPTIONS, 'Mil', 'Milk, whole, raw', '}', '', '\ud800']) {
    const same = order.filter((each) => each.description.normalize() === description.normalize());
    for (const what of ['portions', 'names', 'nutrients'] as const) {
      const expected = JSON.stringify(FACTS[what](same) ?? []);
      expect(await bodyOf(catalog.lookUp(what, description)), `${what} of ${description}`).toBe(expected);
    }
  }
  for (const code of [...CODES, '2', '0-1', 'egg', '01234565', '4006381333932']) {
    const with_ = order.filter(({ codes = [] }) => codes.includes(foodCodeOf(code) ?? ''));
    const found = JSON.parse(await bodyOf(catalog.searchBarcode(code))) as { kcal: number }[];
    expect(found.map(({ kcal }) => String(kcal))).toEqual(with_.slice(0, 100).map(({ kcal }) => kcal));
  }
}

/** As `records` has it: what there is none of is absent. */
const factsOf = ({ popularity, portions, nutrients, names, codes = [] }: Partial<FoodRecord>) => ({
  popularity: popularity || undefined,
  portions: portions?.length ? portions : undefined,
  nutrients: nutrients?.length ? nutrients : undefined,
  names: names?.length ? names : undefined,
  codes: new Set(codes),
});

test('from memory, an index file, and an index of that file', async () => {
  const file = folder.path('facts.idx');
  await fc.assert(
    fc.asyncProperty(foods, async (given) => {
      await writeIndexFile(file, await sectionsOf(given), { ...TEST_LABEL, leftOut: 0 });
      const again = (await indexAsSource(file)).foods;
      const [made, opened] = [await MemoryCatalog.from(given, TEST_LABEL), await LiveCatalog.open(file)];
      expect(opened.dataSet).toEqual(made.dataSet);
      for (const catalog of [made, opened, await MemoryCatalog.from(again, TEST_LABEL)]) {
        const records = [...catalog.records()];
        for (const record of records)
          expect(factsOf(record)).toEqual(factsOf(given[Number(record.kcal)] ?? {}));
        await expectAnswers(catalog, records);
      }
    }),
    { numRuns: 40, examples: [[[food('Ka\u0308se')]]] },
  );
});

test('a file without facts has no sections for them', async () => {
  const bytesOf = async (facts: Partial<FoodRecord>) => {
    const file = folder.path('without.idx');
    const index = await sectionsOf(DESCRIPTIONS.map((each) => food(each, facts)));
    await writeIndexFile(file, index, { ...TEST_LABEL, leftOut: 0 });
    return readFile(file, 'latin1');
  };
  const without = await bytesOf({});
  expect(await bytesOf({ portions: [], nutrients: [], codes: [] })).toBe(without);
  const sections = /(?:fact|code)(?=[A-Z])/g;
  expect(without).not.toMatch(sections);
  const nutrients = [{ nutrient: 'Fibre', amount: '1', unit: 'g' }];
  const having = await bytesOf({ portions: [{ portion: '1 cup', grams: '240' }], nutrients, codes: ['1'] });
  expect(new Set(having.match(sections))).toEqual(new Set(['fact', 'code']));
});

describeWithPostgres('in PostgreSQL', () => {
  test('byte for byte as from memory', async () => {
    const given = fc
      .sample(fc.tuple(foods, foods, foods, foods), { seed: 20, numRuns: 12 })
      .flat(2)
      .filter(({ description }) => description.isWellFormed())
      .map((each, i) => ({ ...each, kcal: String(i) }));
    expect(given.length).toBeGreaterThan(150);
    const url = await newDatabase();
    await load(url, given, TEST_LABEL);
    const database = await PostgresCatalog.open(parsePostgresUrl(url));
    const memory = await MemoryCatalog.from(given, TEST_LABEL);
    await expectAnswers(database, [...memory.records()]);
    for (const description of DESCRIPTIONS)
      expect((await database.lookUp('portions', description)).identity).toBe(memory.dataSet.identity);
    for (const code of CODES)
      expect(await bodyOf(database.searchBarcode(code))).toBe(await bodyOf(memory.searchBarcode(code)));
    // The next data set has none, and so no tables of them.
    await load(url, [food('Milk')], TEST_LABEL);
    await database.reload();
    for (const what of ['portions', 'names', 'nutrients'] as const)
      expect(await bodyOf(database.lookUp(what, 'Milk'))).toBe('[]');
    expect(await bodyOf(database.searchBarcode('17'))).toBe('[]');
    expect(database.dataSet.foods).toBe(1);
    await database.close();
  });
});
