/** The command `check-cors` as users run it: its output and exit code, also for unusual answers and wrong usage. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, test } from 'vitest';
import { browserFetch, explain } from '#cors-check';
import { makeCertificate } from '../support/certificate.ts';
import { run, runAlone, serve, TWO_FOODS } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { answering, listen } from '../support/listen.ts';
import { describeWithPrograms } from '../support/requirements.ts';

const folder = temporaryFolder();
const ORIGIN = 'https://app.example';
const check = (url: string, ...more: string[]) => run(['check-cors', url, '--origin', ORIGIN, ...more]);

describe.concurrent('for food-lookup itself', async () => {
  const service = await serve([], { FOOD_DATA: TWO_FOODS, ALLOWED_ORIGIN: ORIGIN });
  afterAll(() => service.stop());
  const search = `${service.url}/api/food?q=egg`;

  it.each<[string, number, string, string[], string[]]>([
    [
      'yes for the allowed origin',
      0,
      search,
      [],
      ['Yes: the browser lets the page read the answer.', `< access-control-allow-origin: ${ORIGIN}`],
    ],
    [
      'yes to a header of the page, after a preflight',
      0,
      search,
      ['--header', 'X-Diary: 1'],
      ['Preflight: OPTIONS', '> Access-Control-Request-Headers: x-diary'],
    ],
    [
      'no for another origin, and what to set',
      1,
      search,
      ['--origin', 'https://b.example'],
      ['No: the page may not read', 'food-lookup: start it with ALLOWED_ORIGIN=https://b.example\n'],
    ],
    ['no to credentials, and that none are needed', 1, search, ['--credentials'], ['food-lookup needs none']],
    [
      'no to a method that changes data',
      1,
      search,
      ['--method', 'delete'],
      ['does not allow the method DELETE: Access-Control-Allow-Methods is "GET, HEAD"', 'GET and HEAD only'],
    ],
    [
      'that pages on other origins may read no other path',
      1,
      `${service.url}/data-set`,
      [],
      [`and request ${service.url}/api/food?q=TEXT`],
    ],
    [
      'both settings for portions',
      1,
      `${service.url}/portions?description=Egg`,
      [],
      [`start it with ALLOWED_ORIGIN=${ORIGIN} CORS_ROUTES=search,portions\n`],
    ],
  ])('says %s', async (_what, expected, url, flags, sentences) => {
    const { code, stdout, stderr } = await check(url, ...flags);
    for (const sentence of sentences) expect(stdout).toContain(sentence);
    expect(stdout).not.toContain('lacks Vary: Origin');
    expect([code, stderr]).toEqual([expected, '']);
  });
});

/** An answer with these headers, of which one may occur twice. */
const answer =
  (headers: Readonly<Record<string, string | string[]>>, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end();
const forAll = { 'Access-Control-Allow-Origin': '*' };

describe.concurrent('in the answer of any service, it names', () => {
  it.each<[string, string | string[], string]>([
    ['a slash', `${ORIGIN}/`, 'the trailing slash does not belong there'],
    ['capitals', 'https://App.example', 'it must be in lower case'],
    ['the scheme', 'http://app.example', 'the schemes differ'],
    ['the port', 'https://app.example:8443', 'the ports differ'],
    ['the default port', 'https://app.example:443', 'without a default port'],
    ['another name', 'https://www.app.example', 'these are different origins'],
    ['no origin', 'app.example', 'is not an origin'],
    ['a wildcard', 'https://*.example', 'no wildcards within an origin'],
    ['null', 'null', '"null" stands for files'],
    ['two headers', [ORIGIN, ORIGIN], 'more than one value'],
  ])('%s', async (_what, allowed, reason) => {
    const { code, stdout } = await check(await answering(answer({ 'Access-Control-Allow-Origin': allowed })));
    expect(code).toBe(1);
    expect(stdout).toContain(reason);
    expect(stdout).toContain(`send exactly Access-Control-Allow-Origin: ${ORIGIN} and Vary: Origin`);
  });

  it.each<[string, number, RequestListener, string[], string[]?]>([
    [
      'a missing Vary: Origin, although the page may read',
      0,
      answer({ 'Access-Control-Allow-Origin': ORIGIN, Vary: 'Accept-Encoding' }),
      ['lacks Vary: Origin'],
    ],
    [
      'headers that the page cannot read or set',
      0,
      answer({ ...forAll, ETag: '"1"', Link: '<x>', 'Access-Control-Expose-Headers': 'link' }),
      ['cannot read these headers of the answer: etag.', 'A page cannot set the header Cookie'],
      ['--header', 'Cookie: a=b'],
    ],
    [
      'a redirect of a preflight',
      1,
      answer({ ...forAll, Location: '/there/' }, 301),
      ['is a redirect (301), and browsers follow no redirect of a preflight'],
      ['--header', 'X-A: 1'],
    ],
    [
      'a redirect to two different targets',
      1,
      answer({ ...forAll, Location: ['/a', '/b'] }, 302),
      ['has the header Location with different values ("/a" and "/b")', 'Let the service send Location once'],
    ],
    [
      'an empty Location, which is no redirect',
      0,
      answer({ ...forAll, Location: '' }, 302),
      ['is a redirect (302) without a target. Chrome treats it as the answer; Firefox and Safari reject it'],
    ],
    [
      'no Location, which is no redirect',
      0,
      answer(forAll, 302),
      ['is a redirect (302) without a target. Chrome treats it as the answer; Firefox and Safari do so, too'],
    ],
    [
      'that it allows another origin',
      1,
      answer({ Vary: 'Accept-Encoding, Origin' }),
      [`may allow another origin than ${ORIGIN}. If it does, compare`],
    ],
    ...[
      ['a method that is not in the list', 'GET', ' is "GET".\n'],
      [
        'that * is no wildcard with credentials',
        '*',
        ' is "*". With credentials, * is a name like any other.\n',
      ],
    ].map(([what = '', methods = '', end = '']): [string, number, RequestListener, string[], string[]] => [
      what,
      1,
      answer({
        'Access-Control-Allow-Origin': ORIGIN,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Allow-Methods': methods,
      }),
      [`does not allow the method PUT: Access-Control-Allow-Methods${end}`],
      ['--method', 'put', '--credentials'],
    ]),
  ])('%s', async (_what, expected, listener, sentences, flags = []) => {
    const { code, stdout } = await check(await answering(listener), ...flags);
    for (const sentence of sentences) expect(stdout).toContain(sentence);
    expect(stdout).not.toContain('> Cookie');
    expect(code).toBe(expected);
  });

  test('no other origin if it allows none', async () => {
    expect((await check(await answering(answer({})))).stdout).not.toContain('another origin than');
  });

  test('a redirect between foreign origins, after which the origin is null', async () => {
    const there = await answering(answer({ 'Access-Control-Allow-Origin': ORIGIN }));
    const here = await answering(answer({ 'Access-Control-Allow-Origin': ORIGIN, Location: there }, 302));
    const { code, stdout } = await check(here);
    expect(code).toBe(1);
    expect(stdout).toContain('> Origin: null');
    expect(stdout).toContain('no longer reveals the origin of the page');
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
  const reasonIn = async (url: string, ...more: string[]): Promise<string> => {
    const { code, stdout, stderr } = await check(url, ...more);
    expect([code, stderr]).toEqual([1, '']);
    return /^Why: (.*)$/m.exec(stdout)?.[1] ?? '';
  };

  test('there is no such host', async () => {
    const { stdout } = await run(['check-cors', 'http://nowhere.invalid/', '--origin', 'http://127.0.0.1']);
    expect(stdout).toMatch(/there is no such host|cannot be looked up/);
  });

  test('the server is silent', async () => {
    const url = await answering(() => {});
    expect(await reasonIn(url, '--timeout', '0.3')).toBe(`${url} does not answer: no answer within 0.3 s.`);
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
    const url = await answering(answer({}));
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
      const url = await listen(createTlsServer({ key, cert }, answer(forAll)), 'https');
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
      answer(forAll)(request, response);
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
          await sleep(1);
        }
      }),
    );
    const { code, stdout } = await check(url);
    expect(stdout).toContain('  < 200\n  < access-control-allow-origin: *\n');
    expect(code).toBe(0);
  });
});

describe.concurrent('a service on this machine', () => {
  const BLOCKED = ["127.0.0.1 is the user's own machine", 'Serve the page over https'];
  const ASKED = [
    'lets the page read the answer, once the user has allowed it.',
    "Note: 127.0.0.1 is the user's own machine. Chrome and Firefox ask the user",
    'Chrome and Firefox do not count that as mixed content; Safari does, and blocks it',
  ];
  it.each<[string, string, number, string[]]>([
    ['is blocked without a request for a page at', 'http://203.0.113.1', 1, BLOCKED],
    ['is readable, once the user allows it, for a page at', 'https://203.0.113.1', 0, ASKED],
    ['is readable without a note from', 'http://localhost', 0, []],
    ['is readable without a note from', 'http://192.168.1.5', 0, []],
    ['is readable without a note from', 'http://10.0.0.7:8080', 0, []],
    ['is readable without a note from', 'http://[fd00::1]', 0, []],
    ['is readable without a note from', 'null', 0, []],
  ])('%s %s', async (_what, origin, expected, sentences) => {
    const { code, stdout } = await check(await answering(answer(forAll)), '--origin', origin);
    expect(code).toBe(expected);
    for (const sentence of sentences) expect(stdout).toContain(sentence);
    if (sentences.length === 0) expect(stdout).not.toContain('Note:');
    if (expected === 1) expect(stdout).not.toContain('Request:');
  });

  // Without a look-up, which takes five seconds on a machine without a network.
  it.each([
    ['http://page.example', 'Chrome blocks the request'],
    ['https://page.example', 'Chrome and Firefox ask the user'],
  ])('gets a note for a page on %s, whose address is not known', async (origin, who) => {
    const page = {
      url: new URL('http://127.0.0.1/'),
      origin,
      method: 'GET',
      headers: [],
      credentials: false,
    };
    const send = async () => ({ status: 200, headers: Object.entries(forAll) });
    const { verdict, notes } = explain(
      page,
      await browserFetch(page, { send, addressOf: async () => undefined }),
    );
    expect(verdict).toBe('Yes: the browser lets the page read the answer.');
    expect(notes[0]).toContain(`If the page comes from a public address, ${who}`);
  });
});

describe.concurrent('wrong usage ends with exit code 2 and one line:', () => {
  it.each([
    [['localhost:3001/api/food', '--origin', ORIGIN], 'Write it in full'],
    [['http://me:pw@localhost/', '--origin', ORIGIN], 'user name or password'],
    [['http://localhost/', '--origin', 'app.example'], 'probably \\"https://app.example\\" is meant'],
    [['http://localhost/', '--origin', `${ORIGIN}/`], 'remove the trailing slash'],
    [['http://localhost/', '--origin', '*'], 'a page has one origin'],
    [['http://localhost/', '--origin', ORIGIN, '--method', 'TRACE'], 'a page cannot use "TRACE"'],
    [['http://localhost/', '--origin', ORIGIN, '--header', 'no colon'], 'Expected "Name: value"'],
    [['http://localhost/', '--origin', ORIGIN, '--timeout', 'soon'], 'Expected seconds'],
    [['http://localhost/'], "required option '--origin <origin>' not specified"],
    [['--origin', ORIGIN], "missing required argument 'url'"],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run(['check-cors', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message.replaceAll('\\"', '"'));
  });
});
