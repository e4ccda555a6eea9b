/** Finds foods of the same name among all batches. */
import { KeyTable } from '#core';
import { batchOf, type FoodBatch, indexInBatch } from './food-batch.ts';

/** By food, in the order of arrival. */
export interface NameGroups {
  /** 1 for each food with the name of another one that is more popular, or as popular and earlier. */
  readonly isRepeat: Uint8Array;
  readonly sameName: Uint32Array;
}

/** @param size of all batches */
export function groupNames(batches: readonly FoodBatch[], size: number): NameGroups {
  const names = new KeyTable();
  /** For each food the number of its name. */
  const numbers = new Uint32Array(size);
  /** By this number: how many foods have the name, and the best of them. */
  const counts = new Uint32Array(size);
  const best = new Uint32Array(size);
  const popularityOf = (arrived: number): number =>
    batches[batchOf(arrived)]!.popularities?.[indexInBatch(arrived)] ?? 0;
  let food = 0;
  for (const { nameKeys } of batches) {
    for (let i = 0; i < nameKeys.length; i += 2, food++) {
      const number = names.numberOf(nameKeys[i]!, nameKeys[i + 1]!);
      numbers[food] = number;
      if (counts[number]!++ === 0 || popularityOf(food) > popularityOf(best[number]!)) best[number] = food;
    }
  }
  const isRepeat = new Uint8Array(size).fill(1);
  for (let number = 0; number < names.size; number++) isRepeat[best[number]!] = 0;
  return { isRepeat, sameName: numbers.map((number) => counts[number]!) };
}
