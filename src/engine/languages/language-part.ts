/**
 * The foods of an index under their names in another language. They are an index of their own, of which the file keeps only what
 * takes long to derive, as bytes that compress well: the figures are those of the first index.
 */
import { fold, textOfUtf8, utf8, utf8Length, utf8Positions } from '#core';
import { type IndexLookups, lookupsOf } from '../lookups.ts';
import { wordBoundsOf } from '../order/food-name.ts';
import { hasRuns } from '../order/script-runs.ts';
import { NO_CODES } from '../store/code-sections.ts';
import { descriptionAt, descriptionIn } from '../store/entries.ts';
import { NO_FOREIGN_NAMES } from '../store/foreign-names.ts';
import { byColumn, type IndexColumns } from '../store/index-columns.ts';
import { BadIndex, HEADER_SIZE, readHeader } from '../store/index-format.ts';
import { renderNames } from '../store/name-sections.ts';
import { NO_NUTRIENTS } from '../store/nutrient-sections.ts';
import { fromDistances, packed, toDistances, unpacked } from '../store/packed.ts';
import { NO_PORTIONS } from '../store/portion-sections.ts';
import { writeSections } from '../store/read-index.ts';
import { fillBlocks, type IndexSections } from '../store/sections.ts';
import { beginsCharacter, putSymbols } from '../suffixes/alphabet.ts';
import { BLOCK_SIZE, RankedBits } from '../suffixes/bits.ts';
import { bucketsOf, type SortedSuffixes, SYMBOL_PAIRS } from '../suffixes/suffix-range.ts';
import { wordsOf } from '../words/asked-words.ts';
import { type NamesOfFoods, nameKeyOf, nameKeysOf } from '../words/name-keys.ts';
import type { Postings, VocabularySections } from '../words/vocabulary.ts';
import { longSpellings, shortSpellings } from './short-spellings.ts';

export interface LanguageIndex {
  /** For each food its number in the first index. */
  readonly numbers: Uint32Array;
  readonly index: IndexSections;
  readonly lookups: IndexLookups;
}

/** What is kept: numbers are packed, and of ascending ones their distances. */
const KEPT = [
  'numbers',
  /** For each food two lines: its description as a JSON string, and its other names as a JSON array. */
  'texts',
  'firstRepeat',
  /** Of the suffixes, in the order of their positions; of those inside words only if a script without blanks needs them. */
  'wordRanks',
  'innerRanks',
  /** For each end of a match the scores of all words, less those of the end before. */
  'scores',
  'spellings',
  'postingStarts',
  'postingFoods',
  'postingPlaces',
  'staticScores',
  // The last one must not be empty.
  'nameWords',
] as const;

type Kept = Readonly<Record<(typeof KEPT)[number], Uint8Array>>;

/** @param numbers the number in the first index of each food of this one */
export function writeLanguage(index: IndexSections, numbers: Uint32Array): Uint8Array {
  const { corpus, vocabulary, names, entries, entryStarts } = index;
  const lines = Array.from(numbers, (_, food) => {
    const description = descriptionIn(entries, entryStarts[food]!, entryStarts[food + 1]!);
    return `${textOfUtf8(description)}\n${renderNames(names, food)}`;
  });
  const text = lines.join('\n');
  const inner = index.inner.suffixes.filter((position) => beginsCharacter(corpus[position]!));
  const wordRanks = ranksOf(index.words.suffixes, corpus.length);
  const foods = Uint32Array.from(vocabulary.foods);
  forEachWord({ ...vocabulary, foods }, toDistances);
  const kept: Kept = {
    numbers: packed(numbers),
    texts: utf8(text),
    firstRepeat: packed(index.firstRepeat),
    wordRanks: packed(wordRanks),
    innerRanks: packed(hasRuns(text) ? ranksOf(inner, corpus.length) : wordRanks.subarray(0, 0)),
    scores: scoresByPlace(index, wordRanks),
    spellings: shortSpellings(vocabulary),
    postingStarts: packed(toDistances(vocabulary.postingStarts.slice())),
    postingFoods: packed(foods),
    postingPlaces: vocabulary.places,
    staticScores: vocabulary.staticScores,
    nameWords: vocabulary.nameWords,
  };
  return writeSections(KEPT.map((name) => ({ name, bytes: kept[name] })));
}

/** @param main the first index @throws BadIndex */
export function readLanguage(bytes: Uint8Array, main: IndexSections): LanguageIndex {
  const kept = keptIn(bytes);
  const numbers = unpacked(kept.numbers);
  const foods = main.entryStarts.length - 1;
  const text = textOfUtf8(kept.texts);
  const texts = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as (string | string[])[];
  if (numbers.length !== foods || texts.length !== 2 * foods || !numbers.every((number) => number < foods))
    throw new BadIndex('is damaged: the names in another language are not those of its foods');
  const otherNames = texts.filter((each) => typeof each !== 'string');
  const { corpus, wordStarts } = corpusOf(texts.filter((each) => typeof each === 'string'));
  const blocks = new Uint32Array(2 * Math.ceil(corpus.length / BLOCK_SIZE));
  fillBlocks({ corpus, blocks });
  const { names, ...entries } = textsOf(kept.texts, numbers, main);
  const index: IndexSections = {
    corpus,
    blocks,
    ...entries,
    ...(byColumn(() => new Uint8Array(0)) as unknown as IndexColumns),
    firstRepeat: unpacked(kept.firstRepeat),
    ...sortedOf(corpus, wordStarts, kept),
    vocabulary: vocabularyOf(kept),
    names: { ...names, ...nameKeysOf(keysOf(otherNames)) },
    portions: NO_PORTIONS,
    nutrients: NO_NUTRIENTS,
    codes: NO_CODES,
    foreign: NO_FOREIGN_NAMES,
    languages: {},
  };
  return { numbers, index, lookups: lookupsOf(index) };
}

/** Views of the bytes, which whoever has read the part has verified. */
function keptIn(bytes: Uint8Array): Kept {
  const places = readHeader(bytes.subarray(0, HEADER_SIZE), bytes.length);
  const kept = places.map(({ name, offset, length }) => [name, bytes.subarray(offset, offset + length)]);
  return Object.fromEntries(kept) as Kept;
}

/** Reads the languages that came with an index. */
export const languagesWith = (index: IndexSections) => (tag: string) => {
  const part = index.languages[tag];
  return part && readLanguage(part, index);
};

/** The foods of each word, of all words in one array. */
function forEachWord(
  { postingStarts, foods }: { readonly postingStarts: Uint32Array; readonly foods: Uint32Array },
  visit: (foods: Uint32Array) => void,
): void {
  for (let word = 0; word < postingStarts.length - 1; word++)
    visit(foods.subarray(postingStarts[word], postingStarts[word + 1]));
}

function vocabularyOf(kept: Kept): VocabularySections {
  // Views would keep all bytes of the part.
  const [places, staticScores, nameWords] = [kept.postingPlaces, kept.staticScores, kept.nameWords].map(
    (bytes) => bytes.slice(),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const postingStarts = fromDistances(unpacked(kept.postingStarts));
  const foods = unpacked(kept.postingFoods);
  forEachWord({ postingStarts, foods }, fromDistances);
  const postings: Postings = { postingStarts, foods: new Int32Array(foods.buffer), places };
  const bestPlaces = new Uint8Array(postingStarts.length - 1);
  for (let word = 0; word < bestPlaces.length; word++)
    for (let i = postingStarts[word]!; i < postingStarts[word + 1]!; i++)
      bestPlaces[word] = Math.max(bestPlaces[word]!, places[i]!);
  return { ...longSpellings(kept.spellings), ...postings, bestPlaces, staticScores, nameWords };
}

/** The folded descriptions, and where their words begin. */
function corpusOf(descriptions: readonly string[]) {
  const folded = descriptions.map(fold);
  const corpus = new Uint8Array(folded.reduce((sum, text) => sum + utf8Length(text) + 1, 0));
  const wordStarts: number[] = [];
  let at = 0;
  for (const text of folded) {
    const byteOf = utf8Positions(text);
    const bounds = wordBoundsOf(text);
    for (let i = 0; i < bounds.length; i += 2) wordStarts.push(at + byteOf(bounds[i]!));
    at = putSymbols(text, corpus, at);
  }
  return { corpus, wordStarts };
}

/** @param names the other names of each food */
function keysOf(names: readonly (readonly string[])[]): NamesOfFoods {
  const count = names.reduce((sum, { length }) => sum + length, 0);
  const [keys, foods] = [new Uint32Array(2 * count), new Int32Array(count)];
  let at = 0;
  for (let food = 0; food < names.length; food++)
    for (const name of names[food]!) {
      const { low, check } = nameKeyOf(wordsOf(name));
      keys[2 * at] = low;
      keys[2 * at + 1] = check;
      foods[at++] = food;
    }
  return { keys, foods };
}

const ENDS = ['segmentEndScores', 'wordEndScores', 'insideScores'] as const;

/** The ranks of sorted suffixes, in the order of their positions. */
function ranksOf(suffixes: Int32Array, length: number): Uint32Array {
  const places = new RankedBits(length, suffixes);
  const ranks = new Uint32Array(suffixes.length);
  for (const [rank, position] of suffixes.entries()) ranks[places.rank(position)] = rank;
  return ranks;
}

/** Undoes {@link ranksOf}. */
function suffixesOf(positions: ArrayLike<number>, ranks: Uint32Array): Int32Array {
  const suffixes = new Int32Array(ranks.length);
  for (let i = 0; i < ranks.length; i++) suffixes[ranks[i]!] = positions[i]!;
  return suffixes;
}

/** @param ranks of the suffixes that begin a word */
function scoresByPlace(index: IndexSections, ranks: Uint32Array): Uint8Array {
  const scores = new Uint8Array(ENDS.length * ranks.length);
  for (const [end, name] of ENDS.entries()) {
    const before = index[ENDS[end - 1] ?? name];
    for (const [i, rank] of ranks.entries())
      scores[end * ranks.length + i] = index[name][rank]! - (end === 0 ? 0 : before[rank]!);
  }
  return scores;
}

/** The suffixes, and the scores of those that begin a word. */
function sortedOf(corpus: Uint8Array, wordStarts: readonly number[], kept: Kept) {
  const count = wordStarts.length;
  const bytes = () => new Uint8Array(count);
  const scores = { segmentEndScores: bytes(), wordEndScores: bytes(), insideScores: bytes() };
  const { segmentEndScores, wordEndScores, insideScores } = scores;
  const ranks = unpacked(kept.wordRanks);
  for (let i = 0; i < count; i++) {
    const rank = ranks[i]!;
    segmentEndScores[rank] = kept.scores[i]!;
    wordEndScores[rank] = segmentEndScores[rank]! + kept.scores[count + i]!;
    insideScores[rank] = wordEndScores[rank]! + kept.scores[2 * count + i]!;
  }
  const innerRanks = unpacked(kept.innerRanks);
  const innerStarts = innerRanks.length > 0 ? startsInside(corpus, wordStarts) : [];
  return {
    ...scores,
    words: withBuckets(corpus, suffixesOf(wordStarts, ranks)),
    inner: withBuckets(corpus, suffixesOf(innerStarts, innerRanks)),
  };
}

/** Where the characters begin that begin no word. */
function startsInside(corpus: Uint8Array, wordStarts: readonly number[]): number[] {
  const starts: number[] = [];
  let word = 0;
  for (let i = 0; i < corpus.length; i++)
    if (i === wordStarts[word]) word++;
    else if (beginsCharacter(corpus[i]!)) starts.push(i);
  return starts;
}

function withBuckets(corpus: Uint8Array, suffixes: Int32Array): SortedSuffixes {
  const buckets = new Uint32Array(SYMBOL_PAIRS + 1);
  bucketsOf(corpus, suffixes, buckets);
  return { suffixes, buckets };
}

const [LINE_END, ENTRY_END] = utf8('\n}') as unknown as [number, number];
const NO_NAMES_TEXT = '[]';

/** The entries of the first index with the descriptions of this one, and the other names. */
function textsOf(lines: Uint8Array, numbers: Uint32Array, main: IndexSections) {
  const figureEnds = numbers.map((number) => descriptionAt(main.entries, main.entryStarts[number]!));
  const figures = numbers.reduce((sum, number, i) => sum + figureEnds[i]! - main.entryStarts[number]!, 0);
  const entries = new Uint8Array(lines.length + figures + numbers.length);
  const texts = new Uint8Array(lines.length);
  const [entryStarts, starts] = [new Uint32Array(numbers.length + 1), new Uint32Array(numbers.length + 1)];
  let line = 0;
  const nextLine = (): Uint8Array => {
    const end = lines.indexOf(LINE_END, line);
    const found = lines.subarray(line, end < 0 ? lines.length : end);
    line += found.length + 1;
    return found;
  };
  for (const [food, number] of numbers.entries()) {
    let at = entryStarts[food]!;
    for (const part of [main.entries.subarray(main.entryStarts[number], figureEnds[food]), nextLine()]) {
      entries.set(part, at);
      at += part.length;
    }
    entries[at] = ENTRY_END;
    entryStarts[food + 1] = at + 1;
    const own = nextLine();
    starts[food + 1] = starts[food]! + (own.length > NO_NAMES_TEXT.length ? own.length : 0);
    if (own.length > NO_NAMES_TEXT.length) texts.set(own, starts[food]);
  }
  return {
    entryStarts,
    entries: entries.slice(0, entryStarts.at(-1)),
    names: { starts, texts: texts.slice(0, starts.at(-1)) },
  };
}
