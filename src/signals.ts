/**
 * What signals mean on each system. The system is a parameter, so that every machine can test all of them.
 *
 * On Windows a program cannot notice SIGTERM. Node.js reports Ctrl-C as SIGINT, Ctrl-Break as SIGBREAK, and the closing of the
 * console window as SIGHUP, ten seconds before the system ends the process.
 */
import { constants } from 'node:os';

/** Signals that interrupt whatever a command does. */
export const interruptions = (platform: NodeJS.Platform = process.platform): readonly NodeJS.Signals[] =>
  platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * What a service does at each signal. SIGHUP ends it if a terminal was closed, and on Windows. Otherwise, under a service
 * manager, in a container or after nohup, SIGHUP makes it read the data again.
 */
export function serviceSignals(
  isAtTerminal: boolean,
  platform: NodeJS.Platform = process.platform,
): { readonly end: readonly NodeJS.Signals[]; readonly reload: readonly NodeJS.Signals[] } {
  const all = interruptions(platform);
  if (isAtTerminal || platform === 'win32') return { end: all, reload: [] };
  return { end: all.filter((signal) => signal !== 'SIGHUP'), reload: ['SIGHUP'] };
}

/** The signal of Ctrl-Break, which only Windows has. */
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
