/**
 * Reads data files for the oracle, without any code under test: CSV with the parser of the relevance evaluator, SQLite with
 * another build.
 */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import initSqlJs from 'sql.js';
import type { Row } from '../oracle.ts';
import { SHARED } from './requirements.ts';

export async function rowsOfCsv(file: string): Promise<Row[]> {
  const evaluator = pathToFileURL(`${SHARED}/relevance/eval-order.mjs`).href;
  const { parseCsv } = (await import(evaluator)) as { parseCsv(text: string): string[][] };
  const [header = [], ...rows] = parseCsv(await readFile(file, 'utf8'));
  return rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ''])));
}

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
