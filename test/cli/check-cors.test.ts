/** The command `check-cors` as users run it: its output and exit code, also for unusual answers and wrong usage. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it, test } from 'vitest';
import { browserFetch, explain } from '#cors-check';
import { casesOf } from '../support/cases.ts';
import { makeCertificate } from '../support/certificate.ts';
import { run, runAlone, serve, TWO_FOODS } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { answering, listen } from '../support/listen.ts';
import { describeWithPrograms } from '../support/requirements.ts';

const folder = temporaryFolder();
const ORIGIN = 'https://app.example';
const FOR_ALL = '200; Access-Control-Allow-Origin: *';

/** @param asked an address and flags, such as `http://localhost/ --method=put --credentials` */
const check = (asked: string) => run(['check-cors', '--origin', ORIGIN, ...asked.split(/ (?=--)/)]);

/** @param sentences in which ¶ is the end of a line */
function expectAll(text: string, sentences: readonly string[]): void {
  for (const sentence of sentences) expect(text.replaceAll('\n', '¶')).toContain(sentence);
}

describe.concurrent('for food-lookup itself', async () => {
  const service = await serve([], { FOOD_DATA: TWO_FOODS, ALLOWED_ORIGIN: ORIGIN });
  afterAll(() => service.stop());

  it.each(
    casesOf(`
      yes for the allowed origin | 0 | /api/food?q=egg
        | Yes: the browser lets the page read the answer. | < access-control-allow-origin: ${ORIGIN}
      yes to a header of the page, after a preflight | 0 | /api/food?q=egg --header=X-Diary: 1
        | Preflight: OPTIONS | > Access-Control-Request-Headers: x-diary
      no for another origin, and what to set | 1 | /api/food?q=egg --origin=https://b.example
        | No: the page may not read | food-lookup: start it with ALLOWED_ORIGIN=https://b.example¶
      no for an app, and what to set | 1 | /api/food?q=egg --origin=capacitor://localhost
        | food-lookup: start it with ALLOWED_ORIGIN=capacitor://localhost¶
      no to credentials, and that none are needed | 1 | /api/food?q=egg --credentials
        | food-lookup needs none
      no to a method that changes data | 1 | /api/food?q=egg --method=delete
        | does not allow the method DELETE: Access-Control-Allow-Methods is "GET, HEAD" | GET and HEAD only
      that pages on other origins may read no other path | 1 | /data-set
        | and request ${service.url}/api/food?q=TEXT
      both settings for portions | 1 | /portions?description=Egg
        | start it with ALLOWED_ORIGIN=${ORIGIN} CORS_ROUTES=search,portions¶`),
  )('says %s', async (_what, expected, asked, ...sentences) => {
    const { code, stdout, stderr } = await check(service.url + asked);
    expectAll(stdout, sentences);
    expect(stdout).not.toContain('lacks Vary: Origin');
    expect([code, stderr]).toEqual([Number(expected), '']);
  });
});

/** @param text the status and the headers, such as `302; Location: /a; Location: /b` */
const answer =
  (text: string): RequestListener =>
  (_, response) => {
    const [status, ...fields] = text.split('; ');
    for (const field of fields) {
      const [name = '', value = ''] = field.split(/: ?(.*)/);
      response.appendHeader(name, value);
    }
    response.writeHead(Number(status)).end();
  };

describe.concurrent('in the answer of any service, it names', () => {
  it.each(
    casesOf(`
      a slash | ${ORIGIN}/ | the trailing slash does not belong there
      capitals | https://App.example | it must be in lower case
      the scheme | http://app.example | the schemes differ
      the port | https://app.example:8443 | the ports differ
      the default port | https://app.example:443 | without a default port
      another name | https://www.app.example | these are different origins
      no origin | app.example | is not an origin
      a wildcard | https://*.example | no wildcards within an origin
      null | null | "null" stands for files
      two headers | ${ORIGIN}; Access-Control-Allow-Origin: ${ORIGIN} | more than one value`),
  )('%s', async (_what, allowed, reason = '') => {
    const url = await answering(answer(`200; Access-Control-Allow-Origin: ${allowed}`));
    const { code, stdout } = await check(url);
    expect(code).toBe(1);
    expectAll(stdout, [reason, `send exactly Access-Control-Allow-Origin: ${ORIGIN} and Vary: Origin`]);
  });

  it.each(
    casesOf(`
      a missing Vary: Origin, although the page may read | 0
        | 200; Access-Control-Allow-Origin: ${ORIGIN}; Vary: Accept-Encoding | lacks Vary: Origin
      headers that the page cannot read or set | 0 --header=Cookie: a=b
        | ${FOR_ALL}; ETag: "1"; Link: <x>; Access-Control-Expose-Headers: link
        | cannot read these headers of the answer: etag. | A page cannot set the header Cookie
      another app | 1 --origin=capacitor://localhost | 200; Access-Control-Allow-Origin: ionic://localhost
        | the schemes differ
      another extension | 1 --origin=moz-extension://a | 200; Access-Control-Allow-Origin: moz-extension://b
        | these are different origins
      a redirect of a preflight | 1 --header=X-A: 1 | 301; Access-Control-Allow-Origin: *; Location: /there/
        | is a redirect (301), and browsers follow no redirect of a preflight
      a redirect to two different targets | 1 | 302; Access-Control-Allow-Origin: *; Location: /a; Location: /b
        | has the header Location with different values ("/a" and "/b") | Let the service send Location once
      an empty Location, which is no redirect | 0 | 302; Access-Control-Allow-Origin: *; Location:
        | (302) without a target. Chrome treats it as the answer; Firefox and Safari reject it
      no Location, which is no redirect | 0 | 302; Access-Control-Allow-Origin: *
        | (302) without a target. Chrome treats it as the answer; Firefox and Safari do so, too
      that it allows another origin | 1 | 200; Vary: Accept-Encoding, Origin
        | may allow another origin than ${ORIGIN}. If it does, compare
      a method that is not in the list | 1 --method=put --credentials
        | 200; Access-Control-Allow-Origin: ${ORIGIN}; Access-Control-Allow-Credentials: true;
          Access-Control-Allow-Methods: GET
        | does not allow the method PUT: Access-Control-Allow-Methods is "GET".¶
      that * is no wildcard with credentials | 1 --method=put --credentials
        | 200; Access-Control-Allow-Origin: ${ORIGIN}; Access-Control-Allow-Credentials: true;
          Access-Control-Allow-Methods: *
        | does not allow the method PUT: Access-Control-Allow-Methods is "*".
          With credentials, * is a name like any other.¶`),
  )('%s', async (_what, expected = '', headers = '', ...sentences) => {
    const { code, stdout } = await check(`${await answering(answer(headers))}${expected.slice(1)}`);
    expectAll(stdout, sentences);
    expect(stdout).not.toContain('> Cookie');
    expect(code).toBe(Number(expected[0]));
  });

  test('no other origin if it allows none', async () => {
    expect((await check(await answering(answer('200')))).stdout).not.toContain('another origin than');
  });

  test('a redirect between foreign origins, after which the origin is null', async () => {
    const there = await answering(answer(`200; Access-Control-Allow-Origin: ${ORIGIN}`));
    const here = await answering(answer(`302; Access-Control-Allow-Origin: ${ORIGIN}; Location: ${there}`));
    const { code, stdout } = await check(here);
    expect(code).toBe(1);
    expectAll(stdout, ['> Origin: null', 'no longer reveals the origin of the page']);
    expect(stdout).toContain('Let the page request the final address');
  });

  it.each([
    ['mixed content', 'http://api.example/x', 'block this as mixed content'],
    ['a port of another protocol', 'https://api.example:22/x', 'Port 22 belongs to another protocol'],
    ['another scheme', 'ftp://api.example/x', 'only request http and https addresses, not ftp'],
  ])('%s, without a request', async (_what, url, sentence) => {
    const { code, stdout } = await check(url);
    expect(code).toBe(1);
    expect(stdout).toContain(sentence);
    expect(stdout).not.toContain('Request:');
  });
});

describe.concurrent('without an answer, it says in one line why:', () => {
  const reasonIn = async (asked: string): Promise<string> => {
    const { code, stdout, stderr } = await check(asked);
    expect([code, stderr]).toEqual([1, '']);
    return /^Why: (.*)$/m.exec(stdout)?.[1] ?? '';
  };

  test('there is no such host', async () => {
    const { stdout } = await check('http://nowhere.invalid/ --origin=http://127.0.0.1');
    expect(stdout).toMatch(/there is no such host|cannot be looked up/);
  });

  test('the server is silent', async () => {
    const url = await answering(() => {});
    expect(await reasonIn(`${url} --timeout=0.3`)).toBe(`${url} does not answer: no answer within 0.3 s.`);
  });

  it.each<[string, string, (socket: Socket) => unknown]>([
    ['the answer is not HTTP', 'is not HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n')],
    ...['000', '099'].map((status): [string, string, (socket: Socket) => unknown] => [
      `no HTTP has the status ${status}`,
      'does not answer: its answer is not HTTP.',
      (socket) => socket.on('data', () => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`)),
    ]),
    ['the connection is closed', 'the connection was closed', (socket) => socket.destroy()],
    [
      'an interim answer never ends',
      'its headers are larger than 256 KB in all',
      (socket) => socket.write(`HTTP/1.1 100 Continue\r\nA: ${'a'.repeat(300 * 1024)}`),
    ],
  ])('%s', async (_what, reason, talk) => {
    const server = createTcpServer((socket) => talk(socket.on('error', () => {})));
    expect(await reasonIn(await listen(server))).toContain(reason);
  });

  test('nothing listens', async () => {
    const server = createTcpServer();
    const url = await listen(server);
    server.close();
    expect(await reasonIn(url)).toContain('nothing listens there');
  });

  test('the port speaks http, not https', async () => {
    const url = await answering(answer('200'));
    expect(await reasonIn(url.replace('http:', 'https:'))).toContain('does not speak https');
  });

  describeWithPrograms('openssl')('the certificate', () =>
    it.each([
      ['is self-signed', 'IP:127.0.0.1', 2, false, 'self-signed'],
      ['has expired', 'IP:127.0.0.1', -1, true, 'has expired'],
      ['is for another name', 'DNS:api.example', 2, true, 'for other host names'],
      ['is trusted, which is no fault', 'IP:127.0.0.1', 2, true, ''],
    ] as const)('%s', async (what, names, days, isKnown, reason) => {
      const { key, cert, certFile } = await makeCertificate(folder.path(what), names, days);
      const url = await listen(createTlsServer({ key, cert }, answer(FOR_ALL)), 'https');
      const known = isKnown ? { NODE_EXTRA_CA_CERTS: certFile } : {};
      const { code, stdout } = await runAlone(['check-cors', url, '--origin', ORIGIN], known);
      expect(code).toBe(reason === '' ? 0 : 1);
      expect(/^Why: (.*)$/m.exec(stdout)?.[1] ?? '').toContain(reason);
    }),
  );
});

describe.concurrent('an answer', () => {
  test('is read with 255 KB of headers, but not with 256', async () => {
    const url = await answering((request, response) => {
      const size = Number(request.url?.slice(1));
      for (let i = 0; i < size; i++) response.setHeader(`X-${i}`, 'a'.repeat(1020));
      answer(FOR_ALL)(request, response);
    });
    expect((await check(`${url}/255`)).code).toBe(0);
    const { code, stdout } = await check(`${url}/256`);
    expect(code).toBe(1);
    expect(stdout).toContain('its headers are larger than 256 KB in all');
  });

  test.each([
    ['whole', 1e6],
    ['in pieces of 7 bytes', 7],
    ['byte by byte', 1],
  ])('is found after interim answers that arrive %s', async (_how, size) => {
    const text =
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\nA: b\r\n\r\n' +
      'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\r\nok';
    const url = await listen(
      createTcpServer(async (socket) => {
        socket.setNoDelay().on('error', () => {});
        await once(socket, 'data');
        for (let at = 0; at < text.length; at += size) {
          socket.write(text.slice(at, at + size));
          await pause(1);
        }
      }),
    );
    const { code, stdout } = await check(url);
    expect(stdout).toContain('  < 200\n  < access-control-allow-origin: *\n');
    expect(code).toBe(0);
  });
});

describe.concurrent('a service on this machine', () => {
  it.each(
    casesOf(`
      is blocked without a request for a page at | http://203.0.113.1 | 1
        | 127.0.0.1 is the user's own machine | Serve the page over https
      is readable, once the user allows it, for a page at | https://203.0.113.1 | 0
        | lets the page read the answer, once the user has allowed it.
        | Note: 127.0.0.1 is the user's own machine. Chrome and Firefox ask the user
        | Chrome and Firefox do not count that as mixed content; Safari does, and blocks it
      is readable without a note from | http://localhost | 0
      is readable without a note from | http://192.168.1.5 | 0
      is readable without a note from | http://10.0.0.7:8080 | 0
      is readable without a note from | http://[fd00::1] | 0
      is readable without a note from | null | 0`),
  )('%s %s', async (_what, origin, expected, ...sentences) => {
    const { code, stdout } = await check(`${await answering(answer(FOR_ALL))} --origin=${origin}`);
    expect(code).toBe(Number(expected));
    expectAll(stdout, sentences);
    if (sentences.length === 0) expect(stdout).not.toContain('Note:');
    if (code === 1) expect(stdout).not.toContain('Request:');
  });

  // Without a look-up, which takes five seconds on a machine without a network.
  it.each([
    ['http://page.example', 'Chrome blocks the request'],
    ['https://page.example', 'Chrome and Firefox ask the user'],
  ])('gets a note for a page on %s, whose address is not known', async (origin, who) => {
    const url = new URL('http://127.0.0.1/');
    const page = { url, origin, method: 'GET', headers: [], credentials: false };
    const headers: [string, string][] = [['Access-Control-Allow-Origin', '*']];
    const network = { send: async () => ({ status: 200, headers }), addressOf: async () => undefined };
    const { verdict, notes } = explain(page, await browserFetch(page, network));
    expect(verdict).toBe('Yes: the browser lets the page read the answer.');
    expect(notes[0]).toContain(`If the page comes from a public address, ${who}`);
  });
});

describe.concurrent('wrong usage ends with exit code 2 and one line:', () => {
  it.each(
    casesOf(`
      localhost:3001/api/food --origin=${ORIGIN} | Write it in full
      http://me:pw@localhost/ --origin=${ORIGIN} | user name or password
      http://localhost/ --origin=app.example | probably "https://app.example" is meant
      http://localhost/ --origin=${ORIGIN}/ | remove the trailing slash
      http://localhost/ --origin=* | a page has one origin
      http://localhost/ --origin=${ORIGIN} --method=TRACE | a page cannot use "TRACE"
      http://localhost/ --origin=${ORIGIN} --header=no colon | Expected "Name: value"
      http://localhost/ --origin=${ORIGIN} --timeout=soon | Expected seconds
      http://localhost/ | required option '--origin <origin>' not specified
      --origin=${ORIGIN} | missing required argument 'url'`),
  )('%s', async (asked = '', message) => {
    const { code, stdout, stderr } = await run(['check-cors', ...asked.split(/ (?=--)/)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
