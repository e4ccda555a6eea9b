/**
 * Consecutive foods, and what they are worth: for the reading that is read, and for the best reading so far. They are few, so
 * that the arrays stay in the processor's caches.
 */
import type { Postings, VocabularyFacts } from './vocabulary.ts';

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
  /** The number of words of the reading. */
  words = 0;
  #least = 0;
  #leastIfWhole = 0;
  readonly #nameWords: Uint8Array;
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

  constructor({ nameWords }: VocabularyFacts) {
    this.#nameWords = nameWords;
  }

  /** Takes one spelling of a word from its postings [at, end), in foods that have a word before it, and where its place is enough. */
  spellAll({ foods, places }: Postings, at: number, end: number, worths: Int32Array): void {
    const { had, start } = this;
    const enough = this.#enoughOf(worths);
    for (; at < end; at++) {
      const food = foods[at]! - start;
      const place = places[at]!;
      if (had[food] !== 0 || (place >= enough && this.isEnough(food, worths[place]!)))
        this.spell(food, worths[place]!);
    }
  }

  /**
   * The same only where its place is enough: most postings are passed by their places alone.
   */
  spellBest({ foods, places }: Postings, at: number, end: number, worths: Int32Array): void {
    const { start } = this;
    const enough = this.#enoughOf(worths);
    for (; at < end; at++) {
      const place = places[at]!;
      if (place < enough) continue;
      const food = foods[at]! - start;
      if (this.isEnough(food, worths[place]!)) this.spell(food, worths[place]!);
    }
  }

  /** The first place that can be enough; 256 if none can. @param worths ascending */
  #enoughOf(worths: Int32Array): number {
    const least = Math.min(this.#least, this.#leastIfWhole);
    let [low, high] = [0, worths.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (worths[middle]! > least) high = middle;
      else low = middle + 1;
    }
    return low;
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

  /**
   * What the words of a food must be worth to be enough from now on.
   * @param whole the same in a food whose name may have no other words
   */
  demand(least: number, whole: number): void {
    this.#least = least;
    this.#leastIfWhole = whole;
  }

  isEnough(food: number, worth: number): boolean {
    if (worth > this.#least) return true;
    return worth > this.#leastIfWhole && this.#nameWords[this.start + food] === this.words;
  }

  /** Drops the foods of the reading whose words are not worth enough. */
  dropOthers(): void {
    const { foods, had } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const food = foods[i]!;
      if (this.isEnough(food, worthIn(had[food]!))) foods[kept++] = food;
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
