/**
 * The version of the program, where its output goes, what signals mean on each system, and its limit of open files.
 *
 * On Windows a program cannot notice SIGTERM. Node.js reports Ctrl-C as SIGINT, Ctrl-Break as SIGBREAK, and the closing of the
 * console window as SIGHUP, ten seconds before the system ends the process.
 */
import { execFileSync } from 'node:child_process';
import { fstatSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

export const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string };

/** Whether standard output and error are read as one, by a program: they are one file, pipe or socket, or a container's. */
export function isOneStream(
  isAtTerminal = isatty(1) || isatty(2),
  platform: NodeJS.Platform = process.platform,
  pid = process.pid,
): boolean {
  // Windows gives pipes no identity.
  if (isAtTerminal || platform === 'win32') return false;
  // The first process of a container, which has a pipe for each, and one log.
  if (pid === 1) return true;
  const [output, errors] = [fstatSync(1), fstatSync(2)];
  return output.dev === errors.dev && output.ino === errors.ino;
}

export const interruptions = (platform: NodeJS.Platform = process.platform): readonly NodeJS.Signals[] =>
  platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** nohup and service managers replace all three with files, pipes or sockets. */
const atTerminal = (): boolean => [0, 1, 2].some((descriptor) => isatty(descriptor));

/** SIGHUP ends a service if a terminal was closed, and on Windows. Elsewhere it makes it read the data again. */
export function serviceSignals(
  isAtTerminal = atTerminal(),
  platform: NodeJS.Platform = process.platform,
): { readonly end: readonly NodeJS.Signals[]; readonly reload: readonly NodeJS.Signals[] } {
  const all = interruptions(platform);
  if (isAtTerminal || platform === 'win32') return { end: all, reload: [] };
  return { end: all.filter((signal) => signal !== 'SIGHUP'), reload: ['SIGHUP'] };
}

const SIGBREAK = 21;

/** Ends the process as the signal would have. The signal's handlers must be done. */
export function endBy(signal: NodeJS.Signals, platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32') {
    // Shells distinguish an end by a signal from an exit code. The first process of a container survives the signal.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  process.exit(128 + (constants.signals[signal] ?? SIGBREAK));
}

/** Without as many, even the program's own files cannot be loaded. */
export const LEAST_OPEN_FILES = 256;

function shownLimit(platform: NodeJS.Platform): string {
  if (platform === 'win32') return '';
  if (platform === 'linux')
    return /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
  return execFileSync('/bin/sh', ['-c', 'ulimit -n'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Undefined if the limit is not known, or if there is none, as on Windows. */
export function maxOpenFiles(platform: NodeJS.Platform = process.platform): number | undefined {
  try {
    // Node.js raises its soft limit to the hard one at start.
    const limit = Number.parseInt(shownLimit(platform), 10);
    return Number.isNaN(limit) ? undefined : limit;
  } catch {
    return undefined;
  }
}
