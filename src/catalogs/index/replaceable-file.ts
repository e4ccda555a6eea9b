/**
 * A file that is replaced in one step: the new one is written beside it, synced and renamed, so that a crash at any moment
 * leaves the old file or the new one. Only an index file is ever replaced.
 */
import { type BigIntStats, constants, rmSync } from 'node:fs';
import { access, type FileHandle, lstat, open, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { shown, systemCode, UserError } from '../../system/errors.ts';
import { isFileName, onceFree } from '../../system/paths.ts';
import { endBy, interruptions } from '../../system/process.ts';
import {
  HEARTBEAT,
  isIndexFile,
  realFolder,
  removeLeftovers,
  requireWritable,
  syncFolder,
  temporaryName,
} from './folders.ts';

/** The number of links in a row that Linux follows. */
const MAX_LINKS = 40;

const WRITABLE = 0o222;

/** Why a file is not replaced; in the message this follows the path. */
class Refused extends Error {}

const FOLDER = 'this is a folder; name a file in it';
const LOOP = 'its symbolic links form a loop; name another file';

/**
 * The place of a file that may be replaced, with links resolved.
 * @param title how messages about it begin
 * @throws UserError if something other than an index file is there, or none can be written
 */
export async function replaceablePlace(path: string, title = titleOf(path)): Promise<string> {
  try {
    const place = await followLinks(path);
    if (!isFileName(basename(place)))
      throw new Refused(
        'Windows reserves this name, or it ends with a dot or a space, or contains one of < > : " | ? *; choose another name',
      );
    await refuseOthers(place);
    return place;
  } catch (error) {
    throw refusal(title, error);
  }
}

/**
 * Replaces a file by what `write` writes; `write` returns its size. Returns whether the file is certain to survive a
 * power failure, which some systems cannot ensure.
 * @throws UserError if the file cannot be written; any earlier file is unchanged
 */
export async function replaceFile(
  path: string,
  write: (file: FileHandle) => Promise<number>,
): Promise<boolean> {
  const place = await replaceablePlace(path);
  await removeLeftovers(place);
  const temporary = temporaryName(place);
  const keep = removeAtSignals(temporary);
  try {
    await replaceBy(temporary, place, write);
  } catch (error) {
    throw refusal(titleOf(path), error);
  } finally {
    keep();
  }
  return syncFolder(dirname(place));
}

const titleOf = (path: string): string => `Index file ${shown(path)}`;

async function replaceBy(
  temporary: string,
  place: string,
  write: (file: FileHandle) => Promise<number>,
): Promise<void> {
  const file = await open(temporary, 'wx');
  const heart = setInterval(() => void file.utimes(new Date(), new Date()).catch(() => {}), HEARTBEAT);
  try {
    const size = await write(file);
    await file.sync();
    // Another file may have been put there during a long import.
    await refuseOthers(place);
    await requireSame(await file.stat({ bigint: true }), size, temporary);
    // The file stays open until then: the inode number of a closed one could belong to another file.
    await onceFree(() => rename(temporary, place));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    clearInterval(heart);
    await file.close();
  }
}

/** @throws Refused if something other than a writable index file is at the place */
async function refuseOthers(place: string): Promise<void> {
  await requireWritable(dirname(place));
  const found = await lstat(place).catch(undefinedWhereAbsent);
  if (found === undefined) return;
  if (found.isDirectory()) throw new Refused(FOLDER);
  if (!found.isFile())
    throw new Refused('this is not an index file but a device, a pipe or the like; name another file');
  // Permission bits are checked, too, because root may write to every file.
  const isWritable = await access(place, constants.W_OK).then(
    () => (found.mode & WRITABLE) !== 0,
    () => false,
  );
  if (!isWritable) throw new Refused('the file is read-only; name another one, or allow writing to it');
  if (!(await isIndexFile(place)))
    throw new Refused('this is not an index file, and nothing else is replaced; name another file');
}

/** Whether two paths name the same file, even through links. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** Resolves symbolic links; the file need not exist, but its folder must. */
async function followLinks(path: string): Promise<string> {
  let at = path;
  for (let i = 0; i < MAX_LINKS; i++) {
    if (/[/\\]$/.test(at)) throw new Refused(FOLDER);
    const folder = await realFolder(dirname(at));
    const place = join(folder, basename(at));
    const link = await readlink(place).catch(() => undefined);
    if (link === undefined) return place;
    // Not join(), which would resolve ".." before links.
    at = isAbsolute(link) ? link : `${folder}/${link}`;
  }
  throw new Refused(LOOP);
}

function undefinedWhereAbsent(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}

async function requireSame(written: BigIntStats, size: number, temporary: string): Promise<void> {
  const found = await lstat(temporary, { bigint: true }).catch(undefinedWhereAbsent);
  if (found?.dev === written.dev && found.ino === written.ino && found.size === BigInt(size)) return;
  throw new Refused('another program removed or changed the file while it was written; import again');
}

/** Removes the file if a signal ends the process. Returns a function that undoes this. */
function removeAtSignals(file: string): () => void {
  const signals = interruptions();
  const end = (signal: NodeJS.Signals): void => {
    rmSync(file, { force: true });
    endBy(signal);
  };
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and import again',
  EDQUOT: 'the disk quota is used up; free some space and import again',
  ENOENT: 'its folder does not exist; create it first',
  ENOTDIR: 'its folder does not exist; create it first',
  ELOOP: LOOP,
  EACCES: 'this user may not write to the folder',
  EPERM: 'this user may not write to the folder',
  EROFS: 'the file system is read-only',
  EBUSY: 'another program has the file open; close it there and import again',
};

function refusal(title: string, error: unknown): unknown {
  const code = systemCode(error);
  // System errors begin with E; those of Node.js itself with ERR_ and others.
  const isOfFile = code !== undefined && /^E(?!RR_)/.test(code);
  if (!isOfFile && !(error instanceof Refused)) return error;
  const known = isOfFile ? REASONS[code] : (error as Refused).message;
  const reason = known ?? `the file cannot be written (${code})`;
  return new UserError(`${title}: ${reason}. Any earlier file is unchanged.`);
}
