/**
 * The bytes of an index file. All numbers are in the byte order of the machine that wrote it.
 *
 *        0  magic "FOODIDX\n"
 *        8  uint32   version of the format
 *       12  uint32   0x01020304, to recognize another byte order
 *       16  float64  length of the file
 *       24  uint32   CRC-32 of the header with this field 0
 *       28  uint32   number of sections
 *       32  table, 48 bytes a section: name (24 bytes of ASCII), offset and length (float64), CRC-32 (uint32),
 *           4 bytes of padding
 *     4096  sections, each from a multiple of 64 on
 *
 * The section "label" is JSON: how the data set is presented to people. The others are the arrays of
 * `IndexSections`. Float64 holds lengths exactly up to 2^53.
 */
import { amount, type DataSetLabel, INDEX_MAGIC, MAX_DESCRIPTION, textOfUtf8, utf8 } from '#core';
import { areConsistentKeys, NO_NAME_KEYS } from '../words/name-keys.ts';
import { areConsistentCodes, NO_CODES } from './code-sections.ts';
import { crc32 } from './crc32.ts';
import { Entries } from './entries.ts';
import { areConsistentFacts, NO_FACTS } from './facts.ts';
import { areConsistentForeignNames, NO_FOREIGN_NAMES } from './foreign-names.ts';
import type { IndexSections, SectionArray } from './sections.ts';

export const HEADER_SIZE = 4096;

/** Increases with every change that an older program would misread. */
const VERSION = 11;

const BYTE_ORDER = 0x01020304;
const FOREIGN_BYTE_ORDER = 0x04030201;
const TABLE_AT = 32;
const ROW_SIZE = 48;
const NAME_SIZE = 24;
const VERSION_SIZE = 16;
/** The checksum, as the number of a uint32; and its bytes in a row of the table. */
const CRC = 6;
const CRC_IN_ROW = 40;
const ALIGNMENT = 64;

/** What is wrong with a file that is not a usable index, as the rest of the sentence "this file …". */
export class BadIndex extends Error {}

/** How a data set is described in its file. */
export interface FileLabel extends DataSetLabel {
  /** Rows that were left out because their description is empty. */
  readonly leftOut: number;
  /** What users must know about the figures, for example that some were completed. */
  readonly notes?: readonly string[];
  /** The identity of the data set of which the file has fewer languages, and nothing else. */
  readonly copyOf?: string;
}

export interface Section {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Place {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

/** The sections in the order of the file, after the label: name, where it is in `IndexSections`, and what its bytes are. */
const SECTIONS = [
  ['text', 'index', 'corpus', Uint8Array],
  ['blocks', 'index', 'blocks', Uint32Array],
  ['entries', 'index', 'entries', Uint8Array],
  ['entryStarts', 'index', 'entryStarts', Uint32Array],
  ['firstRepeat', 'index', 'firstRepeat', Uint32Array],
  ['spellings', 'vocabulary', 'spellings', Uint8Array],
  ['spellingStarts', 'vocabulary', 'spellingStarts', Uint32Array],
  ['postingStarts', 'vocabulary', 'postingStarts', Uint32Array],
  ['bestPlaces', 'vocabulary', 'bestPlaces', Uint8Array],
  ['postingFoods', 'vocabulary', 'foods', Int32Array],
  ['postingPlaces', 'vocabulary', 'places', Uint8Array],
  ['staticScores', 'vocabulary', 'staticScores', Uint8Array],
  ['nameWords', 'vocabulary', 'nameWords', Uint8Array],
  // Left out if no food has facts.
  ['factStarts', 'facts', 'starts', Uint32Array],
  ['factRows', 'facts', 'rows', Uint8Array],
  ['factShapes', 'facts', 'shapes', Uint8Array],
  ['factKinds', 'facts', 'kinds', Uint8Array],
  // Left out if no food has other names.
  ['nameBuckets', 'names', 'buckets', Uint32Array],
  ['nameChecks', 'names', 'checks', Uint32Array],
  ['nameFoods', 'names', 'foods', Int32Array],
  // Left out if no food has a code.
  ['codeStarts', 'codes', 'starts', Uint32Array],
  ['codeDistances', 'codes', 'distances', Uint8Array],
  ['codeFoods', 'codes', 'foods', Uint32Array],
  // Left out if no food has a name in another language.
  ['foreignKeys', 'foreign', 'keys', Uint8Array],
  ['foreignFoods', 'foreign', 'foods', Uint8Array],
  ['wordSuffixes', 'words', 'suffixes', Int32Array],
  ['wordBuckets', 'words', 'buckets', Uint32Array],
  ['segmentEndScores', 'index', 'segmentEndScores', Uint8Array],
  ['wordEndScores', 'index', 'wordEndScores', Uint8Array],
  ['insideScores', 'index', 'insideScores', Uint8Array],
  ['innerSuffixes', 'inner', 'suffixes', Int32Array],
  // The last one must not be empty: it makes the file as long as its header says.
  ['innerBuckets', 'inner', 'buckets', Uint32Array],
] as const;

/** Precedes the tag of a language in the name of its section. */
const LANGUAGE = 'in ';
export const isLanguage = (section: string): boolean => section.startsWith(LANGUAGE);
export const languageOfSection = (section: string): string => section.slice(LANGUAGE.length);

type Group = Record<string, SectionArray>;

/**
 * The groups that are left out if no food has what they are about: what they are then, and whether they are otherwise consistent with
 * the number of foods.
 */
const OPTIONAL = {
  facts: [NO_FACTS, areConsistentFacts],
  names: [NO_NAME_KEYS, areConsistentKeys],
  codes: [NO_CODES, areConsistentCodes],
  foreign: [NO_FOREIGN_NAMES, areConsistentForeignNames],
} as const;
const isOptional = (group: string): group is keyof typeof OPTIONAL => group in OPTIONAL;

export function sectionsOf(index: IndexSections, label: FileLabel): Section[] {
  const groups = { ...index, index } as unknown as Record<string, Group>;
  const written = SECTIONS.filter(
    ([, group]) => !isOptional(group) || Object.values(index[group]).some(({ length }) => length > 0),
  );
  const languages = Object.entries(index.languages).map(
    ([language, bytes]) => [LANGUAGE + language, bytes] as const,
  );
  const arrays = written.map(([name, group, key]) => [name, groups[group]![key]!] as const);
  return [['label', utf8(JSON.stringify(label))] as const, ...languages, ...arrays].map(([name, array]) => ({
    name,
    bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  }));
}

/** The opposite of {@link sectionsOf}: views of the bytes, which begin at the start of their buffers. */
export function assembleIndex(bytesOf: ReadonlyMap<string, Uint8Array>): {
  index: IndexSections;
  label: FileLabel;
} {
  const bytes = (name: string): Uint8Array => {
    const found = bytesOf.get(name);
    if (found === undefined) throw new BadIndex(`lacks the section ${name}`);
    return found;
  };
  const groups: Record<string, Group> = {};
  const found = new Set<string>(SECTIONS.flatMap(([name, group]) => (bytesOf.has(name) ? group : [])));
  for (const [name, group, key, Items] of SECTIONS) {
    if (isOptional(group) && !found.has(group)) {
      groups[group] = { ...OPTIONAL[group][0] };
      continue;
    }
    const { buffer } = bytes(name);
    if (buffer.byteLength % Items.BYTES_PER_ELEMENT !== 0)
      throw new BadIndex(`is damaged: the section ${name} ends within a number`);
    groups[group] ??= {};
    groups[group][key] = new (Items as Uint8ArrayConstructor)(buffer);
  }
  const { index: others, ...parts } = groups;
  const languages = Object.fromEntries(
    [...bytesOf].flatMap(([name, part]) => (isLanguage(name) ? [[languageOfSection(name), part]] : [])),
  );
  const index = { ...others, ...parts, languages } as unknown as IndexSections;
  const foods = index.entryStarts.length - 1;
  for (const group of [...found].filter(isOptional))
    if (!OPTIONAL[group][1](index[group] as never, foods))
      throw new BadIndex(`is damaged: its sections of ${group} contradict each other`);
  refuseLongDescriptions(index);
  return { label: JSON.parse(textOfUtf8(bytes('label'))) as FileLabel, index };
}

/** Earlier programs took descriptions of any length. */
function refuseLongDescriptions({ entries, entryStarts }: IndexSections): void {
  const foods = new Entries(entries, entryStarts);
  for (let food = 0; food < foods.size; food++) {
    if (entryStarts[food + 1]! - entryStarts[food]! <= MAX_DESCRIPTION) continue;
    const { length } = foods.record(food).description;
    if (length > MAX_DESCRIPTION)
      throw new BadIndex(
        `has a description of ${amount(length)} characters, more than ${amount(MAX_DESCRIPTION)}`,
      );
  }
}

export function offsetsOf(lengths: readonly number[]): number[] {
  let size = HEADER_SIZE;
  return lengths.map((length) => {
    const offset = Math.ceil(size / ALIGNMENT) * ALIGNMENT;
    size = offset + length;
    return offset;
  });
}

export function placesOf(sections: readonly Section[], checksum = crc32): Place[] {
  const offsets = offsetsOf(sections.map(({ bytes }) => bytes.length));
  return sections.map(({ name, bytes }, i) => ({
    name,
    offset: offsets[i]!,
    length: bytes.length,
    crc: checksum(bytes),
  }));
}

/** The header of a file that ends with the last of these sections. */
export function headerOf(places: readonly Place[]): Uint8Array {
  const { bytes, words, lengths } = viewsOf(new Uint8Array(0));
  bytes.set(BEGINNING);
  words[2] = VERSION;
  words[3] = BYTE_ORDER;
  lengths[2] = places.reduce((end, { offset, length }) => Math.max(end, offset + length), HEADER_SIZE);
  words[7] = places.length;
  for (const [i, { name, offset, length, crc }] of places.entries()) {
    const row = TABLE_AT + i * ROW_SIZE;
    bytes.set(utf8(name), row);
    lengths.set([offset, length], (row + NAME_SIZE) / 8);
    words[(row + CRC_IN_ROW) / 4] = crc;
  }
  words[CRC] = crc32(bytes);
  return bytes;
}

/** A copy of a header, or of the beginning of one, as bytes and as numbers in the byte order of the machine. */
function viewsOf(header: Uint8Array) {
  const { buffer } = new Uint8Array(HEADER_SIZE);
  const bytes = new Uint8Array(buffer);
  bytes.set(header);
  return { bytes, words: new Uint32Array(buffer), lengths: new Float64Array(buffer) };
}

/** The first bytes of every index, even of an unfinished one. */
export const BEGINNING: Uint8Array = utf8(INDEX_MAGIC);

/** Whether a file with these first bytes was written as an index, of any version. */
export function isIndex(head: Uint8Array): boolean {
  return BEGINNING.every((byte, i) => byte === head[i]);
}

/** A short text that is equal for equal foods and labels, and different for others. */
export function identityOf(header: Uint8Array): string {
  return viewsOf(header).words[CRC]!.toString(36);
}

export function readHeader(header: Uint8Array, fileSize: number): Place[] {
  const { bytes, words, lengths } = viewsOf(header);
  if (!isIndex(bytes)) throw new BadIndex('is not an index of food-lookup');
  const cut = new BadIndex(`is truncated: it has ${fileSize} bytes, less than its header`);
  if (header.length < VERSION_SIZE) throw cut;
  const [version, byteOrder] = words.subarray(2);
  if (byteOrder === FOREIGN_BYTE_ORDER) throw new BadIndex('was made on a machine with another byte order');
  if (version !== VERSION && byteOrder === BYTE_ORDER) {
    throw new BadIndex(`is of version ${version}; this program reads version ${VERSION}`);
  }
  if (header.length < HEADER_SIZE) throw cut;
  const crc = words[CRC];
  words[CRC] = 0;
  if (crc32(bytes) !== crc) throw new BadIndex('is damaged: the header is not as it was written');
  const size = lengths[2];
  if (size !== fileSize)
    throw new BadIndex(`is truncated or has grown: ${fileSize} bytes instead of ${size}`);
  return Array.from({ length: words[7]! }, (_, i) => {
    const row = TABLE_AT + i * ROW_SIZE;
    const [offset, length] = lengths.subarray((row + NAME_SIZE) / 8) as unknown as [number, number];
    const name = textOfUtf8(bytes, row, row + NAME_SIZE).replace(/\0+$/, '');
    return { name, offset, length, crc: words[(row + CRC_IN_ROW) / 4]! };
  });
}
