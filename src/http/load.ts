/**
 * Tells when more is asked than can be answered in time.
 *
 * Node.js answers all requests that have arrived before it looks for new ones: one turn. The longer a turn, the longer
 * everybody waits. So searches are answered for a limited time of each turn, and what is left of it is refused. Nothing is
 * sampled or averaged: it begins with the first request that is too many, and ends with it.
 */
import type { Metrics } from '../operations/metrics.ts';

/**
 * ms of a turn in which searches are answered. A refusal takes a third of the work of a search: refused earlier, clients that
 * ask again at once would leave less time for right answers than if they wait.
 */
const TURN = 1000;

/** Requests that may wait for a database, or for the threads that compress. */
const MAX_WAITING = 1000;

/** s after which a refused client may ask again. */
export const RETRY_AFTER = 1;

export class Load {
  readonly #levels: Metrics['levels'];
  /** When the first search of this turn came; 0 before it. */
  #turnStart = 0;
  readonly #endTurn = (): void => {
    this.#turnStart = 0;
  };

  constructor({ levels }: Metrics) {
    this.#levels = levels;
  }

  /** Whether a search that comes now is one too many. @param now as of `performance.now()` */
  isTooMuch(now: number): boolean {
    if (this.#turnStart === 0) {
      this.#turnStart = now;
      setImmediate(this.#endTurn);
    }
    return now - this.#turnStart > TURN || this.#levels.waiting >= MAX_WAITING;
  }
}
