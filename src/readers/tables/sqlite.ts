/**
 * Reads foods from the table (or view) `entries`, or one of another name, of a SQLite file, in the order of its rows. The file is read
 * in place, by SQLite compiled to WebAssembly.
 */
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { shown, UserError } from '../../errors.ts';
import { FOOD_COLUMNS, type FoodRecord } from '../../food.ts';
import { type Cell, COLUMNS, type Column, foodOf } from './record.ts';
import { requireReadable } from './sqlite-file.ts';
import { openDatabase } from './sqlite-link.ts';

const TABLE = 'entries';

/**
 * The library cuts text at NUL and garbles text that is not UTF-8. So the query returns text as its bytes, and bytes,
 * which no column may hold, as hexadecimal digits.
 */
const cellsOf = (columns: readonly Column[]): string =>
  columns
    .map(
      (name) =>
        `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) WHEN 'blob' THEN hex(${name}) ELSE ${name} END AS ${name}`,
    )
    .join(', ');

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The foods of the file, row by row, including those without a description.
 * @throws UserError that names the file, the row (counted from 1) and the column.
 */
export async function* readSqlite(file: string, table = TABLE): AsyncGenerator<FoodRecord> {
  await requireReadable(file);
  const at = `Data file ${shown(file)}`;
  try {
    const db = await openDatabase(file);
    try {
      const cells = cellsOf(columnsOf(db, table, at));
      yield* foodsOf(db, table, cells, at);
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof sqlite.SQLite3Error)) throw error;
    throw new UserError(`${at}: SQLite cannot read it (${error.message}). Try PRAGMA integrity_check on it.`);
  }
}

function* foodsOf(db: Database, table: string, cells: string, at: string): Generator<FoodRecord> {
  const from = `FROM "${table.replaceAll('"', '""')}"`;
  const rows = db.prepare(`SELECT ${cells} ${from}`);
  let row = 0;
  const place = () => `${at}, table ${table}, row ${row}`;
  const text = (bytes: Uint8Array, column: Column): string => {
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new UserError(
        `${place()}, column ${column}: the text ${shown(Buffer.from(bytes).toString())} is not UTF-8. Store it as UTF-8${rowidOf(db, cells, from, row)}.`,
      );
    }
  };
  try {
    for (const values of rows.iterate() as Iterable<Record<Column, Cell>>) {
      row++;
      yield foodOf((column) => {
        const value = values[column];
        if (value instanceof Uint8Array) return text(value, column);
        return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'hex')) : value;
      }, place);
    }
  } finally {
    rows.finalize();
  }
}

/** The rowid of the row, as the end of a sentence; empty in a view or a table WITHOUT ROWID. */
function rowidOf(db: Database, cells: string, from: string, row: number): string {
  try {
    // The same cells as for all rows: they determine the order in which SQLite reads the rows.
    const found = db.get(`SELECT ${cells}, _rowid_ AS id ${from} LIMIT 1 OFFSET ?`, row - 1);
    return ` (rowid ${found?.id})`;
  } catch {
    return '';
  }
}

/** The columns to read. @throws UserError where one is missing that must be there */
function columnsOf(db: Database, table: string, at: string): Column[] {
  const names = db.all('SELECT name FROM pragma_table_info(?)', table).map((row) => row.name);
  if (names.length === 0)
    throw new UserError(`${at}: there is no table ${table}. Make one, or a view of that name.`);
  const missing = FOOD_COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw new UserError(
      `${at}: the table ${table} lacks ${missing.join(', ')}; it has ${shown(names.join(','))}. Add what is missing; NULL is allowed.`,
    );
  }
  return COLUMNS.filter((column) => names.includes(column));
}
