/**
 * Consecutive foods, and what they are worth: for the reading that is read, and for the best reading so far. They are few, so
 * that the arrays stay in the processor's caches.
 */
import { lowerBound } from '#core';
import type { Postings, VocabularyFacts } from './vocabulary.ts';

export const BLOCK_FOODS = 2 ** 15;

/** What a food has of a reading is one number: how many of its words in the high bits, what these are worth below. */
const ONE_WORD = 2 ** 24;
export const worthIn = (had: number): number => had & (ONE_WORD - 1);
export const wordCountIn = (had: number): number => had >>> 24;

/** Below all scores. */
const NOT_FOUND = -(2 ** 31);

export class FoodBlock {
  /** The first food of the block, and the end of its foods. */
  start = 0;
  end = 0;
  /** The number of words of the reading, and of those that are taken, with the one that is being taken. */
  words = 0;
  taken = 0;
  #least = 0;
  #leastIfWhole = 0;
  readonly #nameWords: Uint8Array;
  /** The foods that have a word of the reading, relative to `start`. */
  readonly foods = new Uint16Array(BLOCK_FOODS);
  count = 0;
  /** For each food the last word taken that it has, from 1 on; 0 if it has none. Bytes, because most postings read no more. */
  readonly #last = new Uint8Array(BLOCK_FOODS);
  /** For each of `foods` what it has of the reading, and what the best place of the last word is worth. */
  readonly had = new Int32Array(BLOCK_FOODS);
  readonly #worths = new Int32Array(BLOCK_FOODS);
  /** The foods of all readings, and their best scores. */
  readonly kept = new Uint16Array(BLOCK_FOODS);
  keptCount = 0;
  readonly scores = new Int32Array(BLOCK_FOODS).fill(NOT_FOUND);

  constructor({ nameWords }: VocabularyFacts) {
    this.#nameWords = nameWords;
  }

  /** Takes one spelling of a word from its postings [at, end), in foods that have a word before it, and where its place is enough. */
  spellAll({ foods, places }: Postings, at: number, end: number, worths: Int32Array): void {
    const start = this.start;
    const last = this.#last;
    const enough = this.#enoughOf(worths);
    for (; at < end; at++) {
      const food = foods[at]! - start;
      if (last[food] !== 0 || (places[at]! >= enough && this.#isEnoughAlone(food, worths[places[at]!]!)))
        this.spell(food, worths[places[at]!]!);
    }
  }

  /** Takes it only in foods that have a word before it, whatever its place: without a look at most places. */
  spellKnown({ foods, places }: Postings, at: number, end: number, worths: Int32Array): void {
    const start = this.start;
    const last = this.#last;
    for (; at < end; at++) {
      const food = foods[at]! - start;
      if (last[food] !== 0) this.spell(food, worths[places[at]!]!);
    }
  }

  /** Takes it only where its place is enough: most postings are passed by their places alone. */
  spellBest({ foods, places }: Postings, at: number, end: number, worths: Int32Array): void {
    const start = this.start;
    const enough = this.#enoughOf(worths);
    for (; at < end; at++) {
      const place = places[at]!;
      if (place < enough) continue;
      const food = foods[at]! - start;
      if (this.#isEnoughAlone(food, worths[place]!)) this.spell(food, worths[place]!);
    }
  }

  /** The first place that can be enough; 256 if none can. @param worths ascending */
  #enoughOf(worths: Int32Array): number {
    const least = Math.min(this.#least, this.#leastIfWhole);
    return lowerBound(worths, 0, worths.length, least + 1);
  }

  /** Takes a place of one spelling of the word; of several the best one counts. @param worth above 0 */
  spell(food: number, worth: number): void {
    const last = this.#last[food]!;
    if (last === this.taken) {
      const more = worth - this.#worths[food]!;
      if (more <= 0) return;
      this.had[food]! += more;
    } else {
      if (last === 0) {
        this.foods[this.count++] = food;
        this.had[food] = ONE_WORD + worth;
      } else this.had[food]! += ONE_WORD + worth;
      this.#last[food] = this.taken;
    }
    this.#worths[food] = worth;
  }

  /**
   * What the words of a food must be worth to be enough from now on.
   * @param whole the same in a food whose name may have no other words
   */
  demand(least: number, whole: number): void {
    this.#least = least;
    this.#leastIfWhole = whole;
  }

  /** Whether what a food has of the reading is enough. */
  isEnough(food: number): boolean {
    const had = this.had[food]!;
    // A name is not whole without one of the words so far.
    return (
      worthIn(had) > this.#least ||
      (wordCountIn(had) === this.taken && this.#isEnoughAlone(food, worthIn(had)))
    );
  }

  #isEnoughAlone(food: number, worth: number): boolean {
    if (worth > this.#least) return true;
    return worth > this.#leastIfWhole && this.#nameWords[this.start + food] === this.words;
  }

  /** Drops the foods of the reading whose words are not worth enough. */
  dropOthers(): void {
    const { foods } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const food = foods[i]!;
      if (this.isEnough(food)) foods[kept++] = food;
      else this.#last[food] = 0;
    }
    this.count = kept;
  }

  /** Keeps the score of a food by the reading, if no reading before gave it a better one. */
  keep(food: number, score: number): void {
    const before = this.scores[food]!;
    if (before === NOT_FOUND) this.kept[this.keptCount++] = food;
    if (score > before) this.scores[food] = score;
  }

  /** Forgets the foods of the reading. */
  clearReading(): void {
    for (let i = 0; i < this.count; i++) this.#last[this.foods[i]!] = 0;
    this.count = 0;
  }

  clear(): void {
    for (let i = 0; i < this.keptCount; i++) this.scores[this.kept[i]!] = NOT_FOUND;
    this.keptCount = 0;
  }
}
