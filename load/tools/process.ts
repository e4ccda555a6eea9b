/** Imports by the built command, measured from outside. */
import { spawn } from 'node:child_process';
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

export async function measureImport(source: string, target: string): Promise<MeasuredImport> {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, 'import', source, '--to', target], {
    stdio: ['ignore', 'ignore', 'pipe'],
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
