/** Runs the built command: imports, measured from outside, and services. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { MAIN, type Running, serve } from '../../test/support/command.ts';
import { memoryOf } from './measure.ts';

/** Seconds, and bytes of memory at its peak. */
export async function measureImport(source: string, target: string) {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, 'import', source, '--to', target]);
  const printed = text(child.stderr);
  child.stdout.resume();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid ?? 0, 'VmHWM'));
  }, 100);
  await once(child, 'exit');
  clearInterval(watch);
  if (child.exitCode !== 0) throw new Error(await printed);
  return { seconds: (performance.now() - started) / 1000, peak };
}

/** Starts a service with these settings, which says only what is wrong, and stops it after the measurement. */
export async function onService<Figures>(
  settings: Readonly<Record<string, string>>,
  measure: (service: Running) => Promise<Figures>,
): Promise<Figures> {
  const service = await serve([], { LOG_LEVEL: 'warn', ...settings });
  try {
    return await measure(service);
  } finally {
    await service.stop();
  }
}
