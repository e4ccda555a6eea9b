/** Many requests for one address at once, through nginx as shipped: none waits for the answer to another. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openCatalog } from '#service';
import { listen } from '../support/listen.ts';
import { changedNginx, type Proxied, startProxied } from '../support/proxied.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { ORIGIN, startService } from '../support/service.ts';

const OTHER = 'https://b.example';
const VISITORS = 20;

/** Of answers that may be kept, and of those that may not. */
const STATUSES = {
  ...{ '/': 200, '/docs': 200, '/openapi.json': 200, '/icon.svg': 200, '/data-set': 200 },
  '/nothing': 404,
  '/api/food': 200,
  '/api/food?q=a&match=x': 400,
  '/api/food?q=egg': 200,
  '/api/food?q=egg&match=words': 200,
  '/portions?description=Egg%2C+whole%2C+raw': 200,
  '/portions': 400,
};

/** If requests waited for each other, nginx would end that after five seconds, so make it longer than the test. */
const PATIENT = changedNginx({
  'upstream food_lookup {': 'proxy_cache_lock_timeout 1h; proxy_cache_lock_age 1h; upstream food_lookup {',
});

/**
 * The way to a service, which passes requests on only once that many have arrived, each on its own connection. It gives up, for
 * good, when nginx no longer waits for the answer to one of them.
 */
async function startGate(target: number, count: number) {
  const server = createServer();
  const held = new Map<Socket, () => void>();
  let hasGivenUp = false;
  const pass = () => {
    if (!hasGivenUp && held.size < count) return;
    for (const passOn of held.values()) passOn();
    held.clear();
  };
  server.on('connection', (from) => {
    const to = connect(target, '127.0.0.1');
    from.on('data', (request) => {
      held.set(from, () => to.write(request));
      pass();
    });
    from.on('close', () => {
      to.destroy();
      hasGivenUp ||= held.delete(from);
      pass();
    });
    to.pipe(from);
    for (const socket of [from, to]) socket.on('error', () => {});
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return { port, hasGivenUp: () => hasGivenUp, close: () => once(server.close(), 'close') };
}

describeWithProgram('nginx', () => {
  let gate: Awaited<ReturnType<typeof startGate>>;
  let proxied: Proxied;
  let close = async () => {};

  beforeAll(async () => {
    const settings = { allowedOrigin: ORIGIN, nodeEnv: 'production' };
    const service = await startService(await openCatalog(undefined), settings);
    gate = await startGate(service.port, VISITORS);
    proxied = await startProxied(PATIENT, { services: [gate, gate] });
    close = async () => {
      await proxied.close();
      await Promise.all([gate.close(), service.close()]);
    };
  });
  afterAll(() => close());
  afterEach(() => expect(gate.hasGivenUp(), 'a request waited for the answer to another').toBe(false));

  const askAtOnce = (target: string, headersOf: (visitor: number) => Record<string, string> = () => ({})) =>
    Promise.all(
      Array.from({ length: VISITORS }, (_, visitor) => proxied.ask(target, { headers: headersOf(visitor) })),
    );

  test.each(Object.entries(STATUSES))('passes all requests for %s on at once', async (target, status) => {
    for (const answer of await askAtOnce(target)) expect(answer.status).toBe(status);
  });

  test('gives each of them the answer for its own origin', async () => {
    const origins = [ORIGIN, OTHER];
    const answers = await askAtOnce('/api/food?q=milk', (i) => ({ origin: origins[i % 2] ?? '' }));
    for (const [i, { headers }] of answers.entries())
      expect(headers['access-control-allow-origin']).toBe(i % 2 === 0 ? ORIGIN : undefined);
  });
});
