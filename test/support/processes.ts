/** Processes by the folder that they work in, since some leave the group and the parent that started them (Linux only). */
import { readdirSync, readlinkSync } from 'node:fs';

/** The ids of all processes whose working folder is this one, or in it. */
export function processesIn(folder: string): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => `${workingFolder(id)}/`.startsWith(`${folder}/`)).map(Number);
}

/** Sends a signal to them; some may have ended meanwhile. */
export function signalProcesses(folder: string, signal: NodeJS.Signals): void {
  for (const id of processesIn(folder)) {
    try {
      process.kill(id, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Empty if the process has ended, or belongs to somebody else. */
function workingFolder(id: string): string {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    return '';
  }
}
