/**
 * Opens SQLite files, and finds the faults that SQLite does not notice or does not explain: a missing end, damaged pages,
 * text in UTF-16, changes that are still in a journal.
 */
import { copyFile, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { shown, systemCode, UserError } from '../../system/errors.ts';
import { temporaryFolderVariable } from '../../system/paths.ts';

const HEADER_SIZE = 100;
const MIN_PAGE_SIZE = 512;
/** Written as 1, because the field has two bytes. */
const MAX_PAGE_SIZE = 65_536;

/** Text encodings in the header; 0 in a database that has never been written to. */
const UTF16 = [2, 3];

export async function requireReadable(file: string, header: Buffer): Promise<void> {
  await refuseUnsavedChanges(file);
  const { size } = await stat(file);
  const needed = header.length < HEADER_SIZE ? HEADER_SIZE : neededSize(header, size);
  if (size < needed) {
    throw new UserError(
      `Data file ${shown(file)}: the file is truncated: it has ${size} bytes, but its pages need ${needed}. Copy or download it again.`,
    );
  }
  if (UTF16.includes(header.readUInt32BE(56))) {
    throw new UserError(
      `Data file ${shown(file)}: its text is in UTF-16, which is not read. Make a copy in UTF-8: sqlite3 OLD .dump | sqlite3 NEW`,
    );
  }
}

/**
 * The number of bytes of all pages. SQLite reads the missing part of the last page as zeros, and so as other figures.
 *
 * The number of pages in the header is valid only if the two change counters agree: programs older than 3.7.0 did
 * not write it. A file without it must at least end with a whole page.
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
export function requireIntact(db: Database, file: string): void {
  const found = quickCheck(db);
  if (!found.startsWith(DAMAGE)) return;
  throw new UserError(
    `Data file ${shown(file)}: it is damaged: ${found.slice(DAMAGE.length)}. Copy or download it again, or rescue what is left: sqlite3 OLD .recover | sqlite3 NEW`,
  );
}

function quickCheck(db: Database): string {
  try {
    return String(db.get('PRAGMA quick_check(1)')?.quick_check);
  } catch (error) {
    // An index by an order that only the writing program has, such as LOCALIZED of Android, cannot be checked.
    if (error instanceof Error && error.message.startsWith('no such collation sequence')) return 'ok';
    throw error;
  }
}

/** A journal beside the file has changes that the file itself lacks. */
async function refuseUnsavedChanges(file: string): Promise<void> {
  for (const journal of [`${file}-wal`, `${file}-journal`]) {
    const found = await stat(journal).catch(() => undefined);
    if (found !== undefined && found.size > 0)
      throw new UserError(
        `Data file ${shown(file)}: ${shown(journal)} has changes that are not in the file yet. Close the program that writes to it.`,
      );
  }
}

/**
 * Opens a file without writing beside it. SQLite locks by making files beside its database; a link in a folder of our own
 * keeps them out of the user's folder, which may be read-only, and lets two services read one file. The folder is needed only
 * until SQLite has opened the file; on Windows, an open file may keep its folder until it is closed.
 * @throws SQLite3Error if SQLite cannot read the file
 */
export async function openDatabase(file: string): Promise<{ readonly db: Database; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-sqlite-')).catch((error: unknown) => {
    throw unwritable(error);
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

/** The error to show if no folder can be created in that of the system; a bug stays as it is. */
function unwritable(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new UserError(
    `Temporary folder ${shown(tmpdir())} cannot be written (${code}), which reading SQLite files needs. Name another folder with ${temporaryFolderVariable()}.`,
  );
}
