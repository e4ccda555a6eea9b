/** The other names of the foods of all batches, in the order of the foods. */
import { type NameSections, NO_NAMES } from '../store/name-sections.ts';
import { nameKeysOf } from '../words/name-keys.ts';
import { batchOf, type FoodBatch, indexInBatch } from './food-batch.ts';
import type { ScoredBatch } from './scored-batch.ts';

export function nameSections(
  batches: readonly FoodBatch[],
  scored: readonly ScoredBatch[],
  order: Uint32Array,
): NameSections {
  const count = scored.reduce((sum, { otherNames }) => sum + otherNames.length / 2, 0);
  if (count === 0) return NO_NAMES;
  const starts = new Uint32Array(order.length + 1);
  const texts = new Uint8Array(batches.reduce((sum, { names }) => sum + names.length, 0));
  const [keys, foods] = [new Uint32Array(2 * count), new Int32Array(count)];
  let name = 0;
  for (const [food, arrived] of order.entries()) {
    const [batch, i] = [batchOf(arrived), indexInBatch(arrived)];
    const { names, nameStarts } = batches[batch]!;
    const own = names.subarray(nameStarts[i] ?? 0, nameStarts[i + 1] ?? 0);
    texts.set(own, starts[food]!);
    starts[food + 1] = starts[food]! + own.length;
    const { otherNames, firstNames } = scored[batch]!;
    const [from, to] = [firstNames[i] ?? 0, firstNames[i + 1] ?? 0];
    keys.set(otherNames.subarray(2 * from, 2 * to), 2 * name);
    foods.fill(food, name, name + to - from);
    name += to - from;
  }
  return { starts, texts, ...nameKeysOf({ keys, foods }) };
}
