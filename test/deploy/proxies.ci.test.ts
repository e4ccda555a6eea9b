/** The shipped proxy configurations, in the real programs: nothing is lost when a process ends, and the service's headers count. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { startForTest } from '../support/lifetime.ts';
import {
  changedNginx,
  HAPROXY,
  NGINX,
  type Pair,
  type Proxied,
  proxiedForTest,
  startPair,
  startProxied,
} from '../support/proxied.ts';
import { describeWithPrograms } from '../support/requirements.ts';
import { food, memoryCatalogOf, ORIGIN, type Service, startService, statusesOf } from '../support/service.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { waitFor } from '../support/wait.ts';

const OTHER = 'https://b.example';
const egg = '/api/food?q=egg';

/** An index, which opens in half the time of its source. */
const folder = temporaryFolder();
const foodData = () => folder.path('foods.idx');
let pair: Pair;
let limited: Pair;

/** The requests that each process has counted with that outcome. */
const countedBy = ({ services }: Pair, outcome: string): Promise<number[]> =>
  Promise.all(
    services.map(async ({ url }) => {
      const page = await (await fetch(`${url}/metrics`)).text();
      return Number(RegExp(`_requests_total\\{[^}]*${outcome}[^}]*\\} (\\d+)`).exec(page)?.[1] ?? 0);
    }),
  );

beforeAll(async () => {
  await run(['import', 'data/starter-foods.csv', '--to', foodData()]);
  pair = await startPair({ FOOD_DATA: foodData(), ALLOWED_ORIGIN: ORIGIN });
  limited = await startPair({ FOOD_DATA: foodData(), RATE_LIMIT: '2/60' });
});
afterAll(() => Promise.all([pair.stop(), limited.stop()]));

for (const [name, program, clients] of [
  ['nginx', NGINX, ['127.0.0.2', '127.0.0.3']],
  ['haproxy', HAPROXY, ['127.0.0.4', '127.0.0.5']],
] as const)
  describeWithPrograms(name, 'openssl')(name, () => {
    let proxied: Proxied;
    beforeAll(async () => {
      proxied = await startProxied(program, pair);
    });
    afterAll(() => proxied.close());

    test('no request fails when one process is killed, and then the other restarted, under load', async () => {
      const load = await proxied.load();
      await load.more(100);
      pair.services[0].signal('SIGKILL');
      await pair.services[0].ended;
      await load.more(200);
      await pair.restart(0);
      await load.more(100);
      expect(await pair.services[1].stop()).toBe(0);
      await pair.restart(1);
      await load.more(101);
      // Both have a share.
      await waitFor(async () => (await countedBy(pair, 'found')).every((count) => count > 10));
      const { requests, wrong, failures } = await load.stop();
      expect({ wrong, failures }).toEqual({ wrong: [], failures: {} });
      expect(requests).toBeGreaterThan(500);
    });

    test('cross-origin headers and answers pass unchanged', async () => {
      const allowed = await proxied.ask(egg, { headers: { origin: ORIGIN } });
      expect(allowed.headers['access-control-allow-origin']).toBe(ORIGIN);
      expect(allowed.headers.vary).toBe('Origin, Accept-Encoding');
      const direct = await (await fetch(pair.services[0].url + egg)).text();
      expect(allowed.body.toString()).toBe(direct);
      const refused = await proxied.ask(egg, { headers: { origin: OTHER } });
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
      for (const names of ['x-a', 'x'.repeat(2048), 'x'.repeat(6000)]) {
        const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': names };
        const headers = { origin: ORIGIN, ...asked };
        const preflight = await proxied.ask(egg, { method: 'OPTIONS', headers });
        expect(preflight.status).toBe(200);
        const repeated = names.length > 2048 ? undefined : names;
        expect(preflight.headers['access-control-allow-headers']).toBe(repeated);
      }
    });

    test('compressed answers stay compressed', async () => {
      for (const [coding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const { headers, body } = await proxied.ask(egg, { headers: { 'accept-encoding': coding } });
        expect(headers['content-encoding']).toBe(coding);
        expect(headers.etag).toMatch(new RegExp(`-${coding}"$`));
        expect(decode(body).toString()).toContain('Egg, whole, raw');
      }
    });

    test('a conditional request is answered 304', async () => {
      const { headers } = await proxied.ask(egg);
      const known = await proxied.ask(egg, { headers: { 'if-none-match': String(headers.etag) } });
      expect([known.status, known.body.length]).toEqual([304, 0]);
    });

    test('http redirects to https, and every https answer has Strict-Transport-Security, even errors', async () => {
      const plain = await proxied.ask(egg, { http: true });
      expect(plain.status).toBe(308);
      expect(plain.headers.location).toBe(`https://food.example${egg}`);
      for (const target of [egg, '/api/nothing', '/', '/health/live']) {
        const { headers } = await proxied.ask(target);
        expect(headers['strict-transport-security'], target).toBe('max-age=31536000');
      }
    });

    test("the operator's paths are not public", async () => {
      for (const target of ['/metrics', '/health/live', '/health/ready', '/metrics/'])
        expect((await proxied.ask(target)).status, target).toBe(404);
      expect((await fetch(`${pair.services[1].url}/health/ready`)).status).toBe(200);
    });

    test.each([
      ...'/%6detrics /%6Detrics?x /%2e/metrics /./metrics //metrics /x/../metrics /x/%2e%2E/%6detrics'.split(
        ' ',
      ),
      ...'/%68ealth/live /health%2Fready http://food.example/metrics http://food.example/%6detrics'.split(
        ' ',
      ),
      ...['http://x/metrics', 'HTTPS://x:80//health/live?a'],
    ])('they are not passed on in another spelling either: %s', async (target) => {
      // The host of the absolute form: HAProxy refuses another.
      const { host } = new URL(target, 'https://food.example');
      const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close`;
      const received = await proxied.send(`${head}\r\n\r\n`);
      expect(statusesOf(received)).toEqual(['404']);
      expect(received).not.toContain('{"error":');
    });

    test("the service's error messages pass unchanged", async () => {
      const long = await proxied.ask(`/api/food?q=${'a'.repeat(20_000)}`, { headers: { origin: ORIGIN } });
      expect(long.status).toBe(414);
      expect(JSON.parse(String(long.body))).toEqual({ error: expect.stringContaining('too long') });
      expect((await proxied.ask(egg, { method: 'DELETE' })).status).toBe(405);
      expect((await proxied.ask('/')).status).toBe(200);
    });

    if (program === NGINX) describeCachedAnswers(() => proxied);

    test('each client has its own RATE_LIMIT, by its real address, whatever it claims', async () => {
      const own = await proxiedForTest(program, limited);
      const statusOf = async (from: string, i: number, headers = {}) =>
        (await own.ask(`/api/food?q=egg&n=${from}-${i}`, { from, headers })).status;
      const first: number[] = [];
      for (let i = 0; i < 8; i++)
        first.push(await statusOf(clients[0], i, { 'x-forwarded-for': `198.51.100.${i}` }));
      // The two processes count separately.
      expect(first.toSorted()).toEqual([...Array(4).fill(200), ...Array(4).fill(429)]);
      expect(await statusOf(clients[1], 0)).toBe(200);
    });
  });

function describeCachedAnswers(proxied: () => Proxied): void {
  describe('a cached answer', () => {
    test('is sent without the service, separately for the allowed origin and each coding', async () => {
      const kinds = [
        [{}, 'HIT'],
        [{ origin: ORIGIN }, 'HIT'],
        // The service may allow it after a restart, so its answer is not cached.
        [{ origin: OTHER }, 'MISS'],
        [{ 'accept-encoding': 'br' }, 'HIT'],
      ] as const;
      const target = '/api/food?q=yogurt';
      for (const [headers, again] of kinds) {
        const before = await proxied().ask(target, { headers });
        const after = await proxied().ask(target, { headers });
        expect([before.headers['x-cache'], after.headers['x-cache']]).toEqual(['MISS', again]);
        expect(after.body.equals(before.body)).toBe(true);
        const allowed = 'origin' in headers && headers.origin === ORIGIN ? ORIGIN : undefined;
        expect(after.headers['access-control-allow-origin']).toBe(allowed);
      }
      const head = await proxied().ask(target, { method: 'HEAD' });
      expect([head.headers['x-cache'], head.body.length]).toEqual(['HIT', 0]);
    });

    test('is still sent if no process is left', async () => {
      const target = '/api/food?q=butter';
      const before = await proxied().ask(target);
      for (const service of pair.services) {
        service.signal('SIGKILL');
        await service.ended;
      }
      const after = await proxied().ask(target);
      expect([after.status, after.headers['x-cache']]).toEqual([200, 'HIT']);
      expect(after.body.equals(before.body)).toBe(true);
      expect((await proxied().ask('/api/food?q=never')).status).toBe(502);
      await Promise.all([pair.restart(0), pair.restart(1)]);
      expect((await proxied().ask('/api/food?q=never')).status).toBe(200);
    });

    test('is revalidated with its ETag once it is stale, and kept if nothing has changed', async () => {
      // Shortens five minutes to one second.
      const setting = 'proxy_cache_revalidate on;';
      const shorter = `${setting} proxy_ignore_headers Cache-Control; proxy_cache_valid 200 1s;`;
      const short = await proxiedForTest(changedNginx({ [setting]: shorter }), pair);
      const { body } = await short.ask(egg);
      const unchanged = async () =>
        (await countedBy(pair, 'not_modified')).reduce((sum, count) => sum + count);
      const before = await unchanged();
      // nginx counts whole seconds.
      await pause(2100);
      const again = await short.ask(egg);
      expect([again.headers['x-cache'], again.body.equals(body)]).toEqual(['REVALIDATED', true]);
      expect(await unchanged()).toBe(before + 1);
      expect((await short.ask(egg)).headers['x-cache']).toBe('HIT');
      for (const service of pair.services) expect(service.errors()).toBe('');
    });

    test('has a key as long as it fits into the size of the cache, and until nginx checks that size', async () => {
      const zone = 256;
      const shipped = await readFile(NGINX.file, 'utf8');
      const size = `answers:${/keys_zone=\w+:(\w+)/.exec(shipped)?.[1]}`;
      const short = await proxiedForTest(changedNginx({ [size]: `answers:${zone}k` }), pair);
      // More than it has keys for.
      for (let n = 0; n < 2400; n += 16)
        await Promise.all(Array.from({ length: 16 }, (_, i) => short.ask(`${egg}&n=${n + i}`)));
      const keys = (await readdir(`${short.folder}/cache`)).length;
      const [, megabytes = 0, most = 0] = /keys_zone=\w+:(\d+)m max_size=(\d+)m/.exec(shipped) ?? [];
      const answers = (Number(most) * 2 ** 20) / 4096;
      // nginx checks every ten seconds: time for 2,000 new answers a second.
      expect((keys * 1024 * Number(megabytes)) / zone).toBeGreaterThan(answers + 20_000);
    });

    test('is never an error or the answer to a missing text', async () => {
      for (const target of ['/api/food', '/api/nothing', '/data-set']) {
        await proxied().ask(target);
        expect((await proxied().ask(target)).headers['x-cache'], target).not.toBe('HIT');
      }
    });
  });
}

/** Shortens five minutes to one second. */
const shortened = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replaceAll('max-age=300', 'max-age=001'), 'latin1');

describeWithPrograms('nginx', 'openssl')('nginx', () => {
  test('a page reads cached answers once it is allowed, and no longer once another one is', async () => {
    const catalog = await memoryCatalogOf([food('Egg')]);
    let service: Service = await startService(catalog);
    onTestFinished(() => service.close());
    const network = await TcpProxy.start(service.port, shortened);
    onTestFinished(() => network.close());
    const proxied = await proxiedForTest(NGINX, { services: [network, network] });

    const allow = async (allowedOrigin: string | undefined): Promise<void> => {
      await service.close();
      service = await startService(catalog, { allowedOrigin, port: service.port });
      // nginx counts whole seconds.
      await pause(2100);
    };
    const ask = async (origin: string | undefined) => {
      const { status, headers } = await proxied.ask(egg, { headers: origin === undefined ? {} : { origin } });
      expect(status).toBe(200);
      return [headers['access-control-allow-origin'], headers['x-cache']];
    };
    /** Twice, because the first request could make nginx ask the service. */
    const allowedFor = async (origin: string) => [(await ask(origin))[0], (await ask(origin))[0]];

    for (const cache of ['MISS', 'HIT']) expect(await ask(undefined)).toEqual([undefined, cache]);
    expect(await allowedFor(ORIGIN)).toEqual([undefined, undefined]);
    await allow(ORIGIN);
    expect(await ask(undefined)).toEqual([undefined, 'EXPIRED']);
    expect(await allowedFor(ORIGIN)).toEqual([ORIGIN, ORIGIN]);
    expect(await ask(ORIGIN)).toEqual([ORIGIN, 'HIT']);
    for (const allowed of [OTHER, '*', undefined]) {
      await allow(allowed);
      for (const origin of [ORIGIN, OTHER]) {
        const grant = allowed === '*' || allowed === origin ? allowed : undefined;
        expect(await allowedFor(origin)).toEqual([grant, grant]);
      }
    }
  });

  test('an answer is passed on however many words were replaced', async () => {
    const words = Array.from({ length: 32 }, (_, i) => `${i}`.padStart(60, 'é'));
    const replaced = words.map((typed) => ({ typed, searched: `${typed}x` }));
    const service = await startForTest({
      searchWords: () => ({ body: Buffer.from('["found"]'), readings: [], replaced, missing: [] }),
    });
    const proxied = await proxiedForTest(NGINX, { services: [service, service] });
    const target = '/api/food?q=a&match=words';
    const { status, headers, body } = await proxied.ask(target, { headers: { origin: ORIGIN } });
    expect([status, String(body)]).toEqual([200, '["found"]']);
    expect(headers['matched-words']?.length).toBeGreaterThan(1000);
  });
});
