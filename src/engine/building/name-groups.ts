/** Finds foods of the same name among all batches. */
import { KeyTable } from '#core';
import { batchOf, type FoodBatch, indexInBatch } from './food-batch.ts';

/** By food, in the order of arrival. Each of several threads fills in a share of the names. */
export interface NameGroups {
  /** 1 for each food with the name of another one that is more popular, or as popular and earlier. */
  readonly isRepeat: Uint8Array;
  readonly sameName: Uint32Array;
}

/** Groups the names whose keys, modulo `shares`, are `share`. @param shares a power of two */
export function groupNames({
  batches,
  groups: { isRepeat, sameName },
  share,
  shares,
}: {
  batches: readonly FoodBatch[];
  groups: NameGroups;
  share: number;
  shares: number;
}): void {
  const names = new KeyTable();
  /** The foods of this share, and the number of the name of each. */
  const foods: number[] = [];
  const numbers: number[] = [];
  /** By this number: how many foods have the name, and the best of them. */
  const counts: number[] = [];
  const best: number[] = [];
  const popularityOf = (food: number): number =>
    batches[batchOf(food)]!.popularities?.[indexInBatch(food)] ?? 0;
  let food = 0;
  for (const batch of batches) {
    const nameKeys = batch.nameKeys!;
    for (let i = 0; i < nameKeys.length; i += 2, food++) {
      if ((nameKeys[i]! & (shares - 1)) !== share) continue;
      const number = names.numberOf(nameKeys[i]!, nameKeys[i + 1]!);
      foods.push(food);
      numbers.push(number);
      counts[number] = (counts[number] ?? 0) + 1;
      const known = best[number];
      if (known === undefined || popularityOf(food) > popularityOf(known)) best[number] = food;
    }
  }
  for (const [i, each] of foods.entries()) {
    const number = numbers[i]!;
    sameName[each] = counts[number]!;
    isRepeat[each] = best[number] === each ? 0 : 1;
  }
}
