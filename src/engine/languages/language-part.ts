/**
 * The foods of an index under their names in another language. They are an index of their own, of which the file keeps only what
 * takes long to derive: the figures are those of the first index.
 */
import { utf8 } from '#core';
import { fillBlocks } from '../building/static-order.ts';
import { type IndexLookups, lookupsOf } from '../lookups.ts';
import { NO_CODES } from '../store/code-sections.ts';
import { descriptionAt, descriptionIn } from '../store/entries.ts';
import { byColumn, type IndexColumns } from '../store/index-columns.ts';
import { BadIndex } from '../store/index-format.ts';
import { nameKeysOf } from '../store/name-sections.ts';
import { NO_NUTRIENTS } from '../store/nutrient-sections.ts';
import { isPartition, NO_PORTIONS } from '../store/portion-sections.ts';
import { readSections, writeSections } from '../store/read-index.ts';
import type { IndexSections, SectionArray } from '../store/sections.ts';
import { innerSuffixes } from '../suffixes/sort-suffixes.ts';
import { bucketsOf, type SortedSuffixes, SYMBOL_PAIRS } from '../suffixes/suffix-range.ts';
import { BLOCK_SIZE } from '../tree/bits.ts';
import { NO_FOREIGN_NAMES } from './foreign-names.ts';

export interface LanguageIndex {
  /** For each food its number in the first index. */
  readonly numbers: Uint32Array;
  readonly index: IndexSections;
  readonly lookups: IndexLookups;
}

/** What is kept, and of ascending numbers the differences, which compress to a quarter. */
const KEPT = [
  ['numbers', Uint32Array, false],
  ['corpus', Uint8Array, false],
  ['wordSuffixes', Int32Array, false],
  ['segmentEndScores', Uint8Array, false],
  ['wordEndScores', Uint8Array, false],
  ['insideScores', Uint8Array, false],
  ['firstRepeat', Uint32Array, false],
  ['spellings', Uint8Array, false],
  ['spellingStarts', Uint32Array, true],
  ['postingStarts', Uint32Array, true],
  ['bestPlaces', Uint8Array, false],
  ['postingFoods', Int32Array, true],
  ['postingPlaces', Uint8Array, false],
  ['staticScores', Uint8Array, false],
  ['nameWords', Uint8Array, false],
  ['nameStarts', Uint32Array, true],
  ['names', Uint8Array, false],
  ['descriptions', Uint8Array, false],
  // The last one must not be empty.
  ['descriptionStarts', Uint32Array, true],
] as const;

type ArrayOf<Items> = Items extends Uint8ArrayConstructor
  ? Uint8Array
  : Items extends Int32ArrayConstructor
    ? Int32Array
    : Uint32Array;
type Kept = { readonly [Row in (typeof KEPT)[number] as Row[0]]: ArrayOf<Row[1]> };

/** @param numbers the number in the first index of each food of this one */
export function writeLanguage(index: IndexSections, numbers: Uint32Array): Uint8Array {
  const { vocabulary, names, entries, entryStarts } = index;
  const starts = new Uint32Array(numbers.length + 1);
  const descriptions = Array.from(numbers, (_, food) => {
    const description = descriptionIn(entries, entryStarts[food]!, entryStarts[food + 1]!);
    starts[food + 1] = starts[food]! + description.length;
    return description;
  });
  const kept: Kept = {
    ...index,
    ...vocabulary,
    numbers,
    wordSuffixes: index.words.suffixes,
    postingFoods: vocabulary.foods,
    postingPlaces: vocabulary.places,
    nameStarts: names.starts,
    names: names.texts,
    descriptions: joined(descriptions, starts.at(-1)!),
    descriptionStarts: starts,
  };
  return writeSections(
    KEPT.map(([name, , isAscending]) => {
      const array: SectionArray = isAscending ? differences(kept[name]) : kept[name];
      return { name, bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength) };
    }),
  );
}

/** @param main the first index @throws BadIndex */
export function readLanguage(bytes: Uint8Array, main: IndexSections): LanguageIndex {
  const { sections } = readSections(bytes);
  const kept = Object.fromEntries(
    KEPT.map(([name, Items, isAscending]) => {
      const found = sections.get(name) ?? new Uint8Array(0);
      const array = new (Items as Uint8ArrayConstructor)(found.buffer as ArrayBuffer);
      return [name, isAscending ? summed(array) : array];
    }),
  ) as unknown as Kept;
  const { corpus, numbers, descriptions, descriptionStarts, nameStarts, names, wordSuffixes } = kept;
  const foods = main.entryStarts.length - 1;
  if (
    numbers.length !== foods ||
    descriptionStarts.length !== foods + 1 ||
    !isPartition(descriptionStarts, descriptions.length) ||
    !numbers.every((number) => number < foods)
  )
    throw new BadIndex('is damaged: the names in another language are not those of its foods');
  const blocks = new Uint32Array(2 * Math.ceil(corpus.length / BLOCK_SIZE));
  fillBlocks({ corpus, blocks });
  const index: IndexSections = {
    ...kept,
    ...entriesOf(kept, main),
    ...(byColumn(() => new Uint8Array(0)) as unknown as IndexColumns),
    blocks,
    words: withBuckets(corpus, wordSuffixes),
    inner: withBuckets(corpus, innerSuffixes(corpus, wordSuffixes, foods)),
    vocabulary: { ...kept, foods: kept.postingFoods, places: kept.postingPlaces },
    names: { starts: nameStarts, texts: names, ...nameKeysOf({ starts: nameStarts, texts: names }) },
    portions: NO_PORTIONS,
    nutrients: NO_NUTRIENTS,
    codes: NO_CODES,
    foreign: NO_FOREIGN_NAMES,
    languages: {},
  };
  return { numbers, index, lookups: lookupsOf(index) };
}

/** Reads the languages that came with an index. */
export const languagesWith = (index: IndexSections) => (tag: string) => {
  const part = index.languages[tag];
  return part && readLanguage(part, index);
};

/** The entries of the first index with the descriptions of this one. */
function entriesOf({ numbers, descriptions, descriptionStarts }: Kept, main: IndexSections) {
  const entryStarts = new Uint32Array(numbers.length + 1);
  const parts: Uint8Array[] = [];
  const end = utf8('}');
  for (const [food, number] of numbers.entries()) {
    const from = main.entryStarts[number]!;
    const figures = main.entries.subarray(from, descriptionAt(main.entries, from));
    const description = descriptions.subarray(descriptionStarts[food], descriptionStarts[food + 1]);
    parts.push(figures, description, end);
    entryStarts[food + 1] = entryStarts[food]! + figures.length + description.length + 1;
  }
  return { entryStarts, entries: joined(parts, entryStarts.at(-1)!) };
}

function withBuckets(corpus: Uint8Array, suffixes: Int32Array): SortedSuffixes {
  const buckets = new Uint32Array(SYMBOL_PAIRS + 1);
  bucketsOf(corpus, suffixes, buckets);
  return { suffixes, buckets };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function differences<Numbers extends SectionArray>(numbers: Numbers): Numbers {
  const all = numbers.slice() as Numbers;
  for (let i = all.length - 1; i > 0; i--) all[i]! -= all[i - 1]!;
  return all;
}

/** Undoes {@link differences}, in place. */
function summed<Numbers extends SectionArray>(numbers: Numbers): Numbers {
  for (let i = 1; i < numbers.length; i++) numbers[i]! += numbers[i - 1]!;
  return numbers;
}
