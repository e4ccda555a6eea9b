/** Which pages may read: every configuration, kind of request, and kind of origin. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { settingShown } from '#core';
import { readSettings } from '#service';
import { contextOf, createApp } from '../../src/service/http/app.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { APP_ORIGINS, ask, catalogOf, DEFAULTS, food, startService } from '../support/service.ts';

const ALLOWED = 'https://app.example';
const ORIGINS = [
  ['equal', ALLOWED],
  ['none', undefined],
  ['null', 'null'],
  ['other scheme', 'http://app.example'],
  ['other port', 'https://app.example:8443'],
  ['explicit default port', 'https://app.example:443'],
  ['suffix trick', 'https://app.example.evil.example'],
  ['prefix trick', 'https://evil-app.example'],
  ['subdomain', 'https://www.app.example'],
  ['trailing slash', 'https://app.example/'],
  ['upper case', 'HTTPS://APP.EXAMPLE'],
  ['two origins', `${ALLOWED}, ${ALLOWED}`],
  ['wildcard', '*'],
  ['empty', ''],
] as const;
/** Answers of a search may be compressed, so their `Vary` also names the coding. */
const SEARCHED = [
  ...['GET', 'GET without a match', 'GET with broken encoding', 'HEAD', 'GET of a known answer'],
  ...['portions', 'no portions'],
];
const REQUESTS = [
  ['GET', 'GET', '/api/food?q=egg', 200],
  ['GET without q', 'GET', '/api/food', 200],
  ['GET without a match', 'GET', '/api/food?q=zzz', 200],
  ['GET with broken encoding', 'GET', '/api/food?q=%E0%A4%A', 200],
  ['GET of a known answer', 'GET', '/api/food?q=egg', 304],
  ['HEAD', 'HEAD', '/api/food?q=egg', 200],
  ['preflight', 'OPTIONS', '/api/food?q=egg', 200],
  ['error 405', 'DELETE', '/api/food?q=egg', 405],
  ['error 414', 'GET', `/api/food?q=${'a'.repeat(17_000)}`, 414],
  ['error 500', 'GET', '/api/food?q=fault', 500],
  ['portions', 'GET', '/portions?description=Egg,%20whole,%20raw', 200],
  ['no portions', 'HEAD', '/portions?description=zzz', 200],
  ['portions without a description', 'GET', '/portions', 400],
  ['preflight of portions', 'OPTIONS', '/portions?description=zzz', 200],
  ['error 405 of portions', 'DELETE', '/portions?description=zzz', 405],
] as const;
const OTHER_PATHS = ['/', '/index.html', '/health', '/api', '/api/food/', '/api/foods', '/%'];

test.each(APP_ORIGINS)('a page of an app or extension may read if it is allowed: %s', async (origin) => {
  const { allowedOrigin } = readSettings({}, { ALLOWED_ORIGIN: origin });
  const service = await startForTest(await catalogOf([food('Egg')]), { allowedOrigin });
  for (const each of [origin, 'null', 'file://', 'https://localhost']) {
    const { headers } = await ask(service, '/api/food?q=egg', { headers: { origin: each } });
    expect(headers['access-control-allow-origin']).toBe(each === origin ? origin : undefined);
  }
});

describe.each([ALLOWED, '*', undefined])('ALLOWED_ORIGIN: %s', (allowedOrigin) => {
  const expected = (origin: string | undefined) => {
    if (allowedOrigin === '*') return { allow: '*', vary: undefined };
    const isAllowed = allowedOrigin !== undefined && origin === ALLOWED;
    return { allow: isAllowed ? ALLOWED : undefined, vary: 'Origin' };
  };
  const service = serviceForAll(async () => {
    const catalog = await catalogOf([food('Egg, whole, raw')]);
    const search = (text: string) => {
      if (text === 'fault') throw new Error('the store is down');
      return catalog.search(text);
    };
    const lookUp: typeof catalog.lookUp = (...asked) => catalog.lookUp(...asked);
    const settings = { allowedOrigin, corsRoutes: 'search,portions', nodeEnv: 'production' } as const;
    return startService({ search, lookUp }, settings);
  });

  describe.each(REQUESTS)('%s', (kind, method, target, status) => {
    it.each(ORIGINS)('from an origin: %s', async (_kindOfOrigin, origin) => {
      const known: Record<string, string> = status === 304 ? { 'if-none-match': '*' } : {};
      const headers = origin === undefined ? known : { ...known, origin };
      const reply = await ask(service, target, { method, headers });
      const { allow, vary } = expected(origin);
      expect(reply.status).toBe(status);
      expect(reply.headers['access-control-allow-origin']).toBe(allow);
      const varies = [vary, SEARCHED.includes(kind) && 'Accept-Encoding'].filter(Boolean).join(', ');
      expect(reply.headers.vary ?? '').toBe(varies);
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
      const isKept = SEARCHED.includes(kind) && (origin === undefined || allow !== undefined);
      if (method !== 'OPTIONS')
        expect(reply.headers['cache-control']).toBe(isKept ? 'public, max-age=300' : 'no-store');
      // In no-cors mode, a page must get its opaque response.
      expect(reply.headers['cross-origin-resource-policy']).toBeUndefined();
      expect(reply.headers['content-security-policy']).toBeUndefined();
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
    });
  });

  it.each(ORIGINS)('a preflight is answered in full or not at all: %s', async (_kind, origin) => {
    const names = 'x-trace, x-app';
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': names };
    const headers = { ...asked, ...(origin === undefined ? {} : { origin }) };
    const isAllowed = expected(origin).allow !== undefined;
    for (const target of ['/api/food?q=egg', '/portions?description=egg']) {
      const reply = await ask(service, target, { method: 'OPTIONS', headers });
      expect(reply).toMatchObject({ status: 200, body: '' });
      expect(reply.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', 'content-length': '0' });
      expect(reply.headers['access-control-allow-methods']).toBe(isAllowed ? 'GET, HEAD' : undefined);
      expect(reply.headers['access-control-allow-headers']).toBe(isAllowed ? names : undefined);
      expect(reply.headers['access-control-max-age']).toBe(isAllowed ? '7200' : undefined);
    }
  });

  it('repeats at most 2 kB of requested headers, so that every proxy passes the preflight on', async () => {
    for (const length of [2048, 2049, 30_000]) {
      const names = 'x'.repeat(length);
      const asked = { origin: ALLOWED, 'access-control-request-headers': names };
      const preflight = { method: 'OPTIONS', headers: asked };
      const { status, headers } = await ask(service, '/api/food?q=egg', preflight);
      expect(status).toBe(200);
      const { allow } = expected(ALLOWED);
      expect(headers['access-control-allow-origin']).toBe(allow);
      const isRepeated = allow !== undefined && length === 2048;
      expect(headers['access-control-allow-headers']).toBe(isRepeated ? names : undefined);
    }
  });

  it.each(OTHER_PATHS)('%s has no cross-origin header', async (target) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      const { headers } = await ask(service, target, { method, headers: { origin: ALLOWED } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.vary ?? '').not.toContain('Origin');
    }
  });
});

describe('the log', () => {
  const lines: string[] = [];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    lines.length = 0;
  });

  /** Starts a service that allows this origin; returns a function that sends requests. */
  async function start(allowedOrigin?: string) {
    const settings = { ...DEFAULTS, allowedOrigin };
    const app = await createApp(await catalogOf([]), settings, await contextOf(settings));
    onTestFinished(() => app.close());
    return (headers: Record<string, string>, url = '/api/food?q=egg') => app.inject({ url, headers });
  }
  const messages = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);

  test('names a refused origin once a minute, with the setting that would allow it', async () => {
    const send = await start(ALLOWED);
    for (const name of ['b', 'b', 'c', 'app']) await send({ origin: `https://${name}.example` });
    expect(messages()).toEqual([
      expect.stringMatching(
        /(ALLOWED_ORIGIN=|--allowed-origin )https:\/\/b.example .*check-cors http:\/\/localhost:80\/api\/food --origin https:\/\/b.example$/,
      ),
      expect.stringContaining(settingShown('ALLOWED_ORIGIN', 'https://c.example')),
    ]);
    vi.setSystemTime(Date.now() + 60_000);
    await send({ origin: 'https://b.example' });
    expect(messages()).toHaveLength(3);
  });

  test('names the setting that would let pages read portions', async () => {
    const send = await start(ALLOWED);
    for (const origin of [ALLOWED, 'https://b.example']) await send({ origin }, '/portions?description=Egg');
    const routes = settingShown('CORS_ROUTES', 'search,portions');
    expect(messages()).toEqual([
      expect.stringContaining(`${routes} and ${settingShown('ALLOWED_ORIGIN', ALLOWED)}. `),
      expect.stringContaining(
        `${routes} and ${settingShown('ALLOWED_ORIGIN', 'https://b.example')} instead of ${ALLOWED}. `,
      ),
    ]);
    expect(messages()[0]).toContain('check-cors http://localhost:80/portions --origin');
  });

  test('is silent about requests without an origin, and if every origin is allowed', async () => {
    await (await start())({});
    await (await start('*'))({ origin: 'https://b.example' });
    expect(lines).toEqual([]);
  });

  test('is bounded, however many invented origins arrive', async () => {
    const send = await start();
    for (let i = 0; i < 1200; i++) await send({ origin: `https://${i}.example` });
    expect(lines).toHaveLength(1000);
  });

  test.each(['https://a.example;reboot', 'https://$(id)', `https://${'a'.repeat(9000)}.example`, 'egg'])(
    'suggests no setting for an origin that no browser sends: %#',
    async (origin) => {
      await (await start())({ origin });
      expect(messages()).toEqual([expect.stringContaining('No browser sends such an origin.')]);
      expect(lines[0]).not.toContain('ALLOWED_ORIGIN=');
      expect(lines[0]?.length).toBeLessThan(1000);
    },
  );

  test.each([
    [{ host: 'food.example', 'x-forwarded-proto': 'https' }, 'https://food.example/api/food'],
    [{ host: '[::1]:3001' }, 'http://[::1]:3001/api/food'],
    [{ host: 'food.example;reboot' }, 'URL'],
  ])('names the address to check for %j', async (headers, address) => {
    await (await start())({ ...headers, origin: 'https://b.example' });
    expect(messages()).toEqual([expect.stringContaining(`food-lookup check-cors ${address} --origin`)]);
  });

  test.each(APP_ORIGINS)('names the setting for the origin of an app or extension: %s', async (origin) => {
    await (await start())({ origin });
    expect(messages()).toEqual([expect.stringContaining(settingShown('ALLOWED_ORIGIN', origin))]);
  });

  test('explains the origin null', async () => {
    await (await start())({ origin: 'null' });
    expect(messages()[0]).toContain('serve it over http');
  });
});
