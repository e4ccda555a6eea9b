/** The handler of the search answers every request to its path, in any spelling. */
import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { pairsOf } from '../support/cases.ts';
import { serviceForAll } from '../support/lifetime.ts';
import { ORIGIN, rawRequest, sendRaw, startService, statusesOf } from '../support/service.ts';

const service = serviceForAll(() =>
  startService({ search: () => Buffer.from('["rice"]') }, { allowedOrigin: ORIGIN }),
);

const FORMS = ['/api/food', '/api/%66ood', '/%61pi/foo%64', 'http://x/api/food', 'HTTPS://x:8/api/f%6Fod'];
const send = (method: string, target: string, more: readonly string[] = [], body = '') =>
  sendRaw(service, rawRequest(method, target, [`Origin: ${ORIGIN}`, 'Connection: close', ...more], body));
const head = (received: string) =>
  received.slice(0, received.indexOf('\r\n\r\n')).replace(/\r\nDate: .*/, '');

describe.each(FORMS)('%s', (form) => {
  it.each(METHODS.filter((method) => method !== 'CONNECT'))('by %s', async (method) => {
    const received = await send(method, `${form}?q=rice`);
    expect(head(received)).toBe(head(await send(method, '/api/food?q=rice')));
    expect(received).toContain(`\r\nAccess-Control-Allow-Origin: ${ORIGIN}\r\n`);
    const [status] = statusesOf(received);
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return expect(status).toBe('200');
    expect(status).toBe('405');
    expect(received).toContain('\r\nAllow: GET, HEAD, OPTIONS\r\n');
    expect(received).toContain('\r\nContent-Type: application/json; charset=utf-8\r\n');
    expect(received).toMatch(RegExp(`\\{"error":"[^"]*\\b${method}\\b[^"]*"\\}$`));
  });

  it.each(['', 'text/strange', 'application/json', '"'])('with a body of type %j', async (type) => {
    const more = [...(type === '' ? [] : [`Content-Type: ${type}`]), 'Content-Length: 5'];
    for (const [method, status] of pairsOf('POST → 405 | PROPFIND → 405 | OPTIONS → 200 | GET → 200')) {
      const received = await send(method, `${form}?q=rice`, more, '{"a":');
      expect(statusesOf(received), method).toEqual([status]);
      expect(received).toContain(`\r\nAccess-Control-Allow-Origin: ${ORIGIN}\r\n`);
    }
  });

  it('with a preflight', async () => {
    const received = await send('OPTIONS', form, ['Access-Control-Request-Method: GET']);
    expect(received).toContain('\r\nAccess-Control-Allow-Methods: GET, HEAD\r\n');
  });
});

// Browsers resolve dot segments before they send a target, and an encoded slash is not a separator (RFC 3986, 2.2).
it.each(['/api/./food', '/x/../api/food', '/api%2Ffood', '/api/%2566ood', '//api/food'])(
  '%s does not reach the search',
  async (target) => {
    const received = await send('GET', `${target}?q=rice`);
    expect(statusesOf(received)).toEqual(['404']);
    expect(received).not.toContain('Access-Control');
  },
);
