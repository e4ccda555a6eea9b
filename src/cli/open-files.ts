/**
 * The number of connections that the limit of open files allows.
 */
import { readFileSync } from 'node:fs';

/** Open files other than connections: those of the process, of threads and of data sets, and a reserve. */
const OTHER_FILES = 1000;

/** Undefined where the limit is not known, or there is none. */
export function maxConnectionsOfSystem(): number | undefined {
  try {
    // Node.js raises its soft limit to the hard one at start.
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Math.max(Number(soft) - OTHER_FILES, Math.ceil(Number(soft) / 2));
  } catch {
    return undefined;
  }
}
