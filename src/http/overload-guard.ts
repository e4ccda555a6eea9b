/**
 * Decides when to shed load.
 *
 * Node.js answers all requests that have arrived before it polls for anything else: one turn. The longer a turn, the longer
 * every client waits. So a long turn alternates between a second of searches and a moment of refusals. Nothing is sampled or
 * averaged: refusing begins with the first excess request, and ends with the turn.
 */
import type { Metrics } from '../operations/metrics.ts';

/** ms of a turn in which searches are answered before refusing begins. */
const ANSWERING = 1000;

/**
 * ms for which searches are then refused. A refusal costs a third or more of a search, and clients may retry at once: refusing
 * without an end, a service at twice its capacity would do little else.
 */
const REFUSING = 50;

/**
 * ms that count at most between two searches. No search takes as long: in a longer pause the process got no processor, and what
 * arrived meanwhile has not waited for searches.
 */
const LONGEST_SEARCH = 300;

/** Requests that may wait for a database, or for the threads that compress. */
const MAX_WAITING = 1000;

/** s after which a refused client may retry. */
export const RETRY_AFTER = 1;

export class OverloadGuard {
  readonly #levels: Metrics['levels'];
  /** When the last search of this turn arrived; 0 before its first. */
  #last = 0;
  /** ms of answering or refusing. */
  #spent = 0;
  #isRefusing = false;
  readonly #endTurn = (): void => {
    this.#last = 0;
    this.#spent = 0;
    this.#isRefusing = false;
  };

  constructor({ levels }: Metrics) {
    this.#levels = levels;
  }

  /** Whether to refuse a search that arrives now. @param now as of `performance.now()` */
  isTooMuch(now: number): boolean {
    if (this.#last === 0) setImmediate(this.#endTurn);
    else this.#spent += Math.min(now - this.#last, LONGEST_SEARCH);
    this.#last = now;
    if (this.#spent > (this.#isRefusing ? REFUSING : ANSWERING)) {
      this.#spent = 0;
      this.#isRefusing = !this.#isRefusing;
    }
    const { waiting, queued } = this.#levels;
    return this.#isRefusing || waiting - queued >= MAX_WAITING;
  }
}
