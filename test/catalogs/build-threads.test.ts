/** The threads of an import: their outputs, their order, and their failures. */
import { afterEach, expect, test, vi } from 'vitest';
import { IndexBuilder } from '#engine';
import { addRaw, BATCH_SIZE, joined, noFoods } from '../../src/engine/building/food-batch.ts';
import { BuildThreads } from '../../src/service/catalogs/build-threads.ts';
import { foodOf } from '../support/import.ts';

let threads: BuildThreads | undefined;
afterEach(async () => {
  await threads?.close();
  threads = undefined;
});

function batchOf(description: string) {
  const raw = noFoods();
  addRaw(raw, foodOf(description));
  return joined(raw);
}

test('if one thread fails, all later jobs fail with its error', async () => {
  threads = new BuildThreads(2);
  const faulty = joined({ ...noFoods(), texts: Array(7).fill(null), factCounts: [0] });
  const batches = [batchOf('Egg'), faulty, batchOf('Milk'), batchOf('Oats')];
  await expect(threads.run('read', batches)).rejects.toThrow(TypeError);
  await expect(threads.run('read', [batchOf('Tea')])).rejects.toThrow(TypeError);
  await expect(threads.runInEach('nameCounts', undefined)).rejects.toThrow(TypeError);
});

test.each([
  [BATCH_SIZE, 0],
  [2 * BATCH_SIZE, 0],
  [2 * BATCH_SIZE + 1, 1],
])('%i foods start threads %i times', async (foods, starts) => {
  const startPool = vi.fn(() => new BuildThreads(2));
  const builder = new IndexBuilder({ startPool });
  try {
    for (let i = 0; i < foods; i++) await builder.add(foodOf(`Food ${i}`));
    expect((await builder.finish()).entryStarts).toHaveLength(foods + 1);
    expect(startPool).toHaveBeenCalledTimes(starts);
  } finally {
    await builder.close();
  }
});
