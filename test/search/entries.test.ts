/** Answers are right whatever buffer holds the entries of an index. */
import { expect, test } from 'vitest';
import { FoodIndex } from '../../src/search/food-index.ts';
import { sectionsOf } from '../support/index.ts';
import { numbered } from '../support/service.ts';

const sections = await sectionsOf(numbered(['Egg, whole', 'Eggnog', 'Duck egg', 'Milk']));
const expected = new FoodIndex(sections).search('egg').toString();

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length + 2 ** 20), 0, bytes.length);
  copy.set(bytes);
  return copy;
}

function behindOthers(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length + 2 ** 20).subarray(64, 64 + bytes.length);
  copy.set(bytes);
  return copy;
}

test.each([
  ['that ends with them are found', (bytes: Uint8Array) => bytes.slice()],
  ['shared by threads are found', shared],
  ['after other bytes are found', behindOthers],
])('entries in a buffer %s', (_name, copyOf) => {
  const index = new FoodIndex({ ...sections, entries: copyOf(sections.entries) });
  expect(JSON.parse(expected)).toHaveLength(3);
  expect(index.search('egg').toString()).toBe(expected);
  expect(index.search('zzz').toString()).toBe('[]');
});
