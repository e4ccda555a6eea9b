/** Foods from a table or view of a SQLite file, read in place by SQLite compiled to WebAssembly. */
import { isUtf8 } from 'node:buffer';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import type { FoodRecord } from '../../foods/food.ts';
import { shown, UserError } from '../../system/errors.ts';
import { openDatabase, requireIntact, requireReadable } from '../tables/sqlite-file.ts';
import { type ColumnOptions, countFields } from './candidates.ts';
import type { Cell } from './cells.ts';
import { OwnFoods, type OwnSource } from './own-foods.ts';

const TABLE = 'entries';

interface Found {
  readonly name: string;
  readonly columns: readonly string[];
}

export async function* readSqlite(
  file: string,
  head: Buffer,
  { where: at, report, options }: OwnSource,
): AsyncGenerator<FoodRecord[]> {
  await requireReadable(file, head);
  try {
    const { db, close } = await openDatabase(file);
    try {
      requireIntact(db, file);
      const table = tableOf(db, options, at);
      const where = `${at}, table ${table.name}`;
      yield* foodsOf(db, table, new OwnFoods({ where, report, options, commas: false }));
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof sqlite.SQLite3Error)) throw error;
    throw new UserError(`${at}: SQLite cannot read it (${error.message}). Try PRAGMA integrity_check on it.`);
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function* foodsOf(db: Database, { name, columns }: Found, foods: OwnFoods): Generator<FoodRecord[]> {
  foods.header(columns);
  const cells = columns
    .map((column, index) => (foods.reads(index) ? cellOf(column, index) : `NULL AS c${index}`))
    .join(', ');
  const rows = db.prepare(`SELECT ${cells} FROM ${quoted(name)}`);
  let row = 0;
  let values: Record<string, Cell> = {};
  const place = () => `row ${row}`;
  const cell = (index: number): Cell => {
    const value = values[`c${index}`];
    if (value instanceof Uint8Array) {
      const text = Buffer.from(value);
      if (isUtf8(text)) return text.toString();
      foods.faults.add(
        `${place()}, column ${columns[index]}: the text ${shown(text.toString())} is not UTF-8`,
        'Store it as UTF-8.',
      );
      return null;
    }
    return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'hex')) : value;
  };
  const tableRow = { width: columns.length, cell, place };
  try {
    for (values of rows.iterate() as Iterable<Record<string, Cell>>) {
      row++;
      foods.row(tableRow);
      if (foods.isBatch) yield foods.take();
    }
  } finally {
    rows.finalize();
  }
  yield foods.end();
}

/**
 * The library cuts text at NUL and garbles text that is not UTF-8. So the query returns text as its bytes, and bytes,
 * which no column may hold, as hexadecimal digits.
 */
function cellOf(column: string, index: number): string {
  const name = quoted(column);
  return `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) WHEN 'blob' THEN hex(${name}) ELSE ${name} END AS c${index}`;
}

function tableOf(db: Database, options: ColumnOptions, at: string): Found {
  const names = namesIn(
    db,
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  const wanted = options.table ?? names.find((name) => name.toLowerCase() === TABLE);
  if (wanted !== undefined) {
    const columns = columnsOf(db, wanted);
    if (columns.length > 0) return { name: wanted, columns };
    throw new UserError(
      `${at}: there is no table ${wanted}; it has ${shown(names.join(', '))}. Name one of them with --table.`,
    );
  }
  const tables = names.map((name) => ({ name, columns: columnsOf(db, name) }));
  const fitting = tables.filter(({ columns }) => countFields(columns, options) >= 2);
  const [found] = fitting;
  if (found !== undefined && fitting.length === 1) return found;
  throw new UserError(
    found === undefined
      ? `${at}: there is no table ${TABLE}, and no other has columns of foods; it has ${shown(names.join(', '))}. Make a view named ${TABLE}, or name a table with --table.`
      : `${at}: there is no table ${TABLE}, and several have columns of foods: ${fitting.map(({ name }) => name).join(', ')}. Name one with --table.`,
  );
}

// 1 marks the hidden columns of virtual tables; generated ones count.
const columnsOf = (db: Database, table: string): string[] =>
  namesIn(db, 'SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1', table);

const namesIn = (db: Database, query: string, value?: string): string[] =>
  db.all(query, value).map(({ name }) => String(name));
