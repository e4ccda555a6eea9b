/** Runs the built command and a bare server as processes. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MAIN } from '../../test/support/command.ts';
import { memoryOf } from './measure.ts';

export interface MeasuredImport {
  readonly seconds: number;
  /** Bytes of memory at its peak. */
  readonly peak: number;
  /** Seconds of each phase, in order. */
  readonly phases: Readonly<Record<string, number>>;
}

/** Discards what the import prints to standard output unless it is inherited. */
export async function measureImport(
  source: string,
  target: string,
  output: 'ignore' | 'inherit' = 'ignore',
): Promise<MeasuredImport> {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, 'import', source, '--to', target], {
    stdio: ['ignore', output, 'pipe'],
  });
  const ended = once(child, 'exit');
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid ?? 0, 'VmHWM'));
  }, 100);
  const phases: Record<string, number> = {};
  let [phase, since] = ['reading', started];
  const next = (name: string): void => {
    const now = performance.now();
    phases[phase] = (phases[phase] ?? 0) + (now - since) / 1000;
    [phase, since] = [name, now];
  };
  // The import prints the name of each phase when it begins.
  for await (const line of createInterface(child.stderr)) if (!line.includes(': ')) next(line);
  next('');
  await ended;
  clearInterval(watch);
  if (child.exitCode !== 0) throw new Error(`The import of ${source} ended with ${child.exitCode}.`);
  return { seconds: (performance.now() - started) / 1000, peak, phases };
}

export interface BareServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<unknown>;
}

/** Starts a `node:http` server with a constant body of that many bytes: the upper bound of a service on Node.js. */
export async function startBare(
  bodySize: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<BareServer> {
  const child = fork('load/tools/bare-server.mjs', [String(bodySize)], {
    env: { ...process.env, ...environment },
    execArgv: [],
  });
  const ended = once(child, 'exit');
  const [port] = (await once(child, 'message')) as [number];
  const stop = (): Promise<unknown> => {
    child.kill();
    return ended;
  };
  return { port, pid: child.pid ?? 0, stop };
}
