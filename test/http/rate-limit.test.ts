import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, test } from 'vitest';
import { readSettings, type Settings } from '../../src/settings.ts';
import { ask, catalogOf, food, type Service, startService, targetOf } from '../support/service.ts';

const ORIGIN = 'https://app.example';
const EGG = targetOf('egg');

let service: Service;
afterEach(() => service.close());

async function start(environment: Record<string, string>, settings: Partial<Settings> = {}): Promise<void> {
  const read = readSettings({}, { ALLOWED_ORIGIN: ORIGIN, LOG_LEVEL: 'silent', ...environment });
  service = await startService(await catalogOf([food('Egg')]), { ...read, port: 0, ...settings });
}

const statusFor = async (client: string): Promise<number> =>
  (await ask(service, EGG, { headers: { 'x-forwarded-for': client } })).status;

test('without RATE_LIMIT nothing is counted', async () => {
  await start({});
  const { headers } = await ask(service, EGG);
  expect(headers).not.toHaveProperty('ratelimit');
  expect(headers).not.toHaveProperty('ratelimit-policy');
});

describe('RATE_LIMIT=2/60', () => {
  test('answers two searches, and the third with 429, in headers that a page may read', async () => {
    await start({ RATE_LIMIT: '2/60' });
    const told = [];
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await ask(service, EGG);
      expect(status).toBe(200);
      expect(headers['ratelimit-policy']).toBe('"search";q=2;w=60');
      told.push(headers.ratelimit);
    }
    expect(told).toEqual(['"search";r=1;t=60', '"search";r=0;t=60']);
    const { status, headers, body } = await ask(service, EGG, { headers: { origin: ORIGIN } });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(50);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(headers.ratelimit).toMatch(/^"search";r=0;t=\d+$/);
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-expose-headers']).toBe('Retry-After, RateLimit, RateLimit-Policy');
    expect(JSON.parse(body)).toEqual({ error: expect.stringContaining('2 in 60 s are allowed') });
  });

  test('counts every search, however it is written and answered, and nothing else', async () => {
    await start({ RATE_LIMIT: '2/60' });
    const { headers } = await ask(service, EGG);
    await ask(service, EGG, { method: 'OPTIONS' });
    await ask(service, '/data-set');
    await ask(service, '/health/live');
    const unchanged = await ask(service, '/api/%66ood?q=egg', {
      headers: { 'if-none-match': headers.etag ?? '' },
    });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.ratelimit).toContain('r=0');
    expect((await ask(service, EGG)).status).toBe(429);
    expect((await ask(service, EGG, { method: 'OPTIONS' })).status).toBe(200);
  });

  test('believes no X-Forwarded-For where no proxy is trusted', async () => {
    await start({ RATE_LIMIT: '2/60' });
    expect([await statusFor('1.1.1.1'), await statusFor('2.2.2.2'), await statusFor('3.3.3.3')]).toEqual([
      200, 200, 429,
    ]);
  });

  it.each(['loopback', '127.0.0.1', '127.0.0.0/8, ::1', '1'])(
    'tells clients apart behind TRUST_PROXY=%s',
    async (trusted) => {
      await start({ RATE_LIMIT: '1/60', TRUST_PROXY: trusted });
      expect(await statusFor('1.1.1.1')).toBe(200);
      expect(await statusFor('1.1.1.1')).toBe(429);
      expect(await statusFor('2.2.2.2')).toBe(200);
      // What a client writes stands before what the proxy adds.
      expect(await statusFor('9.9.9.9, 2.2.2.2')).toBe(429);
    },
  );

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '::ffff:c000:201', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['unknown', 'unknown', true],
  ])('holds %s and %s for the same client: %s', async (one, other, isSame) => {
    await start({ RATE_LIMIT: '1/60', TRUST_PROXY: 'loopback' });
    expect(await statusFor(one)).toBe(200);
    expect(await statusFor(other)).toBe(isSame ? 429 : 200);
  });
});

test('a window ends', async () => {
  await start({ RATE_LIMIT: '1/1' });
  expect((await ask(service, EGG)).status).toBe(200);
  expect((await ask(service, EGG)).status).toBe(429);
  await wait(1050);
  expect((await ask(service, EGG)).status).toBe(200);
});
