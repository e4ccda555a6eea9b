/** Portions come out as they went in: from memory, an index file and PostgreSQL, even while they are replaced. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type FoodCatalog, type FoodRecord, type Portion, UserError } from '#core';
import { parsePostgresUrl } from '#postgres';
import { indexAsSource, LiveCatalog, MemoryCatalog, readIndexFile } from '#service';
import {
  type FileLabel,
  headerOf,
  placesOf,
  type Section,
  sectionsOf,
} from '../../src/engine/store/index-format.ts';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { temporaryFolder } from '../support/files.ts';
import { sectionsOf as sectionsFrom, writeIndexFile } from '../support/index.ts';
import { load, newDatabase } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { food, TEST_LABEL } from '../support/service.ts';

const folder = temporaryFolder();
const LABEL: FileLabel = { ...TEST_LABEL, leftOut: 0 };

/** Few, so that many foods have the same or nearly the same: in another case, decomposed, like JSON or the end of an entry. */
const DESCRIPTIONS = [
  'Milk',
  'milk',
  'MILK',
  'Milk ',
  'Milk, whole',
  'Käse',
  'Ka\u0308se',
  'KÄSE',
  '🥚',
  'A "B"',
  'A \\"B\\"',
  '"}',
  ',"description":"Milk"}',
  '\0',
  'N',
  "'; DROP TABLE food_lookup.data_set; --",
  '%',
  '\ud83e',
  '\ufffd',
  '\n',
  `${'long '.repeat(390)}food`,
];

const portion: fc.Arbitrary<Portion> = fc.record({
  portion: fc.oneof(
    fc.constantFrom('1 cup', '1 cup, diced', '½ "Laib"', '🧀', '\\', '\0'),
    fc.string({ unit: 'binary', minLength: 1 }),
  ),
  grams: fc
    .oneof(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }))
    .map((milligrams) => String(milligrams / 1000)),
});

/** Foods that can be distinguished by their `kcal`. */
const foods: fc.Arbitrary<FoodRecord[]> = fc
  .array(
    fc.record({
      description: fc.constantFrom(...DESCRIPTIONS),
      portions: fc.array(portion, { maxLength: 3 }),
      popularity: fc.nat(3),
    }),
    { maxLength: 40 },
  )
  .map((all) => all.map((each, i) => food(each.description, { ...each, kcal: String(i) })));

const jsonOf = (portions: readonly Portion[] = []) =>
  portions.map((each) => ({ ...each, grams: Number(each.grams) }));

/** The portions of each description: those of the first food in the order that has any. */
function oracleOf(given: readonly FoodRecord[], order: Iterable<FoodRecord>): Map<string, unknown> {
  const expected = new Map<string, unknown>();
  for (const { kcal } of order) {
    const { description = '', portions } = given[Number(kcal)] ?? {};
    const same = description.normalize('NFC');
    if (portions?.length && !expected.has(same)) expected.set(same, jsonOf(portions));
  }
  return expected;
}

async function expectPortions(catalog: FoodCatalog, expected: ReadonlyMap<string, unknown>): Promise<void> {
  for (const description of [...DESCRIPTIONS, 'Mil', 'Milk, whole, raw', '}', '', '\ud800']) {
    const found = await catalog.lookUp('portions', description);
    const body = Buffer.isBuffer(found) ? found : found.body;
    const wanted = expected.get(description.normalize('NFC')) ?? [];
    expect(JSON.parse(body.toString()), JSON.stringify(description)).toEqual(wanted);
  }
}

test('portions come unchanged out of memory, an index file, and an index of that file', async () => {
  const file = folder.path('portions.idx');
  await fc.assert(
    fc.asyncProperty(foods, async (given) => {
      const index = await sectionsFrom(given);
      await writeIndexFile(file, index, LABEL);
      const again = (await indexAsSource(file)).foods;
      const [made, opened] = [await MemoryCatalog.from(given, TEST_LABEL), await LiveCatalog.open(file)];
      expect(opened.dataSet).toEqual(made.dataSet);
      for (const catalog of [made, opened, await MemoryCatalog.from(again, TEST_LABEL)]) {
        const records = [...catalog.records()];
        for (const { kcal, portions } of records) {
          const put = given[Number(kcal)]?.portions ?? [];
          expect(portions).toEqual(put.length === 0 ? undefined : put);
        }
        await expectPortions(catalog, oracleOf(given, records));
      }
    }),
    { numRuns: 30 },
  );
});

describeWithPostgres('in PostgreSQL', () => {
  test('portions come out unchanged, byte for byte as from memory', async () => {
    const given = fc
      .sample(fc.tuple(foods, foods, foods, foods), { seed: 20, numRuns: 3 })
      .flat(2)
      .filter(({ description }) => description.isWellFormed())
      .map((each, i) => ({ ...each, kcal: String(i) }));
    const url = await newDatabase();
    await load(url, given, TEST_LABEL);
    const database = await PostgresCatalog.open(parsePostgresUrl(url));
    const memory = await MemoryCatalog.from(given, TEST_LABEL);
    const expected = oracleOf(given, memory.records());
    expect(expected.size).toBeGreaterThan(10);
    await expectPortions(database, expected);
    for (const description of DESCRIPTIONS) {
      const { body, identity } = await database.lookUp('portions', description);
      expect(body.toString()).toBe(memory.lookUp('portions', description).toString());
      expect(identity).toBe(memory.dataSet.identity);
    }
    // The next data set has none, and so no table of them.
    await load(url, [food('Milk')], TEST_LABEL);
    await database.reload();
    expect((await database.lookUp('portions', 'Milk')).body.toString()).toBe('[]');
    expect(database.dataSet.foods).toBe(1);
    await database.close();
  });
});

function fileOf(sections: readonly Section[]): Buffer {
  const places = placesOf(sections);
  const bytes = Buffer.alloc(Math.max(...places.map(({ offset, length }) => offset + length)));
  bytes.set(headerOf(places));
  for (const [i, section] of sections.entries()) bytes.set(section.bytes, places[i]?.offset);
  return bytes;
}

const EGGS = ['Egg, raw', 'Egg, fried', 'Milk'];
const WITHOUT = EGGS.map((description) => food(description));
const WITH = EGGS.map((description, i) =>
  food(description, {
    portions: [
      { portion: '1 large', grams: '50' },
      { portion: `${i} cups`, grams: '136' },
    ],
  }),
);
const PORTION_SECTIONS = [
  'portionStarts',
  'portionTexts',
  'portionWeights',
  'portionSpellings',
  'portionSpellingStarts',
];

describe('an index file', () => {
  test('without portions has no sections for them', async () => {
    const file = folder.path('without.idx');
    const bytesOf = async (foods: readonly FoodRecord[]) => {
      await writeIndexFile(file, await sectionsFrom(foods), LABEL);
      return readFile(file, 'latin1');
    };
    const without = await bytesOf(WITHOUT);
    expect(await bytesOf(WITHOUT.map((each) => ({ ...each, portions: [] })))).toBe(without);
    expect(without).not.toContain('portion');
    expect(await bytesOf(WITH)).toContain('portionWeights');
  });

  /** Reads the file of WITH with some sections changed, or left out if they are undefined. */
  async function readChanged(
    changes: Readonly<Record<string, Uint8Array | Uint32Array | undefined>>,
  ): Promise<unknown> {
    const sections = sectionsOf(await sectionsFrom(WITH), LABEL).flatMap(({ name, bytes }): Section[] => {
      const changed = name in changes ? changes[name] : bytes;
      if (changed === undefined) return [];
      return [{ name, bytes: new Uint8Array(changed.buffer, changed.byteOffset, changed.byteLength) }];
    });
    return readIndexFile(await folder.write('changed.idx', fileOf(sections))).catch((error: unknown) => {
      if (error instanceof UserError) return error.message.replace(/.*: this file /, '');
      throw error;
    });
  }

  it.each(PORTION_SECTIONS)('that lacks only the section %s is refused', async (name) => {
    expect(await readChanged({ [name]: undefined })).toBe(
      `lacks the section ${name}. Import the data again: food-lookup import SOURCE --to ${folder.path('changed.idx')}`,
    );
  });

  test('that lacks all of them is read', async () => {
    const changes = Object.fromEntries(PORTION_SECTIONS.map((name) => [name, undefined]));
    expect(await readChanged(changes)).toMatchObject({ index: { portions: { starts: new Uint32Array(0) } } });
    expect(await readChanged({})).toMatchObject({ index: { portions: { weights: { length: 6 } } } });
  });

  const numbers = (...values: number[]) => Uint32Array.from(values);
  it.each([
    ['one food too few', { portionStarts: numbers(0, 2, 6) }],
    ['one food too many', { portionStarts: numbers(0, 2, 4, 6, 6) }],
    ['no foods', { portionStarts: numbers() }],
    ['starts that descend', { portionStarts: numbers(0, 4, 2, 6) }],
    ['starts past the end', { portionStarts: numbers(0, 2, 4, 7) }],
    ['starts that leave portions out', { portionStarts: numbers(2, 2, 4, 6) }],
    ['an unknown text', { portionTexts: numbers(0, 1, 0, 2, 0, 4) }],
    ['fewer texts than weights', { portionTexts: numbers(0, 1, 0, 2, 0) }],
    ['a weight of 0', { portionWeights: numbers(1, 1, 1, 0, 1, 1) }],
    ['texts past the end', { portionSpellingStarts: numbers(0, 9, 17, 25, 99) }],
    ['shorter texts', { portionSpellings: Buffer.from('"1 large"') }],
  ] as const)('with %s in its sections of portions is refused', async (_what, changes) => {
    expect(await readChanged(changes)).toMatch(
      /^is damaged: its sections of portions contradict each other\. Import the data again/,
    );
  });

  test('with an incomplete number is refused', async () => {
    expect(await readChanged({ portionWeights: Buffer.alloc(23, 1) })).toMatch(
      /^is damaged: the section portionWeights ends within a number\. Import the data again/,
    );
  });
});
