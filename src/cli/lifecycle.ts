/**
 * How the process ends: at a signal in order, at a fault at once, and never half alive.
 */
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
 * SIGTERM and SIGINT end the process with exit code 0 when `stop` has finished what was begun, at the latest after
 * 5 s; a second one ends it at once.
 */
export function endAtSignals(log: FastifyBaseLogger, stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(0);
      isStopping = true;
      log.debug(`stopping at ${signal}`);
      setTimeout(() => {
        log.warn('requests that did not end in time are cut off');
        process.exit(0);
      }, STOP_TIMEOUT).unref();
      void stop().then(() => process.exit(0));
    });
  }
}
