/** The service answers the same where the private fields of Node.js that make it faster are different. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAN_SEND_AT_ONCE } from '../../src/service/http/node-http.ts';
import { preloading, type Running, serve, TWO_FOODS } from '../support/command.ts';
import { ORIGIN, rawGet, rawRequest, sendRaw, targetOf } from '../support/service.ts';

/** Changes Node.js as a later version might: each change turns off one fast way. */
const LATER = `
  import http from 'node:http';
  const { OutgoingMessage, IncomingMessage } = http;
  const store = OutgoingMessage.prototype._storeHeader;
  OutgoingMessage.prototype._storeHeader = function (start, headers) {
    return store.call(this, start.split('\\r\\n', 1)[0] + '\\r\\n', headers);
  };
  Object.defineProperty(IncomingMessage.prototype, '_dumped', { get() {}, set() {} });`;

const services: Running[] = [];
beforeAll(async () => {
  const settings = { FOOD_DATA: TWO_FOODS, ALLOWED_ORIGIN: ORIGIN };
  services.push(await serve([], settings), await serve([], { ...settings, ...preloading(LATER) }));
});
afterAll(() => Promise.all(services.map((service) => service.stop())));

test('answers are sent at once on this Node.js', () => expect(CAN_SEND_AT_ONCE).toBe(true));

const LAST = rawGet('/health/live', 'Connection: close');
const FOUND = rawGet(targetOf('a'), `Origin: ${ORIGIN}`);

test.each([
  ['a search', [FOUND]],
  ['repeated searches, one after the other', [FOUND, FOUND, FOUND]],
  ['pipelined searches', [FOUND + FOUND + FOUND]],
  ['a search by words that replaces one', [rawGet(`${targetOf('zzz')}&match=words`, `Origin: ${ORIGIN}`)]],
  ['a missing text', [rawGet('/api/food')]],
  ['a refused origin', [rawGet(targetOf('a'), 'Origin: https://other.example')]],
  ['HEAD', [FOUND.replace('GET', 'HEAD')]],
  ['GET with a body', [`${rawGet(targetOf('a'), 'Content-Length: 3')}abc`, FOUND]],
  ['POST with a body', [rawRequest('POST', targetOf('a'), ['Content-Length: 3'], 'abc'), FOUND]],
  ['a conditional request', [rawGet(targetOf('a'), 'If-None-Match: *'), FOUND]],
  ['portions', [rawGet('/portions?description=a')]],
  ['a request whose connection closes', [rawGet(targetOf('a'), 'Connection: close')]],
] as const)('%s is answered the same over private fields and without', async (_what, requests) => {
  const [answer = '', other] = await Promise.all(
    services.map(async (service) => {
      let received = '';
      for (const request of requests) received += await sendRaw(service, `${request}${LAST}`);
      return received.replaceAll(/Date: .*/g, '');
    }),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 /);
  expect(other).toBe(answer);
});
