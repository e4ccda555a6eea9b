/** THREADS: several threads behave like one. */
import { execFile } from 'node:child_process';
import { copyFile, rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMany, requestFor } from '../../load/torture/client.ts';
import { stopping } from '../../load/torture/stopping.ts';
import { processLimits, rateLimiter } from '../../src/service/http/limits/process-limits.ts';
import { MAIN, preloading, type Running, run, runAlone, serve } from '../support/command.ts';
import { tableOf, temporaryFolder } from '../support/files.ts';
import { describeWithScript } from '../support/requirements.ts';
import { targetOf } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const [MAJOR = 0, MINOR = 0] = process.versions.node.split('.').map(Number);
const CAN_SHARE = MAJOR > 22 || (MAJOR === 22 && MINOR >= 12);
const THREADS = { THREADS: '3' };
/** So many that each of the three threads gets some. */
const CONNECTIONS = 60;

const folder = temporaryFolder();

async function importOf(name: string): Promise<string> {
  const eggs = Array.from({ length: 300 }, (_, i) => `Egg, ${name} food ${i}`);
  const source = await folder.write(`${name}.csv`, tableOf(eggs));
  await run(['import', source, '--to', folder.path(`${name}.idx`)]);
  return source;
}

async function askEach(clients: Awaited<ReturnType<typeof openMany>>, text: string): Promise<string[]> {
  const answers = await Promise.all(clients.map((client) => client.answerTo(requestFor(targetOf(text)))));
  return answers.map((answer) => `${answer?.status} ${answer?.body.toString()}`);
}

function statusesOf(answers: readonly string[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const answer of answers) counted[answer.slice(0, 3)] = (counted[answer.slice(0, 3)] ?? 0) + 1;
  return counted;
}

test('windows count the searches of a client in all threads, and begin with its first search', () => {
  const search = record({
    client: constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8:0:1::1'),
    wait: integer({ min: 0, max: 700 }),
  });
  assert(
    property(array(search, { maxLength: 60 }), (searches) => {
      const limit = { requests: 3, seconds: 2 };
      const windowOf = new Map<string, { startedAt: number; used: number }>();
      const limits = processLimits(limit);
      // Each thread sees what the other has counted.
      const shared = [0, 1].map(() => rateLimiter(limit, undefined, limits));
      let now = 0;
      for (const [i, { client, wait }] of searches.entries()) {
        now += wait;
        const last = windowOf.get(client);
        const own = last && now - last.startedAt < 2000 ? last : { startedAt: now, used: 0 };
        windowOf.set(client, own);
        const request = { socket: { remoteAddress: client } } as IncomingMessage;
        const retryAfter = shared[i % 2]?.take(request, now).retryAfter;
        // Whole seconds, at times with a rounding error.
        const left = own.startedAt + 2000 - now;
        if (own.used++ < 3) expect(retryAfter).toBe(0);
        else expect([Math.ceil(left / 1000), Math.ceil((left + 0.01) / 1000)]).toContain(retryAfter);
      }
    }),
    { numRuns: 30 },
  );
});

test.skipIf(CAN_SHARE)('an older Node.js refuses THREADS, and names the version needed', async () => {
  const { code, stderr } = await runAlone(['serve', '--threads', '2']);
  const reason = `threads share a port from Node.js 22.12 on, and this is ${process.versions.node}`;
  const advice = 'Use a newer Node.js, or start several processes with 1 thread each.';
  const message = `food-lookup: THREADS: 2 cannot be used: ${reason}. ${advice}\n`;
  expect([code, stderr]).toEqual([1, message]);
});

const skipped = CAN_SHARE ? '' : ' (skipped; missing: Node.js 22.12 or newer)';
describe.skipIf(!CAN_SHARE)(`several threads${skipped}`, () => {
  let service: Running;
  beforeAll(async () => {
    await Promise.all([importOf('old'), importOf('new')]);
    await copyFile(folder.path('old.idx'), folder.path('served.idx'));
    service = await serve([], { FOOD_DATA: folder.path('served.idx'), ...THREADS });
  });
  afterAll(() => service?.stop());

  test('give the same answers, and share their metrics', async () => {
    const clients = await openMany(service.port, CONNECTIONS);
    const answers = new Set<string>();
    for (let i = 0; i < 5; i++) for (const answer of await askEach(clients, 'egg')) answers.add(answer);
    expect([...answers]).toEqual([expect.stringMatching(/^200 \[\{.*old food/)]);
    // Each scrape has its own connection, to any thread.
    for (let i = 0; i < 6; i++) {
      const page = await (await fetch(`${service.url}/metrics`, { headers: { connection: 'close' } })).text();
      expect(page).toContain(`food_lookup_requests_total{outcome="found"} ${5 * CONNECTIONS}`);
      expect(page).toContain('food_lookup_ready 1\n');
      expect(page).toContain('food_lookup_data_set_foods 300\n');
      expect(page).toMatch(/food_lookup_request_duration_seconds_count 300\n/);
      expect(page.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
      expect(Number(/^food_lookup_connections (\d+)$/m.exec(page)?.[1])).toBeGreaterThanOrEqual(CONNECTIONS);
    }
    for (const client of clients) client.close();
  });

  test('all serve a new data set, without a failed or mixed answer', async () => {
    const clients = await openMany(service.port, CONNECTIONS);
    const [old] = await askEach(clients, 'food 7');
    await copyFile(folder.path('new.idx'), folder.path('next.idx'));
    await rename(folder.path('next.idx'), folder.path('served.idx'));
    const seen = new Set<string>();
    await waitFor(async () => {
      const answers = await askEach(clients, 'food 7');
      for (const answer of answers) seen.add(answer);
      return answers.every((answer) => answer !== old);
    });
    expect(seen.size).toBeLessThanOrEqual(2);
    expect(statusesOf([...seen])).toEqual({ 200: seen.size });
    expect((await service.metrics()).data_set_foods).toBe(300);
    expect(service.errors().match(/a new data set is served/g)).toHaveLength(1);
    for (const client of clients) client.close();
  });

  describeWithScript('in a terminal', () =>
    test('start, and each asks for its colours', async () => {
      const command = `${process.execPath} ${MAIN} serve --port 0 --threads 3`;
      const greeting = await new Promise<string>((resolve) => {
        const terminal = execFile('script', ['-qec', command, '/dev/null'], (_, stdout) => resolve(stdout));
        // Closing the terminal ends the service.
        terminal.stdout?.on('data', (text) => String(text).includes('origins') && terminal.kill());
      });
      expect(greeting).toContain('food-lookup listens on');
    }),
  );

  test('do not share the port with another service', async () => {
    const { code, stderr } = await runAlone(['serve', '--port', String(service.port)], THREADS);
    expect(code).toBe(1);
    expect(stderr).toContain(`PORT: ${service.port} is taken by another process.`);
  });

  test('share RATE_LIMIT and MAX_CONNECTIONS, even with foods from a CSV file', async () => {
    const limited = await serve([], {
      FOOD_DATA: folder.path('old.csv'),
      OPERATIONS_PORT: '0',
      RATE_LIMIT: '70/600',
      MAX_CONNECTIONS: '50',
      ...THREADS,
    });
    const operations = /http:\S+(?=\/health)/.exec(limited.greeting)?.[0];
    const open = async () => {
      const page = await (await fetch(`${operations}/metrics`)).text();
      return Number(/^food_lookup_connections (\d+)$/m.exec(page)?.[1]);
    };
    const clients = await openMany(limited.port, CONNECTIONS);
    await waitFor(async () => (await open()) === CONNECTIONS);
    expect(statusesOf(await askEach(clients, 'egg'))).toEqual({ 200: 50, 503: 10 });
    await waitFor(async () => (await open()) === 50);
    const others = clients.filter(({ isOpen }) => isOpen);
    expect(statusesOf(await askEach(others, 'egg'))).toEqual({ 200: 20, 429: 30 });
    for (const client of clients) client.close();
    expect(await limited.stop()).toBe(0);
  });

  test('end gracefully on SIGTERM: every request on an accepted connection is answered', async () => {
    const figures = await stopping({ times: 2, environment: THREADS });
    expect(figures.filter(({ holds }) => holds === false)).toEqual([]);
  });

  test('are all not ready during SHUTDOWN_DELAY, and all still answer', async () => {
    const data = { FOOD_DATA: folder.path('old.idx') };
    const ending = await serve([], { ...data, SHUTDOWN_DELAY: '2', ...THREADS });
    const clients = await openMany(ending.port, CONNECTIONS);
    const ready = async () => {
      const headers = { connection: 'close' };
      return (await fetch(`${ending.url}/health/ready`, { headers })).status;
    };
    const stopped = ending.stop();
    await waitFor(async () => (await ready()) === 503);
    await pause(1000);
    // Each request has its own connection, to any thread.
    for (let i = 0; i < 12; i++) expect(await ready()).toBe(503);
    expect(statusesOf(await askEach(clients, 'egg'))).toEqual({ 200: CONNECTIONS });
    expect(statusesOf(await askEach(clients, 'egg'))).toEqual({ 200: CONNECTIONS });
    for (const client of clients) client.close();
    expect(await stopped).toBe(0);
  });

  test('end together if one fails, with a line in the log', async () => {
    const fault = `import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const fail = () => { if (existsSync(${JSON.stringify(folder.path('fail'))})) throw new Error('it is broken'); };
if (!isMainThread) setInterval(fail, 50);`;
    const data = { FOOD_DATA: folder.path('old.idx') };
    const broken = await serve([], { ...data, ...preloading(fault), ...THREADS });
    await folder.write('fail', '');
    expect(await broken.ended).toBe(1);
    expect(broken.errors()).toMatch(/"level":60.*it is broken.*the process ends: unhandled error/);
  });

  test('cannot serve a database', async () => {
    const { code, stderr } = await runAlone(['serve', '--food-data', 'postgres://db/foods'], THREADS);
    expect(code).toBe(1);
    expect(stderr).toContain('THREADS: 3 cannot be used with a database');
  });
});
