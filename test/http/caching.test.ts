/** Tags, conditional requests, codings, and the cache. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { openCatalog, readSettings } from '#service';
import { casesOf } from '../support/cases.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import {
  ask,
  catalogOf,
  food,
  type MadeUpCatalog,
  ORIGIN,
  rawGet,
  type Service,
  sendRaw,
  startService,
  targetOf,
} from '../support/service.ts';

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

const catalog = await openCatalog(undefined);
const service = serviceForAll(() => startService(catalog, { allowedOrigin: ORIGIN }));

const MILK = targetOf('milk');

test('the tag depends on data set, version, rule of origins and text: it is the same in another process, but differs for another of these', async () => {
  const { etag = '' } = (await ask(service, MILK)).headers;
  expect(etag).toMatch(/^"[a-z0-9]+(-[a-z0-9]+){3}"$/);
  const rule = { allowedOrigin: ORIGIN };
  const twin = await startForTest(await openCatalog(undefined), rule);
  const other = await startForTest(await catalogOf([food('Milk')]), rule);
  const tagFrom = async (from: Service, text: string) =>
    (await fetch(`${from.url}${targetOf(text)}`)).headers.get('etag');
  const plain = await tagFrom(twin, 'milk');
  expect(String(plain).replace(/-(br|gzip)"$/, '"')).toBe(etag);
  expect(await tagFrom(twin, 'egg')).not.toBe(plain);
  expect(await tagFrom(other, 'milk')).not.toBe(etag);
  for (const allowedOrigin of [undefined, '*', 'https://www.app.example'] as const) {
    const ruled = await startForTest(catalog, { allowedOrigin });
    expect(await tagFrom(ruled, 'milk')).not.toBe(plain);
    expect((await ask(ruled, MILK, { headers: { 'if-none-match': etag } })).status).toBe(200);
  }
});

it.each(['GET', 'HEAD'])(
  'a condition that holds is answered 304 on %s, with the headers of the answer and no body',
  async (method) => {
    const { etag = '' } = (await ask(service, MILK, { headers: { origin: ORIGIN } })).headers;
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const headers = { origin: ORIGIN, 'if-none-match': condition };
      const reply = await ask(service, MILK, { headers, method });
      expect(reply, condition).toMatchObject({ status: 304, body: '' });
      const kept = { etag, 'cache-control': 'public, max-age=300', vary: 'Origin, Accept-Encoding' };
      expect(reply.headers).toMatchObject({ ...kept, 'access-control-allow-origin': ORIGIN });
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
      const known = { 'accept-encoding': accepted, 'if-none-match': tag };
      expect((await ask(service, MILK, { headers: known })).status).toBe(304);
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

const LONG = ','.repeat(15);

/** Values of `Accept-Encoding` after the coding that they choose, by RFC 9110, 12.5.3. */
it.each(
  casesOf(`
    weights | br | br, gzip | gzip;q=0.5, br;q=0.5 | br;q=1.000, gzip;q=1
    weights | gzip | br;q=0.9, gzip | br;q=0.001, gzip;q=0.002 | br ; q=0.1 , gzip ;Q=0.2
    weights of 0 | identity | br;q=0 | br;q=0.000, gzip;q=0.
    invalid weights | gzip | br;q=2, gzip
    invalid weights | identity | br;q=high | br;level=9
    names in any case, and the old one of gzip | gzip | GZIP | x-gzip
    anything else | br | * | gzip;q=0.5, * | deflate, *;q=0.1
    anything else | gzip | br;q=0, * | gzip, *;q=0 | br;q=0.5, *;q=0.8
    anything else | identity | *;q=0 | br;q=0, gzip;q=0, *
    plain | br | identity;q=0.5, gzip;q=0.4, br;q=0.6
    plain | gzip | identity, gzip | IDENTITY;q=0.5, gzip | identity;q=0, gzip;q=0.1
    plain | identity | identity | identity, gzip;q=0.5 | identity;q=0 | , ,
    the first 16 elements, so that a long list costs no time | br | ${LONG}br
    the first 16 elements | identity | ${LONG},br
    the first 16 elements | gzip | gzip${LONG.repeat(2000)}br`),
)('what the header accepts counts: %s, so %s', async (_what, coding = '', ...values) => {
  for (const value of values) expect(await codingOf(`Accept-Encoding: ${value}`), value).toBe(coding);
});

test('several header lines form one list, and an empty one or none is not compressed', async () => {
  expect(await codingOf('Accept-Encoding: br;q=0', 'Accept-Encoding: *')).toBe('gzip');
  expect([await codingOf('Accept-Encoding: '), await codingOf()]).toEqual(['identity', 'identity']);
});

async function codingOf(...lines: string[]): Promise<string> {
  const received = await sendRaw(service, rawGet(MILK, 'Connection: close', ...lines));
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
  return /\r\nContent-Encoding: (\S+)/.exec(received)?.[1] ?? 'identity';
}

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
