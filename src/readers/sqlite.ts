/**
 * Reads foods from the table (or view) `entries`, or one of another name, of a SQLite file, in the order of its rows. The file is read
 * in place, by SQLite compiled to WebAssembly.
 */
import { mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { shown, UserError } from '../errors.ts';
import { FOOD_COLUMNS, type FoodColumn, type FoodRecord } from '../food.ts';
import { type Cell, foodOf } from './record.ts';

const TABLE = 'entries';

/**
 * The foods of the file, row by row, those without a description among them.
 * @throws UserError that names the file, the row (counted from 1) and the column.
 */
export async function* readSqlite(file: string, table = TABLE): AsyncGenerator<FoodRecord> {
  await refuseUnsavedChanges(file);
  // SQLite locks by making files beside its database. A link in a folder of our own keeps them out of the
  // user's folder, which may be read-only, and lets two services read one file.
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-'));
  try {
    const link = join(folder, basename(file));
    await symlink(resolve(file), link);
    yield* readTable(link, table, `Data file ${shown(file)}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function* readTable(link: string, table: string, at: string): Generator<FoodRecord> {
  let db: Database | undefined;
  try {
    db = new sqlite.Database(link, { readOnly: true });
    // Without it a file in write-ahead-log mode needs shared memory, which WebAssembly lacks.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    requireColumns(db, table, at);
    const rows = db.prepare(`SELECT ${FOOD_COLUMNS.join(', ')} FROM "${table.replaceAll('"', '""')}"`);
    try {
      let row = 0;
      const place = () => `${at}, table ${table}, row ${row}`;
      for (const values of rows.iterate() as Iterable<Record<FoodColumn, Cell>>) {
        row++;
        yield foodOf((column) => values[column], place);
      }
    } finally {
      rows.finalize();
    }
  } catch (error) {
    if (!(error instanceof sqlite.SQLite3Error)) throw error;
    throw new UserError(`${at}: SQLite cannot read it (${error.message}). Try PRAGMA integrity_check on it.`);
  } finally {
    db?.close();
  }
}

function requireColumns(db: Database, table: string, at: string): void {
  const names = db.all('SELECT name FROM pragma_table_info(?)', table).map((row) => row.name);
  if (names.length === 0)
    throw new UserError(`${at}: there is no table ${table}. Make one, or a view of that name.`);
  const missing = FOOD_COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw new UserError(
      `${at}: the table ${table} lacks ${missing.join(', ')}; it has ${shown(names.join(','))}. Add what is missing; NULL is allowed.`,
    );
  }
}

/** A journal beside the file holds changes that the file alone does not show. */
async function refuseUnsavedChanges(file: string): Promise<void> {
  for (const journal of [`${file}-wal`, `${file}-journal`]) {
    const size = await stat(journal).then(
      (found) => found.size,
      () => 0,
    );
    if (size > 0) {
      throw new UserError(
        `Data file ${shown(file)}: ${shown(journal)} holds changes that are not in it yet. Close the program that writes to it.`,
      );
    }
  }
}
