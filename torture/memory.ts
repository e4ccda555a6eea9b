/**
 * What a service keeps in memory: measured after it was told to collect its garbage, since Node.js otherwise takes
 * its time, and growth that is none would hide growth that is one.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { memoryOf } from '../bench/tools/measure.ts';
import type { Running } from '../test/support/command.ts';

const COLLECT = `
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => collect());`;

/** The environment of a service that collects when it is told. */
export const COLLECTING = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COLLECT)}`,
};

/** Three times, since some garbage is only known to be it when other garbage is gone. */
export async function collectGarbage(service: Running): Promise<void> {
  for (let i = 0; i < 3; i++) {
    service.signal('SIGUSR2');
    await wait(500);
  }
}

/** Bytes. */
export async function memoryKept(service: Running): Promise<number> {
  await collectGarbage(service);
  return memoryOf(service.pid, 'VmRSS');
}
