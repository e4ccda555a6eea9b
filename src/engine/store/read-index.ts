/** An index as the bytes of its file, and back. `index-format.ts` has what stands where. */
import { crc32 } from './crc32.ts';
import {
  assembleIndex,
  BadIndex,
  type FileLabel,
  HEADER_SIZE,
  headerOf,
  identityOf,
  placesOf,
  readHeader,
  sectionsOf,
} from './index-format.ts';
import type { IndexSections } from './sections.ts';

/** Where the bytes of an index are. */
export interface IndexSource {
  readonly size: number;
  /** Fills the bytes from an offset on. Returns those filled: fewer where the source ends. */
  read(offset: number, bytes: Uint8Array): Uint8Array;
}

export interface ReadIndexOptions {
  /** Puts the index into memory that several threads may share. */
  readonly isShared?: boolean;
  /** CRC-32; a faster one than our own, if the system has one. */
  readonly checksum?: (bytes: Uint8Array) => number;
}

export interface StoredIndex {
  readonly index: IndexSections;
  readonly label: FileLabel;
  /** Equal for equal foods and labels, different for others. */
  readonly identity: string;
}

/** Reads an index, and checks every byte. @throws BadIndex if it is truncated, altered, of another version, or no index */
export function readIndex(
  source: IndexSource | Uint8Array,
  { isShared = false, checksum = crc32 }: ReadIndexOptions = {},
): StoredIndex {
  const { size, read } = source instanceof Uint8Array ? inMemory(source) : source;
  const header = read(0, new Uint8Array(Math.min(HEADER_SIZE, size)));
  const sections = new Map<string, Uint8Array>();
  let end = header.length;
  for (const { name, offset, length, crc } of readHeader(header, size)) {
    const gap = read(end, new Uint8Array(offset - end));
    if (gap.some((byte) => byte !== 0))
      throw new BadIndex('is damaged: bytes between its sections are not 0');
    const memory = isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length);
    const bytes = read(offset, new Uint8Array(memory));
    if (bytes.length !== length || checksum(bytes) !== crc)
      throw new BadIndex(`is damaged: the section ${name} is not as it was written`);
    sections.set(name, bytes);
    end = offset + length;
  }
  return { ...assembleIndex(sections), identity: identityOf(header) };
}

const inMemory = (all: Uint8Array): IndexSource => ({
  size: all.length,
  read: (offset, bytes) => {
    const found = all.subarray(offset, offset + bytes.length);
    bytes.set(found);
    return bytes.subarray(0, found.length);
  },
});

/** The bytes of an index, all in memory: for an index of up to some thousand foods. */
export function writeIndex(index: IndexSections, label: FileLabel): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(index, label);
  const places = placesOf(sections);
  const { offset, length } = places.at(-1)!;
  const bytes = new Uint8Array(offset + length);
  bytes.set(headerOf(places));
  for (const [i, { offset: start }] of places.entries()) bytes.set(sections[i]!.bytes, start);
  return bytes;
}

/** @param checksum as that of {@link ReadIndexOptions} */
export const identityOfIndex = (index: IndexSections, label: FileLabel, checksum = crc32): string =>
  identityOf(headerOf(placesOf(sectionsOf(index, label), checksum)));
