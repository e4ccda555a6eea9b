/** Pins the service and its client to a core each: moves between cores cause most of the noise of a measurement. */
import { execFileSync } from 'node:child_process';

const CORES = { service: '0', client: '1' };

/** Pins all threads of a service, and the processes that it will start, to the first core. */
export const pinService = (pid: number | undefined): void => pin(pid, CORES.service);

/** Pins this process, and those that it starts, to the other core while `measure` runs. */
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
