/**
 * The limit of open files, and the number of connections that it allows.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Open files for which connections leave room, where the limit has as many: those of the process, and connections over the limit. */
const OTHER_FILES = 1000;

/** Without as many, even the program's own files cannot be loaded. */
export const LEAST_OPEN_FILES = 256;

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
export function maxOpenFiles(platform: NodeJS.Platform = process.platform): number | undefined {
  try {
    // Node.js raises its soft limit to the hard one at start.
    const limit = Number.parseInt(SAID_BY[platform]?.() ?? '', 10);
    return Number.isNaN(limit) ? undefined : limit;
  } catch {
    return undefined;
  }
}

/** Connections for which a limit of open files leaves room: at least half of it. */
export const maxConnectionsWithin = (openFiles: number): number =>
  Math.max(openFiles - OTHER_FILES, Math.ceil(openFiles / 2));
