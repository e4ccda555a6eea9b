/** The order of answers on a connection, and the answers to requests that HTTP forbids, over raw sockets. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { pairsOf } from '../support/cases.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import {
  ask,
  type MadeUpCatalog,
  rawGet,
  rawRequest,
  sendRaw,
  startService,
  statusesOf,
  targetOf,
} from '../support/service.ts';

const LONG = JSON.stringify('rice '.repeat(1000));

/** Searches that wait until the test releases them, as those of a database wait. */
let release: () => void;
let released: Promise<void>;
beforeEach(() => {
  released = new Promise((resolve) => {
    release = resolve;
  });
});
afterEach(() => release());

const SLOW_ANSWER = { body: Buffer.from('["slow"]'), identity: 'one' };
const CATALOG: MadeUpCatalog = {
  search: (q) => (q === 'slow' ? released.then(() => SLOW_ANSWER) : Buffer.from(LONG)),
};
// Without a cache, in which a slow answer would be at once from its second search on.
const service = serviceForAll(() => startService(CATALOG, { answerCache: 0 }));

const slowRequest = rawGet('/api/food?q=slow');
/** Requests with delayed answers. */
const SLOW: readonly [string, string][] = [
  ['compressed', rawGet('/api/food?q=rice', 'Accept-Encoding: gzip')],
  ['searched for elsewhere', slowRequest],
];
const MALFORMED: readonly [string, string, string][] = [
  ['400', 'noise\r\n\r\n', 'The request is not valid HTTP.'],
  ['400', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', 'The request is not valid HTTP.'],
  ['431', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`, 'The request line and the headers are too long.'],
];

/** Sends bytes and reads to the end; slow searches end a moment after the service has read the bytes. */
async function exchange(bytes: string, closes = false): Promise<string> {
  const socket = connect(service.port, '127.0.0.1');
  const received = text(socket.setEncoding('latin1'));
  if (closes) socket.end(bytes);
  else socket.write(bytes);
  // The service reads connections in order, so it has read the bytes once this is answered.
  await sendRaw(service, rawGet('/api/food', 'Connection: close'));
  release();
  return received;
}

describe.each(SLOW)('an answer that is %s', (_how, slow) => {
  it.each(MALFORMED)(
    'is written before the %s for the bytes that follow',
    async (status, malformed, message) => {
      const received = await exchange(slow + malformed);
      expect(statusesOf(received)).toEqual(['200', status]);
      expect(received).toMatch(new RegExp(`\r\n\r\n\\{"error":"${message}"\\}$`));
    },
  );

  it('is one of many that are written before it, in their order', async () => {
    const received = await exchange(`${rawGet('/api/food')}${slow}${rawGet('/nowhere')}${slow}noise\r\n\r\n`);
    expect(statusesOf(received)).toEqual(['200', '200', '404', '200', '400']);
  });

  it('is written to a client that has closed its sending side, and the connection closed', async () => {
    for (const requests of [[slow], [slow, rawGet('/api/food'), slow]])
      expect(statusesOf(await exchange(requests.join(''), true))).toEqual(requests.map(() => '200'));
  });

  it('is written before the 400 of a request that the client has not finished', async () => {
    const received = await exchange(`${slow}GET /api/food?q=`, true);
    expect(statusesOf(received)).toEqual(['200', '400']);
  });

  it('is the last one if it closes the connection, whatever follows', async () => {
    const last = slow.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    expect(statusesOf(await exchange(`${last}noise\r\n\r\n`))).toEqual(['200']);
  });
});

test('an answer from elsewhere is written before the 408 of a request that does not arrive', async () => {
  const impatient = await startForTest(CATALOG, { answerCache: 0 });
  impatient.server.headersTimeout = 200;
  const socket = connect(impatient.port, '127.0.0.1');
  const received = text(socket);
  socket.write(`${slowRequest}GET /api/food HTTP/1.1\r\n`);
  await pause(500);
  release();
  expect(statusesOf(await received)).toEqual(['200', '408']);
});

describe('a request with a malformed body', () => {
  const chunked = (method: string, target: string) =>
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nZZZ\r\n`;

  it('gets one answer if that does not need the body', async () => {
    expect(statusesOf(await exchange(chunked('POST', '/api/food')))).toEqual(['405']);
  });

  it('is answered 400 if the answer needs the body, after earlier answers', async () => {
    expect(statusesOf(await exchange(chunked('POST', '/nowhere')))).toEqual(['400']);
    expect(statusesOf(await exchange(slowRequest + chunked('POST', '/nowhere')))).toEqual(['200', '400']);
  });
});

describe('the header Host', () => {
  it.each([
    ['twice', 'HTTP/1.1', 'Host: a\r\nHost: b\r\n', '400'],
    ['twice with the same value', 'HTTP/1.1', 'Host: a\r\nhOST: a\r\n', '400'],
    ['twice in HTTP/1.0', 'HTTP/1.0', 'Host: a\r\nHost: b\r\n', '400'],
    ['twice, behind 2,000 others', 'HTTP/1.1', `Host: a\r\n${'x: y\r\n'.repeat(2000)}Host: b\r\n`, '400'],
    ['missing', 'HTTP/1.1', '', '400'],
    ['missing in HTTP/1.0', 'HTTP/1.0', '', '200'],
    ['empty', 'HTTP/1.1', 'Host:\r\n', '200'],
    ['once, beside others of its length', 'HTTP/1.1', 'From: a\r\nHost: a\r\n', '200'],
  ])('%s', async (_what, version, hosts, status) => {
    for (const target of ['/api/food?q=rice', '/health/live']) {
      const bytes = `GET ${target} ${version}\r\n${hosts}Connection: close\r\n\r\n`;
      const received = await sendRaw(service, bytes);
      expect(statusesOf(received)).toEqual([status]);
      if (status === '400') expect(received).toMatch(/\{"error":"The header Host is [^"]*\."\}$/);
    }
  });

  it.each([
    ...['a b', 'a/b', 'a, b', 'u@x', '[::1', '::1', '[::g]', '[]', '[1.2.3.4]', 'a:b', 'a:1:2', 'a:-1', 'é'],
    ...['a#', 'a?b', '"a"', '<a>', 'a\\b', '%', 'a%2', '%zz', '[::1]a', '[::1%]', 'http://a', 'a\tb'],
  ])('invalid: %s', async (host) => {
    const targets = '/api/food?q=rice → 1.1 | /health/live → 1.0 | http://x/api/food?q=rice → 1.1';
    for (const [target, version] of pairsOf(targets))
      expect(await answerTo(target, version, host)).toBe(
        '400 {"error":"The header Host is neither a name nor an address, with or without a port."}',
      );
  });

  it.each([
    ...['a', 'A-1.example.', 'x:3001', 'x:', '127.0.0.1:80', '[::1]', '[::1]:3001', '[FE80::1%25eth0]:1'],
    ...['[fe80::1%eth0]', '[::ffff:192.0.2.1]', 'xn--caf-dma.example', 'caf%C3%A9', 'a_b~!$&(c)*+,;=', ''],
  ])('valid: %s', async (host) => {
    expect(await answerTo('/api/food?q=rice', '1.1', host)).toBe(`200 ${LONG}`);
    expect(await answerTo('/api/food?q=rice', '1.1', 'a b')).toMatch(/^400/);
  });
});

async function answerTo(target: string, version: string, host = 'x'): Promise<string> {
  const bytes = `GET ${target} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const received = await sendRaw(service, bytes);
  expect(received).toMatch(/^HTTP\/1.1 .*\r\n([^\r].*\r\n)*Connection: close\r\n/);
  return received.replace(/^HTTP\/1.1 (\d+) .*?\r\n\r\n/s, '$1 ');
}

test('a later version of HTTP is answered 505', async () => {
  const refused = '505 {"error":"The service understands HTTP/1.1, and no later version."}';
  for (const target of ['/api/food?q=rice', '/portions?description=a', '/', 'http://x/api/food?q=rice'])
    expect(await answerTo(target, '2.0')).toBe(refused);
});

test('a target with a # is not searched', async () => {
  const targets = ['/api/food?q=rice#', '/api/food#?q=rice', '/portions?description=a#b', '/#', 'http://x/#'];
  for (const target of targets)
    expect(await answerTo(target, '1.1')).toBe(
      '400 {"error":"The address of the request contains a #. It must be percent-encoded: %23."}',
    );
  expect(await answerTo('/api/food?q=%23', '1.1')).toBe(`200 ${LONG}`);
});

describe('a character outside ASCII in the address', () => {
  it.each(['/api/food?q=crème', '/é', '/a#é', 'http://é/'])('is named as the fault: %s', async (target) => {
    const received = await sendRaw(service, rawGet(target));
    expect(statusesOf(received)).toEqual(['400']);
    expect(received).toContain('must be percent-encoded');
  });

  it.each(['GET egg HTTP/1.1\r\n\r\n', 'é\r\n\r\n', 'GET / HTTP/1.1\r\né: a\r\n\r\n'])(
    'is not blamed for other faults: %j',
    async (bytes) => {
      expect(await sendRaw(service, bytes)).toContain('"The request is not valid HTTP."');
    },
  );
});

test.each([
  ['400', 'noise\r\n\r\n'],
  ['400', 'GET / HTTP/1.1\r\n\r\n'],
  ['400', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  // The greeting of TLS.
  ['400', '\x16\x03\x01\x02\x00\x01\x00\x01\x7c\x03\x03'],
  ['400', rawGet('/%', 'Connection: close')],
  ['404', rawGet('/nothing.js', 'Connection: close')],
  ['413', rawRequest('POST', '/nowhere', ['Content-Type: application/json', 'Content-Length: 9000000'])],
  ['431', `GET / HTTP/1.1\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
  ['200', rawGet('/api/food?q=', 'Connection: close')],
])('no cache stores an error %s: %#', async (status, bytes) => {
  const received = await sendRaw(service, bytes);
  expect(statusesOf(received)).toEqual([status]);
  expect(received.match(/\r\ncache-control: .*/gi)).toEqual([expect.stringMatching(/: no-store$/)]);
});

test('an answer that a client reads late is its own, whatever others are answered meanwhile', async () => {
  const bodyOf = (query: string): string => JSON.stringify(query.repeat(5000));
  let searched = () => {};
  const late = await startForTest({
    search: (query) => {
      searched();
      return Buffer.from(bodyOf(query));
    },
  });
  const socket = connect(late.port, '127.0.0.1');
  // The service reads no further request once the system does not take a whole answer to this one.
  let answered = 0;
  for (let isRead = true; isRead; answered++) {
    const read = new Promise<true>((resolve) => {
      searched = () => resolve(true);
    });
    socket.write(rawGet(`/api/food?q=${1000 + answered}`));
    isRead = await Promise.race([read, pause(500, false)]);
  }
  // As long as those: longer ones are sent another way, and would overwrite nothing.
  for (let i = 0; i < 5; i++) expect((await ask(late, targetOf(`${9000 + i}`))).status).toBe(200);
  socket.end();
  const received = await text(socket.setEncoding('latin1'));
  const bodies = Array.from(received.matchAll(/\r\n\r\n(".+?")/g), ([, body]) => body);
  expect(bodies.length).toBe(answered);
  expect(bodies.findIndex((body, i) => body !== bodyOf(String(1000 + i)))).toBe(-1);
});
