/**
 * The foods of one answer, in order and without repetition: first those whose name is new, then those with the name of an
 * earlier food of the data set.
 */
import { MAX_ENTRIES } from '#core';

/** A power of two, large enough that few foods share a bucket. */
const BUCKETS = 4 * 128;
const EMPTY = -1;

export class AnswerFoods {
  readonly foods = new Int32Array(MAX_ENTRIES);
  count = 0;
  readonly #repeats = new Int32Array(MAX_ENTRIES);
  #repeatCount = 0;
  readonly #buckets = new Int32Array(BUCKETS);
  readonly #firstRepeat: number;
  #sawRepeat = false;

  constructor(firstRepeat: number) {
    this.#firstRepeat = firstRepeat;
    this.clear();
  }

  /** Whether no food can come before those that were found. */
  get isFull(): boolean {
    return this.count === MAX_ENTRIES;
  }

  /** The number of foods, repeats among them. */
  get size(): number {
    return this.count + this.#repeatCount;
  }

  /** Whether the foods that are handed out, best first, can still change the answer. */
  get wantsMore(): boolean {
    // After one repeat there are only repeats.
    return this.count + (this.#sawRepeat ? this.#repeatCount : 0) < MAX_ENTRIES;
  }

  clear(): void {
    this.#buckets.fill(EMPTY);
    this.count = 0;
    this.#repeatCount = 0;
    this.#sawRepeat = false;
  }

  /** From now on, foods are added again from the best one on. */
  beginAnew(): void {
    this.#sawRepeat = false;
  }

  add(food: number): void {
    const isRepeat = food >= this.#firstRepeat;
    if (isRepeat) this.#sawRepeat = true;
    if ((isRepeat ? this.#repeatCount : this.count) === MAX_ENTRIES) return;
    let bucket = Math.imul(food, 0x9e3779b1) & (BUCKETS - 1);
    for (; this.#buckets[bucket] !== EMPTY; bucket = (bucket + 1) & (BUCKETS - 1)) {
      if (this.#buckets[bucket] === food) return;
    }
    this.#buckets[bucket] = food;
    if (isRepeat) this.#repeats[this.#repeatCount++] = food;
    else this.foods[this.count++] = food;
  }

  /** Appends the repeats to the others. Foods that are added later come behind them. */
  finish(): void {
    const added = Math.min(this.#repeatCount, MAX_ENTRIES - this.count);
    this.foods.set(this.#repeats.subarray(0, added), this.count);
    this.count += added;
    this.#repeatCount = 0;
  }
}
