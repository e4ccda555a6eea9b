/**
 * Writes the sections of an index file as soon as each is final, and its header last.
 */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import {
  BEGINNING,
  type FileLabel,
  headerOf,
  offsetsOf,
  type Place,
  sectionsOf,
} from '../../search/index-format.ts';
import type { IndexSink } from '../../search/index-sink.ts';
import type { IndexSections, SectionArray } from '../../search/sections.ts';

/** Bytes written at once: large enough to be fast, small enough for every system's limit of 2 GiB. */
const CHUNK = 64 * 1024 * 1024;

const ENTRIES = 'entries';

/** A section and its place; its checksum is that of the bytes so far. */
type Written = { -readonly [Key in keyof Place]: Place[Key] } & {
  /** Empty when they are written: their memory may be needed. */
  bytes: Uint8Array;
  isBegun: boolean;
};

const NOTHING = new Uint8Array(0);

export class IndexWriter implements IndexSink {
  readonly #file: FileHandle;
  readonly #label: FileLabel;
  #places: readonly Written[] = [];
  #size = 0;
  #entriesWritten = 0;
  /** One write after the other. */
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
      return { name, offset, length, crc: 0, bytes, isBegun: name === ENTRIES };
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
      const { buffer, byteOffset } = place.bytes;
      const isFinal = arrays.some((array) => array.buffer === buffer && array.byteOffset === byteOffset);
      if (isFinal) this.#writeSection(place);
    }
    // The caller that waits for the end gets the error.
    return this.#writing.catch(() => {});
  }

  /** Writes the rest; returns the bytes of the file. */
  async end(): Promise<number> {
    for (const place of this.#places) this.#writeSection(place);
    await this.#write(headerOf(this.#places), 0);
    return this.#size;
  }

  #writeSection(place: Written): void {
    if (place.isBegun) return;
    place.isBegun = true;
    const { bytes } = place;
    place.crc = crc32(bytes);
    place.bytes = NOTHING;
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
