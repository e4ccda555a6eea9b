/** An index as the bytes of its file, and back. `index-format.ts` has what stands where. */
import { crc32 } from './crc32.ts';
import {
  assembleIndex,
  BadIndex,
  type FileLabel,
  HEADER_SIZE,
  headerOf,
  identityOf,
  type Place,
  placesOf,
  readHeader,
  type Section,
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
  /** Sections that are left to a later read. */
  readonly isLater?: (section: string) => boolean;
}

export interface StoredIndex {
  readonly index: IndexSections;
  readonly label: FileLabel;
  /** Equal for equal foods and labels, different for others. */
  readonly identity: string;
  /** Where the sections are that were left out. */
  readonly later: readonly Place[];
}

/** Reads an index, and checks every byte. @throws BadIndex if it is truncated, altered, of another version, or no index */
export function readIndex(
  source: IndexSource | Uint8Array,
  { isShared = false, checksum = crc32, isLater = () => false }: ReadIndexOptions = {},
): StoredIndex {
  const { size, read } = source instanceof Uint8Array ? inMemory(source) : source;
  const header = read(0, new Uint8Array(Math.min(HEADER_SIZE, size)));
  const sections = new Map<string, Uint8Array>();
  const later: Place[] = [];
  let end = header.length;
  for (const place of readHeader(header, size)) {
    const { name, offset, length } = place;
    const gap = read(end, new Uint8Array(offset - end));
    if (gap.some((byte) => byte !== 0))
      throw new BadIndex('is damaged: bytes between its sections are not 0');
    if (isLater(name)) later.push(place);
    else sections.set(name, readSection({ size, read }, place, { isShared, checksum }));
    end = offset + length;
  }
  return { ...assembleIndex(sections), identity: identityOf(header), later };
}

/** @throws BadIndex if it is not as it was written */
export function readSection(
  { read }: IndexSource,
  { name, offset, length, crc }: Place,
  { isShared = false, checksum = crc32 }: ReadIndexOptions = {},
): Uint8Array {
  const memory = isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length);
  const bytes = read(offset, new Uint8Array(memory));
  if (bytes.length === length && checksum(bytes) === crc) return bytes;
  throw new BadIndex(`is damaged: the section ${name} is not as it was written`);
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
export const writeIndex = (index: IndexSections, label: FileLabel): Uint8Array<ArrayBuffer> =>
  writeSections(sectionsOf(index, label));

/** The last section must not be empty: it makes the bytes as many as their header says. */
export function writeSections(sections: readonly Section[]): Uint8Array<ArrayBuffer> {
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
