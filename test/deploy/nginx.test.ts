/** nginx passes on what the service means: changes of ALLOWED_ORIGIN, and long headers. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { NGINX, startProxied } from '../support/proxied.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { food, memoryCatalogOf, type Service, startService, targetOf } from '../support/service.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

const [A, B] = ['https://a.example', 'https://b.example'];
const EGG = targetOf('egg');

/** Shortens five minutes to one second. */
const shortened = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replaceAll('max-age=300', 'max-age=001'), 'latin1');

describeWithProgram('nginx', () => {
  test('a page reads cached answers once it is allowed, and no longer once another one is', async () => {
    const catalog = await memoryCatalogOf([food('Egg')]);
    let service: Service = await startService(catalog);
    onTestFinished(() => service.close());
    const network = await TcpProxy.start(service.port, shortened);
    onTestFinished(() => network.close());
    const proxied = await startProxied(NGINX, { services: [network, network] });
    onTestFinished(() => proxied.close());

    const allow = async (allowedOrigin: string | undefined): Promise<void> => {
      await service.close();
      service = await startService(catalog, { allowedOrigin, port: service.port });
      // nginx counts whole seconds.
      await pause(2100);
    };
    const ask = async (origin: string | undefined) => {
      const { status, headers } = await proxied.ask(EGG, { headers: origin === undefined ? {} : { origin } });
      expect(status).toBe(200);
      return [headers['access-control-allow-origin'], headers['x-cache']];
    };
    /** Twice, because the first request could make nginx ask the service. */
    const allowedFor = async (origin: string) => [(await ask(origin))[0], (await ask(origin))[0]];

    expect([await ask(undefined), await ask(undefined)]).toEqual([
      [undefined, 'MISS'],
      [undefined, 'HIT'],
    ]);
    expect(await allowedFor(A)).toEqual([undefined, undefined]);
    await allow(A);
    expect(await ask(undefined)).toEqual([undefined, 'EXPIRED']);
    expect(await allowedFor(A)).toEqual([A, A]);
    expect(await ask(A)).toEqual([A, 'HIT']);
    await allow(B);
    expect(await allowedFor(A)).toEqual([undefined, undefined]);
    expect(await allowedFor(B)).toEqual([B, B]);
    await allow('*');
    expect(await allowedFor(A)).toEqual(['*', '*']);
    expect(await allowedFor(B)).toEqual(['*', '*']);
    await allow(undefined);
    expect(await allowedFor(A)).toEqual([undefined, undefined]);
    expect(await allowedFor(B)).toEqual([undefined, undefined]);
  });

  test('an answer is passed on however many words were replaced', async () => {
    const words = Array.from({ length: 32 }, (_, i) => `${i}`.padStart(60, 'é'));
    const replaced = words.map((typed) => ({ typed, searched: `${typed}x` }));
    const service = await startService({
      searchWords: () => ({ body: Buffer.from('["found"]'), readings: [], replaced, missing: [] }),
    });
    onTestFinished(() => service.close());
    const proxied = await startProxied(NGINX, { services: [service, service] });
    onTestFinished(() => proxied.close());
    const { status, headers, body } = await proxied.ask('/api/food?q=a&match=words', {
      headers: { origin: A },
    });
    expect([status, String(body)]).toEqual([200, '["found"]']);
    expect(headers['matched-words']?.length).toBeGreaterThan(1000);
  });
});
