/** Batches of foods become one index in whatever order they are read; and more foods than fit are refused with a sentence. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { renderFields, textOfUtf8, UserError } from '#core';
import { FoodIndex, IndexBuilder } from '#engine';
import { type BuildPool, inThisThread } from '../../src/engine/building/build-pool.ts';
import { BATCH_SIZE } from '../../src/engine/building/food-batch.ts';
import { food } from '../support/service.ts';

const LIMIT = 10_000;

test.each([1, 400, 2400, 2900])(
  'entries of descriptions of %i letters fit up to the limit',
  async (length) => {
    const description = 'x'.repeat(length);
    const most = Math.floor(LIMIT / renderFields(food(description)).length);
    const builder = new IndexBuilder({ maxEntriesSize: LIMIT });
    for (let i = 0; i < most; i++) builder.add(food(description));
    const found = textOfUtf8(new FoodIndex(await builder.finish()).search('x'));
    expect(JSON.parse(found)).toHaveLength(Math.min(most, 100));

    const fuller = new IndexBuilder({ maxEntriesSize: LIMIT });
    for (let i = 0; i <= most; i++) fuller.add(food(description));
    const message = `${most + 1} foods and more do not fit into one index. Leave some out, or use a database.`;
    await expect(fuller.finish()).rejects.toThrow(new UserError(message));
  },
);

/** Reads the second batch only after the last one, as a thread may that gets no time. */
function lateSecond(): BuildPool {
  const pool = inThisThread();
  let reads = 0;
  return {
    ...pool,
    run: async (step, inputs) => {
      const isLate = step === 'read' && ++reads === 2;
      if (isLate) await expect.poll(() => reads).toBe(4);
      if (isLate) await pause(50);
      return pool.run(step, inputs);
    },
  };
}

test('a batch that is read late is part of the index', async () => {
  const builder = new IndexBuilder({ startPool: lateSecond });
  const foods = 3 * BATCH_SIZE + 1;
  for (let i = 0; i < foods; i++) await builder.add(food(`food ${i}`));
  const index = new FoodIndex(await builder.finish());
  expect(index.size).toBe(foods);
  expect(textOfUtf8(index.search(`food ${2 * BATCH_SIZE - 1}`))).toContain(`food ${2 * BATCH_SIZE - 1}`);
});
