/**
 * The names of foods in other languages than that of the data set, by which a search by words finds them behind all others. A name
 * is found as a whole: four bytes for each, compressed.
 */
import { type FoodRecord, lowerBound, MAX_ENTRIES } from '#core';
import { wordsOf } from '../words/asked-words.ts';
import { nameKeyOf } from '../words/name-keys.ts';
import { fromDistances, packed, toDistances, unpacked } from './packed.ts';

/** As `packed` has them. If no food has such names, both are empty. */
export interface ForeignNames {
  /** Of each name the distance of its key from the one before. */
  readonly keys: Uint8Array;
  /** The food of each; those of the same key are ascending. */
  readonly foods: Uint8Array;
}

export const NO_FOREIGN_NAMES: ForeignNames = { keys: new Uint8Array(0), foods: new Uint8Array(0) };

/** The keys in ascending order, and the food of each. */
export interface ForeignNameTable {
  readonly keys: Uint32Array;
  readonly foods: Uint32Array;
}

export const foreignNameTableOf = ({ keys, foods }: ForeignNames): ForeignNameTable => ({
  keys: fromDistances(unpacked(keys)),
  foods: unpacked(foods),
});

const keyOf = (words: readonly string[]): number => nameKeyOf(words).check;

export class ForeignNamesBuilder {
  #foods = 0;
  #keys: number[] = [];
  #owners: number[] = [];

  add({ translations = [] }: FoodRecord): void {
    for (const { names } of translations)
      for (const name of names) {
        this.#keys.push(keyOf(wordsOf(name)));
        this.#owners.push(this.#foods);
      }
    this.#foods++;
  }

  /** The names of the foods in this order. Empties the builder. */
  finish(order: Uint32Array): ForeignNames {
    const [keys, owners] = [this.#keys, this.#owners];
    this.#keys = [];
    this.#owners = [];
    if (keys.length === 0) return NO_FOREIGN_NAMES;
    const places = new Uint32Array(order.length);
    for (const [i, food] of order.entries()) places[food] = i;
    const compare = (a: number, b: number) =>
      keys[a]! - keys[b]! || places[owners[a]!]! - places[owners[b]!]!;
    const sorted = Uint32Array.from(keys.keys())
      .sort(compare)
      // Two languages may have the same name of a food.
      .filter((each, i, all) => i === 0 || compare(each, all[i - 1]!) !== 0);
    return {
      keys: packed(toDistances(sorted.map((each) => keys[each]!))),
      foods: packed(sorted.map((each) => places[owners[each]!]!)),
    };
  }
}

/** The first foods that are called so in another language. */
export function foodsCalled({ keys, foods }: ForeignNameTable, words: readonly string[]): Uint32Array {
  if (keys.length === 0 || words.length === 0) return foods.subarray(0, 0);
  const key = keyOf(words);
  const from = lowerBound(keys, 0, keys.length, key);
  let to = from;
  while (to < keys.length && keys[to] === key && to - from < MAX_ENTRIES) to++;
  return foods.subarray(from, to);
}

/** Whether these sections are consistent with each other and with the number of foods. */
export const areConsistentForeignNames = ({ keys, foods }: ForeignNames, count: number): boolean =>
  keys.length === foods.length && unpacked(foods).every((food) => food < count);
