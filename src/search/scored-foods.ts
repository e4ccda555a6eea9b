/** Foods, each with the highest of its scores, and the best 100 of them. */
import { MAX_ENTRIES } from '../food.ts';

/** Above the number of any food, so that a score and a food make one number. */
const FOODS = 2 ** 32;

/** Foods of which the best are chosen at once. */
const CANDIDATES = 1024;

export class ScoredFoods {
  /** Of each food of the data set its score + 1; 0: not seen. */
  readonly #scores: Uint16Array;
  readonly #foods: number[] = [];
  readonly #keys = new Float64Array(CANDIDATES);

  constructor(foods: number) {
    this.#scores = new Uint16Array(foods);
  }

  /** @param score from 0 on */
  add(food: number, score: number): void {
    const known = this.#scores[food]!;
    if (score < known) return;
    if (known === 0) this.#foods.push(food);
    this.#scores[food] = score + 1;
  }

  scoreOf(food: number): number {
    return this.#scores[food]! - 1;
  }

  clear(): void {
    for (const food of this.#foods) this.#scores[food] = 0;
    this.#foods.length = 0;
  }

  /** The best 100: the higher score first, then the lower number. */
  best(): number[] {
    const keys = this.#keys;
    let count = 0;
    let worst = Number.POSITIVE_INFINITY;
    for (const food of this.#foods) {
      const key = food - this.#scores[food]! * FOODS;
      if (key >= worst) continue;
      keys[count++] = key;
      if (count < CANDIDATES) continue;
      keys.sort();
      count = MAX_ENTRIES;
      worst = keys[count - 1]!;
    }
    const best = keys.subarray(0, count).sort().subarray(0, MAX_ENTRIES);
    return Array.from(best, (key) => key - Math.floor(key / FOODS) * FOODS);
  }
}
