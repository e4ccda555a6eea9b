/** The limit of searches per client, how clients are identified, and what caches may store. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { readSettings, type Settings } from '#service';
import { pairsOf } from '../support/cases.ts';
import { startForTest } from '../support/lifetime.ts';
import { ask, catalogOf, food, ORIGIN, rawGet, type Service, targetOf } from '../support/service.ts';

const EGG = targetOf('egg');

let service: Service;
/** ms; only the tests advance it. */
let now = 0;
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => void vi.restoreAllMocks());

async function start(environment: Record<string, string>, settings: Partial<Settings> = {}): Promise<void> {
  const read = readSettings({}, { ALLOWED_ORIGIN: ORIGIN, LOG_LEVEL: 'silent', ...environment });
  service = await startForTest(await catalogOf([food('Egg')]), { ...read, port: 0, ...settings });
}

/** The raw status line and headers of a search. @param proxy the address that it is sent from */
async function rawSearch(lines: readonly string[] = [], proxy = '127.0.0.1'): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: service.port, localAddress: proxy });
  socket.write(rawGet(EGG, 'Connection: close', ...lines));
  const [head = ''] = (await text(socket)).split('\r\n\r\n');
  return head;
}

const statusFor = async (client: string, proxy?: string): Promise<number> =>
  Number((await rawSearch([`X-Forwarded-For: ${client}`], proxy)).slice(9, 12));

test('without RATE_LIMIT nothing is counted', async () => {
  await start({});
  const { headers } = await ask(service, EGG);
  expect(headers).not.toHaveProperty('ratelimit');
  expect(headers).not.toHaveProperty('ratelimit-policy');
});

describe('RATE_LIMIT=2/60', () => {
  test('answers two searches, and the third with 429, with headers that pages may read', async () => {
    await start({ RATE_LIMIT: '2/60' });
    for (let i = 0; i < 2; i++) expect((await ask(service, EGG)).status).toBe(200);
    const { status, headers, body } = await ask(service, EGG, { headers: { origin: ORIGIN } });
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      'retry-after': '60',
      'ratelimit-policy': '"search";q=2;w=60',
      ratelimit: '"search";r=0;t=60',
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy',
    });
    expect(JSON.parse(body)).toEqual({ error: expect.stringContaining('2 in 60 s are allowed') });
  });

  test('counts every search, however it is spelled and answered, and nothing else', async () => {
    await start({ RATE_LIMIT: '2/60' });
    const { etag = '' } = (await ask(service, EGG)).headers;
    await ask(service, EGG, { method: 'OPTIONS' });
    for (const path of ['/data-set', '/health/live']) await ask(service, path);
    const known = { headers: { 'if-none-match': etag } };
    expect((await ask(service, '/api/%66ood?q=egg', known)).status).toBe(304);
    expect((await ask(service, EGG)).status).toBe(429);
    expect((await ask(service, EGG, { method: 'OPTIONS' })).status).toBe(200);
  });

  test('ignores X-Forwarded-For if no proxy is trusted', async () => {
    await start({ RATE_LIMIT: '2/60' });
    const statuses = [await statusFor('1.1.1.1'), await statusFor('2.2.2.2'), await statusFor('3.3.3.3')];
    expect(statuses).toEqual([200, 200, 429]);
  });

  it.each(['loopback', '127.0.0.1', '127.0.0.0/8, ::1', '1'])(
    'distinguishes clients behind TRUST_PROXY=%s',
    async (trusted) => {
      await start({ RATE_LIMIT: '1/60', TRUST_PROXY: trusted });
      expect(await statusFor('1.1.1.1')).toBe(200);
      expect(await statusFor('1.1.1.1')).toBe(429);
      expect(await statusFor('2.2.2.2')).toBe(200);
      // The proxy appends to the client's own entry.
      expect(await statusFor('9.9.9.9, 2.2.2.2')).toBe(429);
    },
  );

  test('identifies clients by their address, however proxies write it, and by the network of IPv6', async () => {
    await start({ RATE_LIMIT: '1/60', TRUST_PROXY: 'loopback' });
    const same = pairsOf(`
      2001:db8:1:2::1 → 2001:db8:1:2:ffff::9 | 192.0.2.1 → ::ffff:192.0.2.1 | 192.0.2.1 → ::ffff:c000:201
      8.8.8.8:40001 → 8.8.8.8:40002 | "8.8.8.8:40001" → 8.8.8.8 | [2001:db8::1]:40001 → 2001:db8::ffff
      [2001:db8::1] → 2001:DB8::1 | "[2001:db8::1]:40001" → 2001:db8::1
      2001:db8:0:0:0:0:0:1:40001 → 2001:db8::1 | fe80::1%eth0 → [fe80::1%eth1.100]:40001
      fe80::1%25eth0 → fe80::1 | [::ffff:192.0.2.1]:40001 → 192.0.2.1:40002 | 192.0.2.1:40001,  → 192.0.2.1
      192.0.2.1:40001, 127.0.0.9:40002 → 192.0.2.1`);
    const others = pairsOf(`
      2001:db8:1:2::1 → 2001:db8:1:3::1 | 8.8.8.8:40001 → 8.8.4.4:40001
      [2001:db8::1]:40001 → [2001:db8:0:1::1]:40001`);
    for (const pair of [...same, ...others]) {
      now += 60_000;
      const [one, other] = pair;
      expect(await statusFor(one), one).toBe(200);
      expect(await statusFor(other), pair.join()).toBe(same.includes(pair) ? 429 : 200);
    }
  });

  test('counts a request for the proxy that forwarded it if its entry is not an address', async () => {
    await start({ RATE_LIMIT: '1/60', TRUST_PROXY: 'loopback, 192.0.2.0/24' });
    const long = 'x'.repeat(100);
    const words = ['unknown', '_hidden', '1', '8.8.8.8.8', '[8.8.8.8', 'a:1', '"', '[]:1', `${long}1`];
    for (const [i, word] of words.entries()) {
      const proxy = `127.0.1.${i}`;
      expect(await statusFor(word, proxy), word).toBe(200);
      expect(await statusFor('another', proxy), word).toBe(429);
    }
    // The last trusted proxy counts, not the connected one, nor any entry before an invalid one.
    expect(await statusFor('198.51.100.1, unknown, 192.0.2.1:40001', '127.0.2.1')).toBe(200);
    expect(await statusFor('198.51.100.2, nobody, 192.0.2.1:40002', '127.0.2.2')).toBe(429);
    expect(await statusFor('unknown, 192.0.2.2:40001', '127.0.2.2')).toBe(200);
  });

  test('follows at most 16 entries back; the 16th counts as the client, even if it is trusted', async () => {
    await start({ RATE_LIMIT: '1/60', TRUST_PROXY: 'loopback, 10.0.0.0/8' });
    /** Trusted proxies in a row, the last one at the right. */
    const proxies = (count: number): string =>
      Array.from({ length: count }, (_, i) => `10.0.0.${count - i}`).join(', ');
    expect(await statusFor(`192.0.2.1, ${proxies(15)}`)).toBe(200);
    expect(await statusFor(`192.0.2.2, ${proxies(15)}`)).toBe(200);
    expect(await statusFor(`192.0.2.1, ${proxies(15)}`)).toBe(429);
    expect(await statusFor(`192.0.2.3, ${proxies(16)}`)).toBe(200);
    expect(await statusFor(`192.0.2.4, ${proxies(16)}`)).toBe(429);
    expect(await statusFor(`${'::1,'.repeat(7000)}${proxies(20)}`)).toBe(429);
    expect(await statusFor('10.0.0.16')).toBe(429);
    // Empty entries count as well.
    expect(await statusFor(`192.0.2.5, ${','.repeat(30_000)}`, '127.0.3.1')).toBe(200);
    expect(await statusFor(`192.0.2.6, ${','.repeat(30_000)}`, '127.0.3.1')).toBe(429);
  });

  test('puts no counter into an answer that shared caches may store', async () => {
    await start({ RATE_LIMIT: '3/60' });
    const found = await rawSearch();
    const tag = /^etag: (.*)$/im.exec(found)?.[1];
    const known = await rawSearch([`If-None-Match: ${tag}`]);
    await rawSearch();
    const refused = await rawSearch();
    expect([found, known, refused].map((head) => head.slice(9, 12))).toEqual(['200', '304', '429']);
    for (const head of [found, known]) {
      expect(head).toMatch(/^cache-control: public/im);
      expect(head).toMatch(/^ratelimit-policy: "search";q=3;w=60$/im);
      expect(head).not.toMatch(/^ratelimit:/im);
    }
    expect(refused).toMatch(/^cache-control: no-store$/im);
    expect(refused).toMatch(/^ratelimit: "search";r=0;t=60$/im);
  });
});

test('a window lasts for the seconds in its policy, and never reports more', async () => {
  await start({ RATE_LIMIT: '1/60' });
  const resetOf = (reply: string) => Number(/^ratelimit: .*;t=(\d+)$/im.exec(reply)?.[1]);
  // Either of these plus 60,000, minus itself, is a little more than 60,000 in binary fractions.
  for (const start of [5900.002, 215_900.003]) {
    now = start;
    expect((await ask(service, EGG)).status).toBe(200);
    const refused = await rawSearch();
    expect(resetOf(refused), String(start)).toBe(60);
    expect(refused).toMatch(/^retry-after: 60$/im);
    now = start + 59_999;
    expect(resetOf(await rawSearch())).toBe(1);
    now = start + 60_001;
    expect((await ask(service, EGG)).status).toBe(200);
  }
});
