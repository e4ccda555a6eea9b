/** The best 100 of many foods: the higher score first, then the lower number. */
import { MAX_ENTRIES } from '#core';

/** Above the number of any food, so that a score and a food make one number. */
const FOODS = 2 ** 32;

const LAST = MAX_ENTRIES - 1;

export class BestKeys {
  /** Ascending. */
  readonly #keys = new Float64Array(MAX_ENTRIES);
  #count = 0;

  constructor() {
    this.clear();
  }

  clear(): void {
    this.#keys.fill(Number.POSITIVE_INFINITY);
    this.#count = 0;
  }

  /** Each food once. @param score a whole number, also below 0 */
  add(food: number, score: number): void {
    const keys = this.#keys;
    const key = food - score * FOODS;
    if (key >= keys[LAST]!) return;
    let at = Math.min(this.#count, LAST);
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
    keys[at] = key;
    if (this.#count < MAX_ENTRIES) this.#count++;
  }

  /** What a further food must score more than; below all scores until there are 100. */
  get least(): number {
    return this.#count < MAX_ENTRIES ? Number.NEGATIVE_INFINITY : -Math.floor(this.#keys[LAST]! / FOODS);
  }

  /** The best first. */
  foods(): number[] {
    return Array.from(this.#keys.subarray(0, this.#count), (key) => key - Math.floor(key / FOODS) * FOODS);
  }
}
