/** The best 100 of many foods: the higher score first, then the lower number. */
import { MAX_ENTRIES } from '../../food.ts';

/** Above the number of any food, so that a score and a food make one number. */
const FOODS = 2 ** 32;

/** The number of foods from which the best are chosen at once. */
const CANDIDATES = 1024;

export class BestKeys {
  readonly #keys = new Float64Array(CANDIDATES);
  #count = 0;
  #worst = Number.POSITIVE_INFINITY;

  clear(): void {
    this.#count = 0;
    this.#worst = Number.POSITIVE_INFINITY;
  }

  /** Each food once. */
  add(food: number, score: number): void {
    const key = food - score * FOODS;
    if (key >= this.#worst) return;
    this.#keys[this.#count++] = key;
    if (this.#count < CANDIDATES) return;
    this.#keys.sort();
    this.#count = MAX_ENTRIES;
    this.#worst = this.#keys[MAX_ENTRIES - 1]!;
  }

  /** Whether there are 100 foods, none of which scores less. */
  areAtLeast(score: number): boolean {
    if (this.#count < MAX_ENTRIES) return false;
    this.#keys.subarray(0, this.#count).sort();
    this.#count = MAX_ENTRIES;
    this.#worst = this.#keys[MAX_ENTRIES - 1]!;
    return this.#worst < FOODS - score * FOODS;
  }

  /** @param least lower scores are left out */
  foods(least = 0): number[] {
    const best = this.#keys.subarray(0, this.#count).sort().subarray(0, MAX_ENTRIES);
    const enough = best.filter((key) => key < FOODS - least * FOODS);
    return Array.from(enough, (key) => key - Math.floor(key / FOODS) * FOODS);
  }
}
