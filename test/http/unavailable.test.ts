/** Catalogs that are unavailable for now, or whose data set is replaced during a search. */
import { afterEach, expect, test } from 'vitest';
import { DataSetReplaced, type FoodCatalog } from '../../src/catalog.ts';
import { Unavailable } from '../../src/errors.ts';
import { ask, type Service, startService, TEST_LABEL } from '../support/service.ts';

const ORIGIN = 'https://app.example';

let service: Service;
afterEach(() => service.close());

const dataSetOf = (identity: string) => ({ ...TEST_LABEL, foods: 1, leftOut: 0, identity });

async function serve(catalog: Omit<FoodCatalog, 'close'>): Promise<void> {
  service = await startService(Object.assign(catalog, { close: async () => {} }), { allowedOrigin: ORIGIN });
}

test.each([
  [
    'throws',
    () => {
      throw new Unavailable('Come back later.', 7);
    },
  ],
  ['rejects', () => Promise.reject(new Unavailable('Come back later.', 7))],
])(
  'a catalog that %s with Unavailable leads to a 503 whose reason a page on the allowed origin can read',
  async (_how, search) => {
    await serve({ dataSet: dataSetOf('a'), search });
    for (const coding of ['identity', 'br']) {
      const reply = await ask(service, '/api/food?q=egg', {
        headers: { origin: ORIGIN, 'accept-encoding': coding },
      });
      expect(reply).toMatchObject({ status: 503, body: '{"error":"Come back later."}' });
      expect(reply.headers).toMatchObject({
        'retry-after': '7',
        'access-control-allow-origin': ORIGIN,
        vary: 'Origin',
        'content-type': 'application/json; charset=utf-8',
      });
      expect(reply.headers.etag).toBeUndefined();
      expect(reply.headers['cache-control']).toBe('no-store');
    }
  },
);

test('an answer has the tag of its own data set, whenever that is replaced', async () => {
  let identity = 'old';
  await serve({
    get dataSet() {
      return dataSetOf(identity);
    },
    search: async () => {
      const own = identity;
      // Replaced right after the search has begun: this one still answers from the old data set.
      identity = 'new';
      return Buffer.from(JSON.stringify([own]));
    },
  });
  for (const expected of ['old', 'new', 'new', 'new']) {
    const { body, headers } = await ask(service, '/api/food?q=egg');
    expect(body).toBe(JSON.stringify([expected]));
    expect(headers.etag).toMatch(new RegExp(`^"${expected}-`));
  }
});

test('a search whose data set is gone is made again with the new one; one that never ends is refused', async () => {
  let identity = 'a';
  await serve({
    get dataSet() {
      return dataSetOf(identity);
    },
    search: async (text) => {
      const own = identity;
      if (text === 'never' || own.length < 4) {
        identity = `${own}a`;
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new DataSetReplaced('The data set was replaced.');
      }
      return Buffer.from(JSON.stringify([own]));
    },
  });
  const found = await ask(service, '/api/food?q=egg');
  expect(found).toMatchObject({ status: 200, body: '["aaaa"]' });
  expect(found.headers.etag).toMatch(/^"aaaa-/);
  expect((await ask(service, '/api/food?q=never')).status).toBe(503);
});

test('cached answers carry their age where the catalog does not know whether they are current', async () => {
  let age = 0;
  await serve({
    dataSet: dataSetOf('a'),
    search: async () => Buffer.from(`["${'x'.repeat(2000)}"]`),
    age: () => age,
  });
  const get = (headers = {}) => ask(service, '/api/food?q=egg', { headers });
  for (let i = 0; i < 3; i++) expect((await get()).headers.age).toBeUndefined();
  expect((await get({ 'accept-encoding': 'gzip' })).headers.age).toBeUndefined();
  const { etag = '' } = (await get()).headers;
  age = 42;
  for (const headers of [
    {},
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'br' },
    { 'if-none-match': etag },
  ]) {
    expect((await get(headers)).headers.age, JSON.stringify(headers)).toBe('42');
  }
});
