/**
 * The foods of one answer in their order, each once.
 */
import { MAX_ENTRIES } from '../food.ts';

/** A power of two, large enough that few foods share a bucket. */
const BUCKETS = 4 * 128;
const NONE = -1;

export class FoundFoods {
  readonly foods = new Int32Array(MAX_ENTRIES);
  readonly #buckets = new Int32Array(BUCKETS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#buckets.fill(NONE);
    this.#count = 0;
  }

  /** Adds a food that is not among them yet, where there is room. */
  add(food: number): void {
    if (this.#count === MAX_ENTRIES) return;
    let bucket = Math.imul(food, 0x9e3779b1) & (BUCKETS - 1);
    for (; this.#buckets[bucket] !== NONE; bucket = (bucket + 1) & (BUCKETS - 1)) {
      if (this.#buckets[bucket] === food) return;
    }
    this.#buckets[bucket] = food;
    this.foods[this.#count++] = food;
  }
}
