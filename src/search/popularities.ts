/**
 * How popular foods are, where a data set knows it.
 */
import { GrowingArray } from './collections/growing-array.ts';
import { MOST_POPULAR } from './ranking/points.ts';

export class Popularities {
  /** Of each food up to the last one of which it is known; none where it is known of none. */
  readonly #known = new GrowingArray((length) => new Float64Array(length));
  #foods = 0;
  #most = 0;

  /** @param popularity of the next food: not negative; undefined: not known */
  add(popularity = 0): void {
    const food = this.#foods++;
    if (popularity === 0) return;
    this.#known.reserve(food - this.#known.length);
    this.#known.push(popularity);
    this.#most = Math.max(this.#most, popularity);
  }

  of(food: number): number {
    return this.#known.at(food) ?? 0;
  }

  /** From 0 (not popular, or not known) to MOST_POPULAR, by logarithm. */
  levelOf(food: number): number {
    const popularity = this.of(food);
    if (popularity === 0) return 0;
    return Math.max(1, Math.round((MOST_POPULAR * Math.log2(1 + popularity)) / Math.log2(1 + this.#most)));
  }
}
