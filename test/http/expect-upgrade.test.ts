/** Requests to continue, to change the protocol, and to open a tunnel, alone and between others, over raw sockets. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { createOperationsApp } from '../../src/service/http/app.ts';
import { createLog } from '../../src/service/operations/log.ts';
import { Operations } from '../../src/service/operations/metrics.ts';
import { serviceForAll } from '../support/lifetime.ts';
import {
  type MadeUpCatalog,
  rawGet,
  rawRequest,
  sendRaw,
  startService,
  statusesOf,
} from '../support/service.ts';

/** ms that a slow search takes. */
const SLOW = 50;

let searched: string[] = [];
beforeEach(() => {
  searched = [];
});

const CATALOG: MadeUpCatalog = {
  search: (q) => {
    searched.push(q);
    const body = Buffer.from(JSON.stringify([q]));
    return q === 'slow' ? pause(SLOW, { body, identity: 'one' }) : body;
  },
  lookUp: (_, description) => Buffer.from(JSON.stringify([description])),
};
// Without a cache, in which a slow answer would be at once from its second search on.
const service = serviceForAll(() => startService(CATALOG, { answerCache: 0 }));

const CLOSE = 'Connection: close';
const slow = rawGet('/api/food?q=slow');
const last = rawGet('/api/food?q=last', CLOSE);

/** Status and body of each answer, read as a client does: by their lengths. */
function answersIn(received: string): string[] {
  const answers = [];
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
    answers.push(`${rest.slice(9, 12)} ${rest.slice(end, end + length)}`);
    rest = rest.slice(end + length);
  }
  return answers;
}

/** Sends the parts one after another, and reads until the service closes the connection. */
async function sendParts(...parts: readonly string[]): Promise<string> {
  const socket = connect(service.port, '127.0.0.1').setNoDelay(true);
  const received = text(socket);
  for (const part of parts) {
    socket.write(part);
    await pause(SLOW / 2);
  }
  return received;
}

describe('Expect: 100-continue', () => {
  const EXPECT = 'Expect: 100-continue';
  const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 2'];

  it.each(['/api/food?q=b', '/portions?description=b'])(
    'of a request without a body to %s changes nothing, whatever comes before',
    async (target) => {
      const answers = ['200 ["slow"]', '200 ["b"]', '200 ["last"]'];
      expect(answersIn(await sendRaw(service, slow + rawGet(target, EXPECT) + last))).toEqual(answers);
      expect(answersIn(await sendRaw(service, rawGet(target, EXPECT) + last))).toEqual(answers.slice(1));
    },
  );

  it('is answered at once where the answer does not need the body', async () => {
    const received = await sendRaw(service, slow + rawRequest('POST', '/api/food', [EXPECT, ...JSON_BODY]));
    expect(statusesOf(received)).toEqual(['200', '405']);
    // The body may follow or not, so nothing after it can be read.
    expect(received).toMatch(/405 [\s\S]*\r\nConnection: close\r\n/);
    const searches = rawRequest('GET', '/api/food?q=b', [EXPECT, 'Content-Length: 2']);
    expect(answersIn(await sendRaw(service, searches))).toEqual(['200 ["b"]']);
  });

  it('is answered 100 where the body is needed, after all answers before', async () => {
    for (const [before, ...statuses] of [[''], [slow, '200']]) {
      const socket = connect(service.port, '127.0.0.1').setEncoding('latin1');
      socket.write(before + rawRequest('POST', '/nowhere', [EXPECT, ...JSON_BODY]));
      let received = '';
      while (!received.includes('100 Continue\r\n\r\n')) received += String((await once(socket, 'data'))[0]);
      socket.write('{}');
      received += await text(socket);
      expect(answersIn(received).map((each) => each.slice(0, 3))).toEqual([...statuses, '100', '404']);
    }
  });
});

describe('Upgrade', () => {
  const UPGRADE = ['Upgrade: websocket', 'Connection: Upgrade'];

  it.each(['/api/food?q=b', '/portions?description=b', '/nowhere', '/data-set', '/metrics', '/docs/'])(
    'to %s is ignored, answered, and the last of its connection',
    async (target) => {
      const [expected] = statusesOf(await sendRaw(service, rawGet(target, CLOSE)));
      for (const following of ['', last, 'noise\r\n\r\n', slow + last]) {
        const received = await sendRaw(service, slow + rawGet(target, ...UPGRADE) + following);
        expect(statusesOf(received), following).toEqual(['200', expected]);
        expect(received).toContain('\r\nConnection: close\r\n');
      }
      expect(searched).not.toContain('last');
    },
  );

  it.each(['websocket', 'h2c', 'TLS/1.2, HTTP/2.0'])(
    'makes nothing after it a request, even in another segment: “%s”',
    async (protocol) => {
      const upgrade = rawGet('/api/food?q=slow', `Upgrade: ${protocol}`, 'Connection: keep-alive, UPGRADE');
      const parts = [
        [upgrade, last],
        [upgrade, 'noise\r\n\r\n'],
        [upgrade + last, last, last],
      ];
      for (const each of parts) expect(answersIn(await sendParts(...each))).toEqual(['200 ["slow"]']);
      expect(searched).not.toContain('last');
    },
  );

  it('is answered to a client that has closed its sending side', async () => {
    const socket = connect(service.port, '127.0.0.1');
    socket.end(rawGet('/api/food?q=slow', ...UPGRADE));
    expect(answersIn(await text(socket))).toEqual(['200 ["slow"]']);
  });

  it('of a request with a body is answered after the body', async () => {
    const headers = [...UPGRADE, 'Content-Type: application/json', 'Content-Length: 2'];
    for (const parts of [
      [rawRequest('POST', '/nowhere', headers, '{}') + last],
      [rawRequest('POST', '/nowhere', headers), '{}', last],
    ])
      expect(statusesOf(await sendParts(...parts))).toEqual(['404']);
  });

  it.each([
    ['the option in Connection', ['Upgrade: websocket']],
    ['a protocol', ['Upgrade:', 'Connection: Upgrade']],
  ])('without %s means nothing', async (_what, headers) => {
    const received = await sendRaw(service, rawGet('/api/food?q=b', ...headers) + last);
    expect(statusesOf(received)).toEqual(['200', '200']);
  });
});

const CONNECT = 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n';

test('CONNECT is answered 405, alone or after a slow search', async () => {
  for (const [before, ...statuses] of [[''], [slow, '200']])
    for (const following of ['', last, 'noise']) {
      const received = await sendRaw(service, before + CONNECT + following);
      expect(statusesOf(received)).toEqual([...statuses, '405']);
      expect(received).toContain('\r\nAllow: GET, HEAD, OPTIONS\r\n');
      expect(JSON.parse(received.slice(received.lastIndexOf('\r\n\r\n')))).toEqual({
        error: expect.stringContaining('CONNECT'),
      });
    }
});

test('a client that resets its connection after CONNECT ends nothing else', async () => {
  const socket = connect(service.port, '127.0.0.1');
  socket.write(slow + CONNECT);
  await pause(SLOW / 2);
  socket.resetAndDestroy();
  await pause(SLOW);
  expect(statusesOf(await sendRaw(service, last))).toEqual(['200']);
});

test('the operations port answers them in the same way, and in order', async () => {
  const app = await createOperationsApp({ operations: new Operations(), log: await createLog('silent') });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const operations = { ...service, port: (app.server.address() as { port: number }).port };
  const live = rawGet('/health/live', CLOSE);
  for (const [bytes, statuses] of [
    [rawGet('/metrics') + rawGet('/health/live', 'Expect: 100-continue') + live, ['200', '200', '200']],
    [rawGet('/metrics', 'Upgrade: h2c', 'Connection: Upgrade') + live, ['200']],
    [rawGet('/metrics') + CONNECT, ['200', '405']],
  ] as const)
    expect(statusesOf(await sendRaw(operations, bytes))).toEqual(statuses);
  // Even for clients that have closed their sending side.
  const socket = connect(operations.port, '127.0.0.1');
  socket.end(`${rawGet('/metrics')}noise\r\n\r\n`);
  expect(statusesOf(await text(socket))).toEqual(['200', '400']);
  await app.close();
});
