/** Both real data sets, served over HTTP and compared with an independent scan of the file. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCatalog } from '#service';
import { type Entry, entryOf, matches, type Row } from './oracle.ts';
import { seeded } from './support/random.ts';
import { describeWithShared, SR28_CSV, SR28_SQLITE } from './support/requirements.ts';
import { rowsOfCsv, rowsOfSqlite } from './support/rows.ts';
import { ask, type Service, startService, targetOf } from './support/service.ts';

const QUERIES = 2000;
/** Of the second, which has the same foods, every tenth is searched for, and all with empty fat columns, which count as 0. */
const SETS = [
  ['sr28.csv', SR28_CSV, rowsOfCsv, 1, 0],
  ['usda-nnd.sqlite3', SR28_SQLITE, rowsOfSqlite, 10, 349],
] as const;

describeWithShared('real data', () => {
  describe.each(SETS)('%s', (_name, file, readRows, step, empty) => {
    let rows: Row[];
    let service: Service;
    beforeAll(async () => {
      rows = await readRows(file);
      service = await startService(await openCatalog(file));
    });
    afterAll(() => service.close());

    const search = async (text: string): Promise<Entry[]> =>
      JSON.parse((await ask(service, targetOf(text))).body);

    test('has 8,790 foods, which are found by their descriptions', async () => {
      expect(rows).toHaveLength(8790);
      const isEmpty = (row: Row) => row.fa_sat_g === null;
      expect(rows.filter(isEmpty)).toHaveLength(empty);
      for (const row of rows.filter((each, i) => i % step === 0 || isEmpty(each))) {
        const found = (await search(row.description ?? '')).map(keyOf);
        expect(found.includes(expectedKeyOf(row)), row.description ?? '').toBe(true);
      }
    });

    const queries = QUERIES / step;
    test(`answers ${queries} random parts of descriptions as an independent scan does`, async () => {
      const random = seeded(28);
      for (let i = 0; i < queries; i++) {
        const text = partOf(rows[random(rows.length)]?.description ?? '', random);
        const found = await search(text);
        const expected = matches(rows, text);
        expect(found, text).toHaveLength(Math.min(100, expected.length));
        expect(surplus(found, expected), text).toEqual([]);
      }
    });
  });
});

/** A random part of a description, sometimes in another case. */
function partOf(description: string, random: (below: number) => number): string {
  const characters = Array.from(description);
  const start = random(characters.length);
  const part = characters.slice(start, start + 1 + random(14)).join('');
  return [part, part.toUpperCase(), part.toLowerCase()][random(3)] ?? part;
}

/** The entries found more often than expected. */
function surplus(found: readonly Entry[], expected: readonly Row[]): string[] {
  const left = new Map<string, number>();
  const descriptions = new Set(found.map(({ description }) => description));
  for (const row of expected) {
    if (!descriptions.has(row.description ?? '')) continue;
    const key = expectedKeyOf(row);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return found.map(keyOf).filter((key) => {
    const times = left.get(key) ?? 0;
    left.set(key, times - 1);
    return times <= 0;
  });
}

const keyOf = (entry: Entry): string => JSON.stringify(entry);

/** Computed once, because a row is expected for many texts, and exact sums take time. */
const expectedKeys = new Map<Row, string>();
function expectedKeyOf(row: Row): string {
  const key = expectedKeys.get(row) ?? keyOf(entryOf(row));
  expectedKeys.set(row, key);
  return key;
}
