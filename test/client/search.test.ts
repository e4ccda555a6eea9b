/** Marking and word search, by the matching rule of the service. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Food } from '../../client/foods/food.ts';
import { findFoods, wordsOf } from '../../client/search/find-foods.ts';
import { fold, matchedStretches } from '../../client/search/matched-text.ts';
import { fold as serviceFold } from '../../src/fold.ts';
import { contains } from '../oracle.ts';

const marked = (description: string, ...texts: string[]) =>
  matchedStretches(description, texts)
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

  test('folds and matches as the service does, and loses no character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'A', 'İ', 'Σ', 'σ', 'e', '\u0300', 'ß', ' ', '😀') });
    fc.assert(
      fc.property(text, text, (description, sought) => {
        expect(fold(description)).toBe(serviceFold(description));
        const result = matchedStretches(description, [sought]);
        expect(result.map((stretch) => stretch.text).join('')).toBe(description.normalize('NFC'));
        if (sought !== '') {
          expect(result.some(({ isMatch }) => isMatch)).toBe(contains(description, sought));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('word by word', () => {
  const food = (description: string): Food => ({
    description,
    kcal: '1',
    protein: null,
    fat: '0.00',
    carbohydrate: null,
  });
  const ALL = [
    'Veggie burger, strawberry',
    'Egg, whole, raw',
    'Egg white, raw',
    'Egg, boiled',
    'Milk, raw',
  ].map(food);
  const lookup = async (text: string) => ALL.filter(({ description }) => contains(description, text));

  test('finds the foods that contain all words, those with words that begin with them first', async () => {
    const found = await findFoods('raw EGG', lookup);
    expect(found.foods.map(({ description }) => description)).toEqual([
      'Egg, whole, raw',
      'Egg white, raw',
      'Veggie burger, strawberry',
    ]);
    expect(found).toMatchObject({ words: ['raw', 'EGG'], mayHaveMore: false });
  });

  test('sends one request if the text as typed has matches', async () => {
    const asked: string[] = [];
    const found = await findFoods('whole, raw', (text) => {
      asked.push(text);
      return lookup(text);
    });
    expect(asked).toEqual(['whole, raw']);
    expect(found).toMatchObject({ words: undefined, mayHaveMore: false });
  });

  test('says that there may be more if every word has more foods than an answer', async () => {
    const full = Array.from({ length: 100 }, (_, index) => food(`a b ${index}`));
    const found = await findFoods('b a', async (text) => (text === 'b a' ? [] : full));
    expect(found).toMatchObject({ mayHaveMore: true });
    expect(found.foods).toHaveLength(100);
  });

  test('does not send hundreds of requests for a pasted page', async () => {
    let asked = 0;
    await findFoods('a b c d e f g h i j', async () => {
      asked++;
      return [];
    });
    expect(asked).toBe(1);
  });

  test('takes each word once, without commas', () =>
    expect(wordsOf(' egg,, Raw\tEGG whole ')).toEqual(['egg', 'Raw', 'whole']));
});
