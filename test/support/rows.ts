/** Reads data files for the oracle, without any code under test: CSV with a library, SQLite with another build. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import initSqlJs from 'sql.js';
import type { Row } from '../oracle.ts';

export const rowsOfCsv = async (file: string): Promise<Row[]> =>
  parse(await readFile(file), { columns: true, bom: true });

export async function rowsOfSqlite(file: string): Promise<Row[]> {
  const sql = await initSqlJs();
  const db = new sql.Database(await readFile(file));
  const [result] = db.exec('SELECT * FROM entries');
  db.close();
  const { columns = [], values = [] } = result ?? {};
  return values.map((cells) =>
    Object.fromEntries(columns.map((name, i) => [name, cells[i] === null ? null : String(cells[i])])),
  );
}
