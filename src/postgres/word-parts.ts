/**
 * The rows of the table words_N: the vocabulary in sections, each split into parts. Numbers take four bytes, little-endian.
 *
 * A part of the postings has POSTINGS_OF_A_PART consecutive ones: the foods, then a byte for the place in each.
 */
import { endianness } from 'node:os';
import { type IndexSections, POSTINGS_OF_A_PART, type VocabularyFacts } from '#engine';
import type { PostingPart } from './posting-parts.ts';

export const POSTINGS = 'postings';

/** Bytes of a part of another section. */
const PART_SIZE = 2 ** 20;

/** Bytes of a number, and of a posting. */
const NUMBER = 4;
const POSTING = NUMBER + 1;

const IS_LITTLE_ENDIAN = endianness() === 'LE';

/**
 * What a search by words needs besides the postings. The sections of names are empty if no food has other names, and in tables of
 * earlier programs.
 */
export type WordFacts = VocabularyFacts & Pick<IndexSections, 'firstRepeat' | 'names'>;

export function* wordParts({ vocabulary, names, firstRepeat }: IndexSections) {
  const { foods, places, ...rest } = vocabulary;
  const { buckets: nameBuckets, checks: nameChecks, foods: nameFoods } = names;
  const facts = { ...rest, firstRepeat, nameBuckets, nameChecks, nameFoods };
  for (const [section, numbers] of Object.entries(facts)) {
    const bytes = numbers instanceof Uint8Array ? numbers : bytesOf(numbers);
    for (let part = 0; part * PART_SIZE < bytes.length; part++)
      yield { section, part, bytes: bytes.subarray(part * PART_SIZE, (part + 1) * PART_SIZE) };
  }
  for (let part = 0; part * POSTINGS_OF_A_PART < foods.length; part++) {
    const [from, to] = [part * POSTINGS_OF_A_PART, (part + 1) * POSTINGS_OF_A_PART];
    const bytes = Buffer.concat([bytesOf(foods.subarray(from, to)), places.subarray(from, to)]);
    yield { section: POSTINGS, part, bytes };
  }
}

/** The opposite of {@link wordParts}. @param read the bytes of a section */
export async function readFacts(read: (section: string) => Promise<Buffer>): Promise<WordFacts> {
  const numbers = async (section: string) => numbersOf(await read(section));
  const bytes = async (section: string) => Uint8Array.from(await read(section));
  return {
    spellings: await bytes('spellings'),
    spellingStarts: await numbers('spellingStarts'),
    postingStarts: await numbers('postingStarts'),
    bestPlaces: await bytes('bestPlaces'),
    staticScores: await bytes('staticScores'),
    nameWords: await bytes('nameWords'),
    firstRepeat: await numbers('firstRepeat'),
    names: {
      buckets: await numbers('nameBuckets'),
      checks: await numbers('nameChecks'),
      foods: new Int32Array((await numbers('nameFoods')).buffer),
    },
  };
}

export function postingsIn(bytes: Uint8Array): PostingPart {
  const end = (bytes.length / POSTING) * NUMBER;
  return {
    foods: new Int32Array(numbersOf(bytes.subarray(0, end)).buffer),
    places: Uint8Array.from(bytes.subarray(end)),
  };
}

function numbersOf(bytes: Uint8Array): Uint32Array {
  const copy = Uint8Array.from(bytes);
  if (!IS_LITTLE_ENDIAN) Buffer.from(copy.buffer).swap32();
  return new Uint32Array(copy.buffer);
}

function bytesOf(numbers: Uint32Array | Int32Array): Uint8Array {
  if (!IS_LITTLE_ENDIAN) return Buffer.from(numbers.slice().buffer).swap32();
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
