/**
 * Opens a SQLite file without writing beside it. SQLite locks by making files beside its database; a link in a
 * folder of our own keeps them out of the user's folder, which may be read-only, and lets two services read one
 * file. The folder is needed only for the milliseconds until SQLite has opened the file. On Windows, an open file may keep
 * its folder until it is closed. The next process removes the folder of a process that was killed earlier.
 */
import { copyFile, link, lstat, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { shown, systemCode, UserError } from '../../system/errors.ts';
import { temporaryFolderVariable } from '../../system/paths.ts';

const PREFIX = 'food-lookup-sqlite-';

/** ms after which no process can still be about to open the link in a folder. */
const ABANDONED = 60_000;

export interface OpenedDatabase {
  readonly db: Database;
  close(): Promise<void>;
}

/**
 * @throws SQLite3Error if SQLite cannot read the file
 * @throws UserError if the temporary folder cannot be written
 */
export async function openDatabase(file: string): Promise<OpenedDatabase> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), PREFIX)).catch((error: unknown) => {
    throw unwritable(error);
  });
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {});
  try {
    const name = join(folder, 'database');
    await nameAlso(resolve(file), name);
    const db = locked(new sqlite.Database(name, { readOnly: true }));
    return {
      db,
      close: async () => {
        db.close();
        await remove();
      },
    };
  } finally {
    await remove();
  }
}

/** On Windows symbolic links need a privilege; hard links need the same disk; and some disks support neither. */
const UNLINKABLE: readonly unknown[] = [
  'EPERM',
  'EACCES',
  'EXDEV',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'UNKNOWN',
];

/** Gives a file another name: by a link, or if links are not supported, by a copy. */
export async function nameAlso(
  file: string,
  name: string,
  ways: readonly ((file: string, name: string) => Promise<void>)[] = [symlink, link, copyFile],
): Promise<void> {
  const [way = copyFile, ...others] = ways;
  try {
    await way(file, name);
  } catch (error) {
    if (others.length === 0 || !UNLINKABLE.includes(systemCode(error))) throw error;
    await nameAlso(file, name, others);
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

/** The database with its lock, which it keeps: from now on SQLite needs no name in the folder. */
function locked(db: Database): Database {
  try {
    // Without this mode a file in write-ahead-log mode needs shared memory, too, which WebAssembly lacks.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; SELECT 1 FROM sqlite_schema');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

async function removeLeftovers(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    try {
      const { uid, mtimeMs } = await lstat(folder);
      // Other users make folders there, too.
      const isOurs = uid === (process.getuid?.() ?? uid);
      if (isOurs && Date.now() - mtimeMs > ABANDONED) await rm(folder, { recursive: true });
    } catch {
      // Another process has just removed it.
    }
  }
}
