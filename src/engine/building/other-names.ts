/** The other names of the foods of all batches, in the order of the foods. */
import { bucketOf, bucketsFor, type NameSections, NO_NAMES } from '../store/name-sections.ts';
import type { Allocate } from './arena.ts';
import { batchOf, type FoodBatch, indexInBatch } from './food-batch.ts';
import type { ScoredBatch } from './scored-batch.ts';

export function nameSections(
  batches: readonly FoodBatch[],
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  allocate: Allocate,
): NameSections {
  const count = scored.reduce((sum, { otherNames }) => sum + otherNames.length / 2, 0);
  if (count === 0) return NO_NAMES;
  const size = batches.reduce((sum, { names }) => sum + names.length, 0);
  const sections = {
    starts: new Uint32Array(allocate(4 * (order.length + 1))),
    texts: new Uint8Array(allocate(size)),
    buckets: bucketsFor(count),
    checks: new Uint32Array(allocate(4 * count)),
    foods: new Int32Array(allocate(4 * count)),
  };
  const { starts, texts, buckets, checks, foods } = sections;
  for (const { otherNames } of scored)
    for (let k = 0; k < otherNames.length; k += 2) buckets[bucketOf(sections, otherNames[k]!) + 1]!++;
  for (let i = 1; i < buckets.length; i++) buckets[i]! += buckets[i - 1]!;
  const next = buckets.slice();
  for (const [food, arrived] of order.entries()) {
    const [batch, i] = [batchOf(arrived), indexInBatch(arrived)];
    const { names, nameStarts } = batches[batch]!;
    const { otherNames, firstNames } = scored[batch]!;
    const own = names.subarray(nameStarts[i] ?? 0, nameStarts[i + 1] ?? 0);
    texts.set(own, starts[food]!);
    starts[food + 1] = starts[food]! + own.length;
    for (let name = firstNames[i] ?? 0; name < (firstNames[i + 1] ?? 0); name++) {
      const at = next[bucketOf(sections, otherNames[2 * name]!)]!++;
      checks[at] = otherNames[2 * name + 1]!;
      foods[at] = food;
    }
  }
  return sections;
}
