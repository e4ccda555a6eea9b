/**
 * A primary, two standbys and the network fail under a service with load: every answer is right, or a 503 in bounded time, and the
 * service recovers by itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { FoodRecord } from '#core';
import { parsePostgresUrl } from '#postgres';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { Postgres, urlOf } from '../support/postgres.ts';
import { load } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { answersOf, byWords, rightAnswer, SearchLoop } from '../support/search-loop.ts';
import { ask, memoryCatalogOf, type Service, startService, TEST_LABEL } from '../support/service.ts';
import { starterFoods } from '../support/starter-foods.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { waitFor } from '../support/wait.ts';

const TEXTS = [
  ...'e eg egg milk raw ing zzz chicken a oil bread'.split(' '),
  ...[' ', 'egg, whole'],
  ...['whole egg', 'mlik', 'raw a', 'egg', 'oil olive'].map(byWords),
];

/** ms that no request may take. */
const LONGEST = 3000;

/** The one error that the service may send instead of an answer. */
const NAMED = /^503, Retry-After 1: \{"error":"The database [^"]+ Try again\."\}$/;

describeWithPostgres('a service with one primary and two standbys', () => {
  let primary: Postgres;
  let standbys: [Postgres, Postgres];
  let proxies: TcpProxy[];
  let catalog: PostgresCatalog;
  let service: Service;
  let foods: FoodRecord[];
  let answers: Map<string, string[]>;
  let asking: SearchLoop | undefined;
  /** The port of the proxy in front of the current server. */
  let current = 0;
  /** Why servers could not be used. */
  const away: string[] = [];

  const portOf = (server: number): number => proxies[server]?.port ?? 0;
  const recovered = async (): Promise<boolean> =>
    (await ask(service, '/api/food?q=egg&n=wait')).status === 200;

  beforeAll(async () => {
    primary = await Postgres.start();
    standbys = [await primary.standby(), await primary.standby()];
    // Few, so that an import does not block this process, which answers, too.
    foods = (await starterFoods()).filter((_, i) => i % 4 === 0);
    await load(primary.url(), foods, TEST_LABEL);
    answers = answersOf(await memoryCatalogOf(foods), TEXTS);
    proxies = await Promise.all([primary, ...standbys].map(({ port }) => TcpProxy.start(port)));
    const url = parsePostgresUrl(urlOf(proxies));
    catalog = await PostgresCatalog.open(url, 20_000);
    catalog.watch({
      away: (reason) => void away.push(reason),
      refused: () => {},
      connected: (host) => {
        current = Number(host.split(':')[1]);
      },
      replaced: () => {},
    });
    service = await startService(catalog);
  });
  // Stops the load of a failed test.
  afterEach(async () => {
    await asking?.stop();
    for (const proxy of proxies) proxy.resume();
  });
  afterAll(async () => {
    await service.close();
    await catalog.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await Promise.all([primary, ...standbys].map((server) => server.remove()));
  });

  /** Searches during the work: every answer must be right, every failure must be named, and none may take long. */
  async function under(work: () => Promise<unknown>) {
    asking = new SearchLoop((target) => ask(service, target), answers, 4);
    await pause(200);
    await work();
    await pause(300);
    const result = await asking.stop();
    expect(result.wrong).toEqual([]);
    expect(result.longest).toBeLessThan(LONGEST);
    for (const failure of Object.keys(result.failures)) expect(failure).toMatch(NAMED);
    return result;
  }

  test('reads from a standby, and fails over to the other one without a failed request', async () => {
    // At a busy start only the primary may answer in time; then the service soon looks for a standby again.
    await waitFor(async () => [portOf(1), portOf(2)].includes(current));
    const killed = current === portOf(1) ? 0 : 1;
    away.splice(0);
    const { failed } = await under(async () => {
      await standbys[killed]?.end('SIGKILL');
      await waitFor(async () => current === portOf(killed === 0 ? 2 : 1));
    });
    expect(failed).toBe(0);
    expect(away).toHaveLength(1);
    await standbys[killed]?.run();
  });

  test('leaves a standby whose network is stalled', async () => {
    const stalled = proxies.find(({ port }) => port === current);
    const { failed, requests } = await under(async () => {
      stalled?.stall();
      await waitFor(async () => current !== stalled?.port);
      await pause(500);
    });
    // Only searches that were under way may fail.
    expect(failed).toBeLessThan(Math.max(20, requests / 10));
    stalled?.resume();
  });

  test('stays with a server whose answers lie unread while this process is busy', async () => {
    const before = current;
    away.splice(0);
    for (const end = performance.now() + 2500; performance.now() < end; await new Promise(setImmediate))
      for (const turn = performance.now() + 130; performance.now() < turn; );
    expect((await ask(service, '/api/food?q=egg&n=busy')).status).toBe(200);
    expect([away, current]).toEqual([[], before]);
  });

  test('does not notice when the primary is killed', async () => {
    const { failed } = await under(async () => {
      await primary.end('SIGKILL');
      await pause(500);
    });
    expect(failed).toBe(0);
    await primary.run();
  });

  test('goes to the primary if no standby is left, and back to a standby', async () => {
    const { failed } = await under(async () => {
      await Promise.all(standbys.map((server) => server.end('SIGQUIT')));
      await waitFor(async () => current === portOf(0));
    });
    expect(failed).toBeLessThan(20);
    await Promise.all(standbys.map((server) => server.run()));
    await under(() => waitFor(async () => current !== portOf(0)));
  });

  test('without any server sends cached answers with their age, refuses other searches at once, and recovers', async () => {
    // The second request for a text caches its answer.
    for (let i = 0; i < 3; i++) expect((await ask(service, '/api/food?q=milk')).headers.age).toBeUndefined();
    const tag = (await ask(service, '/api/food?q=milk')).headers.etag ?? '';
    const result = await under(async () => {
      for (const proxy of proxies) proxy.stall();
      await pause(3500);
      const kept = await ask(service, '/api/food?q=milk');
      expect(kept).toMatchObject({ status: 200, body: answers.get('milk')?.[0] });
      expect(Number(kept.headers.age)).toBeGreaterThanOrEqual(2);
      const unchanged = await ask(service, '/api/food?q=oil', { headers: { 'if-none-match': tag } });
      expect(unchanged.status).toBe(503);
      const known = await ask(service, '/api/food?q=milk', { headers: { 'if-none-match': tag } });
      expect(known.status).toBe(304);
      expect(Number(known.headers.age)).toBeGreaterThanOrEqual(2);
      const started = performance.now();
      const refused = await ask(service, '/api/food?q=egg&n=0', { headers: { origin: 'https://a.example' } });
      expect(performance.now() - started).toBeLessThan(1000);
      expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(JSON.parse(refused.body)).toEqual({ error: expect.stringMatching(/^The database /) });
      for (const proxy of proxies) proxy.resume();
      await waitFor(recovered);
    });
    expect(result.failed, JSON.stringify(result)).toBeGreaterThan(0);
    await waitFor(async () => (await ask(service, '/api/food?q=milk')).headers.age === undefined);
  });

  test('limits the number of waiting searches', async () => {
    for (const proxy of proxies) proxy.stall();
    const started = performance.now();
    const reasons: string[] = [];
    // All begin in one turn of the event loop, before any can end.
    const searches = Array.from({ length: 600 }, () =>
      catalog.search('egg').catch((error: Error) => void reasons.push(error.message)),
    );
    const { status } = await ask(service, '/api/food?q=egg&n=one-more');
    await Promise.all(searches);
    expect(performance.now() - started).toBeLessThan(LONGEST + 1000);
    for (const proxy of proxies) proxy.resume();
    expect(status).toBe(503);
    expect(reasons).toHaveLength(600);
    // 256 in the queue and at most 8 under way; the others were refused before any of these failed.
    const refused = reasons.findIndex((reason) => !reason.startsWith('Too many searches wait'));
    expect(refused).toBeGreaterThanOrEqual(600 - 264);
    await waitFor(recovered);
  });

  test('loads a new data set from its standby without a failed request', async () => {
    foods = foods.slice(0, 220);
    const memory = await memoryCatalogOf(foods);
    for (const [text, known] of answers) known.push(rightAnswer(memory, text));
    expect(current).not.toBe(portOf(0));
    const { failed } = await under(async () => {
      await load(primary.url(), foods, TEST_LABEL);
      // By then the old tables are gone, on the standby too.
      await waitFor(async () => catalog.dataSet.foods === 220);
    });
    expect(failed).toBe(0);
    for (const [text, [, fresh = '']] of answers) answers.set(text, [fresh]);
    await under(() => pause(200));
  });

  test('loads a data set that was imported into a promoted standby', async () => {
    const [promoted] = standbys;
    await primary.end('SIGKILL');
    await under(() => promoted.query('SELECT pg_promote(true)'));
    const fewer = foods.slice(0, 180);
    const memory = await memoryCatalogOf(fewer);
    for (const [text, known] of answers) known.push(rightAnswer(memory, text));
    // The other standby still follows the killed primary.
    await standbys[1].end('SIGINT');
    await under(async () => {
      await load(urlOf([...standbys, primary]), fewer, TEST_LABEL);
      await waitFor(async () => catalog.dataSet.foods === 180);
    });
    const reply = await ask(service, '/api/food?q=egg');
    expect(reply.body).toBe(Buffer.from(memory.search('egg')).toString());
  });
});
