/** `match=words` over HTTP: answers, headers, tags, caches and errors. */
import { describe, expect, it, test } from 'vitest';
import type { Replacement } from '#core';
import { OtherNameTable } from '#engine';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { ask, catalogOf, food, ORIGIN, type Reply, startService, targetOf } from '../support/service.ts';

const NAMES = new OtherNameTable([{ name: 'aubergine', other: 'eggplant' }]);
const FOODS =
  'Mayonnaise, with olive oil|Oil, olive, salad or cooking|Broccoli, raw|Eggplant, raw|Crème brûlée, with eggs|Broccoli, cooked';

const catalog = await catalogOf(FOODS.split('|').map((description) => food(description)));
const service = serviceForAll(() => startService(catalog, { allowedOrigin: ORIGIN }, NAMES));

const words = (q: string) => `/api/food?q=${encodeURIComponent(q)}&match=words`;
const fromPage = (target: string, headers = {}): Promise<Reply> =>
  ask(service, target, { headers: { origin: ORIGIN, ...headers } });
const descriptions = ({ body }: Reply): string[] =>
  (JSON.parse(body) as { description: string }[]).map(({ description }) => description);

/** The headers of an answer for which these words were replaced, and these are missing. */
async function headersFor(
  replaced: readonly Replacement[],
  missing: readonly string[] = [],
): Promise<Reply['headers']> {
  const body = Buffer.from('[]');
  const searchWords = () => ({ body, readings: [], replaced, missing });
  const replacing = await startForTest({ search: () => body, searchWords }, { allowedOrigin: ORIGIN });
  return (await ask(replacing, words('anything'), { headers: { origin: ORIGIN } })).headers;
}

describe('a search by words', () => {
  it.each([
    ['brocoli raw', 'brocoli=broccoli'],
    ['aubergines raw', 'aubergines=eggplant'],
    ['crmee brulee', 'crmee=cr%C3%A8me'],
  ])('says what it searched for instead of %s', async (text, matched) => {
    const reply = await fromPage(words(text));
    expect(reply.headers['matched-words']).toBe(matched);
    expect(reply.headers['access-control-expose-headers']).toBe('Matched-Words');
    const elsewhere = await ask(service, words(text), { headers: { origin: 'https://other.example' } });
    expect(elsewhere.headers['matched-words']).toBe(matched);
    expect(elsewhere.headers).not.toHaveProperty('access-control-expose-headers');
    const head = await ask(service, words(text), { method: 'HEAD' });
    expect([head.body, head.headers['matched-words']]).toEqual(['', matched]);
  });

  it.each([
    ['nothing if it searched for the words as typed', 'raw broccoli', undefined],
    ['which words its first food lacks', 'raw xyzzy broccoli', 'xyzzy'],
  ])('says %s', async (_what, text, missing) => {
    const { headers } = await fromPage(words(text));
    expect(headers['matched-words']).toBeUndefined();
    expect(headers['missing-words']).toBe(missing);
    expect(headers['access-control-expose-headers']).toBe(missing && 'Missing-Words');
  });

  it.each([
    ['fits', 12, 12],
    ['is longer than 2 kB', 32, 14],
  ])('names the first words of a list that %s, whole', async (_how, number, named) => {
    const typed = Array.from({ length: number }, (_, i) => `é${i}`.padEnd(60, 'a'));
    const replaced = typed.map((each) => ({ typed: each, searched: 'b'.repeat(70) }));
    const header = String((await headersFor(replaced))['matched-words']);
    expect(header.length).toBeLessThanOrEqual(2048);
    const pairs = header.split(', ').map((pair) => pair.split('=').map(decodeURIComponent));
    expect(pairs).toEqual(replaced.slice(0, named).map(({ typed, searched }) => [typed, searched]));
  });

  it('names no word if the first one is too long to be named', async () => {
    const headers = await headersFor([{ typed: 'a'.repeat(3000), searched: 'b' }], ['c'.repeat(600)]);
    expect(headers).not.toHaveProperty('matched-words');
    expect(headers).not.toHaveProperty('missing-words');
    expect(headers).not.toHaveProperty('access-control-expose-headers');
  });

  it.each([
    [[], ['saffron', 'crème, 50%'], 'saffron, cr%C3%A8me%2C%2050%25', 'Missing-Words'],
    [[{ typed: 'brocoli', searched: 'broccoli' }], ['saffron'], 'saffron', 'Matched-Words, Missing-Words'],
    [[], Array(100).fill('twelve words'), Array(32).fill('twelve%20words').join(', '), 'Missing-Words'],
    [[], [], undefined, undefined],
  ])('names the words that the first food lacks: %#', async (replaced, missing, header, exposed) => {
    const headers = await headersFor(replaced, missing);
    expect(headers['missing-words']).toBe(header);
    expect(headers['access-control-expose-headers']).toBe(exposed);
  });

  it('does not cut a word inside a character', async () => {
    // UTF-8 has no half of one, only the replacement character instead of it.
    const broken = await startForTest(await catalogOf(['ab\ufffd', '\ufffdxyz'].map((each) => food(each))));
    const { status, headers } = await ask(broken, words('ab🥚xyz'));
    expect([status, headers['matched-words']]).toEqual([200, undefined]);
    const whole = await startForTest(await catalogOf(['ab🥚', 'xyz'].map((each) => food(each))));
    const apart = (await ask(whole, words('ab🥚xyz'))).headers['matched-words'];
    expect(apart).toBe('ab%F0%9F%A5%9Axyz=ab%F0%9F%A5%9A%20xyz');
  });

  it('finds no food without a word, and answers the usual error without a text', async () => {
    expect((await fromPage(words(','))).body).toBe('[]');
    const body = '{"error":"Missing required parameter `q`"}';
    for (const target of ['/api/food?match=words', '/api/food?q=&match=words', '/api/food?q=&match=x'])
      expect(await fromPage(target)).toMatchObject({ status: 200, body });
  });

  it.each(['', 'word', 'WORDS', 'text', '"', '%00'])('refuses the match “%s”', async (match) => {
    const reply = await fromPage(`/api/food?q=egg&match=${match}`);
    expect(reply.status).toBe(400);
    const error = expect.stringMatching(/^The parameter `match` is .*words/);
    expect(JSON.parse(reply.body)).toEqual({ error });
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'cache-control': 'no-store',
      vary: expect.stringContaining('Origin'),
    });
  });

  it('uses the first match parameter, as with q', async () => {
    expect((await fromPage('/api/food?q=egg&match=words&match=x')).status).toBe(200);
    expect((await fromPage('/api/food?match=x&q=egg&match=words')).status).toBe(400);
    expect((await fromPage('/api/food?match=words&q=oil+olive&q=x')).body).toContain('Oil, olive');
  });
});

describe('the tag of a search by words', () => {
  it('is not that of the plain search, and gets a 304', async () => {
    const plain = await fromPage('/api/food?q=broccoli');
    const { headers } = await fromPage(words('broccoli'));
    expect(headers.etag).not.toBe(plain.headers.etag);
    expect((await fromPage(words('broccoli'), { 'if-none-match': headers.etag })).status).toBe(304);
    expect((await fromPage(words('broccoli'), { 'if-none-match': plain.headers.etag })).status).toBe(200);
    expect((await fromPage('/api/food?q=broccoli', { 'if-none-match': headers.etag })).status).toBe(200);
  });

  it('changes with the other names', async () => {
    const other = new OtherNameTable([{ name: 'aubergine', other: 'broccoli' }]);
    const renamed = await startForTest(catalog, {}, other);
    const [a, b] = await Promise.all([ask(service, words('raw')), ask(renamed, words('raw'))]);
    expect(a.headers.etag).not.toBe(b.headers.etag);
    expect(a.body).toBe(b.body);
  });
});

test('cached and compressed answers are the same, with the same headers', async () => {
  const many = await catalogOf(Array.from({ length: 100 }, (_, i) => food(`Broccoli, raw, number ${i}`)));
  const cached = await startForTest(many, { allowedOrigin: ORIGIN });
  const headers = { origin: ORIGIN };
  const first = await ask(cached, words('brocoli raw'), { headers });
  for (let i = 0; i < 3; i++) {
    const again = await ask(cached, words('brocoli raw'), { headers });
    expect({ ...again.headers, date: '' }).toEqual({ ...first.headers, date: '' });
    expect(again.body).toBe(first.body);
    const coded = await fetch(`${cached.url}${words('brocoli raw')}`, { headers });
    expect(await coded.text()).toBe(first.body);
    expect(coded.headers.get('matched-words')).toBe('brocoli=broccoli');
  }
});

describe('foods with other names', () => {
  const MILK = 'Milk, low fat';
  const named = serviceForAll(async () =>
    startService(
      await catalogOf([
        food(MILK, { names: ['1% milk', 'Lowfat milk'] }),
        food('Arugula, raw', { names: ['Rocket', 'rucola', 'Rauke "wild"'] }),
        food('Rocket, raw'),
        food('Rucolino', { names: ['番茄'] }),
        food('Milk chocolate'),
      ]),
    ),
  );

  it.each([
    ['a whole name of several words', '1% milk', MILK],
    ['it in any order', 'milk 1%', MILK],
    ['it in the plural', 'lowfat milks', MILK],
    ['a whole name before a description that has more words', 'rocket', 'Arugula, raw'],
    ['a name in another script', '番茄', 'Rucolino'],
    ['the beginning of a description before that of a name', 'ruco', 'Rucolino'],
    ['the beginning of a name', 'rock', 'Rocket, raw'],
    ['a word of a name, misspelt', 'rukola', 'Arugula, raw'],
    ['a word of a description before that of a name', 'milk', MILK],
  ])('are found by %s: %s', async (_what, text, description) => {
    expect(descriptions(await ask(named, words(text)))[0]).toBe(description);
  });

  it('are not found by them as typed', async () => {
    expect((await ask(named, targetOf('Lowfat'))).body).toBe('[]');
  });
});
