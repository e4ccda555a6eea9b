/** Overload: what is refused, with which answer, and the recovery from it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startForTest } from '../support/lifetime.ts';
import {
  ask,
  catalogOf,
  food,
  type MadeUpCatalog,
  ORIGIN,
  type Reply,
  rawGet,
  type Service,
  sendRaw,
  startService,
  statusesOf,
  targetOf,
} from '../support/service.ts';
import { pauseFor, workFor } from '../support/time.ts';
import { waitFor } from '../support/wait.ts';

const FROM_PAGE = { headers: { origin: ORIGIN } };

function expectRefusal({ status, headers, body }: Reply): void {
  expect(status).toBe(503);
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(headers['access-control-allow-origin']).toBe(ORIGIN);
  expect(headers['access-control-expose-headers']).toContain('Retry-After');
  expect(headers.vary).toBe('Origin');
  expect(headers['cache-control']).toBe('no-store');
  expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/\.$/) });
}

test('searches that arrive while the event loop lags are refused, and answered afterwards', async () => {
  let busy = 0;
  const search = () => {
    workFor(busy);
    return Buffer.from('[]');
  };
  const service = await startForTest({ search }, { allowedOrigin: ORIGIN }, undefined, { turn: 200 });
  // Always new texts, which the cache cannot answer.
  let asked = 0;
  const askTogether = () =>
    Promise.all(Array.from({ length: 60 }, () => ask(service, targetOf(`egg ${asked++}`), FROM_PAGE)));
  // The event loop accepts new connections one by one, and reads open ones together.
  const areAnswered = async () => (await askTogether()).every(({ status }) => status === 200);
  await waitFor(areAnswered);
  busy = 8;
  const replies = await askTogether();
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(60);
  for (const reply of refused) expectRefusal(reply);
  busy = 0;
  await waitFor(areAnswered);
});

test('searches in turns of their own are answered, however long they take together', async () => {
  const search = () => {
    workFor(30);
    return Buffer.from('[]');
  };
  const service = await startForTest({ search }, {}, undefined, { turn: 100 });
  for (let i = 0; i < 10; i++) expect((await ask(service, targetOf(`egg ${i}`))).status).toBe(200);
});

test('a time without a processor refuses no search, neither one that waits for its turn nor one that arrives after it', async () => {
  const catalog: MadeUpCatalog = {
    search: (text) => {
      if (text === 'pause') pauseFor(400);
      return Buffer.from('[]');
    },
    searchWords: () => {
      pauseFor(15);
      return { body: Buffer.from('[]'), readings: [], replaced: [], missing: [] };
    },
  };
  const service = await startForTest(catalog, {}, undefined, { turn: 300, wait: 300 });
  const targets = Array.from({ length: 3 }, (_, i) => `${targetOf(`egg ${i}`)}&match=words`);
  targets.push(targetOf('pause'), targetOf('one'));
  const sockets = targets.map(() => connect(service.port, '127.0.0.1'));
  // The event loop reads open connections together.
  for (const socket of sockets) socket.write(rawGet('/health/live'));
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  const received = sockets.map((socket) => text(socket));
  for (const [i, socket] of sockets.entries()) socket.write(rawGet(targets[i] ?? '', 'Connection: close'));
  expect((await Promise.all(received)).flatMap(statusesOf)).toEqual(Array(targets.length).fill('200'));
});

test('a search is refused while 1,000 others wait', async () => {
  const waiting: (() => void)[] = [];
  const search = async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { body: Buffer.from('[]'), identity: 'one' };
  };
  const service = await startForTest({ search }, { allowedOrigin: ORIGIN });
  const replies = Array.from({ length: 1000 }, (_, i) => ask(service, targetOf(`egg ${i}`)));
  await waitFor(async () => waiting.length === 1000);
  expectRefusal(await ask(service, targetOf('one too many'), FROM_PAGE));
  expect((await ask(service, '/health/live')).status).toBe(200);
  for (const answer of waiting.splice(0)) answer();
  for (const reply of replies) expect((await reply).status).toBe(200);
  const next = ask(service, targetOf('egg'));
  await waitFor(async () => waiting.length === 1);
  waiting[0]?.();
  expect((await next).status).toBe(200);
});

test('each of many requests that time out together is answered once: with 408, or with its foods if it still arrives', async () => {
  const service = await startForTest(await catalogOf([food('Egg')]));
  service.server.headersTimeout = 3000;
  const sockets = Array.from({ length: 300 }, () => connect(service.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(`GET ${targetOf('egg')} HTTP/1.1\r\nHost: x\r\n`);
  // Once this is answered, the service has read the others.
  await ask(service, targetOf('egg'));
  const texts = await Promise.all(
    sockets.map(async (socket, i) => {
      let text = '';
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        text += String(chunk);
        // Long enough for a second answer, which must not come.
        setTimeout(() => socket.end(), 500);
      });
      // The service checks after three seconds, and answers a few at a time.
      const timer = setTimeout(() => socket.write('\r\n'), 1500 + 8 * i);
      await once(socket, 'close');
      clearTimeout(timer);
      return text;
    }),
  );
  const late = texts.filter((text) => text.startsWith('HTTP/1.1 408 '));
  const inTime = texts.filter((text) => text.startsWith('HTTP/1.1 200 '));
  expect([late.length > 0, inTime.length > 0, late.length + inTime.length]).toEqual([true, true, 300]);
  for (const text of late)
    expect(text.split('\r\n\r\n')[1]).toBe('{"error":"The request took too long to arrive."}');
  for (const text of inTime) expect(text).toMatch(/\r\n\r\n\[\{[^[\]]*\}\]$/);
});

test('a connection is closed after 72 s without a request, but not one with requests', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await startForTest({ search: () => Buffer.from('[]') });
  const [asking, idle] = [connect(service.port, '127.0.0.1'), connect(service.port, '127.0.0.1')];
  const askOn = async (socket: Socket): Promise<void> => {
    socket.write(rawGet(targetOf('egg')));
    await once(socket, 'data');
  };
  await Promise.all([askOn(asking), askOn(idle)]);
  let closedAt = 0;
  const closed = once(idle, 'close').then(() => {
    closedAt = performance.now();
  });
  for (let seconds = 5; seconds <= 85; seconds += 5) {
    vi.advanceTimersByTime(5000);
    await askOn(asking);
  }
  await closed;
  expect(closedAt).toBeGreaterThan(72_000);
  asking.destroy();
});

test('a connection is closed once its client has read nothing for 15 s', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const body = Buffer.alloc(2 ** 25, ' ');
  let searches = 0;
  const search = () => {
    searches++;
    return body;
  };
  const service = await startForTest({ search });
  const closed = async (): Promise<string | undefined> =>
    /^food_lookup_slow_readers_closed_total (\d+)$/m.exec((await ask(service, '/metrics')).body)?.[1];
  const stuck = connect(service.port, '127.0.0.1').on('error', () => {});
  stuck.write(rawGet(targetOf('egg')));
  await waitFor(async () => searches > 0);
  vi.advanceTimersByTime(15_000);
  expect(await closed()).toBe('0');
  // A check begins the time, and another ends it.
  for (let seconds = 20; seconds <= 30; seconds += 5) {
    vi.advanceTimersByTime(5000);
    await waitFor(async () => (await closed()) !== undefined);
  }
  expect(await closed()).toBe('1');
  let received = 0;
  stuck.on('data', ({ length }) => {
    received += length;
  });
  await waitFor(async () => stuck.closed || received >= body.length);
  expect(received).toBeLessThan(body.length);
});

describe('with a limit of 5 connections', () => {
  const LIMIT = 5;
  let service: Service;
  beforeEach(async () => {
    const settings = { allowedOrigin: ORIGIN, maxConnections: LIMIT };
    service = await startService(await catalogOf([food('Egg')]), settings);
  });
  afterEach(() => service.close());

  /** Opens connections, and sends a part of a request on each. */
  async function occupy(number: number): Promise<Socket[]> {
    const sockets = Array.from({ length: number }, () => connect(service.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(`GET ${targetOf('egg')} HTTP/1.1\r\n`);
    return sockets;
  }

  test('another one is answered 503 and closed until one is free', async () => {
    const sockets = await occupy(LIMIT);
    const reply = await ask(service, targetOf('egg'), FROM_PAGE);
    expectRefusal(reply);
    expect(reply.headers.connection).toBe('close');
    const preflight = await ask(service, '/api/food', { method: 'OPTIONS', ...FROM_PAGE });
    expect(preflight.status, 'a page must get past the preflight to read why').toBe(200);
    for (const socket of sockets) socket.destroy();
    await waitFor(async () => (await ask(service, targetOf('egg'))).status === 200);
  });

  test('active connections displace idle ones', async () => {
    const sockets = await occupy(LIMIT);
    const answered = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('Host: x\r\n\r\n');
    await Promise.all(answered);
    const closed = sockets.map((socket) => once(socket, 'close'));
    await ask(service, targetOf('egg'));
    await Promise.all(closed);
    expect((await ask(service, targetOf('egg'))).status).toBe(200);
  });

  test('a request under way is answered, however many connections follow', async () => {
    const [first] = await occupy(1);
    await Promise.all(Array.from({ length: 3 * LIMIT }, () => ask(service, targetOf('egg')).catch(() => {})));
    const answered = once(first as Socket, 'data');
    first?.write('Host: x\r\n\r\n');
    expect(String(await answered)).toMatch(/^HTTP\/1.1 200/);
    first?.destroy();
  });
});

describe('pipelined requests', () => {
  const sent = async (number: number): Promise<string[]> => {
    const service = await startForTest(await catalogOf([food('Egg')]));
    const requests =
      rawGet(targetOf('egg')).repeat(number - 1) + rawGet(targetOf('egg'), 'Connection: close');
    return statusesOf(await sendRaw(service, requests));
  };

  test('are answered, up to 256', async () => expect(await sent(256)).toEqual(Array(256).fill('200')));

  test('are refused beyond that, and the connection closed', async () => {
    const statuses = await sent(1500);
    expect(statuses.pop()).toBe('503');
    expect(new Set(statuses)).toEqual(new Set(['200']));
    expect(statuses.length).toBeGreaterThanOrEqual(256);
  });
});
