/** Tags, conditional requests, codings, and the cache. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { openCatalog, readSettings } from '#service';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import {
  ask,
  catalogOf,
  food,
  type MadeUpCatalog,
  rawGet,
  type Service,
  sendRaw,
  startService,
  targetOf,
} from '../support/service.ts';

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

const catalog = await openCatalog(undefined);
const service = serviceForAll(() => startService(catalog, { allowedOrigin: 'https://app.example' }));

const MILK = targetOf('milk');

test('the tag depends on data set, version, rule of origins and text: it is the same in another process, but differs for another of these', async () => {
  const { headers } = await ask(service, MILK);
  expect(headers.etag).toMatch(/^"[a-z0-9]+(-[a-z0-9]+){3}"$/);
  const rule = { allowedOrigin: 'https://app.example' };
  const twin = await startForTest(await openCatalog(undefined), rule);
  const other = await startForTest(await catalogOf([food('Milk')]), rule);
  const tagFrom = async (from: Service, text: string) =>
    (await fetch(`${from.url}${targetOf(text)}`)).headers.get('etag');
  const plain = await tagFrom(twin, 'milk');
  expect(String(plain).replace(/-(br|gzip)"$/, '"')).toBe(headers.etag);
  expect(await tagFrom(twin, 'egg')).not.toBe(plain);
  expect(await tagFrom(other, 'milk')).not.toBe(headers.etag);
  for (const allowedOrigin of [undefined, '*', 'https://www.app.example'] as const) {
    const ruled = await startForTest(catalog, { allowedOrigin });
    expect(await tagFrom(ruled, 'milk')).not.toBe(plain);
    const known = { 'if-none-match': String(headers.etag) };
    expect((await ask(ruled, MILK, { headers: known })).status).toBe(200);
  }
});

it.each(['GET', 'HEAD'])(
  'a condition that holds is answered 304 on %s, with the headers of the answer and no body',
  async (method) => {
    const origin = 'https://app.example';
    const { headers } = await ask(service, MILK, { headers: { origin } });
    const etag = String(headers.etag);
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await ask(service, MILK, { headers: { origin, 'if-none-match': condition }, method });
      expect(reply.status, condition).toBe(304);
      expect(reply.bytes).toHaveLength(0);
      expect(reply.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=300' });
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': origin,
        vary: 'Origin, Accept-Encoding',
      });
    }
  },
);

it.each(['"x"', 'W/"x"', '""', 'nonsense', 'W/*', '"*"'])(
  'a condition that does not hold is answered in full: %s',
  async (condition) => {
    expect((await ask(service, MILK, { headers: { 'if-none-match': condition } })).status).toBe(200);
  },
);

describe('an answer is compressed as the client accepts', () => {
  it.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['deflate', 'identity'],
  ] as const)('%s', async (accepted, coding) => {
    const plain = await ask(service, MILK);
    for (let time = 0; time < 3; time++) {
      const reply = await ask(service, MILK, { headers: { 'accept-encoding': accepted } });
      expect(reply.status).toBe(200);
      expect(reply.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      expect(reply.headers['content-length']).toBe(String(reply.bytes.length));
      expect(reply.headers.vary).toBe('Origin, Accept-Encoding');
      expect(DECODE[coding](reply.bytes)).toEqual(plain.bytes);
      const tag = String(reply.headers.etag);
      expect(tag === plain.headers.etag).toBe(coding === 'identity');
      expect(
        (await ask(service, MILK, { headers: { 'accept-encoding': accepted, 'if-none-match': tag } })).status,
      ).toBe(304);
    }
  });

  test('but not if it is short, and reported the same by HEAD', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const short = await ask(service, targetOf('no such food'), { headers });
    expect([short.headers['content-encoding'], short.body]).toEqual([undefined, '[]']);
    const { date: _, ...got } = (await ask(service, MILK, { headers })).headers;
    const head = await ask(service, MILK, { headers, method: 'HEAD' });
    expect(head).toMatchObject({ headers: got, body: '' });
  });
});

/** By RFC 9110, 12.5.3. */
async function codingOf(...lines: string[]): Promise<string> {
  const received = await sendRaw(service, rawGet(MILK, 'Connection: close', ...lines));
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
  return /\r\nContent-Encoding: (\S+)/.exec(received)?.[1] ?? 'identity';
}

it.each([
  // Names: in any case, the old name of gzip, unknown ones
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['', 'identity'],
  [' , ,', 'identity'],
  // Weights
  ['br, gzip', 'br'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['br;q=0.9, gzip', 'gzip'],
  ['br;q=0.001, gzip;q=0.002', 'gzip'],
  ['br;q=1.000, gzip;q=1', 'br'],
  ['br ; q=0.1 , gzip ;Q=0.2', 'gzip'],
  ['br;q=0', 'identity'],
  ['br;q=0.000, gzip;q=0.', 'identity'],
  // Anything else
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['gzip;q=0.5, *', 'br'],
  ['br;q=0.5, *;q=0.8', 'gzip'],
  ['*;q=0', 'identity'],
  ['br;q=0, gzip;q=0, *', 'identity'],
  ['deflate, *;q=0.1', 'br'],
  // Plain
  ['identity', 'identity'],
  ['identity, gzip', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['IDENTITY;q=0.5, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.4, br;q=0.6', 'br'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=0', 'identity'],
  // Invalid weights
  ['br;q=2, gzip', 'gzip'],
  ['br;q=high', 'identity'],
  ['br;level=9', 'identity'],
])('Accept-Encoding: %s', async (accepted, coding) => {
  expect(await codingOf(`Accept-Encoding: ${accepted}`)).toBe(coding);
});

test('the first 16 elements count, so that a long list costs no time', async () => {
  expect(await codingOf(`Accept-Encoding: ${','.repeat(15)}br`)).toBe('br');
  expect(await codingOf(`Accept-Encoding: ${','.repeat(16)}br`)).toBe('identity');
  expect(await codingOf(`Accept-Encoding: gzip${','.repeat(30_000)}br`)).toBe('gzip');
});

test('several header lines form one list', async () => {
  expect(await codingOf('Accept-Encoding: br;q=0', 'Accept-Encoding: *')).toBe('gzip');
});

test('without the header, an answer is not compressed', async () =>
  expect(await codingOf()).toBe('identity'));

test('the cache drops the answers of another data set', async () => {
  let dataSet = { ...catalog.dataSet, identity: 'old' };
  const changing = await startForTest({
    get dataSet() {
      return dataSet;
    },
    search: () => Buffer.from(dataSet.identity),
  });
  for (const identity of ['old', 'old', 'old', 'new', 'new', 'new']) {
    dataSet = { ...dataSet, identity };
    expect((await ask(changing, MILK)).body).toBe(identity);
  }
});

test('the cache is as large as ANSWER_CACHE says, or off if that is 0', async () => {
  let searches = 0;
  const searching: MadeUpCatalog = {
    dataSet: catalog.dataSet,
    search: () => {
      searches++;
      return Buffer.alloc(190 * 1024, ' ');
    },
  };
  for (const [answerCache, expected] of [
    [0, 24],
    [1, 14],
    [2, 12],
  ] as const) {
    const settings = { ...readSettings({ answerCache: String(answerCache) }, {}), port: 0 };
    const sized = await startForTest(searching, { ...settings, logLevel: 'silent' });
    searches = 0;
    // Four fifths are for what is requested again and again: 4 of these answers in 1 MiB.
    for (const text of '111222333444555666123456') await ask(sized, targetOf(text));
    expect(searches, `${answerCache} MiB`).toBe(expected);
  }
});
