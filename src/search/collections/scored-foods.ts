/** Foods, each with the highest of its scores, and the best 100 of them. */
import { BestKeys } from './best-keys.ts';

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
