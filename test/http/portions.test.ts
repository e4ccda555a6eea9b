/** `GET /portions?description=TEXT`: answers, headers, errors and limits. */
import { describe, expect, it, test } from 'vitest';
import type { FoodCatalog, Portion } from '#core';
import { portions as portionsFrom } from '../../packages/browser/search-foods.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { ask, catalogOf, food, ORIGIN, type Reply, startService, targetOf } from '../support/service.ts';

const EGG: readonly Portion[] = [
  { portion: '1 large', grams: '50' },
  { portion: '1 cup, chopped', grams: '136' },
  { portion: '1 tbsp', grams: '8.5' },
];

let catalog: FoodCatalog;
const service = serviceForAll(async () => {
  catalog = await catalogOf([
    food('Egg, whole, raw', { portions: EGG }),
    food('Salt'),
    food('50% "Käse" & <b>\\?#+\n', { portions: [{ portion: '1 "Stück" <i>\n</i> 🧀', grams: '0.001' }] }),
  ]);
  return startService(catalog, { allowedOrigin: ORIGIN });
});

const portionsOf = (description: string): string => `/portions?${new URLSearchParams({ description })}`;
const EGG_TARGET = portionsOf('Egg, whole, raw');
const EGG_BODY =
  '[{"portion":"1 large","grams":50},{"portion":"1 cup, chopped","grams":136},{"portion":"1 tbsp","grams":8.5}]';

function expectError({ status, headers, body }: Reply, expected: number, sentence: string | RegExp): void {
  expect(status).toBe(expected);
  expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(sentence) });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers.etag).toBeUndefined();
}

const corsHeadersOf = ({ headers }: Reply): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'));

describe('an answer', () => {
  test('has the portions of exactly this description, in their order', async () => {
    const { status, headers, body } = await ask(service, EGG_TARGET);
    expect(status).toBe(200);
    expect(body).toBe(EGG_BODY);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['a food without portions', 'Salt'],
    ['a part of a description', 'Egg'],
    ['white space around it', ' Egg, whole, raw'],
    ['no food', 'zzz'],
    ['a long text', 'x'.repeat(15_000)],
  ])('to %s is empty', async (_what, description) => {
    expect(await ask(service, portionsOf(description))).toMatchObject({ status: 200, body: '[]' });
  });

  test('may have special characters in description and portions', async () => {
    const { body } = await ask(service, portionsOf('50% "Käse" & <b>\\?#+\n'));
    expect(JSON.parse(body)).toEqual([{ portion: '1 "Stück" <i>\n</i> 🧀', grams: 0.001 }]);
    expect((await ask(service, portionsOf('50% "Ka\u0308se" & <b>\\?#+\n'))).body).toBe(body);
  });

  test('is for the first description, whatever the other parameters', async () => {
    for (const target of [
      `${EGG_TARGET}&description=Salt`,
      `/portions?q=Salt&description=Egg%2C+whole%2C%20raw&match=exact`,
      EGG_TARGET.replace('portions', '%70ortions'),
    ])
      expect((await ask(service, target)).body, target).toBe(EGG_BODY);
  });
});

describe('caching', () => {
  test('an answer may be stored like that of a search, and depends on no origin', async () => {
    const { headers } = await ask(service, EGG_TARGET, { headers: { origin: ORIGIN } });
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers.etag).toMatch(/^"[a-z0-9]+-[a-z0-9]+-portions-[a-z0-9]+"$/);
    expect(headers.etag?.startsWith(`"${catalog.dataSet.identity}-`)).toBe(true);
  });

  test('the tag differs for another description, another data set, and a search for the same text', async () => {
    const other = await startForTest(await catalogOf([food('Egg, whole, raw', { portions: EGG.slice(1) })]));
    const replies = [
      await ask(service, EGG_TARGET),
      await ask(service, portionsOf('Salt')),
      await ask(service, targetOf('Egg, whole, raw')),
      await ask(other, EGG_TARGET),
    ];
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(4);
  });
});

it.each(['/portions', '/portions?', '/portions?description', '/portions?description=', '/portions?q=egg'])(
  'an error is the answer to %s',
  async (target) => expectError(await ask(service, target), 400, 'Missing required parameter `description`'),
);

test('no response has a cross-origin header, and other origins may not embed it', async () => {
  const open = await startForTest(catalog, { allowedOrigin: '*' });
  for (const of of [service, open]) {
    for (const [target, method, status] of [
      [EGG_TARGET, 'GET', 200],
      [EGG_TARGET, 'HEAD', 200],
      [EGG_TARGET, 'OPTIONS', 405],
      [EGG_TARGET, 'POST', 405],
      ['/portions', 'GET', 400],
      [portionsOf('x'.repeat(17_000)), 'GET', 414],
    ] as const) {
      const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' };
      const reply = await ask(of, target, { method, headers });
      expect(reply.status).toBe(status);
      expect(corsHeadersOf(reply), `${method} ${target.slice(0, 40)}`).toEqual([]);
      expect(reply.headers['cross-origin-resource-policy']).toBe('same-origin');
    }
  }
});

test('requests for portions count as searches of the client', async () => {
  const limited = await startForTest(catalog, {
    allowedOrigin: ORIGIN,
    rateLimit: { requests: 3, seconds: 60 },
  });
  expect((await ask(limited, EGG_TARGET)).headers['ratelimit-policy']).toBe('"search";q=3;w=60');
  expect((await ask(limited, targetOf('egg'))).status).toBe(200);
  expect((await ask(limited, '/portions')).status).toBe(400);
  const refused = await ask(limited, EGG_TARGET);
  expectError(refused, 429, /^Too many searches: 3 in 60 s are allowed/);
  expect(refused.headers['retry-after']).toMatch(/^(60|59)$/);
  expect(refused.headers.ratelimit).toMatch(/^"search";r=0;t=(60|59)$/);
  expect(corsHeadersOf(refused)).toEqual([]);
  expect((await ask(limited, targetOf('egg'))).status).toBe(429);
});

describe('the typed client', () => {
  test('returns the portions, or an empty list', async () => {
    expect(await portionsFrom(`${service.url}/`, 'Egg, whole, raw')).toEqual(JSON.parse(EGG_BODY));
    expect(await portionsFrom(new URL(service.url), 'Salt')).toEqual([]);
    expect(await portionsFrom(service.url, '\ud800 & "')).toEqual([]);
  });

  test('refuses what is no list of portions', async () => {
    const lookUp = () => Buffer.from('[{"portion":"1 cup","grams":"5"}]');
    const other = await startForTest({ lookUp });
    await expect(portionsFrom(other.url, 'Salt')).rejects.toMatchObject({
      kind: 'answered-with-error',
      status: 200,
      message: 'The response (status 200) is not from a service with portions.',
    });
  });
});

test('metrics count answers, searches and statuses separately for each kind', async () => {
  const own = await startForTest(catalog);
  const targets = [EGG_TARGET, EGG_TARGET, EGG_TARGET, portionsOf('zzz'), '/portions'];
  for (const target of [...targets, `${targetOf('egg')}&match=words`]) await ask(own, target);
  const { body } = await ask(own, '/metrics');
  for (const line of [
    'answers_total{match="portions"} 4',
    'answers_total{match="words"} 1',
    'answers_total{match="text"} 0',
    'portions_lookup_duration_seconds_count 3',
    'words_search_duration_seconds_count 1',
    'search_duration_seconds_count 0',
    'answer_cache_hits_total 1',
    'other_requests_total{status="200"} 4',
    'other_requests_total{status="400"} 1',
    'request_duration_seconds_count 1',
    'requests_waiting 0',
  ])
    expect(body).toContain(`\nfood_lookup_${line}\n`);
});
