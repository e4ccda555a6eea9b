/** The words of the foods of one thread. */
import { type Growing, KeyTable, TextKey } from '#core';
import { type FoodName, IN_BRACKETS, textOf } from '../order/food-name.ts';
import type { Span } from '../order/kinds.ts';
import { OTHER_NAME_PLACE } from '../order/points.ts';
import { hasRuns, partsOf, scriptFolded } from '../order/script-runs.ts';

/** Those of the foods of a batch, in order of arrival. */
export interface BatchPostings {
  readonly words: Growing<Uint32Array>;
  readonly places: Growing<Uint32Array>;
}

/** Where a word is in a text: most are known, so that they need no string of their own. */
type Part = Pick<Span, 'start' | 'end'>;

/** The words of the foods of one thread, numbered in the order of their first occurrence. */
export class LocalWords {
  /** A map of texts takes twice as long. */
  readonly #numbers = new KeyTable();
  readonly texts: string[] = [];
  /** By the number of a word: how many foods have it, and the number of its last posting plus 1. */
  readonly #foods: number[] = [];
  readonly #last: number[] = [];
  #postings = 0;

  get foods(): Uint32Array {
    return Uint32Array.from(this.#foods);
  }

  /**
   * Adds the words of a food to the postings of its batch: for each distinct one its number, and its best place in the food.
   * Returns the number of distinct words in its name. @param others words of each of its other names
   */
  add(
    { folded, words }: FoodName,
    places: readonly number[],
    postings: BatchPostings,
    others: readonly (readonly string[])[],
  ): number {
    const first = this.#postings;
    const mayHaveRuns = hasRuns(folded);
    let nameWords = 0;
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const added = mayHaveRuns
        ? this.#addParts(textOf(folded, word), places[i]!, postings, first)
        : this.#add(folded, word, places[i]!, postings, first);
      if (word.segment !== IN_BRACKETS) nameWords += added;
    }
    for (const texts of others)
      for (const text of texts) this.#addParts(text, OTHER_NAME_PLACE, postings, first);
    return nameWords;
  }

  /** Adds a word, or the pieces of one in a script without blanks. Returns how many the food did not have yet, the whole one aside. */
  #addParts(text: string, place: number, postings: BatchPostings, first: number): number {
    const add = (part: string) => this.#add(part, { start: 0, end: part.length }, place, postings, first);
    if (!hasRuns(text)) return add(text);
    const { pairs, wholes } = partsOf(scriptFolded(text));
    let added = 0;
    for (const pair of pairs) added += add(pair);
    for (const whole of wholes) {
      const isNew = add(whole);
      // Letters of full width have no pairs.
      if (pairs.length === 0) added += isNew;
    }
    return added;
  }

  /** Returns 1 if the food did not have the word yet. @param first posting of the food */
  #add(text: string, word: Part, place: number, postings: BatchPostings, first: number): number {
    const number = this.#numberOf(text, word);
    const known = this.#last[number]!;
    if (known > first) {
      const at = known - 1 - (this.#postings - postings.words.length);
      const { items } = postings.places;
      items[at] = Math.max(items[at]!, place);
      return 0;
    }
    postings.words.push(number);
    postings.places.push(place);
    this.#last[number] = ++this.#postings;
    this.#foods[number]!++;
    return 1;
  }

  #numberOf(text: string, { start, end }: Part): number {
    const key = new TextKey();
    key.addText(text, start, end);
    const number = this.#numbers.numberOf(key.low, key.high);
    if (number === this.texts.length) {
      this.texts.push(text.slice(start, end));
      this.#foods.push(0);
      this.#last.push(0);
    }
    return number;
  }
}
