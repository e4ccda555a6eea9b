/** Finds foods of the same name among all batches. */
import { KeyTable } from '../../text/key-table.ts';
import { type FoodBatch, SLOT_BITS } from './food-batch.ts';

/** By slot. Each of several threads fills in a share of the names. */
export interface NameGroups {
  /** 1 for each food with the name of another one that is more popular, or as popular and earlier. */
  readonly isRepeat: Uint8Array;
  readonly sameName: Uint32Array;
}

/** Groups the names whose keys, modulo `shares`, are `share`. */
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
  const slots: number[] = [];
  /** The number of the name of each. */
  const numbers: number[] = [];
  /** By this number: the foods, and the best one. */
  const foods: number[] = [];
  const best: number[] = [];
  for (const [b, { size, nameKeys, popularities }] of batches.entries()) {
    const first = b << SLOT_BITS;
    for (let i = 0; i < size; i++) {
      const low = nameKeys[2 * i]!;
      if ((low >>> 0) % shares !== share) continue;
      const number = names.numberOf(low, nameKeys[2 * i + 1]!);
      numbers.push(number);
      slots.push(first + i);
      if (number === foods.length) {
        foods.push(0);
        best.push(first + i);
      } else if (popularities !== undefined) {
        const known = best[number]!;
        const popularity = batches[known >>> SLOT_BITS]!.popularities?.[known % 2 ** SLOT_BITS] ?? 0;
        if (popularities[i]! > popularity) best[number] = first + i;
      }
      foods[number]!++;
    }
  }
  for (const [i, slot] of slots.entries()) {
    const number = numbers[i]!;
    sameName[slot] = foods[number]!;
    isRepeat[slot] = best[number] === slot ? 0 : 1;
  }
}
