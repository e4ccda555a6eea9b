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
  test('that allows another origin is distinguished from one that allows none', async () => {
    const url = await answering((request, response) => {
      if (request.url === '/one') response.setHeader('Vary', 'Accept-Encoding, Origin');
      response.end();
    });
    expect((await check(`${url}/one`)).stdout).toContain(
      'may allow another origin than http://localhost. If it does, compare',
    );
    expect((await check(`${url}/none`)).stdout).not.toContain('another origin than');
  });

  test('is read with 200 KB of headers, but not with 300 KB', async () => {
    const url = await answering((request, response) => {
      const size = Number(request.url?.slice(1));
      for (let i = 0; i < size; i++) response.setHeader(`X-${i}`, 'a'.repeat(1020));
      allowing(request, response);
    });
    expect((await check(`${url}/200`)).code).toBe(0);
    const { code, stdout } = await check(`${url}/300`);
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

  test('is a failure if an interim one never ends', async () => {
    const url = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {}).write(`HTTP/1.1 100 Continue\r\nA: ${'a'.repeat(300 * 1024)}`);
      }),
    );
    const { code, stdout } = await check(url);
    expect(code).toBe(1);
    expect(stdout).toContain('its headers are larger than 256 KB in all');
  });

  test('is a fault if it redirects to two different targets', async () => {
    const url = await answering((_, response) => {
      response.writeHead(302, [...['Access-Control-Allow-Origin', '*', 'Location', '/a', 'Location', '/b']]);
      response.end();
    });
    const { code, stdout } = await check(url);
    expect(code).toBe(1);
    expect(stdout).toContain('has the header Location with different values ("/a" and "/b")');
    expect(stdout).toContain('Let the service send Location once');
  });

  test.each([
    ['an empty Location', { Location: '' }, 'Firefox and Safari reject it'],
    ['no Location', {}, 'Firefox and Safari do so, too'],
  ])('with status 302 and %s is no redirect', async (_which, location, note) => {
    const url = await answering((_, response) => {
      response.writeHead(302, { 'Access-Control-Allow-Origin': '*', ...location }).end();
    });
    const { code, stdout } = await check(url);
    expect(code).toBe(0);
    expect(stdout).toContain(`is a redirect (302) without a target. Chrome treats it as the answer; ${note}`);
  });
});

describe.concurrent('a service on this machine', () => {
  test('is blocked for a page at a public http address, without a request', async () => {
    const url = await answering(allowing);
    const { code, stdout } = await check(url, 'http://203.0.113.1');
    expect(code).toBe(1);
    expect(stdout).toContain("127.0.0.1 is the user's own machine");
    expect(stdout).toContain('Serve the page over https');
    expect(stdout).not.toContain('Request:');
  });

  test('is readable for a page at a public https address, once the user allows it', async () => {
    const url = await answering(allowing);
    const { code, stdout } = await check(url, 'https://203.0.113.1');
    expect(code).toBe(0);
    expect(stdout).toContain('lets the page read the answer, once the user has allowed it.');
    expect(stdout).toContain("Note: 127.0.0.1 is the user's own machine. Chrome and Firefox ask the user");
    expect(stdout).toContain(
      'Chrome and Firefox do not count that as mixed content; Safari does, and blocks it',
    );
  });

  test.each([
    ['http://nowhere.invalid', 'If the page comes from a public address, Chrome blocks the request'],
    ['https://nowhere.invalid', 'If the page comes from a public address, Chrome and Firefox ask the user'],
  ])('gets a note if the host of the page is unknown: %s', async (origin, note) => {
    const url = await answering(allowing);
    const { code, stdout } = await check(url, origin);
    expect(code).toBe(0);
    expect(stdout).toContain('lets the page read the answer.\n');
    expect(stdout).toContain(note);
  });

  test.each(['http://localhost', 'http://192.168.1.5', 'http://10.0.0.7:8080', 'http://[fd00::1]', 'null'])(
    'is readable without a note from %s',
    async (origin) => {
      const url = await answering(allowing);
      const { code, stdout } = await check(url, origin);
      expect(code).toBe(0);
      expect(stdout).not.toContain('Note:');
    },
  );
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
    [['http://localhost/', '--origin'], "option '--origin <origin>' argument missing"],
    [['http://localhost/', '--origin', ORIGIN, '--nowhere'], "unknown option '--nowhere'"],
    [['http://localhost/', 'http://localhost/', '--origin', ORIGIN], 'too many arguments'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run(['check-cors', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message.replaceAll('\\"', '"'));
  });

  test('as documented by --help', async () => {
    const { code, stdout } = await run(['check-cors', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Exit codes:\n {2}0 {2}the page may read the answer\n {2}1 {2}it may not, or no answer arrives\n {2}2 /,
    );
  });
});
