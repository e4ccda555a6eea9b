/** Both real data sets, served over HTTP and compared with the rows of the file as other libraries read them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCatalog } from '#service';
import { type Entry, entryOf, type Row } from './oracle.ts';
import { describeWithShared, SR28_CSV, SR28_SQLITE } from './support/requirements.ts';
import { rowsOfCsv, rowsOfSqlite } from './support/rows.ts';
import { ask, type Service, startService, targetOf } from './support/service.ts';

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
        expect(found.includes(keyOf(entryOf(row))), row.description ?? '').toBe(true);
      }
    });
  });
});

const keyOf = (entry: Entry): string => JSON.stringify(entry);
