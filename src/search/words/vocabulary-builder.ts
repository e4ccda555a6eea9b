/**
 * Collects the words of all foods while an index is built.
 */
import { GrowingArray } from '../collections/growing-array.ts';
import { type FoodName, IN_BRACKETS, textOf } from '../ranking/food-name.ts';
import type { NameScores } from '../ranking/ranking.ts';
import type { VocabularySections } from './vocabulary.ts';

const MOST_NAME_WORDS = 255;

export class VocabularyBuilder {
  readonly #numbers = new Map<string, number>();
  /** By the number of a word: its last posting. */
  readonly #last = new GrowingArray((length) => new Uint32Array(length));
  /** Postings in the order of arrival: the number of a word, and its best place in the food. */
  readonly #words = new GrowingArray((length) => new Uint32Array(length));
  readonly #places = new GrowingArray((length) => new Uint8Array(length));
  /** Of each food its first posting. */
  readonly #starts = new GrowingArray((length) => new Uint32Array(length));
  readonly #staticScores = new GrowingArray((length) => new Uint8Array(length));
  readonly #nameWords = new GrowingArray((length) => new Uint8Array(length));

  /** Adds the words of the next food, each once. */
  add(name: FoodName, { staticScore, places }: NameScores): void {
    const first = this.#words.length;
    let nameWords = 0;
    for (const [i, word] of name.words.entries()) {
      const number = this.#numberOf(textOf(name.folded, word));
      const place = places[i]!;
      const known = this.#last.view()[number]!;
      if (known > first) this.#raise(known - 1, place);
      else {
        this.#words.push(number);
        this.#places.push(place);
        this.#last.view()[number] = this.#words.length;
        if (word.segment !== IN_BRACKETS) nameWords++;
      }
    }
    this.#starts.push(first);
    this.#staticScores.push(staticScore);
    this.#nameWords.push(Math.min(nameWords, MOST_NAME_WORDS));
  }

  /** @param order the foods, by the order of their arrival, in their static order */
  finish(order: Uint32Array): VocabularySections {
    const { rankOf, spellings, spellingStarts } = this.#sortWords();
    const words = this.#words.view();
    const arrivedPlaces = this.#places.view();
    const starts = this.#starts.view();
    const postingStarts = new Uint32Array(spellingStarts.length);
    for (const word of words) postingStarts[rankOf[word]! + 1]!++;
    for (let i = 1; i < postingStarts.length; i++) postingStarts[i]! += postingStarts[i - 1]!;
    const next = postingStarts.slice();
    const foods = new Uint32Array(words.length);
    const places = new Uint8Array(words.length);
    const bestPlaces = new Uint8Array(rankOf.length);
    for (const [food, arrival] of order.entries()) {
      const end = starts[arrival + 1] ?? words.length;
      for (let i = starts[arrival]!; i < end; i++) {
        const rank = rankOf[words[i]!]!;
        const at = next[rank]!++;
        foods[at] = food;
        places[at] = arrivedPlaces[i]!;
        bestPlaces[rank] = Math.max(bestPlaces[rank]!, places[at]!);
      }
    }
    const staticScores = this.#staticScores.view();
    const nameWords = this.#nameWords.view();
    return {
      spellings,
      spellingStarts,
      postingStarts,
      bestPlaces,
      foods,
      places,
      staticScores: Uint8Array.from(order, (arrival) => staticScores[arrival]!),
      nameWords: Uint8Array.from(order, (arrival) => nameWords[arrival]!),
    };
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(word, number);
    this.#last.push(0);
    return number;
  }

  #raise(posting: number, place: number): void {
    const places = this.#places.view();
    if (place > places[posting]!) places[posting] = place;
  }

  /** The words in the order of their bytes, and the rank of each by its number. */
  #sortWords() {
    const sorted = Array.from(this.#numbers, ([word, number]) => ({ bytes: Buffer.from(word), number }));
    sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
    const rankOf = new Uint32Array(sorted.length);
    const spellingStarts = new Uint32Array(sorted.length + 1);
    for (const [rank, { bytes, number }] of sorted.entries()) {
      rankOf[number] = rank;
      spellingStarts[rank + 1] = spellingStarts[rank]! + bytes.length;
    }
    const all = Buffer.concat(sorted.map(({ bytes }) => bytes));
    return { rankOf, spellings: Uint8Array.from(all), spellingStarts };
  }
}
