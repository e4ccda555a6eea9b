/** Health, metrics and the log. */
import { describe, expect, test } from 'vitest';
import { UserError } from '#core';
import type { Settings } from '#service';
import project from '../../package.json' with { type: 'json' };
import { startForTest } from '../support/lifetime.ts';
import { ask, catalogOf, food, type Service, TEST_LABEL, targetOf } from '../support/service.ts';

const start = async (settings: Partial<Settings> = {}): Promise<Service> =>
  startForTest(await catalogOf([food('Egg'), food('Milk')]), settings);

const PATHS = ['/health/live', '/health/ready', '/metrics'];

const LINE = /^[a-z_:][\w:]*(\{([a-z_]\w*="([^"\\]|\\.)*",?)+\})? (NaN|Nan|[+-]?Inf|[-+\d.e]+)$/;

function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function metrics(service: Service): Promise<Map<string, number>> {
  const { status, headers, body } = await ask(service, '/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) expect(line).toMatch(LINE);
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

test('the paths are found only as written, so that no other spelling gets past a proxy that hides them', async () => {
  const service = await start();
  for (const path of PATHS) {
    for (const target of [path, `${path}?x=%6d`]) expect((await ask(service, target)).status).toBe(200);
    const encoded = path.replace(/[me]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    const others = [encoded, encoded.toUpperCase(), `http://x${path}`, `/${path}`, `/.${path}`, `${path}/`];
    for (const target of others)
      for (const method of ['GET', 'HEAD']) {
        const { status, body } = await ask(service, target, { method });
        expect([status, body.slice(0, 9)], target).toEqual([404, method === 'GET' ? '{"error":' : '']);
      }
  }
});

test('the service is live, and ready with the data set', async () => {
  const service = await start();
  expect(await ask(service, '/health/live')).toMatchObject({ status: 200, body: '{"live":true}' });
  const { status, body } = await ask(service, '/health/ready');
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({ name: TEST_LABEL.name, date: TEST_LABEL.date, foods: 2 });
});

test('the paths cannot be read by pages on other origins, and are not cached', async () => {
  const service = await start({ allowedOrigin: '*' });
  for (const path of PATHS) {
    const { headers } = await ask(service, path, { headers: { origin: 'https://app.example' } });
    expect(headers, path).not.toHaveProperty('access-control-allow-origin');
    expect(headers['cache-control'], path).toBe('no-store');
    expect((await ask(service, path, { method: 'HEAD' })).status, path).toBe(200);
  }
});

describe('metrics', () => {
  test('count each request once, by its outcome', async () => {
    const service = await start();
    const requests: Readonly<Record<string, readonly [string, Parameters<typeof ask>[2]?]>> = {
      found: [targetOf('egg')],
      nothing_found: [targetOf('zzz')],
      not_modified: [targetOf('egg'), { headers: { 'if-none-match': '*' } }],
      missing_text: ['/api/food'],
      preflight: ['/api/food', { method: 'OPTIONS' }],
      method_not_allowed: ['/api/food', { method: 'POST' }],
      too_long: [targetOf('a'.repeat(17_000))],
    };
    for (const request of Object.values(requests)) await ask(service, ...request);
    const counted = await metrics(service);
    for (const outcome of Object.keys(requests))
      expect(counted.get(`food_lookup_requests_total{outcome="${outcome}"}`), outcome).toBe(1);
    expect(counted.get('food_lookup_request_duration_seconds_count')).toBe(Object.keys(requests).length);
  });

  test('count cached answers, in whatever coding, searches, and their time', async () => {
    const many = Array.from({ length: 100 }, (_, i) => food(`Egg ${i}`));
    const service = await startForTest(await catalogOf(many));
    for (const coding of ['identity', 'gzip', 'br', 'br', 'gzip', 'identity'])
      await ask(service, targetOf('egg'), { headers: { 'accept-encoding': coding } });
    const counted = await metrics(service);
    // Two searches, and a coding of an answer that is kept.
    expect(counted.get('food_lookup_answer_cache_misses_total')).toBe(3);
    expect(counted.get('food_lookup_answer_cache_hits_total')).toBe(3);
    expect(counted.get('food_lookup_search_duration_seconds_count')).toBe(2);
    expect(counted.get('food_lookup_search_duration_seconds_sum')).toBeGreaterThan(0);
    const bucket = 'food_lookup_request_duration_seconds_bucket';
    const buckets = Array.from(counted).filter(([name]) => name.startsWith(bucket));
    const counts = buckets.map(([, count]) => count);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toEqual([`${bucket}{le="+Inf"}`, 6]);
  });

  test('report the data set, the connections and the process', async () => {
    const service = await start();
    await ask(service, '/nowhere');
    const used = usedSeconds();
    const counted = await metrics(service);
    expect(counted.get('food_lookup_ready')).toBe(1);
    expect(counted.get('food_lookup_data_set_foods')).toBe(2);
    const dataSet = /^food_lookup_data_set_info\{name="test foods",date="2026-11-21",identity="\w+"\}$/;
    expect(Array.from(counted.keys())).toContainEqual(expect.stringMatching(dataSet));
    expect(counted.get('food_lookup_connections')).toBeGreaterThan(0);
    expect(counted.get('food_lookup_other_requests_total{status="404"}')).toBe(1);
    expect(counted.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    // Since the process began, not since the first scrape.
    for (const kinds of [[''], ['user_', 'system_']]) {
      const seconds = kinds.map((kind) => counted.get(`process_cpu_${kind}seconds_total`) ?? 0);
      const total = seconds.reduce((sum, each) => sum + each);
      expect(total).toBeGreaterThan(used - 0.01);
      expect(total).toBeLessThan(usedSeconds() + 0.01);
    }
    expect(counted.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
    expect(counted.get(`food_lookup_build_info{version="${project.version}"}`)).toBe(1);
    // It would disclose which vulnerabilities to try.
    expect((await ask(service, '/metrics')).body).not.toContain(process.version);
  });
});

test('an internal error is logged with the id that the answer names, and not disclosed to the client', async () => {
  const { dataSet } = await catalogOf([food('Egg')]);
  const fail = () => {
    throw new UserError('secret of the server');
  };
  const service = await startForTest({ dataSet, search: fail, unavailable: fail });
  for (const target of [targetOf('egg'), '/health/ready']) {
    const own = await ask(service, target);
    expect(own.status).toBe(500);
    expect(own.body).not.toContain('secret');
    expect(own.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  }
  const given = await ask(service, targetOf('egg'), { headers: { 'x-request-id': 'from-proxy.1' } });
  expect(given.headers['x-request-id']).toBe('from-proxy.1');
  const forged = await ask(service, targetOf('egg'), { headers: { 'x-request-id': 'a b"' } });
  expect(forged.headers['x-request-id']).not.toContain('a b');
});
