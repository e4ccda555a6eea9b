/**
 * The foods of an index under their names in another language. They are an index of their own, of which the file keeps only what
 * takes long to derive, as bytes that compress well: the figures are those of the first index.
 */
import { fold, Growing, textOfUtf8, utf8, utf8Length, utf8Positions } from '#core';
import { type IndexLookups, lookupsOf } from '../lookups.ts';
import { wordBoundsOf } from '../order/food-name.ts';
import { hasRuns, scriptFolded } from '../order/script-runs.ts';
import { NO_CODES } from '../store/code-sections.ts';
import { descriptionAt, descriptionIn } from '../store/entries.ts';
import { Facts, factsOfNames } from '../store/facts.ts';
import { NO_FOREIGN_NAMES } from '../store/foreign-names.ts';
import { BadIndex, HEADER_SIZE, readHeader } from '../store/index-format.ts';
import { packed, unpacked } from '../store/packed.ts';
import { writeSections } from '../store/read-index.ts';
import { fillBlocks, type IndexSections } from '../store/sections.ts';
import { beginsCharacter, putSymbols } from '../suffixes/alphabet.ts';
import { BLOCK_SIZE, RankedBits } from '../suffixes/bits.ts';
import { suffixArray } from '../suffixes/suffix-array.ts';
import { bucketsOf, type SortedSuffixes, SYMBOL_PAIRS } from '../suffixes/suffix-range.ts';
import { MOST_WORDS, wordsOf } from '../words/asked-words.ts';
import { NameKey, type NamesOfFoods, nameKeyOf, nameKeysOf } from '../words/name-keys.ts';
import { keptWords, vocabularyOf, WORDS } from './language-words.ts';

export interface LanguageIndex {
  /** For each food its number in the first index. */
  readonly numbers: Uint32Array;
  readonly index: IndexSections;
  readonly lookups: IndexLookups;
}

/** What a copy for a page lacks. Of the suffixes, in the order of their positions; of those inside words only if a script needs them. */
const DERIVED = ['wordRanks', 'innerRanks', ...WORDS] as const;

/** What is kept: numbers are packed, and of ascending ones their distances. The rest is derived from the texts. */
const KEPT = [
  'numbers',
  /** For each food two lines: its description as a JSON string, and its other names as a JSON array. */
  'texts',
  'firstRepeat',
  /** For each end of a match the scores of all words by their positions, less those of the end before. */
  'scores',
  ...DERIVED,
  'postingPlaces',
  'staticScores',
  // The last one must not be empty.
  'nameWords',
] as const;

type Whole = Readonly<Record<(typeof KEPT)[number], Uint8Array>>;
type Kept = Omit<Whole, (typeof DERIVED)[number]> & Partial<Whole>;

const NO_SUFFIXES = new Int32Array(0);

/** @param numbers the number in the first index of each food of this one */
export function writeLanguage(index: IndexSections, numbers: Uint32Array): Uint8Array {
  const { corpus, vocabulary, entries, entryStarts } = index;
  const facts = new Facts(index.facts);
  const lines = Array.from(numbers, (_, food) => {
    const description = descriptionIn(entries, entryStarts[food]!, entryStarts[food + 1]!);
    return `${textOfUtf8(description)}\n${facts.render('names', food)}`;
  });
  const text = lines.join('\n');
  const isNeeded = (position: number) => beginsCharacter(corpus[position]!);
  const kept: Whole = {
    numbers: packed(numbers),
    texts: utf8(text),
    firstRepeat: packed(index.firstRepeat),
    scores: scoresByPlace(index),
    wordRanks: packed(ranksOf(index.words.suffixes, corpus.length)),
    innerRanks: packed(
      ranksOf(hasRuns(text) ? index.inner.suffixes.filter(isNeeded) : NO_SUFFIXES, corpus.length),
    ),
    ...keptWords(vocabulary),
    postingPlaces: vocabulary.places,
    staticScores: vocabulary.staticScores,
    nameWords: vocabulary.nameWords,
  };
  return writeSections(KEPT.map((name) => ({ name, bytes: kept[name] })));
}

/** For a page, which loads less and takes longer to open it. */
export function withoutWords(bytes: Uint8Array): Uint8Array {
  const isDerived = (name: string): boolean => DERIVED.some((each) => each === name);
  const kept = Object.entries(keptIn(bytes)).filter(([name]) => !isDerived(name));
  return writeSections(kept.map(([name, section]) => ({ name, bytes: section })));
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
  const folded = texts.filter((each) => typeof each === 'string').map(fold);
  const otherNames = texts.filter((each) => typeof each !== 'string');
  const { corpus, wordStarts } = corpusOf(folded);
  const blocks = new Uint32Array(2 * Math.ceil(corpus.length / BLOCK_SIZE));
  fillBlocks({ corpus, blocks });
  const index: IndexSections = {
    corpus,
    blocks,
    ...textsOf(kept.texts, numbers, main),
    firstRepeat: unpacked(kept.firstRepeat),
    ...sortedOf(corpus, wordStarts, kept, hasRuns(text)),
    vocabulary: vocabularyOf(kept, folded, otherNames),
    names: nameKeysOf(keysOf(otherNames)),
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

/** All of them, and where their words begin. @param folded descriptions */
function corpusOf(folded: readonly string[]) {
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

/** Characters that are divided into words otherwise once a script is folded: "１.５" of full width. */
const WIDE = /[\ufe30-\ufe6b\uff10-\uff9f]/;

/** All names are divided at once: one by one, as `wordsOf` does it, they would take twice as long. */
function keysOf(names: readonly (readonly string[])[]): NamesOfFoods {
  const all = names.flat();
  const keys = new Uint32Array(2 * all.length);
  const folded = fold(all.map((name) => name.replaceAll('\n', ' ')).join('\n'));
  const text = scriptFolded(folded);
  const bounds = wordBoundsOf(text);
  const added = new NameKey();
  for (let name = 0, word = 0, end = -1; name < all.length; name++) {
    const [from, first] = [end + 1, word];
    end = text.indexOf('\n', from);
    if (end < 0) end = text.length;
    for (; bounds[word]! < end; word += 2) added.add(text, bounds[word], bounds[word + 1]);
    const own = added.take();
    const isUsual = word - first <= 2 * MOST_WORDS && !WIDE.test(all[name]!);
    const { low, check } = isUsual ? own : nameKeyOf(wordsOf(all[name]!));
    keys[2 * name] = low;
    keys[2 * name + 1] = check;
  }
  return { keys, foods: Int32Array.from(names.flatMap((own, food) => own.map(() => food))) };
}

const ENDS = ['segmentEndScores', 'wordEndScores', 'insideScores'] as const;

function scoresByPlace(index: IndexSections): Uint8Array {
  const { suffixes } = index.words;
  const places = new RankedBits(index.corpus.length, suffixes);
  const scores = new Uint8Array(ENDS.length * suffixes.length);
  for (const [end, name] of ENDS.entries()) {
    const before = index[ENDS[end - 1] ?? name];
    for (const [rank, position] of suffixes.entries())
      scores[end * suffixes.length + places.rank(position)] =
        index[name][rank]! - (end === 0 ? 0 : before[rank]!);
  }
  return scores;
}

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

/** The suffixes, and the scores of those that begin a word. @param hasInner whether a script without blanks needs the others */
function sortedOf(corpus: Uint8Array, wordStarts: readonly number[], kept: Kept, hasInner: boolean) {
  const count = wordStarts.length;
  const places = new RankedBits(corpus.length, wordStarts);
  const isInner = (position: number): boolean =>
    hasInner && places.has(position) === 0 && beginsCharacter(corpus[position]!);
  const { words, inner } = suffixesIn(kept);
  const bytes = () => new Uint8Array(count);
  const scores = { segmentEndScores: bytes(), wordEndScores: bytes(), insideScores: bytes() };
  for (const [rank, position] of words.entries())
    for (let end = 0, score = 0; end < ENDS.length; end++) {
      score += kept.scores[end * count + places.rank(position)]!;
      scores[ENDS[end]!][rank] = score;
    }
  return { ...scores, words: withBuckets(corpus, words), inner: withBuckets(corpus, inner) };

  function suffixesIn({ wordRanks, innerRanks }: Kept) {
    if (wordRanks === undefined || innerRanks === undefined) {
      const all = suffixArray(corpus);
      return { words: all.filter((position) => places.has(position) === 1), inner: all.filter(isInner) };
    }
    const innerStarts = hasInner ? Array.from(corpus.keys()).filter(isInner) : [];
    return {
      words: suffixesOf(wordStarts, unpacked(wordRanks)),
      inner: suffixesOf(innerStarts, unpacked(innerRanks)),
    };
  }
}

function withBuckets(corpus: Uint8Array, suffixes: Int32Array): SortedSuffixes {
  const buckets = new Uint32Array(SYMBOL_PAIRS + 1);
  bucketsOf(corpus, suffixes, buckets);
  return { suffixes, buckets };
}

const LINE_END = 0x0a;
const NO_NAMES_TEXT = '[]';

/** The entries of the first index with the descriptions of this one, and the other names. */
function textsOf(lines: Uint8Array, numbers: Uint32Array, main: IndexSections) {
  const entries = new Growing<Uint8Array>(new Uint8Array(2 * lines.length));
  const entryStarts = new Uint32Array(numbers.length + 1);
  const names: Uint8Array[] = [];
  let line = 0;
  const nextLine = (): Uint8Array => {
    const end = lines.indexOf(LINE_END, line);
    const found = lines.subarray(line, end < 0 ? lines.length : end);
    line += found.length + 1;
    return found;
  };
  for (const [food, number] of numbers.entries()) {
    const start = main.entryStarts[number]!;
    entries.add(main.entries.subarray(start, descriptionAt(main.entries, start)));
    entries.add(nextLine());
    entryStarts[food + 1] = entries.length;
    const own = nextLine();
    names.push(own.length > NO_NAMES_TEXT.length ? own : own.subarray(0, 0));
  }
  return { entryStarts, entries: entries.all.slice(), facts: factsOfNames(names) };
}
