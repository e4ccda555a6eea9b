/**
 * Pins the service and its client to a core each: when the system moves them about, that is most of the noise of a measurement.
 */
import { execFileSync } from 'node:child_process';

const CORES = { service: '0', client: '1' };

/** Keeps all threads of a service, and the processes that it starts from now on, on a core of its own. */
export const pinService = (pid: number | undefined): void => pin(pid, CORES.service);

/** Keeps this process, and those that it starts, on the other core meanwhile. */
export async function fromOwnCore<T>(measure: () => Promise<T>): Promise<T> {
  const cores = coresOf(process.pid);
  pin(process.pid, CORES.client);
  try {
    return await measure();
  } finally {
    pin(process.pid, cores);
  }
}

/** The cores on which a process may run, as `taskset` writes them. */
function coresOf(pid: number): string {
  const output = execFileSync('taskset', ['-cp', String(pid)], { encoding: 'utf8' });
  return /: *(\S+)\s*$/.exec(output)?.[1] ?? '';
}

function pin(pid: number | undefined, cores: string): void {
  execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' });
}
