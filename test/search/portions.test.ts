/** Portions in an index: they come out unchanged, for exactly the description, and take little memory. */
import { expect, test } from 'vitest';
import { type Portion, textOfUtf8 } from '#core';
import { FoodIndex, lookupsOf } from '#engine';
import { sectionsOf } from '../support/index.ts';
import { food } from '../support/service.ts';

const gramsOf = (index: FoodIndex, description: string): unknown[] => {
  const portions: { grams: unknown }[] = JSON.parse(textOfUtf8(index.lookUp('portions', description)));
  return portions.map(({ grams }) => grams);
};

const weighing = (grams: string) => ({ portions: [{ portion: '1 cup', grams }] });

test('any number of foods with the same description is found in a few reads, whatever the names', async () => {
  const count = 20_000;
  const milk = (i: number) => food('Milk', { ...weighing(String(i + 1)), popularity: count - i });
  const others = [food('Milk', weighing('9')), food('Milk (Milk)', weighing('8'))];
  const sections = await sectionsOf([...Array.from({ length: count }, (_, i) => milk(i)), ...others]);
  let reads = 0;
  const entryStarts = new Proxy(sections.entryStarts, {
    get(target, key) {
      reads++;
      return Reflect.get(target, key);
    },
  });
  const index = new FoodIndex({ ...sections, entryStarts }, lookupsOf(sections));
  reads = 0;
  expect(gramsOf(index, 'Milk')).toEqual([1]);
  expect(gramsOf(index, 'Milk (Milk)')).toEqual([8]);
  expect(gramsOf(index, 'Milk, raw')).toEqual([]);
  expect(reads).toBeLessThan(20);
});

test('a food has any number of portions', async () => {
  const spoons = (i: number) => ({ portion: `${i} spoons`, grams: String(i + 1) });
  const portions = Array.from({ length: 20_000 }, (_, i) => spoons(i));
  const index = new FoodIndex(await sectionsOf([food('Milk', { portions })]));
  expect(gramsOf(index, 'Milk')).toEqual(portions.map(({ grams }) => Number(grams)));
});

test('two portions take less than 13 bytes per food, and none take nothing', async () => {
  const count = 20_000;
  const sectionsWith = async (portions: (i: number) => Portion[]) => {
    const foods = Array.from({ length: count }, (_, i) => food(`Food ${i}`, { portions: portions(i) }));
    return Object.values((await sectionsOf(foods)).facts);
  };
  const bytesOf = (arrays: readonly { readonly byteLength: number }[]): number =>
    arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);

  // One text in a hundred is new, as with pack sizes of branded foods.
  const two = await sectionsWith((i) => [
    { portion: `${1 + (i % 200)} oz`, grams: String(1 + (i % 1000)) },
    { portion: '1 cup', grams: '240' },
  ]);
  expect(bytesOf(two) / count).toBeLessThan(13);
  expect(bytesOf(await sectionsWith(() => []))).toBe(0);
});
