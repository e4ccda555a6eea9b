/** Finds the places of a text in the suffix arrays of an index, and adds their foods, best first. */

import { MAX_ENTRIES, NONE, utf8Length } from '#core';
import type { IndexLookups } from './lookups.ts';
import { bonusOf, endOfText, isPlain, isPossessive, type Match, PLURALS } from './order/match-end.ts';
import { findDescription } from './store/descriptions.ts';
import { foodAt, type IndexSections } from './store/sections.ts';
import { FIRST_BETWEEN_WORDS, FIRST_OF_WORDS, isWordCharacter, symbolsOf } from './suffixes/alphabet.ts';
import { boundary, rangeOf } from './suffixes/suffix-range.ts';
import type { AnswerFoods } from './tree/answer-foods.ts';
import type { PlaceRange } from './tree/range-max-tree.ts';
import { BestFirst } from './tree/top-k.ts';
import { type AskedWord, otherForms } from './words/asked-words.ts';
import type { Vocabulary } from './words/vocabulary.ts';

/** In the order of their suffixes. */
const PLURALS_IN_ORDER = PLURALS.map((plural) => symbolsOf(plural)).sort((a, b) => a[0]! - b[0]!);

export class TextSearch {
  readonly #sections: IndexSections;
  readonly #lookups: IndexLookups;
  readonly #vocabulary: Vocabulary;
  readonly #found: AnswerFoods;
  readonly #bestFirst = new BestFirst();
  readonly #positions = new Int32Array(MAX_ENTRIES);
  readonly #foods = new Int32Array(MAX_ENTRIES);

  /** @param found what it adds to */
  constructor(sections: IndexSections, lookups: IndexLookups, vocabulary: Vocabulary, found: AnswerFoods) {
    this.#sections = sections;
    this.#lookups = lookups;
    this.#vocabulary = vocabulary;
    this.#found = found;
  }

  /** The foods whose folded description contains a folded text, which is not empty. */
  find(folded: string): void {
    this.#found.clear();
    const symbols = symbolsOf(folded);
    const { corpus, words, inner } = this.#sections;
    const [from, to] = rangeOf(corpus, words, symbols);
    // The suffixes of words include every description that begins with a word.
    const mayBeWhole = from < to || !isWordCharacter(folded.charCodeAt(0));
    if (mayBeWhole && !isPlain(folded)) this.#addWhole(folded, symbols);
    if (from < to) this.#take(this.#parts(folded, symbols, from, to));
    if (!this.#found.isFull) {
      const [innerFrom, innerTo] = rangeOf(corpus, inner, symbols);
      const range = { tree: this.#lookups.inner, from: innerFrom, to: innerTo, bonus: 0 };
      if (innerFrom < innerTo) this.#take([range]);
    }
    this.#found.finish();
  }

  /** Adds the foods that have one word, or its singular or plural, in the order of a search for it. */
  findWord(word: AskedWord): void {
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
  #addWhole(folded: string, symbols: Uint8Array): void {
    const whole = (description: Uint8Array): number =>
      findDescription(this.#lookups.descriptions, this.#sections, description);
    const singular = whole(symbols);
    const [one, other] = [whole(symbolsOf(folded + PLURALS[0])), whole(symbolsOf(folded + PLURALS[1]))];
    // Repeats come behind all others.
    for (const food of [singular, Math.min(one, other), Math.max(one, other)])
      if (food !== NONE && food < this.#sections.firstRepeat[0]!) this.#found.add(food);
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
