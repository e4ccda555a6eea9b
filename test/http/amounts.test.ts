/** `GET /amounts?q=LINE`: answers, headers, errors and limits. */
import { describe, expect, it, test } from 'vitest';
import type { FoodCatalog } from '#core';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { ask, catalogOf, food, ORIGIN, startService, targetOf } from '../support/service.ts';

const NONE = { carbohydrate_g: null, protein_g: null, fa_sat_g: null, fa_mono_g: null, fa_poly_g: null };

let catalog: FoodCatalog;
const service = serviceForAll(async () => {
  catalog = await catalogOf([
    food('Egg, whole, raw', {
      ...{ ...NONE, kcal: '143', protein_g: '12.56', fa_sat_g: '3.125' },
      portions: [{ portion: '1 large', grams: '50' }],
    }),
    food('Egg, whole, fried', { kcal: '196', portions: [{ portion: '1 large', grams: '46' }] }),
    food('Rice, white, cooked', { kcal: '130' }),
    food('Rice, white, raw', { ...NONE, kcal: '1.005' }),
    food('Vinegar, cider', { kcal: '21', portions: [{ portion: '1 tbsp', grams: '15' }] }),
    food('Soy sauce', { kcal: '53' }),
    food('Chili pepper, red, raw', { kcal: '40' }),
    food('Chili pepper, dried', { kcal: '324' }),
    food('Ginger, ground', { kcal: '335' }),
    food('Ginger root, raw', { kcal: '80', portions: [{ portion: '5 slices', grams: '11' }] }),
    food('Adzuki beans, cooked', { kcal: '128' }),
    food('Broad beans, raw', { kcal: '88' }),
    food('Toast', { kcal: '300', portions: [{ portion: '1 slice', grams: '30' }] }),
  ]);
  return startService(catalog, { allowedOrigin: ORIGIN });
});

const linesOf = (...lines: readonly string[]): string =>
  `/amounts?${new URLSearchParams(lines.map((line): [string, string] => ['q', line]))}`;

interface Answer {
  readonly foods: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, unknown>>;
}

const eggs = (count: number): string => linesOf(...Array<string>(count).fill('1 egg'));

const answerTo = async (...lines: readonly string[]): Promise<Answer> =>
  JSON.parse((await ask(service, linesOf(...lines))).body);

test('an answer has each food of each line, exact figures, and sums of what is known', async () => {
  const { foods, total } = await answerTo('2 eggs, beaten', '100 g rice\n1 handful of rice', 'nothing');
  const unknown = { grams: null, carbohydrate_g: null, protein_g: null, fat_g: null, kcal: null };
  expect(foods).toEqual([
    {
      ...{ text: '2 eggs, beaten', amount: '2', grams: 100, description: 'Egg, whole, raw' },
      ...{ carbohydrate_g: null, protein_g: '12.56', fat_g: '3.13', kcal: '143.00', missing: [] },
    },
    {
      ...{ text: '100 g rice', amount: '100 g', grams: 100, description: 'Rice, white, raw' },
      ...{ carbohydrate_g: null, protein_g: null, fat_g: '0.00', kcal: '1.01', missing: [] },
    },
    {
      ...{ text: '1 handful of rice', amount: '1 handful', ...unknown, description: 'Rice, white, raw' },
      missing: [],
      note: 'The weight of “handful” is not known.',
    },
    {
      ...{ text: 'nothing', amount: null, ...unknown, description: null },
      ...{ missing: ['nothing'], note: 'No food was found with “nothing”.' },
    },
  ]);
  // The exact sum is rounded once: 143 + 1.005.
  expect(total).toEqual({
    grams: 200,
    carbohydrate_g: '0.00',
    protein_g: '12.56',
    fat_g: '3.13',
    kcal: '144.01',
    unknown: 2,
  });
});

it.each([
  ['3 fried eggs', 'Egg, whole, fried: 138'],
  ['rice (cooked) 180 g', 'Rice, white, cooked: 180'],
  // Neither rice nor another vinegar.
  ['2 tbsp rice vinegar', 'null: null'],
  ['100 g rice sauce', 'null: 100'],
  ['10 g red chili peppers, dried', 'Chili pepper, dried: 10'],
  ['100 g adzuki beans', 'Adzuki beans, cooked: 100'],
  ['10 g Acme soy sauce', 'Soy sauce: 10'],
  ['10 slices ginger', 'Ginger root, raw: 22'],
  ['2 eggs and toast', 'Egg, whole, raw: 100; Toast: null'],
  ['2 eggs & 1 slice of toast', 'Egg, whole, raw: 100; Toast: 30'],
])('%s', async (line, expected) => {
  const { foods } = await answerTo(line);
  expect(foods.map(({ description, grams }) => `${description}: ${grams}`).join('; ')).toBe(expected);
});

describe('an error', () => {
  it.each([
    ['51 lines', eggs(51), /^At most 50 lines with 4096 bytes/],
    ['more than 4 kB', linesOf('ü'.repeat(2100)), /^At most 50 lines/],
  ])('is the answer to %s', async (_what, target, sentence) => {
    const { status, body } = await ask(service, target);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(sentence) });
  });
});

test('50 lines are answered', async () => {
  const { status, body } = await ask(service, eggs(50));
  expect(status).toBe(200);
  expect(JSON.parse(body).total).toMatchObject({ grams: 2500, unknown: 0 });
});

test('each line counts as a search of the client', async () => {
  const limited = await startForTest(catalog, { rateLimit: { requests: 10, seconds: 60 } });
  const statuses: number[] = [];
  for (const target of [linesOf('1 egg', '2 eggs'), eggs(20), targetOf('egg')])
    statuses.push((await ask(limited, target)).status);
  expect(statuses).toEqual([200, 200, 429]);
});
