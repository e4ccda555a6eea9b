/** The best 100 of many foods: the higher score first, then the lower number. */
import { MAX_ENTRIES } from '../../foods/food.ts';

/** Above the number of any food, so that a score and a food make one number. */
const FOODS = 2 ** 32;

/** The number of foods from which the best are chosen at once. */
const CANDIDATES = 1024;

export class BestKeys {
  readonly #keys = new Float64Array(CANDIDATES);
  #count = 0;
  #isSorted = true;
  #worst = Number.POSITIVE_INFINITY;

  clear(): void {
    this.#count = 0;
    this.#isSorted = true;
    this.#worst = Number.POSITIVE_INFINITY;
  }

  /** Each food once. @param score a whole number, also below 0 */
  add(food: number, score: number): void {
    const key = food - score * FOODS;
    if (key >= this.#worst) return;
    this.#keys[this.#count++] = key;
    this.#isSorted = false;
    if (this.#count === CANDIDATES) this.#keepBest();
  }

  /** What a further food must score more than; below all scores until there are 100. */
  get least(): number {
    if (this.#count < MAX_ENTRIES) return Number.NEGATIVE_INFINITY;
    this.#keepBest();
    return -Math.floor(this.#worst / FOODS);
  }

  /** The best first. */
  foods(): number[] {
    this.#keepBest();
    return Array.from(this.#keys.subarray(0, this.#count), (key) => key - Math.floor(key / FOODS) * FOODS);
  }

  #keepBest(): void {
    if (this.#isSorted) return;
    this.#isSorted = true;
    this.#keys.subarray(0, this.#count).sort();
    if (this.#count < MAX_ENTRIES) return;
    this.#count = MAX_ENTRIES;
    this.#worst = this.#keys[MAX_ENTRIES - 1]!;
  }
}

/** Foods, each with the highest of its scores, and the best 100 of them. */
export class ScoredFoods {
  /** For each food of the data set its score + 1; 0 if it has none yet. */
  readonly #scores: Uint16Array;
  readonly #foods: number[] = [];
  readonly #best = new BestKeys();

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
    this.#best.clear();
    for (const food of this.#foods) this.#best.add(food, this.#scores[food]!);
    return this.#best.foods();
  }
}
