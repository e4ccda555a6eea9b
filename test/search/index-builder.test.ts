/** More foods than fit into an index are refused with a sentence, not with a failed allocation. */
import { expect, test } from 'vitest';
import { renderEntry } from '../../src/foods/food.ts';
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
