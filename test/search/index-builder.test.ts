/** More foods than fit into an index are refused with a sentence, not with a failed allocation. */
import { expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { renderEntry } from '../../src/food.ts';
import { GrowingArray } from '../../src/search/collections/growing-array.ts';
import { FoodIndex } from '../../src/search/food-index.ts';
import { IndexBuilder } from '../../src/search/index-builder.ts';
import { food } from '../support/service.ts';

const LIMIT = 10_000;

/** Fails like typed arrays of Node.js 20, whose limit is 4 GiB. */
function bytes(length: number): Uint8Array {
  if (length > LIMIT) throw new RangeError(`Invalid typed array length: ${length}`);
  return new Uint8Array(length);
}

test.each([1, 100, 1500, 2500, 3000, 7000])('memory in steps of %i grows up to its limit', (step) => {
  const array = new GrowingArray(bytes, LIMIT);
  while (array.length + step <= LIMIT) array.reserve(step).items.fill(7, array.length - step, array.length);
  expect(array.length).toBe(LIMIT - (LIMIT % step));
  expect(array.view().every((item) => item === 7)).toBe(true);
});

test.each([1, 400, 2400, 2900])('entries of descriptions of %i characters fit up to the limit', (length) => {
  const description = 'x'.repeat(length);
  const most = Math.floor(LIMIT / renderEntry(food(description)).length);
  const builder = new IndexBuilder({ maxEntriesSize: LIMIT });
  for (let i = 0; i < most; i++) builder.add(food(description));
  expect(JSON.parse(new FoodIndex(builder.finish()).search('x').toString())).toHaveLength(
    Math.min(most, 100),
  );

  const fuller = new IndexBuilder({ maxEntriesSize: LIMIT });
  for (let i = 0; i <= most; i++) fuller.add(food(description));
  const message = `${most + 1} foods and more do not fit into one index. Leave some out, or use a database.`;
  expect(() => fuller.finish()).toThrow(new UserError(message));
});
