/**
 * Consecutive foods, and the worth of those that have the words so far. They are few, so that the arrays stay in the
 * processor's caches.
 */
export const BLOCK_FOODS = 2 ** 15;

export class FoodBlock {
  /** The first food of the block. */
  start = 0;
  /** The foods that have all words so far, or any, relative to `start`. */
  readonly foods = new Uint16Array(BLOCK_FOODS);
  count = 0;
  /** The number of words that each food of the block has; all 0 in a cleared block. */
  readonly had = new Uint8Array(BLOCK_FOODS);
  /** The worth of these words together, and of the latest of them. */
  readonly sums = new Uint16Array(BLOCK_FOODS);
  readonly #worths = new Uint8Array(BLOCK_FOODS);
  /** The number of the latest word. */
  readonly #latest = new Uint8Array(BLOCK_FOODS);

  /** Takes a place of a word in a food that has all words before it, or this one already. */
  take(food: number, had: number, worth: number): void {
    if (this.had[food] === had) {
      this.had[food] = had + 1;
      this.#worths[food] = worth;
      this.sums[food]! += worth;
    } else this.#raise(food, worth);
  }

  /** Takes a place of the first word. */
  takeFirst(food: number, worth: number): void {
    if (this.had[food] === 0) {
      this.foods[this.count++] = food;
      this.had[food] = 1;
      this.#worths[food] = worth;
      this.sums[food] = worth;
    } else this.#raise(food, worth);
  }

  /** Takes a place of any word, in a food that may have none before. */
  takeAny(food: number, word: number, worth: number): void {
    const had = this.had[food]!;
    if (had === 0) this.takeFirst(food, worth);
    else if (this.#latest[food] === word) this.#raise(food, worth);
    else this.take(food, had, worth);
    this.#latest[food] = word;
  }

  /** Keeps the foods that have this many words. */
  keep(had: number): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const food = this.foods[i]!;
      if (this.had[food] === had) this.foods[kept++] = food;
      else this.had[food] = 0;
    }
    this.count = kept;
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.had[this.foods[i]!] = 0;
    this.count = 0;
  }

  /** The best of several places of a word counts. */
  #raise(food: number, worth: number): void {
    const before = this.#worths[food]!;
    if (worth <= before) return;
    this.#worths[food] = worth;
    this.sums[food]! += worth - before;
  }
}
