/**
 * A file that is replaced in one step: the new one is written beside it, synced and renamed, so that a crash at any moment
 * leaves the old file or the new one. Only an index file is ever replaced.
 */
import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants, rmSync } from 'node:fs';
import { access, type FileHandle, lstat, open, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { isFileName, onceFree, shown, systemCode, UserError } from '#core';
import { HEADER_SIZE, isIndex } from '#engine';
import { endBy, interruptions } from '../operations/process.ts';

/** ms between two touches of its file by a running import, and without a touch after which a file is stale. */
const HEARTBEAT = 10_000;
const STALE = 60_000;

const WRITABLE = 0o222;

/** Why a file is not replaced; in the message this follows the path. */
class Refused extends Error {}

const FOLDER = 'this is a folder; name a file in it';

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
    throw writeFailure(title, error);
  }
}

/**
 * Replaces a file by what `write` writes; `write` returns its size. Also returns whether the file is certain to survive a power failure.
 * @throws UserError if the file cannot be written; any earlier file is unchanged
 */
export async function replaceFile(
  path: string,
  write: (file: FileHandle) => Promise<number>,
): Promise<{ size: number; isDurable: boolean }> {
  const place = await replaceablePlace(path);
  await removeLeftovers(place);
  const temporary = temporaryName(place);
  const keep = removeAtSignals(temporary);
  let file: FileHandle | undefined;
  const touch = () => void file?.utimes(new Date(), new Date()).catch(() => {});
  const heart = setInterval(touch, HEARTBEAT);
  let size: number;
  try {
    file = await open(temporary, 'wx');
    size = await write(file);
    await file.sync();
    // Another file may have been put there during a long import.
    await refuseOthers(place);
    await requireSame(await file.stat({ bigint: true }), size, temporary);
    // The file stays open until then: the inode number of a closed one could belong to another file.
    await onceFree(() => rename(temporary, place));
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeFailure(titleOf(path), error);
  } finally {
    clearInterval(heart);
    // It is synced, or removed: another fault would only hide the first.
    await file?.close().catch(() => {});
    keep();
  }
  return { size, isDurable: await syncFolder(dirname(place)) };
}

const titleOf = (path: string): string => `Index file ${shown(path)}`;

/** @throws Refused if something other than a writable index file is at the place */
async function refuseOthers(place: string): Promise<void> {
  const found = await lstat(place).catch(undefinedWhereAbsent);
  if (found?.isDirectory()) throw new Refused(FOLDER);
  if (found && !found.isFile())
    throw new Refused('this is not an index file but a device, a pipe or the like; name another file');
  await access(dirname(place), constants.W_OK | constants.X_OK);
  if (found === undefined) return;
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

/** Resolves symbolic links; the file need not exist. */
async function followLinks(path: string): Promise<string> {
  for (let at = path; ; ) {
    if (/[/\\]$/.test(at)) throw new Refused(FOLDER);
    // Fails if the links form a loop.
    await stat(at).catch(undefinedWhereAbsent);
    const link = await readlink(at).catch(() => undefined);
    if (link === undefined) return at;
    // Not join(), which would resolve ".." before links.
    at = isAbsolute(link) ? link : `${dirname(at)}/${link}`;
  }
}

/** Makes the names in a folder survive a power failure. Returns false if the system refuses, as if this user may not read it. */
export async function syncFolder(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  try {
    // Windows syncs a folder only if it is open for writing; other systems cannot open one for writing.
    const handle = await open(folder, platform === 'win32' ? 'r+' : 'r');
    await handle.sync().finally(() => handle.close());
    return true;
  } catch {
    return false;
  }
}

/** As {@link temporaryName} makes them. */
const SUFFIX = /^\.[0-9a-f]{16}\.tmp$/;

/** A name that no other import uses. A process id is not enough: each container numbers its own. */
const temporaryName = (path: string): string => `${path}.${randomBytes(8).toString('hex')}.tmp`;

/** Removes the files that killed imports left beside a path; they stay if the folder cannot be listed. */
async function removeLeftovers(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  for (const other of await readdir(folder).catch(() => [])) {
    const file = `${folder}/${other}`;
    const isTemporary = other.startsWith(name) && SUFFIX.test(other.slice(name.length));
    if (isTemporary && (await isLeftover(file))) await rm(file, { force: true });
  }
}

/** Touches show whether an import still runs, since a process id means nothing in another container. */
async function isLeftover(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true || Date.now() - found.mtimeMs < STALE) return false;
  // An unrelated file may have such a name by chance.
  return found.size === 0 || isIndexFile(path).catch(() => false);
}

/** Recognizes an index file of any version by its first bytes, even if the rest is damaged. */
async function isIndexFile(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    return isIndex((await file.read(new Uint8Array(HEADER_SIZE), 0, HEADER_SIZE, 0)).buffer);
  } finally {
    await file.close();
  }
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
  ELOOP: 'its symbolic links form a loop; name another file',
  EACCES: 'this user may not write to the folder',
  EPERM: 'this user may not write to the folder',
  EROFS: 'the file system is read-only',
  EBUSY: 'another program has the file open; close it there and import again',
};

function writeFailure(title: string, error: unknown): unknown {
  const code = systemCode(error);
  // System errors begin with E; those of Node.js itself with ERR_ and others.
  const isOfFile = code !== undefined && /^E(?!RR_)/.test(code);
  if (!isOfFile && !(error instanceof Refused)) return error;
  const known = isOfFile ? REASONS[code] : (error as Refused).message;
  const reason = known ?? `the file cannot be written (${code})`;
  return new UserError(`${title}: ${reason}. Any earlier file is unchanged.`);
}
