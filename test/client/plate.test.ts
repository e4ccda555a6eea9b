/** The plate: its arithmetic, compared with integers and with the oracle's sum; and in links, in storage and as CSV. */

import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRAMS, inUnit, isAmount, weightOf } from '../../client/foods/amount.ts';
import { type Food, foodOf } from '../../client/foods/food.ts';
import { labelOf } from '../../client/foods/label.ts';
import {
  figureOf,
  type Item,
  type Plate,
  percentages,
  readPlate,
  sum,
  withFood,
} from '../../client/foods/plate.ts';
import { labelRows, plateLink, plateOfLink, plateRows } from '../../client/plate/plate-link.ts';
import { fatOf } from '../oracle.ts';
import { pairsOf } from '../support/cases.ts';

const parts = fc.tuple(fc.nat({ max: 2000 }), fc.nat({ max: 99 }));
const figure = fc.option(parts.map(([whole, part]) => `${whole}.${part}`));
const unit = fc.oneof(
  fc.constant(GRAMS),
  fc.record({
    portion: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
    grams: fc.integer({ min: 1, max: 499_000 }).map((thousandths) => String(thousandths / 1000)),
  }),
);
const item: fc.Arbitrary<Item> = fc.record({
  food: fc.record({
    description: fc.string({ minLength: 1, unit: 'grapheme' }),
    kcal: figure,
    protein: figure,
    fat: figure,
    carbohydrate: figure,
  }),
  count: fc.option(fc.nat({ max: 200 }).map(String)),
  unit,
});

const LARGE = { portion: '1 large', grams: '50' };
const inGrams = (count: string) => ({ count, unit: GRAMS });
const SOUP: Food = { description: 'Soup', kcal: '0.1', protein: null, fat: '0.2', carbohydrate: '7' };

test('a link restores the plate, and keeps the service of the page', () => {
  const plates = fc.uniqueArray(item, { selector: ({ food }) => food.description, maxLength: 20 });
  const address = 'https://food.example/under/?api=https://a.example&q=secret#x';
  fc.assert(
    fc.property(plates, (plate) => {
      const link = new URL(plateLink(plate, address));
      expect(plateOfLink(link.hash)).toEqual(plate);
      expect(link.origin + link.pathname).toBe('https://food.example/under/');
      expect([...link.searchParams]).toEqual([['api', 'https://a.example']]);
    }),
  );
});

test('a damaged link is refused', () => {
  const { hash } = new URL(plateLink([{ food: SOUP, ...inGrams('100') }], 'https://food.example/'));
  expect(plateOfLink(hash)).toHaveLength(1);
  for (let cut = 1; cut < hash.length - 8; cut++) expect(plateOfLink(hash.slice(0, -cut))).toBeUndefined();
  expect(plateOfLink('#plate=W10')).toEqual([]);
  expect(plateOfLink('#else')).toBeUndefined();
});

test('unreadable stored portions are left out, and the others kept', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(readPlate([value])).toEqual([]);
    }),
  );
  const good = { food: SOUP, ...inGrams('1') };
  const bad = { ...good, food: { ...SOUP, kcal: '1e5' } };
  expect(readPlate([{ food: SOUP, grams: '-1' }, bad, good, { ...good, count: '2' }])).toEqual([good]);
  expect(readPlate(good)).toBeUndefined();
});

test('the table has every digit, an empty cell for an unknown figure, and a note on the total', () => {
  const rows = plateRows([
    { food: SOUP, ...inGrams('33') },
    { food: { ...SOUP, description: 'Bread, "dark"', protein: '12.345' }, ...inGrams('12.5') },
  ]);
  expect(rows).toEqual([
    ['food', 'grams', 'kcal', 'protein_g', 'fat_g', 'carbohydrate_g', 'note'],
    ['Soup', '33', '0.033', '', '0.066', '2.31', ''],
    ['Bread, "dark"', '12.5', '0.0125', '1.543125', '0.025', '0.875', ''],
    ['Total', '', '0.0455', '1.543125', '0.091', '3.185', 'Protein without 1 of 2 foods'],
  ]);
});

test('the table has sodium, in mg, only where no food knows salt', () => {
  const stock = { food: { ...SOUP, description: 'Stock' }, ...inGrams('50') };
  const plate = [{ food: SOUP, ...inGrams('200') }, stock];
  const sodium = [{ nutrient: 'Sodium', amount: '0.0625', unit: 'g' }];
  const salt = [{ nutrient: 'Salt', amount: '1.5', unit: 'g' }];
  const further = (...nutrients: (typeof salt)[]) =>
    plateRows(plate, nutrients).map((row) => row.slice(6, -1));
  expect(further(sodium, sodium)).toEqual([['sodium_mg'], ['125'], ['31.25'], ['156.25']]);
  expect(further(sodium, [])).toEqual([['sodium_mg'], ['125'], [''], ['125']]);
  expect(further(sodium, [...salt, ...sodium])).toEqual([['salt_g'], [''], ['0.75'], ['0.75']]);
});

test.each(['=', '+', '-', '@', '\t', '\r', '\n', ' '])('no text with %j becomes a formula', (start) => {
  const text = `${start}1+cmd()`;
  const food = { ...SOUP, description: text };
  const [, row] = plateRows([{ food, ...inGrams('1') }]);
  expect(row?.[0]).toBe(`'${text}`);
  const lines = labelOf(food, inGrams('100'), [{ nutrient: text, amount: '-1.5', unit: text }]);
  const rows = labelRows(food, inGrams('100'), lines);
  expect(rows[0]?.[0]).toBe(`'${text}`);
  expect(rows.at(-1)).toEqual([`'${text}`, '-1.5', `'${text}`]);
});

test('adding a food again adds exactly the amount', () => {
  const plate = [{ food: SOUP, ...inGrams('0.1') }];
  const again = (amount: { count: string | null; unit: typeof LARGE }) =>
    withFood(plate, { ...SOUP }, amount);
  expect(again(inGrams('100'))).toEqual([{ food: SOUP, ...inGrams('100.1') }]);
  expect(again(inGrams('99999.999'))).toEqual([{ food: SOUP, ...inGrams('100000') }]);
  expect(again({ count: null, unit: GRAMS })).toEqual(plate);
  expect(withFood(plate, { ...SOUP, kcal: '1' }, inGrams('100'))).toHaveLength(2);
  // Portions add up to portions, portions and grams to grams.
  expect(again({ count: '2', unit: LARGE })).toEqual([{ food: SOUP, ...inGrams('100.1') }]);
  const eggs = (count: string) => [{ food: SOUP, count, unit: LARGE }];
  expect(withFood(eggs('2'), SOUP, { count: '1.5', unit: LARGE })).toEqual(eggs('3.5'));
});

test('a third is exact, of one food and added up', () => {
  const unit = { portion: '1 avocado', grams: '201' };
  const food = { ...SOUP, kcal: '160' };
  let plate: Plate = [];
  for (const [grams, kcal] of pairsOf('67 → 107.2 | 134 → 214.4 | 201 → 321.6')) {
    plate = withFood(plate, food, { count: '0.333333', unit }) ?? [];
    const [all] = plate;
    expect(all && weightOf(all)?.toFixed()).toBe(grams);
    expect(all && figureOf(all, 'kcal')?.toFixed()).toBe(kcal);
  }
  expect(plate).toEqual([{ food, count: '1', unit }]);
});

test('another unit keeps the weight in grams, and the number of portions', () => {
  const eggs = { count: '1.5', unit: LARGE };
  expect(inUnit(eggs, GRAMS)).toEqual(inGrams('75'));
  expect(inUnit(eggs, { portion: '1 small', grams: '38' })).toMatchObject({ count: '1.5' });
  expect(inUnit(inGrams('75'), LARGE)).toEqual({ count: '1', unit: LARGE });
});

const rows = (...cells: unknown[][]) => `#plate=${Buffer.from(JSON.stringify(cells)).toString('base64url')}`;

test.each([
  ['an absurd amount', '9'.repeat(40)],
  ['a portion that weighs nothing', '1', '1 large', '0'],
  ['a negative portion', '1', '1 large', '-50'],
  ['a portion of 40 digits', '1', '1 large', '9'.repeat(40)],
  ['portions of an absurd weight', '3', '1 barrel', '50000'],
  ['a portion without a name', '1', '', '50'],
  ['a portion with an absurdly long name', '1', 'x'.repeat(10_000), '50'],
  ['a portion that is not a string', '1', { toString: 1 }, '50'],
  ['a portion without a weight', '1', '1 large'],
  ['a weight that is a number', '1', '1 large', 50],
])('a link with %s is refused', (_what, ...amount) => {
  const food = ['Soup', '0.1', null, '0.2', '7'];
  expect(plateOfLink(rows([...food, '1', '1 large', '50']))).toHaveLength(1);
  expect(plateOfLink(rows([...food, ...amount]))).toBeUndefined();
});

test('a link with a food twice is refused', () => {
  const row = ['Soup', '0.1', null, '0.2', '7', '100'];
  expect(plateOfLink(rows(row))).toHaveLength(1);
  expect(plateOfLink(rows(row, row))).toBeUndefined();
});

test('a row has portions in its note, and their weight in its grams', () => {
  const [, row] = plateRows([{ food: SOUP, count: '2.5', unit: LARGE }]);
  expect(row).toEqual(['Soup', '125', '0.125', '', '0.25', '8.75', '2½ large (125 g)']);
});

test('an unreadable amount is refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (count, unit) => {
      expect(isAmount({ count, unit })).toBe(false);
    }),
  );
});

const decimalTexts = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => new Big(`${units}e-${scale}`).toFixed());

test('a figure is the shortest decimal of a number, without an exponent', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const entry = { description: 'A', protein_g: null, fat_g: '0.00', carbohydrate_g: 0 };
      const { kcal } = foodOf({ ...entry, kcal: value });
      expect(Number(kcal)).toBe(value || 0);
      expect(kcal).toMatch(/^-?\d+(\.\d+)?$/);
    }),
  );
});

test('sums are exact, in any order', () => {
  fc.assert(
    fc.property(fc.array(decimalTexts, { maxLength: 20 }), (texts) => {
      const parts = texts.map((text) => new Big(text));
      expect(sum(parts).eq(sum(parts.toReversed()))).toBe(true);
      expect(sum(parts).round(2).eq(fatOf(texts))).toBe(true);
    }),
  );
});

test('the figure of an amount is exact: a hundredth of the product', () => {
  fc.assert(
    fc.property(decimalTexts, decimalTexts, decimalTexts, (kcal, count, grams) => {
      const food = { description: 'A', kcal, protein: null, fat: '0', carbohydrate: '0' };
      const figure = figureOf({ food, count, unit: { portion: '1 cup', grams } }, 'kcal');
      // Unlike a quotient, products of big.js are exact.
      expect(figure?.eq(new Big(kcal).times(count).times(grams).times('0.01'))).toBe(true);
    }),
  );
});

describe('percentages', () => {
  test('add up to 100, and differ from the exact share by less than one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 8 }), (parts) => {
        const whole = parts.reduce((all, part) => all + part, 0);
        const result = percentages(parts.map((part) => new Big(part).times('0.01')));
        if (whole === 0) return void expect(result).toBeUndefined();
        expect(result?.reduce((all, part) => all + part, 0)).toBe(100);
        for (const [index, part] of parts.entries()) {
          expect(Math.abs((result?.[index] ?? 0) - (100 * part) / whole)).toBeLessThan(1);
        }
      }),
    );
  });

  test('count negative parts as zero', () =>
    expect(percentages([-5, 1, 3].map((part) => new Big(part)))).toEqual([0, 25, 75]));
});
