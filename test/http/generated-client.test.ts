/** A client generated from docs/openapi.json calls every operation. `npm run check` generates its types, and checks these calls. */
import createClient from 'openapi-fetch';
import { expect, test } from 'vitest';
import type { operations, paths } from '../../tmp/openapi.d.ts';
import { serviceForAll } from '../support/lifetime.ts';
import { catalogOf, food, ORIGIN, startService } from '../support/service.ts';

const egg = food('Egg, whole, raw', {
  codes: ['4006381333931'],
  portions: [{ portion: '1 large', grams: '50' }],
  names: ['Hen egg'],
  nutrients: [{ nutrient: 'Sodium', amount: '142', unit: 'mg' }],
});
const { description } = egg;
const entry = { carbohydrate_g: 1.5, protein_g: 2, fat_g: '0.60', kcal: 100, description };
const service = serviceForAll(async () => startService(await catalogOf([egg]), { allowedOrigin: ORIGIN }));
const client = () => createClient<paths>({ baseUrl: `http://127.0.0.1:${service.port}` });
const ofEgg = { params: { query: { description } } };
const ofEggs = { params: { query: { q: '2 large eggs' } } };
const byWords = { params: { query: { q: 'EGGS', match: 'words' } } } as const;
const byCode = { params: { query: { q: '4006381333931', match: 'barcode' } } } as const;

interface Answered {
  readonly data?: unknown;
  readonly response: Response;
}

/** A call of each operation, and what it is answered. The compiler misses an operation that is not here. */
const CALLS: { readonly [operation in keyof operations]: readonly [() => Promise<Answered>, unknown] } = {
  searchFoods: [() => client().GET('/api/food', byWords), [entry]],
  searchFoodsHead: [() => client().HEAD('/api/food', byCode), undefined],
  preflight: [() => client().OPTIONS('/api/food', { headers: { origin: ORIGIN } }), undefined],
  portions: [() => client().GET('/portions', ofEgg), [{ portion: '1 large', grams: 50 }]],
  portionsHead: [() => client().HEAD('/portions', ofEgg), undefined],
  names: [() => client().GET('/names', ofEgg), egg.names],
  namesHead: [() => client().HEAD('/names', ofEgg), undefined],
  amounts: [
    () => client().GET('/amounts', ofEggs),
    expect.objectContaining({ foods: [expect.objectContaining({ grams: 100, description })] }),
  ],
  amountsHead: [() => client().HEAD('/amounts', ofEggs), undefined],
  nutrients: [() => client().GET('/nutrients', ofEgg), egg.nutrients],
  nutrientsHead: [() => client().HEAD('/nutrients', ofEgg), undefined],
};

test.each(Object.entries(CALLS))('the generated client calls %s', async (_, [call, answer]) => {
  const { data, response } = await call();
  expect(response.status).toBe(200);
  expect(data).toEqual(answer);
});

test('the generated types refuse another match, and a search without a text', async () => {
  // @ts-expect-error
  const other = await client().GET('/api/food', { params: { query: { q: 'egg', match: 'exact' } } });
  expect(other.response.status).toBe(400);
  expect(other.error?.error).toMatch(/^The parameter `match` is "exact"/);
  // @ts-expect-error
  const { data } = await client().GET('/api/food', { params: { query: {} } });
  expect(data).toEqual({ error: 'Missing required parameter `q`' });
});
