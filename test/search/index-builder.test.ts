/** Batches of foods become one index in whatever order they are read; and more foods than fit are refused with a sentence. */
import { expect, test } from 'vitest';
import { renderEntry } from '../../src/foods/food.ts';
import type { InputOf, OutputOf, StepName } from '../../src/search/building/build-thread.ts';
import { ThisThread } from '../../src/search/building/build-thread.ts';
import { BATCH_SIZE } from '../../src/search/building/food-batch.ts';
import { FoodIndex } from '../../src/search/food-index.ts';
import { IndexBuilder } from '../../src/search/index-builder.ts';
import { UserError } from '../../src/system/errors.ts';
import { food } from '../support/service.ts';

const LIMIT = 10_000;

test.each([1, 400, 2400, 2900])(
  'entries of descriptions of %i characters fit up to the limit',
  async (length) => {
    const description = 'x'.repeat(length);
    const most = Math.floor(LIMIT / renderEntry(food(description)).length);
    const builder = new IndexBuilder({ maxEntriesSize: LIMIT });
    for (let i = 0; i < most; i++) builder.add(food(description));
    expect(JSON.parse(new FoodIndex(await builder.finish()).search('x').toString())).toHaveLength(
      Math.min(most, 100),
    );

    const fuller = new IndexBuilder({ maxEntriesSize: LIMIT });
    for (let i = 0; i <= most; i++) fuller.add(food(description));
    const message = `${most + 1} foods and more do not fit into one index. Leave some out, or use a database.`;
    await expect(fuller.finish()).rejects.toThrow(new UserError(message));
  },
);

/** Reads the second batch only after the last one, as a thread may that gets no time. */
class LateSecond extends ThisThread {
  #reads = 0;

  override async run<Name extends StepName>(
    step: Name,
    inputs: readonly InputOf<Name>[],
  ): Promise<OutputOf<Name>[]> {
    const isLate = step === 'read' && ++this.#reads === 2;
    if (isLate) await expect.poll(() => this.#reads).toBe(4);
    if (isLate) await new Promise((resolve) => setTimeout(resolve, 50));
    return super.run(step, inputs);
  }
}

test('a batch that is read late is part of the index', async () => {
  const builder = new IndexBuilder({ startPool: () => new LateSecond({}) });
  const foods = 3 * BATCH_SIZE + 1;
  for (let i = 0; i < foods; i++) await builder.add(food(`food ${i}`));
  const index = new FoodIndex(await builder.finish());
  expect(index.size).toBe(foods);
  expect(index.search(`food ${2 * BATCH_SIZE - 1}`).toString()).toContain(`food ${2 * BATCH_SIZE - 1}`);
});
