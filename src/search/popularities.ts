/**
 * How popular foods are, where a data set knows it.
 */
import { MOST_POPULAR } from './ranking/points.ts';

export class Popularities {
  readonly #known = new Map<number, number>();
  #foods = 0;
  #most = 0;

  /** @param popularity of the next food: not negative; undefined: not known */
  add(popularity: number | undefined): void {
    const food = this.#foods++;
    if (popularity === undefined || popularity === 0) return;
    this.#known.set(food, popularity);
    this.#most = Math.max(this.#most, popularity);
  }

  of(food: number): number {
    return this.#known.get(food) ?? 0;
  }

  /** From 0 (not popular, or not known) to MOST_POPULAR, by logarithm. */
  levelOf(food: number): number {
    const popularity = this.of(food);
    if (popularity === 0) return 0;
    return Math.max(1, Math.round((MOST_POPULAR * Math.log2(1 + popularity)) / Math.log2(1 + this.#most)));
  }
}
