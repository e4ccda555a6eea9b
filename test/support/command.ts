/** Runs the built command as users do. */
import { type ChildProcess, type ChildProcessByStdio, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { execute, writtenTo } from './programs.ts';

export const MAIN = 'dist/service/cli/main.js';

/** Two foods, which are served in less time than the starter foods. */
export const TWO_FOODS = 'test/files/programs/open-food-facts-subset.csv';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

export function startCommand(
  args: readonly string[],
  environment: Environment = {},
  main = MAIN,
): ChildProcessByStdio<null, Readable, Readable> {
  const { PATH = '' } = process.env;
  const env = { PATH, ...environment };
  return spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The environment in which Node.js first runs this module. */
export const preloading = (script: string): Environment => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
});

/** What a program prints until it ends. */
export async function endOf(child: ChildProcessByStdio<null, Readable | null, Readable>): Promise<Ended> {
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command to its end, in one process for all runs of a test file, because most of the time of a short run is the start
 * of Node.js.
 */
export function run(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  const { PATH = '' } = process.env;
  host ??= fork('test/support/command-host.mjs', {
    env: { PATH },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const to = host;
  const ended = last.then(async () => {
    to.send({ args, environment });
    return ((await once(to, 'message')) as [Ended])[0];
  });
  last = ended;
  return ended;
}

/** Runs the command to its end in its own process. @param main another build of it */
export const runAlone = (
  args: readonly string[],
  environment: Environment = {},
  main = MAIN,
): Promise<Ended> => endOf(startCommand(args, environment, main));

/** The lines that the command prints in a terminal of that many columns. @param args of which none needs quotes */
export async function linesInTerminal(columns: number, args: string, cwd = '.'): Promise<string[]> {
  const command = `stty cols ${columns}; ${process.execPath} ${resolve(MAIN)} 2>/dev/null ${args}`;
  const env = { PATH: process.env.PATH };
  const { stdout } = await execute('script', ['-qec', command, '/dev/null'], { cwd, env });
  return stdout.replaceAll('\r', '').trimEnd().split('\n');
}

/** Runs an import that is killed that many ms after it has printed the step. @param step what an import prints before it */
export async function killedImport(args: readonly string[], step: string, delay: number): Promise<void> {
  const child = startCommand(['import', ...args]);
  child.stdout.resume();
  const ended = once(child, 'exit');
  let steps = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      steps += String(chunk);
      if (steps.includes(step)) resolve();
    });
    child.once('exit', () => reject(new Error(`it ended before ${step}: ${steps}`)));
  });
  await pause(delay);
  child.kill('SIGKILL');
  await ended;
}

export type Running = Awaited<ReturnType<typeof serve>>;

/** Runs `food-lookup serve` on a free port until it listens. @param main another build of it */
export async function serve(args: readonly string[], environment: Environment = {}, main = MAIN) {
  const child = startCommand(['serve', '--port', '0', ...args], environment, main);
  const errors = writtenTo(child.stderr);
  const greeting = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      if (/origins .*\n/.test(output)) resolve(output);
    });
    child.once('exit', () => reject(new Error(errors())));
  });
  const port = Number(/:(\d+)\//.exec(greeting)?.[1]);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    greeting,
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    /** The exit code, or null if a signal ended the process. */
    ended,
    log: errors,
    /** The same without the lines of start and stop. */
    errors: () => errors().replace(/^.*"msg":"(?:started|stopping at SIG\w+|stopped)".*\n/gm, ''),
    /** The metrics without labels, by their names without the prefix. */
    metrics: async (): Promise<Readonly<Record<string, number>>> => {
      const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const lines = page.matchAll(/^(?:food_lookup_)?(\w+) (\S+)$/gm);
      return Object.fromEntries(Array.from(lines, ([, name, value]) => [name, Number(value)]));
    },
    signal: (name: NodeJS.Signals) => void child.kill(name),
    stop: (signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
