/**
 * Requests as people cause them who type: one for each key that changes the text, `m`, `mi`, `mil`, `milk`. The n-th of a number
 * of texts is typed in proportion to a power of 1/n (Zipf). Seeded.
 */
import { type Random, seeded } from '../../test/support/random.ts';
import { typedTexts } from '../tools/typed-texts.ts';

/** Steps between 0 and 1. */
const STEPS = 2 ** 32 - 1;

/** A text as far as it is typed; the same number means the same text. */
export interface KeyPress {
  readonly key: number;
  readonly text: string;
}

export class KeyPresses {
  readonly #descriptions: readonly string[];
  /** The chance of one of the first n texts. */
  readonly #chances: Float64Array;
  readonly #typed = new Map<number, readonly KeyPress[]>();
  readonly #keys = new Map<string, number>();

  constructor(descriptions: readonly string[], texts: number, exponent: number) {
    this.#descriptions = descriptions;
    let sum = 0;
    this.#chances = new Float64Array(texts).map((_, n) => (sum += (n + 1) ** -exponent));
    for (let n = 0; n < texts; n++) this.#chances[n]! /= sum;
  }

  *requests(seed: number): Generator<KeyPress, never> {
    const random = seeded(seed);
    for (;;) yield* this.#pressesOf(this.#textAt(random));
  }

  /** The number of a text, by halving the range that it is in. */
  #textAt(random: Random): number {
    const chance = random(STEPS) / STEPS;
    let [low, high] = [0, this.#chances.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#chances[middle]! > chance) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #pressesOf(number: number): readonly KeyPress[] {
    const known = this.#typed.get(number);
    if (known !== undefined) return known;
    const [typed = ''] = typedTexts(this.#descriptions, 1, number);
    const beginnings = Array.from(typed, (_, i) => typed.slice(0, i + 1));
    // A blank at the end changes nothing.
    const texts = beginnings.filter((text) => !text.endsWith(' '));
    const presses = texts.map((text) => {
      const key = this.#keys.get(text) ?? this.#keys.size;
      this.#keys.set(text, key);
      return { key, text };
    });
    this.#typed.set(number, presses);
    return presses;
  }
}
