/** How the process ends: gracefully on a signal, at once on an unhandled fault. */
import type { FastifyBaseLogger } from 'fastify';
import { serviceSignals } from '../../operations/process.ts';

/** ms after the signal and `SHUTDOWN_DELAY` at which pending requests are cut off. */
const STOP_TIMEOUT = 4000;

/** Ends the process with exit code 1 at an uncaught fault. @param report takes the place of the one of an earlier call */
export function reportFaults(report: NodeJS.UncaughtExceptionListener): void {
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error, origin) => {
    report(error, origin);
    process.exit(1);
  });
}

/**
 * ms within which signals count as one. On Ctrl-C the terminal signals every process, and npm forwards the signal; a
 * closing terminal signals twice, too.
 */
const ONE_SIGNAL = 250;

/**
 * Ends the process with exit code 0 on a signal, when `stop` has finished the pending requests, 5 s after
 * the delay at the latest; a second signal ends it at once. @param stopping.delay s
 */
export function handleSignals(
  log: FastifyBaseLogger,
  { delay, stop, reload }: { readonly delay: number; stop(): Promise<void>; reload(): unknown },
): void {
  const timeout = delay * 1000 + STOP_TIMEOUT;
  let stoppedAt: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (stoppedAt !== undefined) {
      if (now - stoppedAt > ONE_SIGNAL) process.exit(0);
      return;
    }
    stoppedAt = now;
    log.info(`stopping at ${signal}`);
    setTimeout(() => {
      log.warn('requests that did not end in time are cut off');
      process.exit(0);
    }, timeout).unref();
    void stop().then(() => {
      log.info('stopped');
      process.exit(0);
    });
  };
  const signals = serviceSignals();
  for (const signal of signals.end) process.on(signal, end);
  for (const signal of signals.reload) process.on(signal, reload);
}
