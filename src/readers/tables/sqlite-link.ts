/**
 * Opens a SQLite file without writing beside it. SQLite locks by making files beside its database; a link in a
 * folder of our own keeps them out of the user's folder, which may be read-only, and lets two services read one
 * file. The folder is needed only until SQLite holds the file open, so a killed process leaves nothing behind, but
 * for some milliseconds; what it leaves then, the next one removes.
 */
import { lstat, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sqlite, { type Database } from 'node-sqlite3-wasm';

const PREFIX = 'food-lookup-sqlite-';

/** ms after which nobody can be about to open the link in a folder. */
const ABANDONED = 60_000;

/** @throws SQLite3Error where SQLite cannot read the file */
export async function openDatabase(file: string): Promise<Database> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    const link = join(folder, 'database');
    await symlink(resolve(file), link);
    return locked(new sqlite.Database(link, { readOnly: true }));
  } finally {
    await rm(folder, { recursive: true });
  }
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
      // Everybody may make folders there; those of other users are theirs to remove.
      const isOurs = uid === (process.getuid?.() ?? uid);
      if (isOurs && Date.now() - mtimeMs > ABANDONED) await rm(folder, { recursive: true });
    } catch {
      // Another process has just removed it.
    }
  }
}
