import type { FoodRecord } from '../../food.ts';

/** Foods between two turns of the event loop. */
const BATCH = 512;

/** The foods in batches, so that the next steps wait for each batch and not for each food. */
export async function* inBatches(
  foods: Iterable<FoodRecord> | AsyncIterable<FoodRecord>,
): AsyncGenerator<FoodRecord[]> {
  let batch: FoodRecord[] = [];
  for await (const food of foods) {
    batch.push(food);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
