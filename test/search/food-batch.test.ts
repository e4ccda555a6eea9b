/** Foods come out of a batch as they went in, however their texts are joined on the way to a thread. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIGURE_COLUMNS, type FoodRecord, renderFields, textOfUtf8 } from '#core';
import { addRaw, descriptionOf, foodBatch, joined, noFoods } from '../../src/engine/building/food-batch.ts';
import { NameStatistics } from '../../src/engine/order/statistics.ts';

const someFigures = fc.constantFrom('0', '-3', '0.125', '9007199254740993');
const figure = fc.option(fc.oneof(someFigures, fc.nat().map(String)));
const someTexts = fc.constantFrom('', ' ', '\ud83e', '\udd5a', '\0', 'Käse', '番茄');
const description = fc.oneof(someTexts, fc.string({ unit: 'binary' }));
const food: fc.Arbitrary<FoodRecord> = fc.record({
  ...(Object.fromEntries(FIGURE_COLUMNS.map((column) => [column, figure])) as Record<
    (typeof FIGURE_COLUMNS)[number],
    typeof figure
  >),
  description,
});

test('entries and descriptions', () => {
  fc.assert(
    fc.property(fc.array(food, { maxLength: 20 }), (foods) => {
      const raw = noFoods();
      for (const each of foods) addRaw(raw, each);
      const batch = foodBatch(structuredClone(joined(raw)), new NameStatistics());
      expect(batch.size).toBe(foods.length);
      // A lone surrogate is an escape of JSON.
      expect(foods.map((_, i) => descriptionOf(batch, i))).toEqual(foods.map((each) => each.description));
      expect(textOfUtf8(batch.entries)).toBe(foods.map(renderFields).join(''));
    }),
  );
});
