/**
 * The number of connections that the limit of open files allows.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Open files other than connections: those of the process, of threads and of data sets, and a reserve. */
const OTHER_FILES = 1000;

/** How each kind of system reveals its limit: in a file, or through a shell that inherits the limit. */
const SAID_BY: Partial<Readonly<Record<NodeJS.Platform, () => string>>> = {
  linux: () => /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '',
  darwin: shellLimit,
  freebsd: shellLimit,
  openbsd: shellLimit,
};

function shellLimit(): string {
  return execFileSync('/bin/sh', ['-c', 'ulimit -n'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Undefined if the limit is not known, or if there is none, as on Windows. */
export function maxConnectionsOfSystem(platform: NodeJS.Platform = process.platform): number | undefined {
  try {
    // Node.js raises its soft limit to the hard one at start.
    const limit = Number.parseInt(SAID_BY[platform]?.() ?? '', 10);
    return Number.isNaN(limit) ? undefined : Math.max(limit - OTHER_FILES, Math.ceil(limit / 2));
  } catch {
    return undefined;
  }
}
