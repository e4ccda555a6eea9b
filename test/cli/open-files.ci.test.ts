/** A service that may open few files. The tests run concurrently, because most only wait. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { endOf, MAIN, run, serve } from '../support/command.ts';
import { oneFood, temporaryFolder } from '../support/files.ts';
import { writtenTo } from '../support/programs.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { waitFor } from '../support/wait.ts';

const folder = temporaryFolder();
const egg = oneFood(folder);

/** Runs the command with a limit of open files. @param args of which none needs quotes */
function startLimited(openFiles: number, args: string, environment: Readonly<Record<string, string>> = {}) {
  const { PATH = '' } = process.env;
  const command = `ulimit -n ${openFiles}; exec "${process.execPath}" ${MAIN} ${args}`;
  return spawn('/bin/sh', ['-c', command], {
    env: { PATH, FOOD_DATA: egg.index, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** With fewer, Node.js cannot read the command. */
const FEWEST = Number.parseInt(process.versions.node, 10) < 22 ? 20 : 24;

describe.concurrent('a limit of open files', () => {
  it.each([FEWEST, 28, 32, 40, 48, 64, 255])('of %i is refused in one line', async (openFiles) => {
    const { code, stderr } = await endOf(startLimited(openFiles, 'serve --port 0'));
    expect(stderr).toMatch(/^food-lookup: [^\n]+\n$/);
    expect(stderr).toContain(`The limit of open files is ${openFiles}, and 256 are needed.`);
    expect(code).toBe(1);
  });

  test('of 256 allows 128 connections, as the service says, with room for a new data set', async () => {
    const place = folder.path('limited.idx');
    await copyFile(egg.index, place);
    const child = startLimited(256, 'serve --port 0', { FOOD_DATA: place });
    const [chunk] = await once(child.stdout, 'data');
    const greeting = String(chunk);
    const limit = 'limit      connections: at most 128, since the limit of open files is 256. Raise it';
    expect(greeting).toContain(limit);
    const port = Number(/:(\d+)\//.exec(greeting)?.[1]);
    const sockets = Array.from({ length: 250 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const errors = writtenTo(child.stderr);
    child.kill('SIGHUP');
    await waitFor(async () => errors().includes('a new data set is served'));
    const messages = errors().trimEnd().split('\n');
    expect(messages.map((line) => JSON.parse(line).msg)).toEqual(['started', 'a new data set is served']);
    for (const socket of sockets) socket.destroy();
    child.kill();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describeWithProgram('prlimit', () => {
  test.concurrent('a new data set for which open files are lacking is tried again, logged once, and served as soon as it can be', async () => {
    const place = folder.path('tried.idx');
    await copyFile(egg.index, place);
    const service = await serve([], { FOOD_DATA: place });
    const limit = (openFiles: number) =>
      execFileSync('prlimit', ['--pid', `${service.pid}`, `--nofile=${openFiles}:`]);
    limit(5);
    const other = folder.path('other.idx');
    await run(['import', egg.csv, '--to', other, '--name', 'the other one']);
    await rename(other, place);
    await waitFor(async () => service.errors() !== '');
    await pause(2500);
    const lines = service.errors().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('tried again every second');
    limit(1000);
    await waitFor(async () => service.errors().includes('a new data set is served'));
    expect(await (await fetch(`${service.url}/data-set`)).json()).toMatchObject({ name: 'the other one' });
    expect(await service.stop()).toBe(0);
  });
});
