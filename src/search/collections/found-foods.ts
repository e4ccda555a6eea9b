/**
 * The foods of one answer, in order and without repetition: first those whose name is new, then those with the name of an
 * earlier food of the data set.
 */
import { MAX_ENTRIES } from '../../foods/food.ts';

export class FoundFoods {
  readonly #firsts = new FoodList();
  readonly #repeats = new FoodList();
  readonly #firstRepeat: number;
  #sawRepeat = false;

  /** @param firstRepeat from this number on, foods have the name of an earlier one */
  constructor(firstRepeat: number) {
    this.#firstRepeat = firstRepeat;
    this.clear();
  }

  get foods(): Int32Array {
    return this.#firsts.foods;
  }

  get count(): number {
    return this.#firsts.count;
  }

  /** Whether no food can come before those that were found. */
  get isFull(): boolean {
    return this.#firsts.count === MAX_ENTRIES;
  }

  /** Whether the foods that are handed out, best first, can still change the answer. */
  get wantsMore(): boolean {
    const { count } = this.#firsts;
    // After one repeat there are only repeats.
    return this.#sawRepeat ? count + this.#repeats.count < MAX_ENTRIES : count < MAX_ENTRIES;
  }

  clear(): void {
    this.#firsts.clear();
    this.#repeats.clear();
    this.#sawRepeat = false;
  }

  /** From now on, foods are added again from the best one on. */
  beginAnew(): void {
    this.#sawRepeat = false;
  }

  /** Adds a food that is not among them yet, if there is room. */
  add(food: number): void {
    if (food < this.#firstRepeat) this.#firsts.add(food);
    else {
      this.#sawRepeat = true;
      this.#repeats.add(food);
    }
  }

  /** Appends the repeats to the others. No more foods can be added. */
  finish(): void {
    for (let i = 0; i < this.#repeats.count; i++) this.#firsts.add(this.#repeats.foods[i]!);
  }
}

/** A power of two, large enough that few foods share a bucket. */
const BUCKETS = 4 * 128;
const NONE = -1;

/** At most MAX_ENTRIES foods, without repetition. */
class FoodList {
  readonly foods = new Int32Array(MAX_ENTRIES);
  readonly #buckets = new Int32Array(BUCKETS);
  count = 0;

  clear(): void {
    this.#buckets.fill(NONE);
    this.count = 0;
  }

  add(food: number): void {
    if (this.count === MAX_ENTRIES) return;
    let bucket = Math.imul(food, 0x9e3779b1) & (BUCKETS - 1);
    for (; this.#buckets[bucket] !== NONE; bucket = (bucket + 1) & (BUCKETS - 1)) {
      if (this.#buckets[bucket] === food) return;
    }
    this.#buckets[bucket] = food;
    this.foods[this.count++] = food;
  }
}
