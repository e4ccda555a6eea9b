/** Writes and reads index files. A file is replaced in one step, and every byte is checked on reading. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { quoted, shown, UserError } from '#core';
import {
  BadIndex,
  BEGINNING,
  type FileLabel,
  HEADER_SIZE,
  headerOf,
  type IndexSections,
  type IndexSink,
  identityOf,
  isIndex,
  offsetsOf,
  type Place,
  readIndex,
  readSection,
  type SectionArray,
  sectionsOf,
} from '#engine';
import { replaceFile } from './replaceable-file.ts';

/** Bytes read at once. */
const READ_CHUNK = 1024 * 1024;

/** Writes an index to a path while it is made; readers see the old file or the new one. @throws UserError, as {@link replaceFile} */
export function writeWhileMade(path: string, label: FileLabel, make: (sink: IndexSink) => Promise<void>) {
  return replaceFile(path, async (file) => {
    const writer = new IndexWriter(file, label);
    await make(writer);
    return writer.end();
  });
}

/** Bytes written at once: large enough to be fast, small enough for every system's limit of 2 GiB. */
const CHUNK = 64 * 1024 * 1024;

const ENTRIES = 'entries';

/** A section and its place; its checksum is that of the bytes so far. */
type Written = { -readonly [Key in keyof Place]: Place[Key] } & {
  /** Undefined once they are written, since their memory may be needed; and of the entries, which come in pieces. */
  bytes: Uint8Array | undefined;
};

/** Writes the sections of an index file as soon as each is final, and its header last. */
class IndexWriter implements IndexSink {
  readonly #file: FileHandle;
  readonly #label: FileLabel;
  #places: readonly Written[] = [];
  #size = 0;
  #entriesWritten = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: FileHandle, label: FileLabel) {
    this.#file = file;
    this.#label = label;
  }

  begin(index: IndexSections, entriesSize: number): void {
    // So that the next import recognizes what this one leaves if it is killed.
    this.#write(BEGINNING, 0).catch(() => {});
    const sections = sectionsOf(index, this.#label);
    const lengths = sections.map(({ name, bytes }) => (name === ENTRIES ? entriesSize : bytes.length));
    const offsets = offsetsOf(lengths);
    this.#places = sections.map(({ name, bytes }, i): Written => {
      const [offset = 0, length = 0] = [offsets[i], lengths[i]];
      this.#size = offset + length;
      return { name, offset, length, crc: 0, bytes: name === ENTRIES ? undefined : bytes };
    });
  }

  async entries(bytes: Uint8Array): Promise<void> {
    const place = this.#places.find(({ name }) => name === ENTRIES);
    if (place === undefined) return;
    place.crc = crc32(bytes, place.crc);
    const offset = place.offset + this.#entriesWritten;
    this.#entriesWritten += bytes.length;
    await this.#write(bytes, offset);
  }

  finished(arrays: readonly SectionArray[]): Promise<void> {
    for (const place of this.#places) {
      const { buffer, byteOffset } = place.bytes ?? {};
      const isFinal = arrays.some((array) => array.buffer === buffer && array.byteOffset === byteOffset);
      if (isFinal) this.#writeSection(place);
    }
    // The caller that waits for the end gets the error.
    return this.#writing.catch(() => {});
  }

  async end(): Promise<number> {
    for (const place of this.#places) this.#writeSection(place);
    await this.#write(headerOf(this.#places), 0);
    return this.#size;
  }

  #writeSection(place: Written): void {
    const { bytes } = place;
    if (bytes === undefined) return;
    place.crc = crc32(bytes);
    place.bytes = undefined;
    // The caller that waits for the end gets the error.
    this.#write(bytes, place.offset).catch(() => {});
  }

  #write(bytes: Uint8Array, offset: number): Promise<void> {
    this.#writing = this.#writing.then(() => writeAt(this.#file, bytes, offset));
    return this.#writing;
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, Math.min(CHUNK, bytes.length - at), offset + at);
    at += bytesWritten;
  }
}

/**
 * Reads a whole index file and checks every byte against its checksums.
 * @throws UserError for a file that is truncated, altered, of another version, or not an index
 */
export async function readIndexFile(path: string, isShared = false, isLater?: (section: string) => boolean) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = (offset: number, bytes: Uint8Array) => readAt(file, offset, bytes);
    return { ...readIndex({ size, read }, { isShared, checksum: crc32, ...(isLater && { isLater }) }), size };
  } catch (error) {
    if (!(error instanceof BadIndex)) throw error;
    // An import replaces nothing but an index.
    const advice = isIndex(readAt(file, 0, new Uint8Array(HEADER_SIZE)))
      ? `Import the data again: food-lookup import SOURCE --to ${quoted(path)}`
      : 'Import the data to another path: food-lookup import SOURCE --to foods.idx';
    throw new UserError(`Index file ${shown(path)}: this file ${error.message}. ${advice}`);
  } finally {
    await file.close();
  }
}

/** A section that was left out; undefined if the file was replaced or damaged in the meantime. */
export function readLater(path: string, identity: string, place: Place): Uint8Array | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const handle = { fd };
    const read = (offset: number, bytes: Uint8Array) => readAt(handle, offset, bytes);
    const header = read(0, new Uint8Array(HEADER_SIZE));
    if (identityOf(header) !== identity) return undefined;
    return readSection({ size: fstatSync(fd).size, read }, place, { checksum: crc32 });
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * Fills the bytes from an offset of the file; fewer where the file ends. It reads synchronously, in small pieces: the
 * thread in which a running service loads an index has a low priority, but the threads of asynchronous reads do not.
 */
function readAt({ fd }: Pick<FileHandle, 'fd'>, offset: number, bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(fd, bytes, at, Math.min(READ_CHUNK, bytes.length - at), offset + at);
    if (read === 0) return bytes.subarray(0, at);
    at += read;
  }
  return bytes;
}
