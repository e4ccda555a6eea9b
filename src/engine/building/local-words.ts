/** The words of the foods of one thread. */
import { type FoodName, IN_BRACKETS, textOf } from '../order/food-name.ts';
import { OTHER_NAME_PLACE } from '../order/points.ts';

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
   * Returns the number of distinct words in its name. @param others words of its other names
   */
  add(
    { folded, words }: FoodName,
    places: readonly number[],
    postings: BatchPostings,
    others: readonly string[],
  ): number {
    const first = this.#postings;
    const begin = first - postings.words.length;
    let nameWords = 0;
    /** Whether the food does not have it yet. */
    const isNew = (text: string, place: number): boolean => {
      const number = this.#numberOf(text);
      const known = this.#last[number]!;
      if (known > first) {
        const at = known - 1 - begin;
        postings.places[at] = Math.max(postings.places[at]!, place);
        return false;
      }
      postings.words.push(number);
      postings.places.push(place);
      this.#last[number] = ++this.#postings;
      this.#foods[number]!++;
      return true;
    };
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      if (isNew(textOf(folded, word), places[i]!) && word.segment !== IN_BRACKETS) nameWords++;
    }
    for (const text of others) isNew(text, OTHER_NAME_PLACE);
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
