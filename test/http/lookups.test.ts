/** What the routes beside the search have in common: `/portions`, `/names`, `/nutrients`, `/amounts`. */
import { describe, expect, it, test } from 'vitest';
import type { FoodCatalog } from '#core';
import { namesOf, nutrientsOf, portions, weighFoods } from '../../packages/browser/search-foods.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { ask, catalogOf, food, ORIGIN, type Reply, startService, targetOf } from '../support/service.ts';

const EGG = 'Egg, whole, raw';
/** A description with special characters, which may be typed decomposed. */
const SPECIAL = '50% "Käse" & <b>\\?#+\n';
const PORTIONS = [
  { portion: '1 large', grams: '50' },
  { portion: '1 "Stück" <i>\n</i> 🧀', grams: '0.001' },
  { portion: '1 tbsp', grams: '8.5' },
];
const NAMES = ['Hühnerei', 'Ei'];
/** In no order but their own, digit for digit. */
const NUTRIENTS = [
  { nutrient: 'Sodium', amount: '142', unit: 'mg' },
  { nutrient: 'Fibre', amount: '0.00', unit: 'g' },
  { nutrient: '__proto__', amount: '12345678901234567890.5', unit: '"µg"' },
  { nutrient: 'Vitamin C', amount: '0.0214', unit: 'g' },
];
const EGGS = (names: string[]) => [
  ...[EGG, SPECIAL].map((each) => food(each, { portions: PORTIONS, nutrients: NUTRIENTS, names })),
  food('Salt'),
  // The first food of a name knows no nutrients; those of the second would be those of another food.
  ...[{ popularity: 2 }, { nutrients: NUTRIENTS }].map((more) => food('Milk', more)),
];

let catalog: FoodCatalog;
const service = serviceForAll(async () => {
  catalog = await catalogOf(EGGS(NAMES));
  return startService(catalog, { allowedOrigin: ORIGIN });
});

const PORTIONS_JSON =
  '[{"portion":"1 large","grams":50},{"portion":"1 \\"Stück\\" <i>\\n</i> 🧀","grams":0.001},{"portion":"1 tbsp","grams":8.5}]';
/** By name: the parameter, a text, the answer, and the typed client. */
const LOOKUPS = [
  ['portions', 'description', EGG, PORTIONS_JSON, portions],
  ['names', 'description', EGG, JSON.stringify(NAMES), namesOf],
  ['nutrients', 'description', EGG, JSON.stringify(NUTRIENTS), nutrientsOf],
  ['amounts', 'q', '2 eggs', expect.stringContaining('"grams":100'), weighFoods],
] as const;

const corsHeadersOf = ({ headers }: Reply): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'));

describe.each(LOOKUPS)('/%s', (name, parameter, text, expected, fromClient) => {
  const targetFor = (value: string): string => `/${name}?${new URLSearchParams({ [parameter]: value })}`;
  const target = targetFor(text);

  test('an answer may be stored like that of a search, and depends on no origin', async () => {
    const { status, headers, body } = await ask(service, target, { headers: { origin: ORIGIN } });
    expect([status, body]).toEqual([200, expected]);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    expect(headers.etag).toMatch(RegExp(`^"${catalog.dataSet.identity}-[a-z0-9]+-${name}(?:-[a-z0-9]+)+"$`));
    const again = await ask(service, target, { headers: { 'if-none-match': String(headers.etag) } });
    expect(again).toMatchObject({ status: 304, body: '' });
  });

  test('the tag differs for another text, another data set, and another question about the same text', async () => {
    const other = await startForTest(await catalogOf(EGGS(['Oeuf'])));
    const replies = [
      ...[target, targetFor('Salt'), targetOf(text)].map((each) => ask(service, each)),
      ...LOOKUPS.filter(([each]) => each !== name).map(([each, as]) =>
        ask(service, `/${each}?${new URLSearchParams({ [as]: text })}`),
      ),
      ask(other, target),
    ];
    const tags = (await Promise.all(replies)).map(({ headers }) => headers.etag);
    expect(new Set(tags).size).toBe(7);
  });

  it.each(['', '?', `?${parameter}`, `?${parameter}=`, '?x=egg'])('“%s” is an error', async (query) => {
    const { status, headers, body } = await ask(service, `/${name}${query}`);
    expect([status, body]).toEqual([400, `{"error":"Missing required parameter \`${parameter}\`"}`]);
    const asJson = { 'content-type': 'application/json; charset=utf-8' };
    expect(headers).toMatchObject({ ...asJson, 'cache-control': 'no-store' });
    expect(headers.etag).toBeUndefined();
  });

  test('no response has a cross-origin header, and other origins may not embed it, unless CORS_ROUTES names it', async () => {
    const open = await startForTest(catalog, { allowedOrigin: '*' });
    for (const [asked, method, status] of [
      [target, 'GET', 200],
      [target, 'HEAD', 200],
      [target, 'OPTIONS', 405],
      [target, 'POST', 405],
      [`/${name}`, 'GET', 400],
      [targetFor('x'.repeat(17_000)), 'GET', 414],
    ] as const)
      for (const of of [service, open]) {
        const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' };
        const reply = await ask(of, asked, { method, headers });
        expect(reply.status).toBe(status);
        expect(corsHeadersOf(reply), `${method} ${asked.slice(0, 40)}`).toEqual([]);
        expect(reply.headers['cross-origin-resource-policy']).toBe('same-origin');
      }
    const named = await startForTest(catalog, { allowedOrigin: ORIGIN, corsRoutes: `search,${name}` });
    const { headers } = await ask(named, target, { headers: { origin: ORIGIN } });
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    const [other = ''] = LOOKUPS.map(([each]) => each).filter((each) => each !== name);
    const reply = await ask(named, `/${other}?description=x&q=x`, { headers: { origin: ORIGIN } });
    expect(corsHeadersOf(reply)).toEqual([]);
  });

  test('requests count as searches of the client', async () => {
    const rateLimit = { requests: 3, seconds: 60 };
    const limited = await startForTest(catalog, { allowedOrigin: ORIGIN, rateLimit });
    const replies: Reply[] = [];
    for (const each of [target, targetOf('egg'), `/${name}`, target, targetOf('egg')])
      replies.push(await ask(limited, each));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 429, 429]);
    expect(replies[3]?.headers.ratelimit).toMatch(/^"search";r=0;t=(60|59)$/);
    expect(corsHeadersOf(replies[3] as Reply)).toEqual([]);
  });

  test('metrics count its answers, searches and statuses apart from those of others', async () => {
    const own = await startForTest(catalog);
    const targets = [target, target, target, targetFor('zzz'), `/${name}`, `${targetOf('egg')}&match=words`];
    for (const each of targets) await ask(own, each);
    const { body } = await ask(own, '/metrics');
    for (const line of [
      `answers_total{match="${name}"} 4`,
      'answers_total{match="words"} 1',
      'answers_total{match="text"} 0',
      `${name}_lookup_duration_seconds_count 3`,
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

  test('the typed client returns the answer, and refuses anything else', async () => {
    const { body } = await ask(service, target);
    expect(await fromClient(new URL(service.url), text)).toEqual(JSON.parse(body));
    if (parameter === 'description') expect(await fromClient(`${service.url}/`, '\ud800 & "')).toEqual([]);
    const other = await startForTest({ lookUp: () => Buffer.from('[{"portion":"1 cup","grams":"5"}]') });
    if (name !== 'amounts')
      await expect(fromClient(other.url, text)).rejects.toMatchObject({
        kind: 'answered-with-error',
        status: 200,
        message: expect.stringMatching(/^The response \(status 200\) is not from a service with /),
      });
  });
});

describe.each(LOOKUPS.slice(0, 3))('/%s', (name, _parameter, _text, expected) => {
  const of = (description: string): string => `/${name}?${new URLSearchParams({ description })}`;

  it.each([
    ['a food without any', 'Salt'],
    ['a food that has none, unlike the next of its name', 'Milk'],
    ['a part of a description', 'Egg'],
    ['white space around it', ` ${EGG}`],
    ['another case', 'egg, whole, raw'],
    ['no food', 'zzz'],
    ['a name of every object', '__proto__'],
    ['a long text', 'x'.repeat(15_000)],
  ])('of %s is an empty list', async (_what, description) => {
    expect(await ask(service, of(description))).toMatchObject({ status: 200, body: '[]' });
  });

  test('is for the first description, whatever the other parameters', async () => {
    for (const each of [
      `${of(EGG)}&description=Salt`,
      `/${name}?q=Salt&description=Egg%2C+whole%2C%20raw&match=exact`,
      of(EGG).replace(name[0] ?? '', encodeFirst),
      ...['NFC', 'NFD'].map((form) => of(SPECIAL.normalize(form))),
    ])
      expect((await ask(service, each)).body, each).toBe(expected);
  });
});

const encodeFirst = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;
