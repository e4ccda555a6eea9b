/**
 * Decides when searches are refused. Node.js answers all requests that have arrived before it polls for anything else: one turn.
 * The longer a turn, the longer every client waits. So a long turn alternates between a second of searches and a moment of
 * refusals. Nothing is sampled or averaged: refusing begins with the first excess request, and ends with the turn. Only time in
 * which this process could work counts, as elsewhere here: one that was stopped for a while answers all that arrived meanwhile.
 */

import { WorkClock } from '#core';
import type { Metrics } from '../../operations/metrics.ts';
import type { SearchTurns } from './search-turns.ts';

/**
 * ms for which searches are then refused. A refusal costs a third or more of a search, and clients may retry at once: refusing
 * without an end, a service at twice its capacity would do little else.
 */
const REFUSING = 50;

/** ms for which a reading of the clock is good enough as the start of a turn, because one takes a hundredth of a search. */
const FRESH = 10;

/** Requests that may wait for a database, or for the threads that compress. */
const MAX_WAITING = 1000;

export class Overload {
  readonly #metrics: Metrics;
  readonly #turns: SearchTurns;
  /** ms of a turn in which searches are answered before refusing begins. */
  readonly #answering: number;
  readonly #clock = new WorkClock();
  #isRefusing = false;
  /** When answering or refusing began in this turn, by the clock, and when to look whether it is over; 0 before the first search. */
  #began = 0;
  #looksAt = 0;
  readonly #endTurn = (): void => {
    this.#looksAt = 0;
    this.#isRefusing = false;
  };

  constructor(metrics: Metrics, turns: SearchTurns, answering: number) {
    this.#metrics = metrics;
    this.#turns = turns;
    this.#answering = answering;
  }

  /** Whether to refuse a search that arrives now. @param now as of `performance.now()` */
  isTooMuch(now: number): boolean {
    if (this.#looksAt === 0) {
      setImmediate(this.#endTurn);
      if (now - this.#clock.readAt > FRESH) this.#clock.read(now);
      this.#began = this.#clock.time;
      this.#looksAt = now + this.#answering;
    } else if (now > this.#looksAt) this.#look(now);
    return this.#isRefusing || this.#metrics.levels.waiting - this.#turns.waiting >= MAX_WAITING;
  }

  /** Alternates between answering and refusing once the one or the other has lasted for long enough by the clock. */
  #look(now: number): void {
    const lasting = () => (this.#isRefusing ? REFUSING : this.#answering);
    const worked = this.#clock.read(now) - this.#began;
    this.#looksAt = now + lasting() - worked;
    if (now < this.#looksAt) return;
    this.#isRefusing = !this.#isRefusing;
    this.#began = this.#clock.time;
    this.#looksAt = now + lasting();
  }
}
