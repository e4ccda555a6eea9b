/** Amounts as people type them before, after and without a food, and what they weigh. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { amountText, weightOf } from '../../client/foods/amount.ts';
import { readList, readTyped } from '../../client/foods/typed-text.ts';
import { weigh } from '../../client/foods/weigh.ts';

/** "2 slice: toast" */
function said(text: string, mark: '.' | ',' = '.'): string {
  const { amount, food } = readTyped(text, mark);
  if (amount === undefined) return `: ${food}`;
  const { count, measure } = amount;
  return `${count}${measure === undefined ? '' : ` ${measure.name}`}: ${food}`;
}

describe('an amount is read from', () => {
  it.each([
    ['2 eggs', '2: eggs'],
    ['100 g rice', '100 g: rice'],
    ['100g rice', '100 g: rice'],
    ['100 grams of the rice', '100 g: rice'],
    ['½ avocado', '0.5: avocado'],
    ['1½ avocados', '1.5: avocados'],
    ['1/2 avocado', '0.5: avocado'],
    ['1 1/2 cups oats', '1.5 cup: oats'],
    ['2⁄3 cup oats', '0.666667 cup: oats'],
    ['half an avocado', '0.5: avocado'],
    ['a half avocado', '0.5: avocado'],
    ['half a cup of milk', '0.5 cup: milk'],
    ['quarter of a melon', '0.25: melon'],
    ['one and a half bananas', '1.5: bananas'],
    ['Two eggs', '2: eggs'],
    ['a dozen eggs', '12: eggs'],
    ['2 dozen oysters', '2: dozen oysters'],
    ['1-2 eggs', '1.5: eggs'],
    ['1 – 2 eggs', '1.5: eggs'],
    ['1 to 2 eggs', '1.5: eggs'],
    ['2x egg', '2: egg'],
    ['2 × egg', '2: egg'],
    ['33cl cola', '33 cl: cola'],
    ['1,5 l water', '1.5 l: water'],
    ['12,5 g butter', '12.5 g: butter'],
    ["1'000 g rice", '1000 g: rice'],
    ['1 oz. cheddar', '1 oz: cheddar'],
    ['8 fl. oz. milk', '8 fl oz: milk'],
    ['2 tbsps oil', '2 tbsp: oil'],
    ['3 tablespoons olive oil', '3 tbsp: olive oil'],
    ['2 rashers bacon', '2 slice: bacon'],
    ['3 leaves lettuce', '3 leaf: lettuce'],
    ['2 large eggs', '2 large: eggs'],
    ['1 extra large egg', '1 extra large: egg'],
    ['rice 100 g', '100 g: rice'],
    ['rice, brown, 0,5 kg', '0.5 kg: rice, brown'],
    ['３０ g rice', '30 g: rice'],
    ['2 slices', '2 slice: '],
    ['½', '0.5: '],
  ])('%j: %s', (text, expected) => expect(said(text)).toBe(expected));

  it.each([
    ['1,234 g rice', '1234 g: rice', '1.234 g: rice'],
    ['1.234 g rice', '1.234 g: rice', '1234 g: rice'],
  ])('%j: %s in English, %s in German', (text, english, german) => {
    expect(said(text)).toBe(english);
    expect(said(text, ',')).toBe(german);
  });

  // The service decides about "7 up", "5 spice powder" and "100 grand bar": the text as typed wins where foods have it.
  it.each([
    ...['7up', '7-up', '2% milk', '2 % milk', 'milk 2%', 'half and half', 'half & half', 'coffee 2'],
    ...['1e3 g', '1/0 egg', 'g', 'egg', ''],
  ])('nothing in %j', (text) => expect(said(text)).toBe(`: ${text}`));
});

test('no text makes it throw, and the rest of the text is never lost', () => {
  const part = fc.oneof(
    fc.constantFrom(...'2 ½ 1/2 12,5 1-2 g kg cup of a half and x ml % , dozen slices'.split(' ')),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(part).map((parts) => parts.join(' ')),
  );
  const letters = (value: string) => value.normalize('NFKC').replaceAll(/[\s,]+/g, '');
  fc.assert(
    fc.property(text, fc.constantFrom('.', ',' as const), (typed, mark) => {
      const { amount, food } = readTyped(typed, mark);
      const whole = letters(typed.replaceAll(/[¼-¾⅐-⅞]/g, ' $& '));
      const rest = letters(food);
      // What is not the food is a number and words of amounts, before or after it.
      expect(whole.startsWith(rest) || whole.endsWith(rest)).toBe(true);
      const [before, after] = [whole.slice(0, whole.length - rest.length), whole.slice(rest.length)];
      const read = whole.endsWith(rest) ? before : after;
      if (amount === undefined) expect(rest).toBe(whole);
      else {
        expect(Number(amount.count)).toBeGreaterThanOrEqual(0);
        expect(read).toMatch(
          /^(?:[\d.,'’/⁄x×–\u00a0-]|to|an?|the|of|and|half|quarter|dozen|one|two|three|four|five|six|seven|eight|nine|ten|fl\.?oz\.?|fluidounces?\.?|extralarge\.?|[\p{L}]+\.?)*$/iu,
        );
      }
      readList(typed, mark);
    }),
    { numRuns: 2000 },
  );
  expect(readTyped(`${'1 '.repeat(50_000)}g`, '.').food).not.toBe('');
});

describe('a list', () => {
  it.each([
    ['2 eggs\n100 g rice\n\nmilk', ['2 eggs', '100 g rice', 'milk']],
    ['- 2 eggs\r\n• milk, whole', ['2 eggs', 'milk, whole']],
    [
      '2 eggs, a slice of toast with butter and a glass of milk',
      ['2 eggs', 'a slice of toast with butter', 'a glass of milk'],
    ],
    ['rice, 12,5 g butter, 2 eggs', ['rice', '12,5 g butter', '2 eggs']],
    ['100 g macaroni and cheese; 1 beer', ['100 g macaroni and cheese', '1 beer']],
  ])('is read from %j', (text, lines) => expect(readList(text, '.')).toEqual(lines));

  it.each([
    ...['egg, whole, raw', '2 eggs, whole, raw', '1,234 g rice', '12,5 g butter', 'half and half'],
    ...['macaroni and cheese', '2 eggs'],
  ])('is not read from %j', (text) => expect(readList(text, '.')).toBeUndefined());
});

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
    ['1/2', 'Avocado, raw', AVOCADO, '0.5 avocado (100.5 g)', undefined],
    ['half a cup', 'Avocado, raw', AVOCADO, '0.5 cup, cubes (75 g)', undefined],
    ['a cup', 'Milk', MILK, '1 cup (244 g)', undefined],
    ['a glass', 'Milk', MILK, '1 glass (247.5 g)', undefined],
    ['330 ml', 'Cola', COLA, '330 ml (342.54 g)', undefined],
    ['2', 'Cola', COLA, '2 cans, or bottle (12 fl oz) (740 g)', undefined],
    ['1 bottle', 'Cola', COLA, '1 can, or bottle (12 fl oz) (370 g)', undefined],
    ['2', 'Bread', BREAD, '2 slices, large (60 g)', undefined],
    ['1 oz', 'Bread', BREAD, '28.35 g', undefined],
    ['0.25 kg', 'Rice', [], '250 g', undefined],
    ['330 ml', 'Soup', [], '330 ml (330 g)', 'as 1 g per ml'],
    ['a cup', 'Rice', [], '100 g', 'no weight known for a cup'],
    ['2', 'Milk', MILK, '100 g', 'no weight known for a piece'],
    ['2 slices', 'Milk', MILK, '100 g', 'no weight known for a slice'],
    ['200 kg', 'Rice', [], '100 g', 'more than 100 kg'],
    ['3', 'Tomato', portions(['2 medium', '246']), '1.5 × 2 medium (369 g)', undefined],
  ] as const)('%s of %s', (typed, name, known, expected, note) => {
    const { amount } = readTyped(typed, '.');
    if (amount === undefined) throw new Error(`no amount in ${typed}`);
    const weighed = weigh(amount, name, known);
    expect(amountText(weighed.amount)).toBe(expected);
    expect(weighed.note).toBe(note);
    expect(weightOf(weighed.amount)?.gt(0)).toBe(true);
  });
});
