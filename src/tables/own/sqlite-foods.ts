/** Foods from a table or view of a SQLite file, unless it has faults that SQLite does not notice or does not explain. */
import { isUtf8 } from 'node:buffer';
import { copyFile, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { type FoodRecord, shown, systemCode, temporaryFolderVariable, UserError } from '#core';
import type { Cell } from '../words/cells.ts';
import { type ColumnOptions, countFields } from './candidates.ts';
import { FIRST_ROWS_OF_LONG, refuseLong } from './long-table.ts';
import { OwnFoods } from './own-foods.ts';
import { isOfFoods } from './plan.ts';
import type { OwnSource } from './row-reader.ts';

const TABLE = 'entries';

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
      const table = chosenTable(db, options, at);
      const where = `${at}, table ${table.name}`;
      if (table.others.length > 0)
        report.part = `table ${[table.name, ...table.others].map(shown).join(' rather than ')}`;
      yield* foodsIn(db, table, { where, report, options });
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof sqlite.SQLite3Error)) throw error;
    throw new UserError(`${at}: SQLite cannot read it (${error.message}). Try PRAGMA integrity_check on it.`);
  }
}

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function* foodsIn(
  db: Database,
  { name, columns }: DatabaseTable,
  source: OwnSource,
): Generator<FoodRecord[]> {
  const { where } = source;
  const foods = new OwnFoods({ ...source, commas: false });
  const { reads, needs } = foods.header({ headings: columns, place: where }, () => firstRows(db, name));
  const cells = columns.map((column, index) =>
    reads.has(index) ? cellOf(column, index) : `NULL AS c${index}`,
  );
  const rows = db.prepare(`SELECT ${cells} FROM ${quotedName(name)}`);
  let row = 0;
  let values: Record<string, Cell> = {};
  const place = () => `row ${row}`;
  const cell = (index: number): Cell => {
    const value = values[`c${index}`];
    if (value instanceof Uint8Array) {
      const text = Buffer.from(value);
      if (isUtf8(text)) return text.toString();
      if (!needs.has(index)) return null;
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

/** Text as its bytes, as the library cuts it at NUL and garbles what is not UTF-8; bytes as hexadecimal digits. */
function cellOf(column: string, index: number): string {
  const name = quotedName(column);
  return `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) WHEN 'blob' THEN hex(${name}) ELSE ${name} END AS c${index}`;
}

type DatabaseTable = ReturnType<typeof chosenTable>;

function chosenTable(db: Database, options: ColumnOptions, at: string) {
  const names = namesIn(
    db,
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  if (options.table !== undefined) {
    const columns = columnsOf(db, options.table);
    if (columns.length > 0) return { name: options.table, columns, others: [] };
    throw new UserError(
      `${at}: there is no table ${options.table}; it has ${shown(names.join(', '))}. Name one of them with --table.`,
    );
  }
  const tableNamed = (name: string) => ({ name, columns: columnsOf(db, name) });
  const entries = names.filter((name) => name.toLowerCase() === TABLE).map(tableNamed)[0];
  // Other tables may be views that cannot be read.
  if (entries !== undefined && isOfFoods(entries.columns, options)) return { ...entries, others: [] };
  const similar = names
    .map(tableNamed)
    .filter(({ name, columns }) => name === entries?.name || countFields(columns, options) >= 2);
  const whole = similar.filter(({ columns }) => isOfFoods(columns, options));
  const fitting = whole.length > 0 ? whole : entries === undefined ? similar : [entries];
  const [found] = fitting;
  if (found !== undefined && fitting.length === 1)
    return { ...found, others: similar.map(({ name }) => name).filter((name) => name !== found.name) };
  if (found === undefined) {
    for (const { name, columns } of names.map(tableNamed))
      refuseLong(columns, firstRows(db, name), `${at}, table ${name}`);
  }
  const why = `${at}: there is no table ${TABLE}${entries === undefined ? '' : ' of foods'}, and`;
  throw new UserError(
    found === undefined
      ? `${why} no other has columns of foods; it has ${shown(names.join(', '))}. Make a view named ${TABLE}, or name a table with --table.`
      : `${why} several have columns of foods: ${fitting.map(({ name }) => name).join(', ')}. Name one: --table ${found.name}`,
  );
}

/** None of a view that cannot be read. */
function firstRows(db: Database, table: string): string[][] {
  try {
    const rows = db.all(`SELECT * FROM ${quotedName(table)} LIMIT ${FIRST_ROWS_OF_LONG}`);
    return rows.map((row) => Object.values(row).map((value) => String(value ?? '')));
  } catch (error) {
    if (error instanceof sqlite.SQLite3Error) return [];
    throw error;
  }
}

// 1 marks the hidden columns of virtual tables; generated ones count.
const columnsOf = (db: Database, table: string): string[] =>
  namesIn(db, 'SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1', table);

const namesIn = (db: Database, query: string, value?: string): string[] =>
  db.all(query, value).map(({ name }) => String(name));

const SQLITE_HEADER = 100;
const MIN_PAGE_SIZE = 512;
/** Written as 1, because the field has two bytes. */
const MAX_PAGE_SIZE = 65_536;

async function requireReadable(file: string, header: Buffer): Promise<void> {
  for (const journal of [`${file}-wal`, `${file}-journal`]) {
    const changes = await stat(journal).catch(() => ({ size: 0 }));
    if (changes.size > 0)
      throw new UserError(
        `Data file ${shown(file)}: ${shown(journal)} has changes that are not in the file yet. Close the program that writes to it.`,
      );
  }
  const { size } = await stat(file);
  const needed = header.length < SQLITE_HEADER ? SQLITE_HEADER : neededSize(header, size);
  if (size < needed) {
    throw new UserError(
      `Data file ${shown(file)}: the file is truncated: it has ${size} bytes, but its pages need ${needed}. Copy or download it again.`,
    );
  }
  if ([2, 3].includes(header.readUInt32BE(56))) {
    throw new UserError(
      `Data file ${shown(file)}: its text is in UTF-16, which is not read. Make a copy in UTF-8: sqlite3 OLD .dump | sqlite3 NEW`,
    );
  }
}

/**
 * The number of bytes of all pages. SQLite reads the missing part of the last page as zeros, and so as other figures. Their
 * number in the header is valid only if two change counters agree; programs before 3.7.0 did not write it.
 */
function neededSize(header: Buffer, size: number): number {
  const stored = header.readUInt16BE(16);
  const pageSize = stored === 1 ? MAX_PAGE_SIZE : stored;
  // SQLite itself refuses any other page size.
  if (pageSize < MIN_PAGE_SIZE || (pageSize & (pageSize - 1)) !== 0) return 0;
  const pages = header.readUInt32BE(28);
  const isCurrent = pages > 0 && header.readUInt32BE(24) === header.readUInt32BE(92);
  return pageSize * (isCurrent ? pages : Math.ceil(size / pageSize));
}

/** How SQLite begins a report on damaged pages; it also reports broken constraints, which lose no rows. */
const DAMAGE = '*** in database main ***\n';

/** @throws UserError if pages are damaged: SQLite may skip their rows without an error */
function requireIntact(db: Database, file: string): void {
  let found = '';
  try {
    found = String(db.get('PRAGMA quick_check(1)')?.quick_check);
  } catch (error) {
    // An index by an order that only the writing program has, such as LOCALIZED of Android, cannot be checked.
    if (!String(error).includes('no such collation sequence')) throw error;
  }
  if (!found.startsWith(DAMAGE)) return;
  throw new UserError(
    `Data file ${shown(file)}: it is damaged: ${found.slice(DAMAGE.length)}. Copy or download it again, or rescue what is left: sqlite3 OLD .recover | sqlite3 NEW`,
  );
}

/**
 * Opens a file without writing beside it: SQLite makes its locks beside a link in a folder of our own, as that of the user may
 * be read-only. The folder is needed only until the file is open; on Windows, an open file may keep it.
 */
async function openDatabase(file: string): Promise<{ readonly db: Database; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-sqlite-')).catch((error: unknown) => {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new UserError(
      `Temporary folder ${shown(tmpdir())} cannot be written (${code}), which reading SQLite files needs. Name another folder with ${temporaryFolderVariable()}.`,
    );
  });
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {});
  try {
    const name = join(folder, 'database');
    // On Windows, symbolic links need a privilege.
    await symlink(resolve(file), name).catch(() => copyFile(file, name));
    const db = new sqlite.Database(name, { readOnly: true });
    const close = async () => {
      db.close();
      await remove();
    };
    try {
      // The database keeps its lock: from now on SQLite needs no name in the folder. Without this mode a file in write-ahead-log
      // mode needs shared memory, too, which WebAssembly lacks.
      db.exec('PRAGMA locking_mode = EXCLUSIVE; SELECT 1 FROM sqlite_schema');
    } catch (error) {
      await close();
      throw error;
    }
    return { db, close };
  } finally {
    await remove();
  }
}
