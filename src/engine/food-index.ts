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
  type FactName,
  type FoodRecord,
  fold,
  foodCodeOf,
  MAX_ENTRIES,
  type OtherNames,
  utf8,
  type WordsAnswer,
} from '#core';
import type { FoodParts } from './explanation.ts';
import { type IndexLookups, lookupsOf } from './lookups.ts';
import { matchesOf, matchesOfWord } from './order/match-end.ts';
import { CodesByFood, foodsOfCode } from './store/code-sections.ts';
import { findDescription } from './store/descriptions.ts';
import { type AnswerMemory, Entries } from './store/entries.ts';
import { Facts } from './store/facts.ts';
import { foodsCalled } from './store/foreign-names.ts';
import type { IndexSections } from './store/sections.ts';
import { symbolsOf } from './suffixes/alphabet.ts';
import { TextSearch } from './text-search.ts';
import { AnswerFoods } from './tree/answer-foods.ts';
import { type AskedWord, contiguousOf, otherForms, wordsOf } from './words/asked-words.ts';
import { foodsNamed } from './words/name-keys.ts';
import { onlyWordOf, onlyWordOrder, type Reading, readingOf, readingsOf, wordsIn } from './words/readings.ts';
import { hasMore, select } from './words/selection.ts';
import { Vocabulary } from './words/vocabulary.ts';
import { isHeadless, WordSearch } from './words/word-search.ts';

/** What a search by words finds: the numbers of the foods, best first, and how. */
export interface FoundWords extends Omit<WordsAnswer, 'body'> {
  readonly foods: Int32Array;
}

export class FoodIndex {
  readonly #sections: IndexSections;
  readonly #lookups: IndexLookups;
  readonly #entries: Entries;
  readonly #vocabulary: Vocabulary;
  readonly #wordSearch: WordSearch;
  readonly #facts: Facts;
  /** Made for the first record: a search does not need it. */
  #codes: CodesByFood | undefined;
  readonly #language: string | undefined;
  /** The memory of a search, used again by the next one: legal only because a search never awaits. */
  readonly #found: AnswerFoods;
  readonly #texts: TextSearch;

  /**
   * @param lookups if they are known already
   * @param memory for the answers, if not new memory for each
   * @param language of the descriptions, if it is known
   */
  constructor(
    sections: IndexSections,
    lookups: IndexLookups = lookupsOf(sections),
    memory?: AnswerMemory,
    language?: string,
  ) {
    this.#language = language;
    this.#sections = sections;
    this.#lookups = lookups;
    this.#entries = new Entries(sections.entries, sections.entryStarts, memory);
    const { vocabulary, names, firstRepeat } = sections;
    this.#facts = new Facts(sections.facts);
    this.#vocabulary = new Vocabulary(vocabulary, lookups.spellings);
    this.#wordSearch = new WordSearch(vocabulary, firstRepeat[0]!, names);
    this.#found = new AnswerFoods(firstRepeat[0]!);
    this.#texts = new TextSearch(sections, lookups, this.#vocabulary, this.#found);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** A JSON array of the entries of the best foods whose description contains the text, which is not empty. */
  search(text: string): Uint8Array {
    // No description contains a lone surrogate, but its UTF-8 would be that of U+FFFD.
    if (text.isWellFormed()) this.#texts.find(fold(text));
    else this.#found.clear();
    return this.#entries.answer(this.#found.foods, this.#found.count);
  }

  /** A JSON array of the entries of the best foods that have the words of a text, and the words that were replaced. */
  searchWords(text: string, names: OtherNames): WordsAnswer<Uint8Array> {
    const { foods, ...found } = this.findWords(text, names);
    return { ...found, body: this.answerOf(foods) };
  }

  /** The numbers of the foods of {@link searchWords}, valid until the next search. Those that only another language calls so come last. */
  findWords(text: string, names: OtherNames): FoundWords {
    const { readings, finding } = this.#findReadings(text, names);
    const { replaced, missing } = finding;
    const found = this.#found;
    if (!found.isFull && this.#lookups.foreign.keys.length > 0) {
      for (const food of foodsCalled(this.#lookups.foreign, wordsOf(text))) found.add(food);
      found.finish();
    }
    return { foods: found.foods.subarray(0, found.count), readings, replaced, missing };
  }

  /** A JSON array of the entries of these foods, at most MAX_ENTRIES. */
  answerOf(foods: Int32Array): Uint8Array {
    return this.#entries.answer(foods, foods.length);
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
      this.#texts.find(contiguous);
      this.#addNamed(contiguous, wordsOf(text));
      this.#found.finish();
    }
    const readings = readingsOf(this.#vocabulary, text.isWellFormed() ? text : '', names);
    const only = contiguous === undefined ? onlyWordOf(this.#vocabulary, readings) : undefined;
    if (only !== undefined) this.#findOnly(only.word, only.reading);
    const finding = only ?? this.#findByWords(readings);
    this.#found.finish();
    if (contiguous === undefined && isHeadless(this.#language, finding)) {
      this.#found.clear();
      return { readings, only, finding: { ...finding, replaced: [], missing: [] } };
    }
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
  #findOnly(word: AskedWord, reading = readingOf(word)): void {
    this.#texts.findWord(word);
    const [asked = word] = reading.words;
    if (this.#sections.names.foods.length === 0 && !hasMore(this.#vocabulary, asked, this.#found.size))
      return;
    this.#addNamed(word.text, [word.text]);
    if (!this.#found.isFull) this.#findByWords([reading]);
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
      described.length > 0 && fold(composed(this.#entries.description(described[0]!))) === folded;
    for (const food of onlyWordOrder(described, isWhole, named)) found.add(food);
  }

  /** A JSON array of the portions, other names or nutrients of the first food that has exactly this description, and some. */
  lookUp(what: FactName, description: string): Uint8Array {
    return utf8(
      this.#facts.render(
        what,
        this.numberOf(description, (food) => this.#facts.has(what, food)),
      ),
    );
  }

  /** The number of the best food with exactly this description of which the rest is true; NONE if there is none. */
  numberOf(description: string, isIt: (food: number) => boolean = () => true): number {
    const wanted = composed(description);
    const symbols = symbolsOf(fold(wanted));
    const isExact = (food: number): boolean => isIt(food) && composed(this.descriptionOf(food)) === wanted;
    return findDescription(this.#lookups.descriptions, this.#sections, symbols, isExact);
  }

  /** Whether another language may call a food so. */
  isCalled(text: string): boolean {
    return foodsCalled(this.#lookups.foreign, wordsOf(text)).length > 0;
  }

  descriptionOf(food: number): string {
    return this.#entries.description(food);
  }

  /** The JSON array of the portions, other names or nutrients of a food. */
  factOf(what: FactName, food: number): string {
    return this.#facts.render(what, food);
  }

  /** A JSON array of the entries of the first foods with the code that a text is, in any spelling. */
  searchBarcode(text: string): Uint8Array {
    const code = foodCodeOf(text);
    const foods = code === undefined ? [] : foodsOfCode(this.#sections.codes, code, MAX_ENTRIES);
    return this.#entries.answer(Int32Array.from(foods), foods.length);
  }

  /** The numbers of the best foods whose folded description contains a folded text, which is not empty. */
  best(folded: string): Int32Array {
    this.#texts.find(folded);
    return this.#found.foods.slice(0, this.#found.count);
  }

  /** The numbers of the best foods that have one word, or its singular or plural. */
  bestOfWord(word: AskedWord): Int32Array {
    this.#found.clear();
    this.#findOnly(word);
    this.#found.finish();
    return this.#found.foods.slice(0, this.#found.count);
  }

  record(food: number): FoodRecord {
    const record = this.#entries.record(food);
    this.#codes ??= new CodesByFood(this.#sections.codes, this.size);
    const codes = this.#codes.of(food);
    return { ...record, ...this.#facts.record(food, record.description), ...(codes.length > 0 && { codes }) };
  }

  *records(): Generator<FoodRecord> {
    for (let food = 0; food < this.size; food++) yield this.record(food);
  }
}
