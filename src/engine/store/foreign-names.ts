/**
 * The names of foods in other languages than that of the data set, by which a search by words finds them behind all others. A name
 * is found as a whole: four bytes for each, compressed.
 */
import { lowerBound, MAX_ENTRIES } from '#core';
import { wordsOf } from '../words/asked-words.ts';
import { nameKeyOf } from '../words/name-keys.ts';
import { fromDistances, packed, placesIn, toDistances, unpacked } from './packed.ts';

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

/** Those of the foods in this order. @param names of foods, which are numbered by arrival */
export function foreignNamesOf(
  names: Iterable<readonly [food: number, names: readonly string[]]>,
  order: Uint32Array,
): ForeignNames {
  const places = placesIn(order);
  const [keys, foods]: [number[], number[]] = [[], []];
  for (const [food, own] of names)
    for (const name of own) {
      keys.push(keyOf(wordsOf(name)));
      foods.push(places[food]!);
    }
  const compare = (a: number, b: number) => keys[a]! - keys[b]! || foods[a]! - foods[b]!;
  const sorted = Uint32Array.from(keys.keys())
    .sort(compare)
    // Two languages may have the same name of a food.
    .filter((each, i, all) => i === 0 || compare(each, all[i - 1]!) !== 0);
  return {
    keys: packed(toDistances(sorted.map((each) => keys[each]!))),
    foods: packed(sorted.map((each) => foods[each]!)),
  };
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
