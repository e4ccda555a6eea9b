/** How the process ends, and what it reports until then. The tests run concurrently, because most only wait. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { MAIN, preloading, type Running, runAlone, serve, startCommand } from '../support/command.ts';
import { oneFood, temporaryFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';
import { writtenTo } from '../support/programs.ts';
import { refused } from '../support/refused.ts';
import { waitFor } from '../support/wait.ts';

const folder = temporaryFolder();
const egg = oneFood(folder);

const start = (args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) =>
  serve(args, { FOOD_DATA: egg.index, ...environment });

async function begin({ port }: Running): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /api/food?q=egg HTTP/1.1\r\nHost: x\r\n');
  return socket.on('error', () => {});
}

/** Logged some seconds after the signal, if requests are still under way. */
const CUT_OFF = 'requests that did not end in time are cut off';

const linesOf = (log: string): Record<string, unknown>[] =>
  Array.from(log.matchAll(/.+/g), ([line]) => JSON.parse(line));
const messagesIn = (log: string) => linesOf(log).map(({ msg }) => msg);

const healthOf = ({ greeting }: Running): string =>
  (/(http\S+)\/health\/ready/.exec(greeting)?.[1] ?? '').replace('localhost', '127.0.0.1');

test.concurrent('a pending request is answered, its connection closed, and the exit code is 0', async () => {
  const service = await start();
  const socket = await begin(service);
  const answer = text(socket);
  await waitFor(async () => (await service.metrics()).connections === 2);
  const stopped = service.stop('SIGTERM');
  await waitFor(async () => service.log().includes('stopping at SIGTERM'));
  socket.write('\r\n');
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n[\s\S]*\]$/);
  expect(await stopped).toBe(0);
  expect(service.errors(), 'no request is logged by default').toBe('');
});

test.concurrent('an incomplete request is cut off, and the exit code is still 0', async () => {
  const service = await start();
  await begin(service);
  expect(await service.stop('SIGINT')).toBe(0);
  expect(service.errors()).toContain(CUT_OFF);
});

test.concurrent('the service ends at once if a second signal follows', async () => {
  const service = await start([], { LOG_LEVEL: 'debug' });
  await begin(service);
  service.signal('SIGINT');
  await waitFor(async () => service.log().includes('stopping at SIGINT'));
  // Within a quarter of a second, it would count as the same signal.
  await pause(500);
  expect(await service.stop('SIGTERM')).toBe(0);
  expect(service.errors()).not.toContain(CUT_OFF);
});

test.concurrent('idle and unused connections do not delay the end', async () => {
  const service = await start();
  await (await fetch(`${service.url}/api/food?q=egg`)).text();
  const unused = connect(service.port, '127.0.0.1');
  await once(unused, 'connect');
  expect(await service.stop()).toBe(0);
  expect(service.errors()).not.toContain(CUT_OFF);
});

test.concurrent('on SIGHUP, a data set that cannot be read again stays in service, and the log says so', async () => {
  const service = await start([], { FOOD_DATA: egg.csv });
  service.signal('SIGHUP');
  await waitFor(async () => service.errors().includes('SIGHUP'));
  expect(service.errors()).toContain('only index files and databases reload');
  expect((await fetch(`${service.url}/api/food?q=egg`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

test.concurrent('a stopping service reports only on its operations port, to the end, that it is alive but not ready', async () => {
  const service = await start(['--operations-port', '0']);
  const health = healthOf(service);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  expect(await (await fetch(`${health}/metrics`)).text()).toContain('food_lookup_ready 1');
  expect((await fetch(`${health}/api/food?q=egg`)).status).toBe(404);
  const ready = () => fetch(`${health}/health/ready`);
  expect((await ready()).status).toBe(200);
  const socket = await begin(service);
  const stopped = service.stop();
  await waitFor(async () => (await ready()).status === 503);
  expect(await (await ready()).json()).toEqual({ error: 'The service is stopping.' });
  expect((await fetch(`${health}/health/live`)).status).toBe(200);
  await pause(1000);
  expect((await ready()).status).toBe(503);
  socket.end('\r\n');
  expect(await stopped).toBe(0);
});

test.concurrent('during SHUTDOWN_DELAY, the service is not ready, but answers as before; then it shuts down', async () => {
  const service = await start([], { SHUTDOWN_DELAY: '5' });
  const stopped = service.stop();
  const health = (path: string) => fetch(`${service.url}/health/${path}`).then(({ status }) => status);
  await waitFor(async () => (await health('ready')) === 503);
  expect(await health('live')).toBe(200);
  // Beyond the half second in which a service without a delay still accepts connections.
  await pause(1200);
  for (let i = 0; i < 2; i++) {
    const answer = await fetch(`${service.url}/api/food?q=egg`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'keep-alive']);
    expect(await answer.json()).toHaveLength(1);
  }
  expect(await health('ready')).toBe(503);
  expect(await stopped).toBe(0);
});

test.concurrent.each([
  ['throw new Error("first line\\nsecond line")', 'error'],
  ['Promise.reject(new Error("lost"))', 'rejection'],
  ['Promise.reject("no error at all")', 'rejection'],
])('an unhandled fault ends the process with one line and exit code 1: %s', async (script, kind) => {
  const service = await start([], preloading(`process.on('SIGUSR2', () => { ${script} })`));
  service.signal('SIGUSR2');
  expect(await service.ended).toBe(1);
  const msg = `the process ends: unhandled ${kind}`;
  expect(linesOf(service.errors())).toMatchObject([{ level: 60, msg, err: expect.anything() }]);
  await expect(fetch(service.url)).rejects.toThrow();
});

describe.concurrent('a failed start leaves no process behind, although health is answered before:', () => {
  const fail = async (environment: Readonly<Record<string, string>>, message: string) => {
    const all = { FOOD_DATA: egg.index, OPERATIONS_PORT: '0', ...environment };
    expect(await refused(runAlone(['serve', '--port', '0'], all))).toContain(message);
  };

  it.each([
    [{ FOOD_DATA: '/nowhere.csv' }, 'there is no such file'],
    [{ HOST: '203.0.113.1' }, 'is not an address of this machine'],
  ])('%j', fail);

  test('the operations port is taken', async () => {
    const other = createServer();
    const { port } = new URL(await listen(other));
    await fail({ OPERATIONS_PORT: port }, `OPERATIONS_PORT: ${port} is taken by another process.`);
    other.close();
  });
});

test.concurrent('a service whose standard output is closed continues, and ends by a signal', async () => {
  const port = await freePort();
  const child = startCommand(['serve', '--port', `${port}`], { FOOD_DATA: egg.index });
  child.stdout.destroy();
  const errors = text(child.stderr);
  const url = `http://127.0.0.1:${port}/health/live`;
  await waitFor(async () => (await fetch(url).catch(() => undefined))?.status === 200);
  await pause(300);
  expect(child.exitCode).toBeNull();
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(messagesIn(await errors)).toEqual(['started', 'stopping at SIGTERM', 'stopped']);
});

test.concurrent('SIGHUP does not end a service that is still starting', async () => {
  // Node.js itself needs a moment to read the first files, in which no program can catch a signal. So the signal is ignored until
  // the service listens for it, which must be before it loads any library.
  const preload = `import { createRequire } from 'node:module';
    const { cache } = createRequire('file:///');
    const { on } = process;
    const ignore = () => {};
    on.call(process, 'SIGHUP', ignore).stderr.write('begun;');
    process.on = function (event, listener) {
      on.call(process, event, listener);
      if (event === 'SIGHUP' && process.listeners(event).includes(ignore)) {
        process.off(event, ignore);
        process.stderr.write('heard after ' + Object.keys(cache).length + ' modules;');
      }
      return process;
    };`;
  const child = startCommand(['serve', '--port', '0'], { FOOD_DATA: egg.index, ...preloading(preload) });
  const errors = writtenTo(child.stderr);
  await once(child.stderr, 'data');
  const timer = setInterval(() => child.kill('SIGHUP'), 10);
  const [greeting] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  clearInterval(timer);
  expect(String(greeting)).toContain('food-lookup listens on');
  expect(errors()).toContain('begun;heard after 0 modules;');
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.concurrent.each(['FOOD_DATA', 'OTHER_NAMES'])(
  'a pipe that nobody writes to is refused as %s, so that it keeps no process from ending',
  async (name) => {
    const pipe = folder.path(`pipe-${name}`);
    execFileSync('mkfifo', [pipe]);
    const where = name === 'FOOD_DATA' ? '' : `${name}: `;
    expect(await refused(runAlone(['serve', '--port', '0'], { [name]: pipe }))).toBe(
      `food-lookup: ${where}Data file "${pipe}": this is a pipe; write its content to a file first, and name that.\n`,
    );
  },
);

describe.concurrent('the log', () => {
  const NOT_FOUND = ['/nowhere?q=secret', '/a%3Fq=secret', `/${'long'.repeat(1000)}`];

  const logOf = async (logged: string): Promise<Record<string, unknown>[]> => {
    const service = await start([], { LOG_REQUESTS: logged });
    const headers = { 'x-request-id': 'abc-1' };
    await fetch(`${service.url}/api/food?q=secret+diet`, { headers });
    for (const target of NOT_FOUND) await fetch(`${service.url}${target}`, { headers });
    await service.stop();
    return linesOf(service.errors());
  };

  test('contains requests without the search text', async () => {
    const lines = await logOf('requests');
    for (const { ms } of lines) expect(String(ms)).toMatch(/^\d+(\.\d{1,3})?$/);
    const search = { method: 'GET', path: '/api/food', outcome: 'nothing_found', ms: expect.any(Number) };
    const paths = ['/nowhere', '/a', `/${'long'.repeat(1000)}`.slice(0, 200)];
    const expected = [search, ...paths.map((path) => ({ status: 404, path }))];
    expect(lines).toMatchObject(expected.map((each) => ({ reqId: 'abc-1', ...each })));
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('contains the search text with LOG_REQUESTS=searches', async () => {
    const [found, notFound] = await logOf('searches');
    expect(found).toMatchObject({ path: '/api/food?q=secret+diet' });
    expect(notFound).toMatchObject({ path: '/nowhere?q=secret' });
  });

  test('is one stream of JSON with the greeting, where both go to one file, from the version to the end', async () => {
    const file = folder.path('one.log');
    const descriptor = openSync(file, 'w');
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0'], {
      env: { PATH, FOOD_DATA: egg.index },
      stdio: ['ignore', descriptor, descriptor],
    });
    const log = () => readFileSync(file, 'utf8');
    await waitFor(async () => log().includes('origins'));
    child.kill();
    expect(await once(child, 'exit')).toEqual([0, null]);
    closeSync(descriptor);
    const [first] = linesOf(log());
    expect(first).toMatchObject({ msg: 'started', version: project.version, foods: 1 });
    expect(messagesIn(log()).filter((message) => !`${message}`.startsWith('limit '))).toEqual([
      'started',
      expect.stringContaining('food-lookup listens on http://'),
      ...['data set', 'try', 'API'].map((start) => expect.stringMatching(`^${start} `)),
      expect.stringContaining('pages on other origins cannot read the answers'),
      ...['stopping at SIGTERM', 'stopped'],
    ]);
  });
});
