/** How `check-cors` handles unusual HTTP answers, networks, and wrong usage. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { run } from '../support/command.ts';
import { answering, listen } from '../support/listen.ts';

const check = (url: string, origin = 'http://localhost') => run(['check-cors', url, '--origin', origin]);
const allowing: RequestListener = (_, response) =>
  response.setHeader('Access-Control-Allow-Origin', '*').end();

describe.concurrent('an answer', () => {
  test('is read with 255 KB of headers, but not with 256', async () => {
    const url = await answering((request, response) => {
      const size = Number(request.url?.slice(1));
      for (let i = 0; i < size; i++) response.setHeader(`X-${i}`, 'a'.repeat(1020));
      allowing(request, response);
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
  const noteOn = (who: string) => [
    'lets the page read the answer.\n',
    `If the page comes from a public address, ${who}`,
  ];

  it.each<[string, string, number, string[]]>([
    ['is blocked without a request for a page at', 'http://203.0.113.1', 1, BLOCKED],
    ['is readable, once the user allows it, for a page at', 'https://203.0.113.1', 0, ASKED],
    ['gets a note on', 'http://nowhere.invalid', 0, noteOn('Chrome blocks the request')],
    ['gets a note on', 'https://nowhere.invalid', 0, noteOn('Chrome and Firefox ask the user')],
    ['is readable without a note from', 'http://localhost', 0, []],
    ['is readable without a note from', 'http://192.168.1.5', 0, []],
    ['is readable without a note from', 'http://10.0.0.7:8080', 0, []],
    ['is readable without a note from', 'http://[fd00::1]', 0, []],
    ['is readable without a note from', 'null', 0, []],
  ])('%s %s', async (_what, origin, expected, sentences) => {
    const { code, stdout } = await check(await answering(allowing), origin);
    expect(code).toBe(expected);
    for (const sentence of sentences) expect(stdout).toContain(sentence);
    if (sentences.length === 0) expect(stdout).not.toContain('Note:');
    if (expected === 1) expect(stdout).not.toContain('Request:');
  });
});

describe.concurrent('wrong usage ends with exit code 2 and one line:', () => {
  const ORIGIN = 'https://app.example';

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
