/**
 * Tells when more is asked than can be answered in time.
 *
 * Node.js answers all requests that have arrived before it looks at anything else: one turn. The longer a turn, the longer
 * everybody waits. So in a turn that lasts, a second of searches and a moment of refusals alternate. Nothing is sampled or
 * averaged: it begins with the first request that is too many, and ends with the turn.
 */
import type { Metrics } from '../operations/metrics.ts';

/** ms of a turn in which searches are answered, before others are refused. */
const ANSWERING = 1000;

/**
 * ms in which they are refused then. A refusal takes a third or more of the work of a search, and clients may ask again at
 * once: without an end to it, a service with twice the load that it can take would do little but refuse.
 */
const REFUSING = 50;

/** Requests that may wait for a database, or for the threads that compress. */
const MAX_WAITING = 1000;

/** s after which a refused client may ask again. */
export const RETRY_AFTER = 1;

export class OverloadGuard {
  readonly #levels: Metrics['levels'];
  /** When this turn began to be answered, or to be refused; 0 before its first search. */
  #since = 0;
  #isRefusing = false;
  readonly #endTurn = (): void => {
    this.#since = 0;
    this.#isRefusing = false;
  };

  constructor({ levels }: Metrics) {
    this.#levels = levels;
  }

  /** Whether a search that comes now is one too many. @param now as of `performance.now()` */
  isTooMuch(now: number): boolean {
    if (this.#since === 0) {
      this.#since = now;
      setImmediate(this.#endTurn);
    } else if (now - this.#since > (this.#isRefusing ? REFUSING : ANSWERING)) {
      this.#since = now;
      this.#isRefusing = !this.#isRefusing;
    }
    return this.#isRefusing || this.#levels.waiting >= MAX_WAITING;
  }
}
