/**
 * Answers texts from an index: the best 100 foods whose description contains a text, as bytes.
 *
 * All places where the text stands are one range of each suffix array, found by binary search. What follows
 * the text parts the range of the words into a few, each with its own scores; the best of them are found
 * without reading the rest. Where words do not fill the answer, places inside words follow.
 *
 * Cost of a text of m bytes among n bytes of descriptions: O(m log n) to find it, and about the same work for
 * each entry of the answer however many foods match.
 */

import { fold } from '../fold.ts';
import { type FoodRecord, MAX_ENTRIES, readEntry } from '../food.ts';
import { FoundFoods } from './found-foods.ts';
import { type IndexTrees, treesOf } from './range-max-tree.ts';
import { endOfText, PLURALS } from './ranking/match-end.ts';
import { POINTS } from './ranking/ranking.ts';
import { ANSWER_ROOM, foodAt, type IndexSections, type SuffixSections } from './sections.ts';
import { allocate } from './slabs.ts';
import type { SlotRange } from './slot-order.ts';
import { inOrder, SMALL_RANGE } from './small-range.ts';
import { FIRST_BETWEEN_WORDS, FIRST_OF_WORDS, SYMBOL_OF } from './suffixes/alphabet.ts';
import { bestFirst } from './top-k.ts';
import { addBestFoods } from './wide-range.ts';

const COMMA = 0x2c;
const [OPEN, CLOSE] = ['[', ']'].map((bracket) => bracket.charCodeAt(0)) as [number, number];

// Shared by all searches: legal only because a search never awaits.
const found = new FoundFoods();
const positions = new Int32Array(MAX_ENTRIES);
const foods = new Int32Array(MAX_ENTRIES);
const starts = new Float64Array(MAX_ENTRIES);
const ends = new Float64Array(MAX_ENTRIES);
/** Keeps the compiler from dropping reads whose only purpose is to fill the cache. */
export let sink = 0;

/** Characters of a text that are put into symbols without a buffer of their own. */
const SHORT_TEXT = 256;
const shortText = new Uint8Array(SHORT_TEXT);

/** In the order of their suffixes. */
const PLURALS_IN_ORDER = PLURALS.map((plural) => symbolsOf(plural).slice()).sort((a, b) => a[0]! - b[0]!);

export class FoodIndex {
  readonly #sections: IndexSections;
  readonly #trees: IndexTrees;
  /** The entries, and the room behind them. */
  readonly #bytes: Uint8Array;

  constructor(sections: IndexSections, trees: IndexTrees = treesOf(sections)) {
    this.#sections = sections;
    this.#trees = trees;
    this.#bytes = new Uint8Array(sections.entries.buffer);
  }

  /** The number of foods. */
  get size(): number {
    return this.#sections.entryStarts.length - 1;
  }

  /** A JSON array of the entries of the best foods whose description contains the text, which is not empty. */
  search(text: string): Buffer {
    // Half a surrogate pair stands in no description, but its UTF-8 would be that of U+FFFD.
    if (text.isWellFormed()) this.#find(fold(text));
    else found.clear();
    return this.#assemble();
  }

  /** The numbers of the best foods whose folded description contains a folded text, which is not empty. */
  best(folded: string): Int32Array {
    this.#find(folded);
    return found.foods.slice(0, found.count);
  }

  #find(folded: string): void {
    found.clear();
    const symbols = symbolsOf(folded);
    const { words, inner } = this.#sections;
    const [from, to] = this.#range(words, symbols);
    if (from < to) this.#take(words.suffixes, this.#parts(folded, symbols, from, to), to - from);
    if (found.count === MAX_ENTRIES) return;
    const [innerFrom, innerTo] = this.#range(inner, symbols);
    if (innerFrom === innerTo) return;
    const range = { tree: this.#trees.inner, scores: null, from: innerFrom, to: innerTo, bonus: 0 };
    this.#take(inner.suffixes, [range], innerTo - innerFrom);
  }

  /** All foods in their static order. */
  *records(): Generator<FoodRecord> {
    for (let food = 0; food < this.size; food++) yield this.record(food);
  }

  /**
   * One food, with every digit of its figures. An entry holds the sum of the fatty acids alone, which is given as
   * the saturated ones.
   */
  record(food: number): FoodRecord {
    const { entries, entryStarts } = this.#sections;
    return readEntry(Buffer.from(entries.subarray(entryStarts[food], entryStarts[food + 1])).toString());
  }

  /** The suffixes that begin with these symbols. */
  #range({ suffixes, buckets }: SuffixSections, symbols: Uint8Array): [number, number] {
    const first = 256 * symbols[0]!;
    if (symbols.length === 1) return [buckets[first]!, buckets[first + 256]!];
    const bucket = first + symbols[1]!;
    const from = this.#bound(suffixes, buckets[bucket]!, buckets[bucket + 1]!, symbols, false);
    return [from, this.#bound(suffixes, from, buckets[bucket + 1]!, symbols, true)];
  }

  /**
   * The first of the suffixes [low, high), alike in their first two symbols, that is not below these symbols; or
   * where `past` is set, the first behind those that begin with them.
   */
  #bound(suffixes: Int32Array, low: number, high: number, symbols: Uint8Array, past: boolean): number {
    const { text } = this.#sections;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const position = suffixes[middle]!;
      let i = 2;
      while (i < symbols.length && text[position + i] === symbols[i]) i++;
      if (i < symbols.length ? text[position + i]! < symbols[i]! : past) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first of the suffixes [low, high) whose symbol at `offset` is not below this one. */
  #boundary(low: number, high: number, offset: number, symbol: number): number {
    const { text, words } = this.#sections;
    const { suffixes } = words;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (text[suffixes[middle]! + offset]! < symbol) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Parts the range of a text by how it ends there. */
  #parts(folded: string, symbols: Uint8Array, from: number, to: number): SlotRange[] {
    const { segmentEndScores, wordEndScores, insideScores } = this.#sections;
    const { segmentEnd, wordEnd, inside } = this.#trees;
    const closed = endOfText(folded);
    if (closed === 'segmentEnd') return [{ scores: segmentEndScores, tree: segmentEnd, from, to, bonus: 0 }];
    if (closed === 'wordEnd') return [{ scores: wordEndScores, tree: wordEnd, from, to, bonus: 0 }];

    const parts: SlotRange[] = [];
    const addClosed = (low: number, high: number, length: number, bonus: number): number => {
      const middle = this.#boundary(low, high, length, FIRST_BETWEEN_WORDS);
      const end = this.#boundary(middle, high, length, FIRST_OF_WORDS);
      if (low < middle)
        parts.push({ scores: segmentEndScores, tree: segmentEnd, from: low, to: middle, bonus });
      if (middle < end) parts.push({ scores: wordEndScores, tree: wordEnd, from: middle, to: end, bonus });
      return end;
    };
    let open = addClosed(from, to, symbols.length, 0);
    const addOpen = (end: number): void => {
      if (open < end) parts.push({ scores: insideScores, tree: inside, from: open, to: end, bonus: 0 });
    };
    for (const plural of PLURALS_IN_ORDER) {
      let [low, high] = [open, to];
      for (let i = 0; i < plural.length; i++) {
        low = this.#boundary(low, high, symbols.length + i, plural[i]!);
        high = this.#boundary(low, high, symbols.length + i, plural[i]! + 1);
      }
      if (low === high) continue;
      addOpen(low);
      open = addClosed(low, high, symbols.length + plural.length, POINTS.plural);
    }
    addOpen(to);
    return parts;
  }

  /**
   * Adds the foods of these slots to what is found, until it is full. In rounds, so that the reads of one
   * round do not wait for each other: at millions of foods nearly each of them misses the caches.
   */
  #take(suffixes: Int32Array, ranges: readonly SlotRange[], size: number): void {
    const { blocks } = this.#sections;
    const slots = size <= SMALL_RANGE ? inOrder(suffixes, ranges) : bestFirst(ranges);
    while (found.count < MAX_ENTRIES) {
      const count = slots.next(positions, MAX_ENTRIES - found.count);
      if (count === 0) break;
      for (let i = 0; i < count; i++) foods[i] = foodAt(blocks, positions[i]!);
      for (let i = 0; i < count; i++) found.add(foods[i]!);
    }
    if (slots.gaveUp && found.count < MAX_ENTRIES) addBestFoods(found, ranges, this.#sections);
  }

  #assemble(): Buffer {
    const { entries, entryStarts } = this.#sections;
    const { count } = found;
    let size = 2 + Math.max(0, count - 1);
    for (let i = 0; i < count; i++) {
      starts[i] = entryStarts[found.foods[i]!]!;
      ends[i] = entryStarts[found.foods[i]! + 1]!;
      size += ends[i]! - starts[i]!;
    }
    // Reads that do not wait for each other bring the entries into the cache before they are copied in turn.
    let touched = 0;
    for (let i = 0; i < count; i++) touched |= entries[starts[i]!]! | entries[ends[i]! - 1]!;
    sink = touched;
    if (size > ANSWER_ROOM) return this.#assembleLarge(size);
    const bytes = this.#bytes;
    const from = entries.length;
    bytes[from] = OPEN;
    let at = from + 1;
    for (let i = 0; i < count; i++) {
      if (i > 0) bytes[at++] = COMMA;
      bytes.copyWithin(at, starts[i]!, ends[i]!);
      at += ends[i]! - starts[i]!;
    }
    bytes[at] = CLOSE;
    const answer = allocate(size);
    answer.set(bytes.subarray(from, at + 1));
    return answer;
  }

  #assembleLarge(size: number): Buffer {
    const { entries } = this.#sections;
    const answer = Buffer.allocUnsafeSlow(size);
    let at = 0;
    for (let i = 0; i < found.count; i++) {
      answer[at++] = i === 0 ? OPEN : COMMA;
      answer.set(entries.subarray(starts[i], ends[i]), at);
      at += ends[i]! - starts[i]!;
    }
    answer[at] = CLOSE;
    return answer;
  }
}

/** The UTF-8 of a folded text in the symbols of the index; good until the next text. */
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
