/** How often words, beginnings of names and whole names occur in a data set, and what its commas mean. */

import { hashWith } from '#core';
import type { FoodName, Segment } from './food-name.ts';
import type { Span } from './kinds.ts';

/** Numbers in a row of the table: a key, its count, and how often it was marked. */
const ROW = 3;

/** Counts 32-bit keys, and how many of them were marked: open addressing, at most half full, so that one read mostly finds a key. */
class Counts {
  #mask: number;
  #rows: Uint32Array;
  #size = 0;

  /** @param rows those of another one, as in `NameStatistics` */
  constructor(rows: Uint32Array = new Uint32Array(ROW * 1024)) {
    this.#rows = rows;
    this.#mask = rows.length / ROW - 1;
  }

  get rows(): Uint32Array {
    return this.#rows;
  }

  add(key: number, count: number, marks: number): void {
    const row = this.#rowOf(key);
    const isNew = this.#rows[row + 1] === 0;
    this.#rows[row] = key;
    this.#rows[row + 1]! += count;
    this.#rows[row + 2]! += marks;
    if (isNew && 2 * ++this.#size > this.#mask) this.#grow();
  }

  addAll(rows: Uint32Array): void {
    for (let row = 0; row < rows.length; row += ROW)
      if (rows[row + 1] !== 0) this.add(rows[row]!, rows[row + 1]!, rows[row + 2]!);
  }

  of(key: number): number {
    return this.#rows[this.#rowOf(key) + 1]!;
  }

  markedOf(key: number): number {
    return this.#rows[this.#rowOf(key) + 2]!;
  }

  /** The position of the row of a key, or where it would be. */
  #rowOf(key: number): number {
    const rows = this.#rows;
    const wanted = key >>> 0;
    let slot = (wanted ^ (wanted >>> 15)) & this.#mask;
    while (rows[ROW * slot + 1] !== 0 && rows[ROW * slot] !== wanted) slot = (slot + 1) & this.#mask;
    return ROW * slot;
  }

  #grow(): void {
    const old = this.#rows;
    this.#mask = 2 * this.#mask + 1;
    this.#rows = new Uint32Array(ROW * (this.#mask + 1));
    for (let from = 0; from < old.length; from += ROW) {
      if (old[from + 1] !== 0) this.#rows.set(old.subarray(from, from + ROW), this.#rowOf(old[from]!));
    }
  }
}

/** The logarithms of most counts, which are needed several times for each word. */
const LOGARITHMS = Float64Array.from({ length: 4096 }, (_, count) => Math.log2(count));
const log2 = (count: number): number => LOGARITHMS[count] ?? Math.log2(count);

/** Any odd constant: distinguishes a pair of segments from one segment. */
const PAIR = 0x5bd1e995;
const hashOfPair = (a: Segment, b: Segment): number => hashWith(a.hash, PAIR) ^ b.hash;

/** In smaller data sets a count says little, so shares are relative to this many foods. */
const FEWEST_FOODS = 1000;

/** With this many foods, a family says as much about its commas as the whole data set. */
const FAMILY_OF_EVIDENCE = 20;

/** Up to the first share of names with a comma, commas separate flavours; from the second on, they lead to kinds. */
const [FLAVOURS, KINDS] = [0.4, 0.8];

/** Counts about names, as typed arrays, which threads can share. */
export interface NameCounts {
  readonly families: Uint32Array;
  readonly words: Uint32Array;
  readonly foods: number;
  readonly foodsWithComma: number;
}

export class NameStatistics {
  /** Marked if the name continues with a comma. */
  readonly #families: Counts;
  /** Marked if the word is a name by itself. */
  readonly #words: Counts;
  #foods = 0;
  #foodsWithComma: number;
  #scale = 0;

  /** @param counts of another one, which is no longer used, or of several that only look things up */
  constructor(counts?: NameCounts) {
    this.#families = new Counts(counts?.families);
    this.#words = new Counts(counts?.words);
    this.#countFoods(counts?.foods ?? 0);
    this.#foodsWithComma = counts?.foodsWithComma ?? 0;
  }

  get counts(): NameCounts {
    const [families, words] = [this.#families.rows, this.#words.rows];
    return { families, words, foods: this.#foods, foodsWithComma: this.#foodsWithComma };
  }

  add(name: FoodName): void {
    const [first, second] = name.segments;
    if (first !== undefined) {
      this.#families.add(first.hash, 1, second === undefined ? 0 : 1);
      if (second !== undefined) {
        this.#families.add(hashOfPair(first, second), 1, 0);
        this.#foodsWithComma++;
      }
    }
    for (const word of name.words) this.#words.add(word.hash, 1, name.words.length === 1 ? 1 : 0);
    this.#countFoods(1);
  }

  addAll({ families, words, foods, foodsWithComma }: NameCounts): void {
    this.#families.addAll(families);
    this.#words.addAll(words);
    this.#countFoods(foods);
    this.#foodsWithComma += foodsWithComma;
  }

  /** How common names are that begin with one segment, or two: from 0 (one food) to 1 (all foods), by logarithm. */
  family(first: Segment, second?: Segment): number {
    const hash = second === undefined ? first.hash : hashOfPair(first, second);
    return this.#shareOf(this.#families.of(hash));
  }

  word(word: Span): number {
    return this.#shareOf(this.#words.of(word.hash));
  }

  /**
   * The degree to which a word is the name of a food by itself: from 0 ("organic") to 1, by the logarithms of the numbers of
   * names that are that word and that contain it.
   */
  namesFood(word: Span): number {
    const marked = this.#words.markedOf(word.hash);
    return marked === 0 ? 0 : log2(1 + marked) / log2(2 + this.#words.of(word.hash));
  }

  /**
   * The degree to which commas lead from a food to its kinds ("Cheese, cheddar") instead of to a flavour ("Whole milk,
   * chocolate"), from 0 to 1: by the share of the names with this first segment that continue with a comma; if these are few,
   * by the share of all names.
   */
  taxonomy(first: Segment): number {
    const ofAll = this.#foods === 0 ? 0 : this.#foodsWithComma / this.#foods;
    const [count, marked] = [this.#families.of(first.hash), this.#families.markedOf(first.hash)];
    const share = (marked + FAMILY_OF_EVIDENCE * ofAll) / (count + FAMILY_OF_EVIDENCE);
    return Math.max(0, Math.min(1, (share - FLAVOURS) / (KINDS - FLAVOURS)));
  }

  #shareOf(count: number): number {
    return log2(count || 1) * this.#scale;
  }

  #countFoods(foods: number): void {
    this.#foods += foods;
    this.#scale = 1 / Math.log2(Math.max(this.#foods, FEWEST_FOODS));
  }
}
