/**
 * Answers texts from an index: the best 100 foods whose description contains a text, as bytes.
 *
 * All places of the text are one range of each suffix array, found by binary search. What follows the text divides the
 * range of the words into a few, each with its own scores; the best of them are found without reading the rest. If words
 * do not fill the answer, places inside words follow.
 *
 * Cost of a text of m bytes among n bytes of descriptions: O(m log n) to find it, and about the same work for
 * each entry of the answer however many foods match.
 */

import type { OtherNames, WordsAnswer } from '../catalog.ts';
import { fold } from '../fold.ts';
import { type FoodRecord, MAX_ENTRIES } from '../food.ts';
import { FoundFoods } from './collections/found-foods.ts';
import { findDescription, hashOf } from './description-table.ts';
import { Entries } from './entries.ts';
import { otherForms } from './only-word.ts';
import type { PlaceRange } from './place-range.ts';
import { findPortions } from './portion-table.ts';
import { portionsOf } from './portions.ts';
import { type IndexTrees, treesOf } from './range-max-tree.ts';
import { endOfText, isPossessive, PLURALS } from './ranking/match-end.ts';
import { pluralScore } from './ranking/points.ts';
import { foodAt, type IndexSections } from './sections.ts';
import { inOrder, SMALL_RANGE } from './small-range.ts';
import { FIRST_BETWEEN_WORDS, FIRST_OF_WORDS, isWordCharacter, SYMBOL_OF } from './suffixes/alphabet.ts';
import { boundary, rangeOf } from './suffixes/suffix-range.ts';
import { bestFirst } from './top-k.ts';
import { addBestFoods } from './wide-range.ts';
import type { AskedWord } from './words/asked-words.ts';
import { findWords } from './words/find-words.ts';
import { Vocabulary } from './words/vocabulary.ts';
import { WordSearch } from './words/word-search.ts';

// Shared by all searches: legal only because a search never awaits.
const found = new FoundFoods();
const positions = new Int32Array(MAX_ENTRIES);
const foods = new Int32Array(MAX_ENTRIES);

/** Longer texts get their own buffer for their symbols. */
const SHORT_TEXT = 256;
const shortText = new Uint8Array(SHORT_TEXT);

const NO_ENDING = new Uint8Array(0);

/** In the order of their suffixes. */
const PLURALS_IN_ORDER = PLURALS.map((plural) => symbolsOf(plural).slice()).sort((a, b) => a[0]! - b[0]!);

export class FoodIndex {
  readonly #sections: IndexSections;
  readonly #trees: IndexTrees;
  readonly #entries: Entries;
  readonly #vocabulary: Vocabulary;
  readonly #wordSearch: WordSearch;

  constructor(sections: IndexSections, trees: IndexTrees = treesOf(sections)) {
    this.#sections = sections;
    this.#trees = trees;
    this.#entries = new Entries(sections.entries, sections.entryStarts);
    const { vocabulary, firstRepeat } = sections;
    this.#vocabulary = new Vocabulary(vocabulary);
    this.#wordSearch = new WordSearch(vocabulary, firstRepeat[0]!, vocabulary);
  }

  /** The number of foods. */
  get size(): number {
    return this.#entries.size;
  }

  /** A JSON array of the entries of the best foods whose description contains the text, which is not empty. */
  search(text: string): Buffer {
    // No description contains a lone surrogate, but its UTF-8 would be that of U+FFFD.
    if (text.isWellFormed()) this.#find(fold(text));
    else found.clear(0);
    return this.#entries.answer(found.foods, found.count);
  }

  /** A JSON array of the entries of the best foods that have the words of a text, and the words that were replaced. */
  searchWords(text: string, names: OtherNames): WordsAnswer {
    found.clear(this.#sections.firstRepeat[0]!);
    // No description contains a lone surrogate.
    const steps = findWords(this.#vocabulary, text.isWellFormed() ? text : '', names, found);
    let step = steps.next();
    while (!step.done) step = steps.next(this.#wordSearch);
    const { only, replaced } = step.value;
    if (only !== undefined) this.#findWord(only);
    found.finish();
    return { body: this.#entries.answer(found.foods, found.count), replaced };
  }

  /** A JSON array of the portions of the first food that has exactly this description, and some. */
  portions(description: string): Buffer {
    return Buffer.from(findPortions(this.#trees.portions, this.#sections, description));
  }

  /** The numbers of the best foods whose folded description contains a folded text, which is not empty. */
  best(folded: string): Int32Array {
    this.#find(folded);
    return found.foods.slice(0, found.count);
  }

  /** The numbers of the best foods that have one word, or its singular or plural. */
  bestOfWord(word: AskedWord): Int32Array {
    found.clear(this.#sections.firstRepeat[0]!);
    this.#findWord(word);
    found.finish();
    return found.foods.slice(0, found.count);
  }

  #find(folded: string): void {
    found.clear(this.#sections.firstRepeat[0]!);
    const symbols = symbolsOf(folded);
    const { corpus, words, inner } = this.#sections;
    const [from, to] = rangeOf(corpus, words, symbols);
    // The suffixes of words include every description that begins with a word.
    const mayBeWhole = from < to || !isWordCharacter(folded.charCodeAt(0));
    if (mayBeWhole && !isPlain(folded)) this.#addWhole(symbols);
    if (from < to) this.#take(words.suffixes, this.#parts(folded, symbols, from, to), to - from);
    if (!found.isFull) {
      const [innerFrom, innerTo] = rangeOf(corpus, inner, symbols);
      const range = { tree: this.#trees.inner, scores: null, from: innerFrom, to: innerTo, bonus: 0 };
      if (innerFrom < innerTo) this.#take(inner.suffixes, [range], innerTo - innerFrom);
    }
    found.finish();
  }

  /** Adds the foods that have one word, or its singular or plural, in the order of a search for it. */
  #findWord(word: AskedWord): void {
    const { corpus, words } = this.#sections;
    const { text } = word;
    const ranges: PlaceRange[] = [];
    const symbols = symbolsOf(text);
    const [from, to] = rangeOf(corpus, words, symbols);
    if (isPossessive(text)) this.#addClosedParts(ranges, from, to, symbols.length, 0);
    else if (from < to) ranges.push(...this.#parts(text, symbols, from, to));
    for (const form of otherForms(this.#vocabulary, word)) {
      const [low, high] = rangeOf(corpus, words, symbolsOf(form));
      this.#addClosedParts(ranges, low, high, Buffer.byteLength(form), pluralScore());
    }
    const size = ranges.reduce((sum, range) => sum + range.to - range.from, 0);
    if (size > 0) this.#take(words.suffixes, ranges, size);
  }

  /**
   * Adds the foods whose whole description is the query, the singular before the plural. Scores distinguish them from others
   * only if the query consists of words: "milk, whole" ends a segment in "Milk, whole, raw", too.
   */
  #addWhole(symbols: Uint8Array): void {
    const { corpus, blocks } = this.#sections;
    const { descriptions } = this.#trees;
    const hash = hashOf(symbols);
    const whole = (ending: Uint8Array): number =>
      findDescription(descriptions, corpus, symbols, hash, ending);
    const singular = whole(NO_ENDING);
    const [one, other] = [whole(PLURALS_IN_ORDER[0]!), whole(PLURALS_IN_ORDER[1]!)];
    for (const position of [singular, Math.min(one, other), Math.max(one, other)]) {
      if (position < corpus.length) found.add(foodAt(blocks, position));
    }
  }

  record(food: number): FoodRecord {
    const record = this.#entries.record(food);
    const { nameLengths, popularities } = this.#sections;
    const portions = portionsOf(this.#sections.portions, food);
    const nameLength = nameLengths[food] ?? 0;
    const popularity = popularities[food] ?? 0;
    return {
      ...record,
      ...(nameLength > 0 && { name: record.description.normalize('NFC').slice(0, nameLength) }),
      ...(popularity > 0 && { popularity }),
      ...(portions.length > 0 && { portions }),
    };
  }

  /** All foods in their static order. */
  *records(): Generator<FoodRecord> {
    for (let food = 0; food < this.size; food++) yield this.record(food);
  }

  /** Divides the range of a text by how the match ends. */
  #parts(folded: string, symbols: Uint8Array, from: number, to: number): PlaceRange[] {
    const { corpus, segmentEndScores, wordEndScores, insideScores } = this.#sections;
    const { suffixes } = this.#sections.words;
    const { segmentEnd, wordEnd, inside } = this.#trees;
    const closed = endOfText(folded);
    if (closed === 'segmentEnd') return [{ scores: segmentEndScores, tree: segmentEnd, from, to, bonus: 0 }];
    if (closed === 'wordEnd') return [{ scores: wordEndScores, tree: wordEnd, from, to, bonus: 0 }];

    const parts: PlaceRange[] = [];
    let open = this.#addClosedParts(parts, from, to, symbols.length, 0);
    const addOpen = (end: number): void => {
      if (open < end) parts.push({ scores: insideScores, tree: inside, from: open, to: end, bonus: 0 });
    };
    for (const plural of PLURALS_IN_ORDER) {
      let [low, high] = [open, to];
      for (let i = 0; i < plural.length; i++) {
        low = boundary(corpus, suffixes, low, high, symbols.length + i, plural[i]!);
        high = boundary(corpus, suffixes, low, high, symbols.length + i, plural[i]! + 1);
      }
      if (low === high) continue;
      addOpen(low);
      open = this.#addClosedParts(parts, low, high, symbols.length + plural.length, pluralScore());
    }
    addOpen(to);
    return parts;
  }

  /**
   * Adds the parts of a range of suffixes, equal in their first `length` symbols, in which these end a segment or a word.
   * Returns the end of these parts.
   */
  #addClosedParts(parts: PlaceRange[], from: number, to: number, length: number, bonus: number): number {
    const { corpus, words, segmentEndScores, wordEndScores } = this.#sections;
    const { segmentEnd, wordEnd } = this.#trees;
    const middle = boundary(corpus, words.suffixes, from, to, length, FIRST_BETWEEN_WORDS);
    const end = boundary(corpus, words.suffixes, middle, to, length, FIRST_OF_WORDS);
    if (from < middle) parts.push({ scores: segmentEndScores, tree: segmentEnd, from, to: middle, bonus });
    if (middle < end) parts.push({ scores: wordEndScores, tree: wordEnd, from: middle, to: end, bonus });
    return end;
  }

  /**
   * Adds the foods of these places until the answer is full. It reads in rounds of independent loads, so that their cache
   * misses overlap: with millions of foods, nearly every read misses.
   */
  #take(suffixes: Int32Array, ranges: readonly PlaceRange[], size: number): void {
    const { blocks } = this.#sections;
    const places = size <= SMALL_RANGE ? inOrder(suffixes, ranges) : bestFirst(ranges);
    found.beginAnew();
    while (found.wantsMore) {
      const count = places.next(positions, MAX_ENTRIES - found.count);
      if (count === 0) break;
      for (let i = 0; i < count; i++) foods[i] = foodAt(blocks, positions[i]!);
      for (let i = 0; i < count; i++) found.add(foods[i]!);
    }
    if (places.gaveUp && found.wantsMore) addBestFoods(found, ranges, this.#sections);
  }
}

/** Whether a query consists of words, with one blank between them. */
function isPlain(folded: string): boolean {
  let isAfterBlank = true;
  for (let i = 0; i < folded.length; i++) {
    const isBlank = folded.charCodeAt(i) === 32;
    if (isBlank ? isAfterBlank : !isWordCharacter(folded.charCodeAt(i))) return false;
    isAfterBlank = isBlank;
  }
  return !isAfterBlank;
}

/** The UTF-8 of a folded text as symbols of the index; valid until the next call. */
function symbolsOf(folded: string): Uint8Array {
  const { length } = folded;
  let i = length > SHORT_TEXT ? 0 : length;
  for (let k = 0; k < i; k++) {
    const code = folded.charCodeAt(k);
    if (code > 0x7f) i = 0;
    else shortText[k] = SYMBOL_OF[code]!;
  }
  if (i === length) return shortText.subarray(0, length);
  return new Uint8Array(Buffer.from(folded)).map((byte) => SYMBOL_OF[byte]!);
}
