/** Runs the built service and other servers as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { memoryOf } from './measure.ts';

const MAIN = 'dist/cli/main.js';

/** Returns the seconds and the peak memory in bytes of an import, and discards its output unless it is inherited. */
export async function measureImport(
  source: string,
  target: string,
  output: 'ignore' | 'inherit' = 'ignore',
): Promise<{ seconds: number; peak: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, 'import', source, '--to', target], {
    stdio: ['ignore', output, 'ignore'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid ?? 0, 'VmHWM'));
  }, 100);
  await once(child, 'exit');
  clearInterval(watch);
  if (child.exitCode !== 0) throw new Error(`The import of ${source} ended with ${child.exitCode}.`);
  return { seconds: (performance.now() - started) / 1000, peak };
}

export interface Served {
  readonly child: ChildProcess;
  /** s from the start of the process to its first answer. */
  readonly seconds: number;
}

/** Starts a server, and sends it searches until it answers one. */
export async function startServer(
  args: readonly string[],
  environment: Record<string, string>,
  port: number,
): Promise<Served> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env: { ...process.env, ...environment }, stdio: 'ignore' });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/food?q=egg`).catch(() => undefined);
    if (answer?.ok) return { child, seconds: (performance.now() - started) / 1000 };
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const startService = (
  foodData: string,
  port: number,
  environment: Record<string, string> = {},
): Promise<Served> =>
  startServer([MAIN, 'serve'], { FOOD_DATA: foodData, PORT: String(port), ...environment }, port);

/** A `node:http` server with a constant body of that many bytes. */
export const startBare = (
  size: number,
  port: number,
  environment: Record<string, string> = {},
): Promise<Served> =>
  startServer(
    ['bench/servers/bare.mjs'],
    { PORT: String(port), BODY_SIZE: String(size), ...environment },
    port,
  );

export async function stop({ child }: Served): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
