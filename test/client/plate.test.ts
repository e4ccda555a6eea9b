/** The plate as link and as CSV. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAmount } from '../../client/foods/amount.ts';
import type { Food } from '../../client/foods/food.ts';
import { type Plate, type Portion, readPlate, withFood } from '../../client/foods/plate.ts';
import { plateCsv } from '../../client/plate/plate-csv.ts';
import { plateLink, plateOfLink } from '../../client/plate/plate-link.ts';

const figure = fc.option(
  fc.tuple(fc.nat({ max: 2000 }), fc.nat({ max: 99 })).map(([whole, part]) => `${whole}.${part}`),
);
const portion: fc.Arbitrary<Portion> = fc.record({
  food: fc.record({
    description: fc.string({ minLength: 1, unit: 'grapheme' }),
    kcal: figure,
    protein: figure,
    fat: figure,
    carbohydrate: figure,
  }),
  grams: fc.option(fc.nat({ max: 100_000 }).map(String)),
});

const SOUP: Food = { description: 'Soup', kcal: '0.1', protein: null, fat: '0.2', carbohydrate: '7' };

test('a link restores the same plate, and keeps the service of the page', () => {
  fc.assert(
    fc.property(fc.array(portion, { maxLength: 20 }), (plate) => {
      const link = new URL(plateLink(plate, 'https://food.example/under/?api=https://a.example&q=secret#x'));
      expect(plateOfLink(link.hash)).toEqual(plate);
      expect(link.origin + link.pathname).toBe('https://food.example/under/');
      expect([...link.searchParams]).toEqual([['api', 'https://a.example']]);
    }),
  );
});

test('a damaged link is no plate', () => {
  const { hash } = new URL(plateLink([{ food: SOUP, grams: '100' }], 'https://food.example/'));
  expect(plateOfLink(hash)).toHaveLength(1);
  for (let cut = 1; cut < hash.length - 8; cut++) expect(plateOfLink(hash.slice(0, -cut))).toBeUndefined();
  expect(plateOfLink('#plate=W10')).toEqual([]);
  expect(plateOfLink('#else')).toBeUndefined();
});

test('stored portions that cannot be read are left out, the others are kept', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(readPlate([value])).toEqual([]);
    }),
  );
  const [good, bad] = [
    { food: SOUP, grams: '1' },
    { food: { ...SOUP, kcal: '1e5' }, grams: '1' },
  ];
  expect(readPlate([{ food: SOUP, grams: '-1' }, bad, good, { ...good, grams: '2' }])).toEqual([good]);
  expect(readPlate(good)).toBeUndefined();
});

test('CSV has every digit, an empty cell for an unknown figure, and a note on the total', () => {
  const text = plateCsv([
    { food: SOUP, grams: '33' },
    { food: { ...SOUP, description: 'Bread, "dark"', protein: '12.345' }, grams: '12.5' },
  ]);
  expect(parse(text)).toEqual([
    ['food', 'grams', 'kcal', 'protein_g', 'fat_g', 'carbohydrate_g', 'note'],
    ['Soup', '33', '0.033', '', '0.066', '2.31', ''],
    ['Bread, "dark"', '12.5', '0.0125', '1.543125', '0.025', '0.875', ''],
    ['Total', '', '0.0455', '1.543125', '0.091', '3.185', 'Protein without 1 of 2 foods'],
  ]);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

test('no description becomes a spreadsheet formula', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r']) {
    const [, row = []] = parse(plateCsv([{ food: { ...SOUP, description: `${start}1+cmd()` }, grams: '1' }]));
    expect(row[0]).toBe(`'${start}1+cmd()`);
  }
});

test('adding a food again adds exactly the grams', () => {
  const plate = [{ food: SOUP, grams: '0.1' }];
  expect(withFood(plate, { ...SOUP }, '100')).toEqual([{ food: SOUP, grams: '100.1' }]);
  expect(withFood(plate, { ...SOUP }, '99999.999')).toEqual([{ food: SOUP, grams: '100000' }]);
  expect(withFood(plate, { ...SOUP, kcal: '1' }, '100')).toHaveLength(2);
});

test('a link with an amount that nobody eats, or with a food twice, is no plate', () => {
  const linked = (plate: Plate) => plateOfLink(new URL(plateLink(plate, 'https://food.example/')).hash);
  const portion = { food: SOUP, grams: '100' };
  expect(linked([portion])).toEqual([portion]);
  expect(linked([{ ...portion, grams: '9'.repeat(40) }])).toBeUndefined();
  expect(linked([portion, portion])).toBeUndefined();
});

test.each([
  // As typed, in English, in German.
  ['12,5', '12.5', '12.5'],
  ['12.5', '12.5', '12.5'],
  ['1,234', '1234', '1.234'],
  ['1.234', '1.234', '1234'],
  ['1,234.5', '1234.5', '1234.5'],
  ['1.234,5', '1234.5', '1234.5'],
  ['1 234,5', '1234.5', '1234.5'],
  ['0,125', '0.125', '0.125'],
  ['0.125', '0.125', '0.125'],
  [',5', '0.5', '0.5'],
  [' 100 g ', '100', '100'],
  ['12,', '12', '12'],
  ['100000', '100000', '100000'],
  ['３０', '30', '30'],
  ['3/4', undefined, undefined],
  ['1e3', undefined, undefined],
  ['-5', undefined, undefined],
  ['100001', undefined, undefined],
  ['1,2,3', undefined, undefined],
  ['.', undefined, undefined],
  ['', undefined, undefined],
])('%j is read as %s grams in English and %s in German', (typed, english, german) => {
  expect(readAmount(typed, '.')).toBe(english);
  expect(readAmount(typed, ',')).toBe(german);
});
