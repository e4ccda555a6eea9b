/**
 * How many connections the limit of open files leaves room for.
 */
import { readFileSync } from 'node:fs';

/** Files that the process needs beside connections: its own, those of threads and of data sets, and a reserve. */
const OTHER_FILES = 1000;

/** Undefined where the system does not tell, or has no limit. */
export function maxConnectionsOfSystem(): number | undefined {
  try {
    // Node.js raises its soft limit to the hard one at start.
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Math.max(Number(soft) - OTHER_FILES, Math.ceil(Number(soft) / 2));
  } catch {
    return undefined;
  }
}
