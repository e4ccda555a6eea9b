/** The words of the foods of one thread. */
import { type FoodName, IN_BRACKETS, textOf } from '../order/food-name.ts';

export interface ThreadWords {
  readonly texts: readonly string[];
  readonly foods: Uint32Array;
}

/** Those of the foods of a batch, in order of arrival. */
export interface BatchPostings {
  readonly words: number[];
  readonly places: number[];
}

/** The words of the foods of one thread, numbered in the order of their first occurrence. */
export class LocalWords {
  readonly #numbers = new Map<string, number>();
  /** By the number of a word: how many foods have it, and the number of its last posting plus 1. */
  readonly #foods: number[] = [];
  readonly #last: number[] = [];
  #postings = 0;

  get texts(): string[] {
    return [...this.#numbers.keys()];
  }

  get foods(): Uint32Array {
    return Uint32Array.from(this.#foods);
  }

  /**
   * Adds the words of a food to the postings of its batch: for each distinct one its number, and its best place in the food.
   * Returns the number of distinct words in its name.
   */
  add({ folded, words }: FoodName, places: readonly number[], postings: BatchPostings): number {
    const first = this.#postings;
    const begin = first - postings.words.length;
    let nameWords = 0;
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const number = this.#numberOf(textOf(folded, word));
      const known = this.#last[number]!;
      if (known > first) {
        const at = known - 1 - begin;
        postings.places[at] = Math.max(postings.places[at]!, places[i]!);
        continue;
      }
      postings.words.push(number);
      postings.places.push(places[i]!);
      this.#last[number] = ++this.#postings;
      this.#foods[number]!++;
      if (word.segment !== IN_BRACKETS) nameWords++;
    }
    return nameWords;
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#foods.push(0);
    this.#last.push(0);
    return number;
  }
}
