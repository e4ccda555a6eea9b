/**
 * Consecutive foods, and what they are worth: for the reading that is read, and for the best reading so far. They are few, so
 * that the arrays stay in the processor's caches.
 */
import type { Postings } from './vocabulary.ts';

export const BLOCK_FOODS = 2 ** 15;

/** What a food has of a reading is one number: how many of its words in the high bits, what these are worth below. */
const ONE_WORD = 2 ** 24;
export const worthIn = (had: number): number => had & (ONE_WORD - 1);
export const wordsIn = (had: number): number => had >>> 24;

/** Below all scores. */
const NONE = -(2 ** 31);

export class FoodBlock {
  /** The first food of the block, and the end of its foods. */
  start = 0;
  end = 0;
  /** The foods that have a word of the reading, relative to `start`. */
  readonly foods = new Uint16Array(BLOCK_FOODS);
  count = 0;
  /** For each food what it has of the reading; 0 if nothing. */
  readonly had = new Int32Array(BLOCK_FOODS);
  /** The foods with a word that is spelled in several ways, and what its best place there is worth. */
  readonly #places = new Int32Array(BLOCK_FOODS);
  readonly #spelled = new Uint16Array(BLOCK_FOODS);
  #spelledCount = 0;
  /** The foods of all readings, and their best scores. */
  readonly kept = new Uint16Array(BLOCK_FOODS);
  keptCount = 0;
  readonly scores = new Int32Array(BLOCK_FOODS).fill(NONE);

  /**
   * Takes a word that is spelled in one way from its postings from `at` on, and returns the position behind them.
   * @param worths of its places
   * @param least for foods that have no word before it, places that are worth no more are not taken
   */
  takeFrom({ foods, places }: Postings, at: number, last: number, worths: Int32Array, least: number): number {
    const { had, start, end, foods: list } = this;
    let { count } = this;
    for (; at < last; at++) {
      const food = foods[at]! - start;
      if (food >= end - start) break;
      const worth = worths[places[at]!]!;
      const before = had[food]!;
      if (before === 0) {
        if (worth <= least) continue;
        list[count++] = food;
      }
      had[food] = before + ONE_WORD + worth;
    }
    this.count = count;
    return at;
  }

  /** The same for one of several spellings, of which `takeSpelled` takes the best place. */
  spellFrom(
    { foods, places }: Postings,
    at: number,
    last: number,
    worths: Int32Array,
    least: number,
  ): number {
    const { had, start, end } = this;
    for (; at < last; at++) {
      const food = foods[at]! - start;
      if (food >= end - start) break;
      const worth = worths[places[at]!]!;
      if (worth > least || had[food] !== 0) this.spell(food, worth);
    }
    return at;
  }

  /** Takes a place of one spelling of a word, of which `takeSpelled` takes the best. @param worth above 0 */
  spell(food: number, worth: number): void {
    const before = this.#places[food]!;
    if (before === 0) this.#spelled[this.#spelledCount++] = food;
    if (worth > before) this.#places[food] = worth;
  }

  takeSpelled(): void {
    for (let i = 0; i < this.#spelledCount; i++) {
      const food = this.#spelled[i]!;
      const before = this.had[food]!;
      if (before === 0) this.foods[this.count++] = food;
      this.had[food] = before + ONE_WORD + this.#places[food]!;
      this.#places[food] = 0;
    }
    this.#spelledCount = 0;
  }

  /** Drops the foods of the reading whose words are worth no more than this. */
  dropBelow(enough: number): void {
    const { foods, had } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const food = foods[i]!;
      if (worthIn(had[food]!) > enough) foods[kept++] = food;
      else had[food] = 0;
    }
    this.count = kept;
  }

  /** Keeps the score of a food by the reading, if no reading before gave it a better one. */
  keep(food: number, score: number): void {
    const before = this.scores[food]!;
    if (before === NONE) this.kept[this.keptCount++] = food;
    if (score > before) this.scores[food] = score;
  }

  /** Forgets the foods of the reading. */
  clearReading(): void {
    for (let i = 0; i < this.count; i++) this.had[this.foods[i]!] = 0;
    this.count = 0;
  }

  clear(): void {
    for (let i = 0; i < this.keptCount; i++) this.scores[this.kept[i]!] = NONE;
    this.keptCount = 0;
  }
}
