/**
 * Writes and reads index files. A file is written beside its place, synced and then renamed, so that a crash
 * at any moment leaves the old file or the new one; it is read with every byte checked.
 */
import { readSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { shown, systemCode, UserError } from '../errors.ts';
import {
  BadIndex,
  type FileLabel,
  HEADER_SIZE,
  identityOf,
  indexOf,
  layOut,
  type Place,
  readHeader,
  sectionsOf,
} from '../search/index-format.ts';
import { bytesWithRoom, type IndexSections } from '../search/sections.ts';

/** Bytes written at once: large enough to be fast, small enough for every system's limit of 2 GiB. */
const CHUNK = 64 * 1024 * 1024;

/** Bytes read at once. */
const READ_CHUNK = 1024 * 1024;

export interface OpenedIndex {
  readonly index: IndexSections;
  readonly label: FileLabel;
  readonly identity: string;
  /** Bytes of the file. */
  readonly size: number;
}

/** The identity that a file of this index would have. */
export function identityOfIndex(index: IndexSections, label: FileLabel): string {
  return identityOf(layOut(sectionsOf(index, label)).header);
}

/**
 * Writes the index to a path, in one step for everybody who looks at it; returns the size in bytes.
 * @throws UserError where the file cannot be written; what was there before is untouched
 */
export async function writeIndexFile(path: string, index: IndexSections, label: FileLabel): Promise<number> {
  const sections = sectionsOf(index, label);
  const { header, places, size } = layOut(sections);
  await removeLeftovers(path);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await writeAt(file, header, 0);
      for (const [i, { bytes }] of sections.entries()) await writeAt(file, bytes, places[i]?.offset ?? 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return size;
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(path, error);
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, Math.min(CHUNK, bytes.length - at), offset + at);
    at += bytesWritten;
  }
}

/** Without it the renaming itself could be lost with the power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what imports to the same path left behind that were killed. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const prefix = `${basename(path)}.`;
  for (const name of names) {
    const pid = name.startsWith(prefix) ? /^(\d+)\.tmp$/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room and import again',
  EDQUOT: 'the disk quota is used up; make room and import again',
  ENOENT: 'its folder does not exist; make it first',
  ENOTDIR: 'its folder does not exist; make it first',
  EACCES: 'the folder may not be written to by this user',
  EPERM: 'the folder may not be written to by this user',
  EROFS: 'the file system is read-only',
  EISDIR: 'this is a folder; name a file in it',
};

function unwritable(path: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const reason = REASONS[code] ?? `the file cannot be written (${code})`;
  return new UserError(`Index file ${shown(path)}: ${reason}. What was there before is unchanged.`);
}

/**
 * Reads an index file whole and checks every byte against its checksums.
 * @throws UserError for a file that is cut, altered, of another version, or no index
 */
export async function readIndexFile(path: string): Promise<OpenedIndex> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const header = readAt(file, 0, new Uint8Array(Math.min(HEADER_SIZE, size)));
    const places = readHeader(header, size);
    const sections = new Map<string, Uint8Array>();
    let end = header.length;
    for (const place of places) {
      const gap = readAt(file, end, new Uint8Array(place.offset - end));
      if (gap.some((byte) => byte !== 0))
        throw new BadIndex('is damaged: bytes between its sections are not 0');
      sections.set(place.name, readSection(file, place));
      end = place.offset + place.length;
    }
    return { ...indexOf(sections), identity: identityOf(header), size };
  } catch (error) {
    if (!(error instanceof BadIndex)) throw error;
    throw new UserError(
      `Index file ${shown(path)}: this file ${error.message}. Import the data again: food-lookup import SOURCE --to ${path}`,
    );
  } finally {
    await file.close();
  }
}

function readSection(file: FileHandle, { name, offset, length, crc }: Place): Uint8Array {
  const room = name === 'entries' ? bytesWithRoom(length) : new Uint8Array(length);
  const bytes = readAt(file, offset, room);
  if (bytes.length !== length || crc32(bytes) !== crc) {
    throw new BadIndex(`is damaged: the section ${name} is not as it was written`);
  }
  return bytes;
}

/**
 * Fills the bytes from a place of the file on; fewer where the file ends. This thread itself reads, in small pieces: the
 * threads that read for others have no low priority, as that of a running service has which loads a new index.
 */
function readAt({ fd }: FileHandle, offset: number, bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(fd, bytes, at, Math.min(READ_CHUNK, bytes.length - at), offset + at);
    if (read === 0) return bytes.subarray(0, at);
    at += read;
  }
  return bytes;
}
