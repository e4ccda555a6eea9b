/**
 * How the process ends: at a signal in order, at a fault at once, and never half alive.
 */
import { isatty } from 'node:tty';
import type { FastifyBaseLogger } from 'fastify';

/** ms after the signal when what is still under way is cut off. */
const STOP_TIMEOUT = 4000;

/** A fault that nothing caught leaves unknown damage: one line, and the process ends with exit code 1. */
export function endAtFaults(log: FastifyBaseLogger): void {
  process.on('uncaughtException', (error, origin) => {
    log.fatal(
      error,
      `the process ends: ${origin === 'unhandledRejection' ? 'a failure' : 'an error'} that nothing handles`,
    );
    process.exit(1);
  });
}

/**
 * ms within which signals are one. At Ctrl-C the terminal signals every process, and npm passes the signal on; a terminal that
 * is closed signals twice as well.
 */
const ONE_SIGNAL = 250;

/**
 * SIGTERM and SIGINT end the process with exit code 0 when `stop` has finished what was begun, at the latest after
 * 5 s; another one ends it at once. At SIGHUP it ends likewise where it was started at a terminal, since that was closed;
 * elsewhere, under a service manager, in a container or after nohup, `reload` is called.
 */
export function handleSignals(
  log: FastifyBaseLogger,
  { stop, reload }: { stop(): Promise<void>; reload(): unknown },
): void {
  let stoppedAt: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (stoppedAt !== undefined) {
      if (now - stoppedAt > ONE_SIGNAL) process.exit(0);
      return;
    }
    stoppedAt = now;
    log.debug(`stopping at ${signal}`);
    setTimeout(() => {
      log.warn('requests that did not end in time are cut off');
      process.exit(0);
    }, STOP_TIMEOUT).unref();
    void stop().then(() => process.exit(0));
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.on('SIGHUP', isAtTerminal() ? end : reload);
}

/** nohup and service managers put files, pipes or sockets in the place of all three. */
const isAtTerminal = (): boolean => [0, 1, 2].some((descriptor) => isatty(descriptor));
