/** Marks and the order of foods, compared with the matching rule of the service. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Food } from '../../client/foods/food.ts';
import { findFoods } from '../../client/search/find-foods.ts';
import { fold, matchedStretches } from '../../client/search/matched-text.ts';
import type { FoodEntry, MatchedWord } from '../../src/browser/search-foods.ts';
import { fold as serviceFold } from '../../src/fold.ts';
import { contains } from '../oracle.ts';

const marked = (description: string, ...texts: string[]) =>
  matchedStretches(description, { texts, isAnywhere: true })
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('');

describe('marking', () => {
  it.each([
    ['Egg, whole, raw', ['EGG'], '[Egg], whole, raw'],
    ['banana', ['an'], 'b[anan]a'],
    ['Egg, raw', ['raw', 'egg'], '[Egg], [raw]'],
    ['CRE\u0300ME', ['crème'], '[CR\u00c8ME]'],
    ['İstanbul kebab', ['kebab'], 'İstanbul [kebab]'],
    ['İstanbul', ['i'], '[İ]stanbul'],
    ['ΟΔΟΣ ΣΑΣ', ['δοσ σ'], 'Ο[ΔΟΣ Σ]ΑΣ'],
    ['50% fat (*)', ['%', '(*)'], '50[%] fat [(*)]'],
    ['Egg', ['zz'], 'Egg'],
  ])('%s for %j is %s', (description, texts, expected) =>
    expect(marked(description, ...texts)).toBe(expected),
  );

  test('of words is only at their beginnings', () => {
    const result = matchedStretches('Veggie burger, egg', { texts: ['egg', 'burg'], isAnywhere: false });
    expect(result.filter(({ isMatch }) => isMatch).map(({ start, text }) => `${start} ${text}`)).toEqual([
      '7 burg',
      '15 egg',
    ]);
  });

  test('folds and matches like the service, and loses no character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'A', 'İ', 'Σ', 'σ', 'e', '\u0300', 'ß', ' ', '😀') });
    fc.assert(
      fc.property(text, text, (description, sought) => {
        expect(fold(description)).toBe(serviceFold(description));
        const result = matchedStretches(description, { texts: [sought], isAnywhere: true });
        expect(result.map((stretch) => stretch.text).join('')).toBe(description.normalize('NFC'));
        if (sought !== '') {
          expect(result.some(({ isMatch }) => isMatch)).toBe(contains(description, sought));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the foods of a query', () => {
  const entry = (description: string): FoodEntry => ({
    carbohydrate_g: null,
    protein_g: null,
    fat_g: '0.00',
    kcal: 1,
    description,
  });
  const found = (text: string, descriptions: readonly string[], corrections: readonly MatchedWord[] = []) =>
    findFoods({ text, isExact: false }, async () => ({
      foods: descriptions.map(entry),
      corrections,
      tag: null,
    }));
  const names = ({ foods }: { readonly foods: readonly Food[] }) =>
    foods.map(({ description }) => description);

  test('start with those that begin with the text, up to the end of a word', async () => {
    const order = ['Mayonnaise, with olive oil', 'Olive oil', 'Oil, olive', 'Olive oily', 'OLIVE OIL, extra'];
    expect(names(await found('olive oil', order))).toEqual([
      'Olive oil',
      'OLIVE OIL, extra',
      'Mayonnaise, with olive oil',
      'Oil, olive',
      'Olive oily',
    ]);
  });

  test('come with the corrected text', async () => {
    const corrections = [{ typed: 'brocoli', searched: 'broccoli' }];
    expect(await found('Brocoli soup', ['Soup, broccoli'], corrections)).toMatchObject({
      corrected: 'broccoli soup',
      isPartial: false,
    });
    expect(await found('soup', ['Soup'])).toMatchObject({ corrected: undefined });
  });

  test('are distinguished by whether they have all words or only some', async () => {
    expect(await found('zzzz berries', ['Berry'])).toMatchObject({ isPartial: true });
    expect(await found('blue berries', ['Berry', 'Berry, blue'])).toMatchObject({ isPartial: false });
  });
});
