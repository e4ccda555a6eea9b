/** Measures the memory of a process that collects its garbage when it gets a signal. */
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf } from '../tools/measure.ts';

/** The environment of a process to measure. */
export const INSPECTED = {
  NODE_OPTIONS: "--expose-gc --import=data:text/javascript,process.on('SIGUSR2',()=>gc())",
};

/** Bytes of the process after a collection: uncollected garbage would mask a leak. */
export async function memoryKept(pid: number): Promise<number> {
  // Three times, since some garbage becomes unreachable only when other garbage is collected.
  for (let i = 0; i < 3; i++) {
    process.kill(pid, 'SIGUSR2');
    await pause(700);
  }
  return memoryOf(pid, 'VmRSS');
}
