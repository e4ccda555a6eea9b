/** The foods of a typed text, and the amount in it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { setWords } from '../../client/foods/typed-amount.ts';
import { findFoods, type Query } from '../../client/search/find-foods.ts';
import type { FoundFoods, MatchedWord } from '../../packages/browser/search-foods.ts';

await setWords(readFileSync('data/amounts.txt', 'utf8'));

const answer = (descriptions: readonly string[], matchedWords: readonly MatchedWord[] = []): FoundFoods => {
  const figures = { carbohydrate_g: null, protein_g: null, fat_g: '0.00', kcal: 1 };
  const foods = descriptions.map((description) => ({ ...figures, description }));
  return Object.assign(foods, { matchedWords });
};

/** No food has another name. */
const asking = (lookUp: (query: Query) => Promise<FoundFoods>) => ({ lookUp, namesOf: async () => [] });

/** What is found for a text: the foods of an exact search, or of a search by words. */
async function found(text: string, exact: readonly string[] = []) {
  const asked: string[] = [];
  const lines = await findFoods(
    { text, isExact: false },
    asking(async (query) => {
      asked.push(query.text);
      // A text as it stands is rarely the name of a food.
      const isName = /^(?:\d|three|half)/.test(query.text);
      return answer(isName ? exact : [`${query.text}, by words`, 'Another']);
    }),
  );
  return { asked, lines, foods: lines.map(({ foods }) => foods[0]?.description) };
}

describe('a text with an amount', () => {
  it.each([
    ['100 g rice', ['rice']],
    ['2 slices of toast', ['toast']],
    ['2% milk', ['2% milk']],
    ['2 eggs', ['2 eggs', 'eggs']],
    ['three beans', ['three beans']],
    ['½ avocado', ['avocado', '½ avocado']],
    ['1-2 eggs', ['1-2 eggs', 'eggs']],
    ['a banana', ['a banana', 'banana']],
    ['a=b', ['a=b', 'b']],
    ['half and half', ['half and half']],
  ])('%j searches for %j', async (text, expected) => {
    expect((await found(text)).asked.toSorted()).toEqual(expected);
  });

  it.each([
    ['7 up', '7 UP, regular'],
    ['5 spice powder', 'Spices, chinese 5 spice powder'],
    ['100 grand bar', 'Candies, 100 GRAND Bar'],
  ])('%j wins as typed where foods have it', async (text, food) => {
    const { foods, lines } = await found(text, [food]);
    expect(foods).toEqual([food]);
    expect(lines[0]?.reading?.amount).toBeUndefined();
  });

  test('is not won by a part of a longer word', async () => {
    const { foods, lines } = await found('2 egg', ['12 eggplants', '2 eggnogs']);
    expect(foods).toEqual(['egg, by words']);
    expect(lines[0]?.reading?.amount?.parts).toMatchObject([{ least: { above: 2 }, unit: { name: '' } }]);
  });
});

test.each([
  ['100 g str', ['Strawberries, raw']],
  ['100 g str\n1 egg', [undefined, 'Egg, raw']],
  ['100 g mantar', [undefined]],
])('in %j, only the last word may be unfinished', async (text, expected) => {
  const foods = new Map([
    ['str', answer(['Strawberries, raw'])],
    ['egg', answer(['Egg, raw'])],
    ['mantar', answer(['Mandarin, raw'], [{ typed: 'mantar', searched: 'mandarin' }])],
  ]);
  const source = asking(async (query) => foods.get(query.text) ?? answer([]));
  const lines = await findFoods({ text, isExact: false }, source);
  expect(lines.map((line) => line.foods[0]?.description)).toEqual(expected);
});

test('a list has the foods of each line', async () => {
  const { foods } = await found('2 eggs, a slice of toast and a glass of milk');
  expect(foods).toEqual(['eggs, by words', 'toast, by words', 'milk, by words']);
});

test('the foods have the order of the service, and the corrected text', async () => {
  const corrections = [{ typed: 'brocoli', searched: 'broccoli' }];
  const descriptions = ['Soup, broccoli', 'Broccoli soup'];
  const [line] = await findFoods(
    { text: 'Brocoli soup', isExact: false },
    asking(async () => answer(descriptions, corrections)),
  );
  expect(line).toMatchObject({ sought: 'broccoli soup', isCorrected: true });
  expect(line?.foods.map(({ description }) => description)).toEqual(descriptions);
});

test.each([
  ['a slice of toast with butter', ['toast', 'with'], ['toast', 'butter']],
  ['a slice of toast with 5 g butter', ['toast', 'with'], ['a slice of toast', '5 g butter']],
  ['a slice of toast with butter', [], ['a slice of toast with butter']],
  ['toast with butter', ['toast', 'with'], ['toast with butter']],
])('%j is read, if no food has %j, as %j', async (text, missingWords, expected) => {
  const lines = await findFoods(
    { text, isExact: false },
    asking(async (query) =>
      Object.assign(answer([`${query.text}, food`]), query.text.includes(' with ') ? { missingWords } : {}),
    ),
  );
  expect(lines.map((line) => line.text)).toEqual(expected);
});

describe('of a service that does not say other names', () => {
  const nameless = async (missingWords: readonly string[]) => {
    const foods = Object.assign(answer(['Arugula (roquette), raw']), { missingWords });
    const asked = { text: '30 g rocket salad', isExact: false };
    return (await findFoods(asked, { lookUp: async () => foods }))[0];
  };

  test('the answer says which words a food lacks', async () => {
    expect((await nameless([]))?.foods[0]?.description).toBe('Arugula (roquette), raw');
    expect(await nameless(['rocket'])).toMatchObject({ foods: [], missing: 'rocket' });
  });
});
