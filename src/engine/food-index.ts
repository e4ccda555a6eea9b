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

import {
  composed,
  type FoodRecord,
  fold,
  foodCodeOf,
  MAX_ENTRIES,
  type OtherNames,
  utf8,
  utf8Length,
  type WordsAnswer,
} from '#core';
import { type IndexLookups, lookupsOf } from './lookups.ts';
import type { FoodParts } from './order/explanation.ts';
import {
  bonusOf,
  endOfText,
  isPlain,
  isPossessive,
  type Match,
  matchesOf,
  matchesOfWord,
  PLURALS,
} from './order/match-end.ts';
import { foodsOfCode } from './store/code-sections.ts';
import { findDescription, hashOfSymbols } from './store/description-table.ts';
import { type AnswerMemory, Entries } from './store/entries.ts';
import { type FactName, FoodFacts } from './store/food-facts.ts';
import { findFood } from './store/food-table.ts';
import { foodsNamed, hasNames } from './store/name-sections.ts';
import { foodAt, type IndexSections } from './store/sections.ts';
import { FIRST_BETWEEN_WORDS, FIRST_OF_WORDS, isWordCharacter, symbolsOf } from './suffixes/alphabet.ts';
import { boundary, rangeOf } from './suffixes/suffix-range.ts';
import { AnswerFoods } from './tree/answer-foods.ts';
import type { PlaceRange } from './tree/range-max-tree.ts';
import { BestFirst } from './tree/top-k.ts';
import { type AskedWord, contiguousOf, otherForms, wordsOf } from './words/asked-words.ts';
import { onlyWordOf, onlyWordOrder, type Reading, readingOf, readingsOf, wordsIn } from './words/readings.ts';
import { hasMore, select } from './words/selection.ts';
import { Vocabulary } from './words/vocabulary.ts';
import { WordSearch } from './words/word-search.ts';

const NO_ENDING = new Uint8Array(0);

/** In the order of their suffixes. */
const PLURALS_IN_ORDER = PLURALS.map((plural) => symbolsOf(plural)).sort((a, b) => a[0]! - b[0]!);

export class FoodIndex {
  readonly #sections: IndexSections;
  readonly #lookups: IndexLookups;
  readonly #entries: Entries;
  readonly #vocabulary: Vocabulary;
  readonly #wordSearch: WordSearch;
  readonly #facts: FoodFacts;
  /** The memory of a search, used again by the next one: legal only because a search never awaits. */
  readonly #found: AnswerFoods;
  readonly #bestFirst = new BestFirst();
  readonly #positions = new Int32Array(MAX_ENTRIES);
  readonly #foods = new Int32Array(MAX_ENTRIES);

  /** @param lookups if they are known already; @param memory for the answers, if not new memory for each */
  constructor(sections: IndexSections, lookups: IndexLookups = lookupsOf(sections), memory?: AnswerMemory) {
    this.#sections = sections;
    this.#lookups = lookups;
    this.#entries = new Entries(sections.entries, sections.entryStarts, memory);
    const { vocabulary, names, firstRepeat } = sections;
    this.#facts = new FoodFacts(sections);
    this.#vocabulary = new Vocabulary(vocabulary, lookups.spellings);
    this.#wordSearch = new WordSearch(vocabulary, firstRepeat[0]!, names);
    this.#found = new AnswerFoods(firstRepeat[0]!);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** A JSON array of the entries of the best foods whose description contains the text, which is not empty. */
  search(text: string): Uint8Array {
    // No description contains a lone surrogate, but its UTF-8 would be that of U+FFFD.
    if (text.isWellFormed()) this.#find(fold(text));
    else this.#found.clear();
    return this.#entries.answer(this.#found.foods, this.#found.count);
  }

  /** A JSON array of the entries of the best foods that have the words of a text, and the words that were replaced. */
  searchWords(text: string, names: OtherNames): WordsAnswer<Uint8Array> {
    const { readings, finding } = this.#findReadings(text, names);
    const { replaced, missing } = finding;
    return { body: this.#entries.answer(this.#found.foods, this.#found.count), readings, replaced, missing };
  }

  /** For each food of an answer why it has its place. @param names of a search by words */
  parts(text: string, names?: OtherNames): FoodParts[] {
    if (names === undefined) this.search(text);
    const searched = names && this.#findReadings(text, names);
    const word = searched?.only?.word;
    const asked = word === undefined ? [fold(text)] : [word.text, ...otherForms(this.#vocabulary, word)];
    return Array.from(this.#found.foods.subarray(0, this.#found.count), (food) => ({
      food: this.record(food),
      isRepeat: food >= this.#sections.firstRepeat[0]!,
      asked,
      matchesAt: word === undefined ? matchesOf(asked[0]!) : matchesOfWord(word.text, asked.slice(1)),
      reading: searched !== undefined && word === undefined ? this.#wordSearch.partsOf(food) : undefined,
    }));
  }

  #findReadings(text: string, names: OtherNames) {
    this.#found.clear();
    const contiguous = contiguousOf(text);
    if (contiguous !== undefined) {
      this.#find(contiguous);
      this.#addNamed(contiguous, wordsOf(text));
      this.#found.finish();
    }
    const readings = readingsOf(this.#vocabulary, text.isWellFormed() ? text : '', names);
    const only = contiguous === undefined ? onlyWordOf(readings) : undefined;
    if (only !== undefined) this.#findOnly(only.word);
    const finding = only ?? this.#findByWords(readings);
    this.#found.finish();
    return { readings, only, finding };
  }

  #findByWords(readings: readonly Reading[]) {
    const selection = select(this.#vocabulary, wordsIn(readings));
    return this.#wordSearch.find(readings, selection, this.#sections.vocabulary, this.#found);
  }

  /**
   * Adds the foods of a single word: those with this name, those with the word in the description, those with it in a name or in
   * letters of full width.
   */
  #findOnly(word: AskedWord): void {
    this.#findWord(word);
    if (!hasNames(this.#sections.names) && !hasMore(this.#vocabulary, word, this.#found.size)) return;
    this.#addNamed(word.text, [word.text]);
    if (!this.#found.isFull) this.#findByWords([readingOf(word)]);
  }

  /** Puts foods with this other name before those found, but for one whose whole description it is. */
  #addNamed(folded: string, words: readonly string[]): void {
    const named = foodsNamed(this.#sections.names, words);
    if (named.length === 0) return;
    const found = this.#found;
    found.finish();
    const described = found.foods.slice(0, found.count);
    found.clear();
    const isWhole =
      described.length > 0 && fold(composed(this.#entries.record(described[0]!).description)) === folded;
    for (const food of onlyWordOrder(described, isWhole, named)) found.add(food);
  }

  /** A JSON array of the portions, other names or nutrients of the first food that has exactly this description, and some. */
  lookUp(what: FactName, description: string): Uint8Array {
    return utf8(this.#facts.render(what, findFood(this.#lookups[what], this.#sections, description)));
  }

  /** A JSON array of the entries of the first foods with the code that a text is, in any spelling. */
  searchBarcode(text: string): Uint8Array {
    const code = foodCodeOf(text);
    const foods = code === undefined ? [] : foodsOfCode(this.#sections.codes, code, MAX_ENTRIES);
    return this.#entries.answer(Int32Array.from(foods), foods.length);
  }

  /** The numbers of the best foods whose folded description contains a folded text, which is not empty. */
  best(folded: string): Int32Array {
    this.#find(folded);
    return this.#found.foods.slice(0, this.#found.count);
  }

  /** The numbers of the best foods that have one word, or its singular or plural. */
  bestOfWord(word: AskedWord): Int32Array {
    this.#found.clear();
    this.#findOnly(word);
    this.#found.finish();
    return this.#found.foods.slice(0, this.#found.count);
  }

  #find(folded: string): void {
    this.#found.clear();
    const symbols = symbolsOf(folded);
    const { corpus, words, inner } = this.#sections;
    const [from, to] = rangeOf(corpus, words, symbols);
    // The suffixes of words include every description that begins with a word.
    const mayBeWhole = from < to || !isWordCharacter(folded.charCodeAt(0));
    if (mayBeWhole && !isPlain(folded)) this.#addWhole(symbols);
    if (from < to) this.#take(this.#parts(folded, symbols, from, to));
    if (!this.#found.isFull) {
      const [innerFrom, innerTo] = rangeOf(corpus, inner, symbols);
      const range = { tree: this.#lookups.inner, from: innerFrom, to: innerTo, bonus: 0 };
      if (innerFrom < innerTo) this.#take([range]);
    }
    this.#found.finish();
  }

  /** Adds the foods that have one word, or its singular or plural, in the order of a search for it. */
  #findWord(word: AskedWord): void {
    const { corpus, words } = this.#sections;
    const { text } = word;
    const ranges: PlaceRange[] = [];
    const symbols = symbolsOf(text);
    const [from, to] = rangeOf(corpus, words, symbols);
    if (isPossessive(text)) ranges.push(...this.#closedParts(from, to, symbols.length, false).parts);
    else if (from < to) ranges.push(...this.#parts(text, symbols, from, to));
    for (const form of otherForms(this.#vocabulary, word)) {
      const [low, high] = rangeOf(corpus, words, symbolsOf(form));
      ranges.push(...this.#closedParts(low, high, utf8Length(form), true).parts);
    }
    if (ranges.length > 0) this.#take(ranges);
  }

  /**
   * Adds the foods whose whole description is the query, the singular before the plural. Scores distinguish them from others
   * only if the query consists of words: "milk, whole" ends a segment in "Milk, whole, raw", too.
   */
  #addWhole(symbols: Uint8Array): void {
    const { corpus, blocks } = this.#sections;
    const { descriptions } = this.#lookups;
    const hash = hashOfSymbols(symbols);
    const whole = (ending: Uint8Array): number =>
      findDescription(descriptions, corpus, symbols, hash, ending);
    const singular = whole(NO_ENDING);
    const [one, other] = [whole(PLURALS_IN_ORDER[0]!), whole(PLURALS_IN_ORDER[1]!)];
    for (const position of [singular, Math.min(one, other), Math.max(one, other)]) {
      if (position < corpus.length) this.#found.add(foodAt(blocks, position));
    }
  }

  record(food: number): FoodRecord {
    const record = this.#entries.record(food);
    return { ...record, ...this.#facts.of(food, record.description) };
  }

  *records(): Generator<FoodRecord> {
    for (let food = 0; food < this.size; food++) yield this.record(food);
  }

  /** Divides the range of a text by how the match ends. */
  #parts(folded: string, symbols: Uint8Array, from: number, to: number): PlaceRange[] {
    const { corpus, words } = this.#sections;
    const closed = endOfText(folded);
    if (closed !== undefined) return [this.#rangeOf({ end: closed, isPlural: false }, from, to)];

    const { parts, end: closedEnd } = this.#closedParts(from, to, symbols.length, false);
    let open = closedEnd;
    const addOpen = (end: number): void => {
      if (open < end) parts.push(this.#rangeOf({ end: 'inside', isPlural: false }, open, end));
    };
    for (const plural of PLURALS_IN_ORDER) {
      let [low, high] = [open, to];
      for (let i = 0; i < plural.length; i++) {
        low = boundary(corpus, words.suffixes, low, high, symbols.length + i, plural[i]!);
        high = boundary(corpus, words.suffixes, low, high, symbols.length + i, plural[i]! + 1);
      }
      if (low === high) continue;
      addOpen(low);
      const plurals = this.#closedParts(low, high, symbols.length + plural.length, true);
      parts.push(...plurals.parts);
      open = plurals.end;
    }
    addOpen(to);
    return parts;
  }

  /**
   * The parts of a range of suffixes, equal in their first `length` symbols, in which these end a segment or a word; and where
   * these parts end.
   */
  #closedParts(
    from: number,
    to: number,
    length: number,
    isPlural: boolean,
  ): { parts: PlaceRange[]; end: number } {
    const parts: PlaceRange[] = [];
    const { corpus, words } = this.#sections;
    const middle = boundary(corpus, words.suffixes, from, to, length, FIRST_BETWEEN_WORDS);
    const end = boundary(corpus, words.suffixes, middle, to, length, FIRST_OF_WORDS);
    if (from < middle) parts.push(this.#rangeOf({ end: 'segmentEnd', isPlural }, from, middle));
    if (middle < end) parts.push(this.#rangeOf({ end: 'wordEnd', isPlural }, middle, end));
    return { parts, end };
  }

  /** The suffixes [from, to) that begin a word, by their scores for one kind of match. */
  #rangeOf(match: Match, from: number, to: number): PlaceRange {
    return { tree: this.#lookups[match.end], from, to, bonus: bonusOf(match) };
  }

  /**
   * Adds the foods of these places until the answer is full. It reads in rounds of independent loads, so that their cache
   * misses overlap: with millions of foods, nearly every read misses.
   */
  #take(ranges: readonly PlaceRange[]): void {
    const { blocks } = this.#sections;
    const [positions, foods] = [this.#positions, this.#foods];
    this.#bestFirst.begin(ranges);
    this.#found.beginAnew();
    while (this.#found.wantsMore) {
      const count = this.#bestFirst.next(positions, MAX_ENTRIES - this.#found.count);
      if (count === 0) break;
      for (let i = 0; i < count; i++) foods[i] = foodAt(blocks, positions[i]!);
      for (let i = 0; i < count; i++) this.#found.add(foods[i]!);
    }
  }
}
