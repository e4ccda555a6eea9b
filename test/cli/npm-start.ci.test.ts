/** How a service started by hand ends: through npm and its shell, and in a terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { MAIN, TWO_FOODS } from '../support/command.ts';
import { writtenTo } from '../support/programs.ts';
import { describeWithScript } from '../support/requirements.ts';
import { succeeds, waitFor } from '../support/wait.ts';

/** Without prestart, which would rebuild what other tests use. */
const NPM_START = 'npm start --ignore-scripts';

/** The process groups that the tests started. */
const groups: number[] = [];
afterAll(() => {
  for (const group of groups)
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // All processes of the group have ended.
    }
});

/** Runs a program that prints `group PID` and the greeting of the service. */
async function start(program: string, ...args: string[]) {
  const { PATH, HOME } = process.env;
  const child = spawn(program, args, {
    detached: true,
    env: { PATH, HOME, PORT: '0', LOG_LEVEL: 'debug', FOOD_DATA: TWO_FOODS },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = writtenTo(child.stdout, child.stderr);
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(output());
    return /^group \d+\r?\n/m.test(output());
  });
  const group = Number(/^group (\d+)/m.exec(output())?.[1]);
  groups.push(group);
  await waitFor(async () => /origins .*\r?\n/.test(output()));
  return { child, group, port: Number(/:(\d+)\//.exec(output())?.[1]), output };
}

const answers = (port: number): Promise<boolean> => succeeds(fetch(`http://127.0.0.1:${port}/health/live`));

/** Sends the first bytes of a request, and waits until they are read. */
async function begin(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /api/food?q=egg HTTP/1.1\r\nHost: x\r\n');
  // Once a later request is answered, the first bytes are read.
  expect(await answers(port)).toBe(true);
  return socket;
}

async function end(socket: Socket): Promise<string> {
  const answer = text(socket);
  await pause(1000);
  socket.write('\r\n');
  return answer;
}

test('npm start ends gracefully on SIGTERM', async () => {
  const { child, port } = await start('sh', '-c', `echo group $$; exec ${NPM_START}`);
  const socket = await begin(port);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await end(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(await ended).toEqual([0, null]);
  expect(await answers(port)).toBe(false);
});

describeWithScript('in a terminal', () => {
  const inTerminal = (command: string) =>
    start('script', '--quiet', '--return', '--command', `echo group $$; ${command}`, '/dev/null');

  test.concurrent.each([NPM_START, `${process.execPath} ${MAIN} serve`])(
    '%s finishes pending requests, and then ends, when the terminal is closed',
    async (command) => {
      const { child, port } = await inTerminal(`exec ${command}`);
      const socket = await begin(port);
      child.kill('SIGKILL');
      expect(await end(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\]$/);
      await waitFor(async () => !(await answers(port)));
    },
  );

  test.concurrent('npm start finishes pending requests on Ctrl-C', async () => {
    const { child, port } = await inTerminal(`exec ${NPM_START}`);
    const socket = await begin(port);
    const ended = once(child, 'exit');
    child.stdin?.write('\x03');
    expect(await end(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\]$/);
    expect(await ended).toEqual([0, null]);
    expect(await answers(port)).toBe(false);
  });

  test.concurrent('a service keeps running on SIGHUP if it was started with nohup', async () => {
    const { group, port, output } = await inTerminal(
      `trap "" HUP; nohup ${process.execPath} ${MAIN} serve < /dev/null 2>&1 | cat`,
    );
    process.kill(-group, 'SIGHUP');
    await waitFor(async () => output().includes('Ignored SIGHUP'));
    expect(await answers(port)).toBe(true);
  });
});
