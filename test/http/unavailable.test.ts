/** Catalogs that are temporarily unavailable, or whose data set is replaced during a search. */
import { expect, test } from 'vitest';
import { Unavailable } from '#core';
import { startForTest } from '../support/lifetime.ts';
import { ask, type MadeUpCatalog, ORIGIN, TEST_LABEL } from '../support/service.ts';

const dataSetOf = (identity: string) => ({ ...TEST_LABEL, foods: 1, leftOut: 0, identity });

const serve = (catalog: MadeUpCatalog) => startForTest(catalog, { allowedOrigin: ORIGIN });

test.each(['throws', 'rejects with'])(
  'if a catalog %s Unavailable, the answer is a 503 whose reason a page on the allowed origin can read',
  async (how) => {
    const error = new Unavailable('Come back later.');
    const service = await serve({
      search: () => {
        if (how === 'throws') throw error;
        return Promise.reject(error);
      },
    });
    for (const coding of ['identity', 'br']) {
      const headers = { origin: ORIGIN, 'accept-encoding': coding };
      const reply = await ask(service, '/api/food?q=egg', { headers });
      expect(reply).toMatchObject({ status: 503, body: '{"error":"Come back later."}' });
      expect(reply.headers).toMatchObject({
        'retry-after': '1',
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers': expect.stringContaining('Retry-After'),
        vary: 'Origin',
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(reply.headers.etag).toBeUndefined();
    }
  },
);

test.each(['before', 'after'])(
  'an answer has its own tag if the data set is replaced %s a search',
  async (when) => {
    let identity = 'old';
    const service = await serve({
      get dataSet() {
        return dataSetOf(identity);
      },
      search: async () => {
        if (when === 'before') identity = 'new';
        await new Promise((resolve) => setImmediate(resolve));
        const own = identity;
        identity = 'new';
        return { body: Buffer.from(JSON.stringify([own])), identity: own };
      },
    });
    for (const expected of [when === 'before' ? 'new' : 'old', 'new', 'new', 'new']) {
      const { body, headers } = await ask(service, '/api/food?q=egg');
      expect(body).toBe(JSON.stringify([expected]));
      expect(headers.etag).toMatch(new RegExp(`^"${expected}-`));
    }
  },
);

test('answers are cached again after the data set was replaced', async () => {
  let identity = 'old';
  let searches = 0;
  const service = await serve({
    get dataSet() {
      return dataSetOf(identity);
    },
    search: async () => ({ body: Buffer.from(`[${++searches}]`), identity }),
  });
  const askOften = async () => {
    for (let i = 0; i < 3; i++) await ask(service, '/api/food?q=egg');
    return (await ask(service, '/api/food?q=egg')).body;
  };
  expect(await askOften()).toBe('[2]');
  identity = 'new';
  expect(await askOften()).toBe('[3]');
});

test('cached answers have their age if the catalog does not know whether they are current', async () => {
  let age = 0;
  const service = await serve({
    dataSet: dataSetOf('a'),
    search: async () => ({ body: Buffer.from(`["${'x'.repeat(2000)}"]`), identity: 'a' }),
    age: () => age,
  });
  const get = (headers = {}) => ask(service, '/api/food?q=egg', { headers });
  for (let i = 0; i < 3; i++) expect((await get()).headers.age).toBeUndefined();
  expect((await get({ 'accept-encoding': 'gzip' })).headers.age).toBeUndefined();
  const { etag = '' } = (await get()).headers;
  age = 1;
  const codings = ['identity', 'gzip', 'br'].map((coding) => ({ 'accept-encoding': coding }));
  for (const headers of [{}, ...codings, { 'if-none-match': etag }])
    expect((await get(headers)).headers.age, JSON.stringify(headers)).toBe('1');
});
