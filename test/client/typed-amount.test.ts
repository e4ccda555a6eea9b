/** Amounts as people type them before, after and without a food, and what they weigh. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { amountText as textOf } from '#amounts';
import { amountText, weightOf } from '../../client/foods/amount.ts';
import { readCount, readTyped, setWords, weighReading } from '../../client/foods/typed-amount.ts';
import { pairsOf } from '../support/cases.ts';

await setWords(readFileSync('data/amounts.txt', 'utf8'));

/** "2 slices: toast" of each food. */
const said = (text: string, mark?: '.' | ','): readonly string[] =>
  readTyped(text, mark).map(({ amount, food }) => `${amount ? textOf(amount) : ''}: ${food}`);

describe('an amount is read from', () => {
  it.each([
    ['1,234 g rice', '1234 g: rice', '1.234 g: rice'],
    ['1.234 g rice', '1.234 g: rice', '1234 g: rice'],
  ])('%j: %s in English, %s in German', (text, english, german) => {
    expect(said(text, '.')).toEqual([english]);
    expect(said(text, ',')).toEqual([german]);
  });

  // The service decides about "7 up", "5 spice powder" and "100 grand bar": the text as typed wins where foods have it.
  it.each([
    ...['7up', '7-up', '2% milk', '2 % milk', 'milk 2%', 'half and half', '1e3 g', 'g', 'egg'],
    ...['macaroni and cheese'],
  ])('nothing in %j', (text) => expect(readTyped(text)).toMatchObject([{ amount: undefined }]));
});

test('no text makes it throw, and what is no amount is said of a part of the text', () => {
  const part = fc.oneof(
    fc.constantFrom(...'2 ½ 1/2 12,5 1-2 g kg cup of a half and x ml % , ; dozen slices'.split(' ')),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(part).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('.', ',' as const), (typed, mark) => {
      for (const reading of readTyped(typed, mark)) {
        const { amount } = weighReading(reading, 'Egg', [{ portion: '1 large', grams: '50' }]);
        if (reading.amount === undefined) expect(amount.count).toBeNull();
        expect(reading.text.length).toBeLessThanOrEqual(typed.normalize('NFKC').length + 99);
      }
      readCount(typed, mark);
    }),
    { numRuns: 1000 },
  );
});

describe('a list', () => {
  it.each([
    ['2 eggs; 100 g rice\n\nmilk', ['2: eggs', '100 g: rice', ': milk']],
    ['- 2 eggs\r\n• milk, whole', ['2: eggs', ': milk']],
    [
      '2 eggs, a slice of toast with butter and a glass of milk',
      ['2: eggs', '1 slice: toast with butter', '1 glass: milk'],
    ],
    ['rice, 12,5 g butter, 2 eggs', [': rice', '12½ g: butter', '2: eggs']],
    ['100 g macaroni and cheese; 1 beer', ['100 g: macaroni and cheese', '1: beer']],
    ['2 eggs, whole, raw', ['2: eggs']],
    ['2 slices', ['2 slices: ']],
    ['½', ['½: ']],
    ['33cl cola', ['33 cl: cola']],
  ])('is read from %j', (text, expected) => expect(said(text)).toEqual(expected));
});

test.each(
  pairsOf(`
    12,5 → 12.5 12.5 | 12.5 → 12.5 12.5 | 1,234 → 1234 1.234 | 1.234 → 1.234 1234 | 1,234.5 → 1234.5 1234.5
    1.234,5 → 1234.5 1234.5 | 1 234,5 → 1234.5 1234.5 | 0,125 → 0.125 0.125 | 0.125 → 0.125 0.125
    ,5 → 0.5 0.5 | 12, → 12 12 | 100000 → 100000 100000 | 3/4 → 0.75 0.75`),
)('%j is read, in English and German, as %s', (typed, both) =>
  expect(`${readCount(typed, '.')} ${readCount(typed, ',')}`).toBe(both),
);

test.each(['1e3', '-5', '1 2', '1,2,3', '.', ''])('%j is no number, in English or German', (typed) =>
  expect([readCount(typed, '.'), readCount(typed, ',')]).toEqual([undefined, undefined]),
);

describe('it weighs', () => {
  const portions = (...given: [string, string][]) => given.map(([portion, grams]) => ({ portion, grams }));
  const EGG = portions(['1 large', '50'], ['1 extra large', '56']);
  const MILK = portions(['1 cup', '244'], ['1 tbsp', '15']);
  const COLA = portions(['1 fl oz', '30.7'], ['1 can, or bottle (12 fl oz)', '370']);
  const AVOCADO = portions(['1 cup, cubes', '150'], ['1 avocado', '201']);
  const BREAD = portions(['1 oz', '28.35'], ['1 slice, large', '30']);
  it.each([
    ['2', 'Egg, whole, raw', EGG, '2 large (100 g)', undefined],
    ['1 extra large', 'Egg, whole, raw', EGG, '1 extra large (56 g)', undefined],
    ['1/2', 'Avocado, raw', AVOCADO, '½ avocado (100.5 g)', undefined],
    ['1/3', 'Avocado, raw', AVOCADO, '⅓ avocado (67 g)', undefined],
    ['2 1/6', 'Avocado, raw', AVOCADO, '2 1/6 avocados (435.5 g)', undefined],
    ['0.1', 'Avocado, raw', AVOCADO, '0.1 avocado (20.1 g)', undefined],
    ['half a cup', 'Avocado, raw', AVOCADO, '½ cup, cubes (75 g)', undefined],
    ['a cup', 'Milk', MILK, '1 cup (244 g)', undefined],
    ['a glass of it', 'Milk', MILK, '1 glass (247.52 g)', undefined],
    ['330 ml', 'Cola', COLA, '330 ml (342.56 g)', undefined],
    ['2', 'Cola', COLA, '2 cans, or bottle (740 g)', undefined],
    ['1 bottle', 'Cola', COLA, '1 can, or bottle (370 g)', undefined],
    ['2', 'Bread', BREAD, '2 slices, large (60 g)', undefined],
    ['1 oz', 'Bread', BREAD, '28.35 g', undefined],
    ['0.25 kg', 'Rice', [], '250 g', undefined],
    ['330 ml', 'Soup', [], '', 'The weight of “ml” is not known.'],
    ['a cup', 'Rice', [], '', 'The weight of “cup” is not known.'],
    ['2', 'Milk', MILK, '', 'The weight of a piece is not known.'],
    ['2 slices', 'Milk', MILK, '', 'The weight of “slices” is not known.'],
    ['200 kg', 'Rice', [], '', 'That is more than 100 kg.'],
    ['2 x 400 g', 'Tomato', [], '800 g', undefined],
    ['a handful', 'Rice', [], '', 'The weight of “handful” is not known.'],
    ['3', 'Tomato', portions(['2 medium', '246']), '1½ × 2 medium (369 g)', undefined],
  ] as const)('%s of %s', (typed, name, known, expected, note) => {
    const [reading] = readTyped(typed);
    if (reading === undefined) throw new Error(`nothing in ${typed}`);
    const weighed = weighReading(reading, name, known);
    expect(amountText(weighed.amount)).toBe(expected);
    expect(weighed.note).toBe(note);
    expect(weightOf(weighed.amount)?.gt(0)).toBe(note === undefined ? true : undefined);
  });
});
