/** Programs that tests start: what they write, and their end. */
import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** Runs a program to its end. */
export const execute = promisify(execFile);

/** Collects what a program writes; returns the text so far. */
export function writtenTo(...streams: readonly Readable[]): () => string {
  let text = '';
  for (const stream of streams)
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  return () => text;
}

/** Starts a program in its own process group, which ends with the tests, however they end. */
export function spawnGroup(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcessByStdio<null, null, Readable> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...process.env, ...env },
  });
  process.once('exit', () => endGroup(child));
  return child;
}

export const endGroup = (child: ChildProcess): Promise<void> =>
  end(child, () => process.kill(-(child.pid as number), 'SIGTERM'));

/** Ends a program, and waits until it has ended. */
export async function end(child: ChildProcess, kill = (): unknown => child.kill('SIGTERM')): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  kill();
  await ended;
}
