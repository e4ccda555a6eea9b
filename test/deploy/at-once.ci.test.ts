/** Many requests for one address at once, through nginx as shipped: none waits for the answer to another. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalog } from '#service';
import { changedNginx, type Proxied, startProxied } from '../support/proxied.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { ORIGIN, startService } from '../support/service.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

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

describeWithProgram('nginx', () => {
  let way: TcpProxy;
  let proxied: Proxied;
  let close = async () => {};

  beforeAll(async () => {
    const settings = { allowedOrigin: ORIGIN, nodeEnv: 'production' };
    const service = await startService(await openCatalog(undefined), settings);
    way = await TcpProxy.start(service.port);
    proxied = await startProxied(PATIENT, { services: [way, way] });
    close = async () => {
      await proxied.close();
      await Promise.all([way.close(), service.close()]);
    };
  });
  afterAll(() => close());

  /** The service gets no request before all have arrived, each on its own connection. */
  async function askAtOnce(target: string, headersOf = (_visitor: number): Record<string, string> => ({})) {
    way.drop();
    way.stall();
    const visitors = Array.from({ length: VISITORS }, (_, visitor) => headersOf(visitor));
    const answers = Promise.all(visitors.map((headers) => proxied.ask(target, { headers })));
    const message = 'a request waited for the answer to another';
    const haveArrived = expect.poll(() => way.connections, { message, timeout: 20_000 }).toBe(VISITORS);
    await haveArrived.finally(() => way.resume());
    return answers;
  }

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
