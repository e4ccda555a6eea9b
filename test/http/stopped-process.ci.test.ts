/** A process that is stopped for a while, as by a debugger, a suspended machine or a frozen container, answers what has arrived. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import { type Client, openMany, requestFor } from '../../load/torture/client.ts';
import { end } from '../support/programs.ts';
import { rawGet, targetOf } from '../support/service.ts';

async function startSlow({ onTestFinished }: TestContext) {
  const script = ['--import=./scripts/typescript.mjs', 'test/support/slow-service.ts'];
  const child = spawn(process.execPath, script, {
    // Without the catalog of the other tests.
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGCONT');
    return end(child);
  });
  const [line] = await once(child.stdout, 'data');
  return { child, port: Number(line) };
}

/** Searches that take 5 ms each, or 200 ms together. */
const askAll = (clients: readonly Client[], path: string): Promise<(number | undefined)[]> =>
  Promise.all(
    clients.map(async (client, i) => (await client.answerTo(requestFor(`${path}q=5+${i}`)))?.status),
  );

for (const [kind, path] of [
  ['texts', '/api/food?'],
  ['words', '/api/food?match=words&'],
] as const)
  test.concurrent(`a process that is stopped again and again answers all searches for ${kind}`, async (context) => {
    const { child, port } = await startSlow(context);
    const clients = await openMany(port, 40);
    // The event loop has accepted all connections, and reads them together.
    await askAll(clients, '/api/food?q=0&');
    let answered = 0;
    child.kill('SIGSTOP');
    const replies = askAll(clients, path);
    void replies.then(() => answered++);
    for (const ms of [800, 200, 200, 200, 200]) {
      child.kill('SIGSTOP');
      await pause(ms);
      expect(answered, 'stopped amid its work').toBe(0);
      child.kill('SIGCONT');
      await pause(40);
    }
    expect(new Set(await replies)).toEqual(new Set([200]));
    for (const client of clients) client.close();
  });

test.concurrent(`a client is not cut off as one that reads nothing while the process was stopped`, async (context) => {
  const { child, port } = await startSlow(context);
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  context.onTestFinished(() => void socket.destroy());
  socket.write(rawGet(targetOf('large')));
  // Two checks of all connections see that the answer is on its way.
  await pause(500);
  child.kill('SIGSTOP');
  await pause(3300);
  let received = 0;
  socket.on('data', ({ length }) => {
    received += length;
  });
  await pause(500);
  child.kill('SIGCONT');
  await context.expect.poll(() => socket.closed || received > 2 ** 25).toBe(true);
  expect(received).toBeGreaterThan(2 ** 25);
});
