/**
 * Hands out the places of ranges of any size, the best first, reading little more than it hands out. It gives up
 * where a few foods own very many of the places, so that place after place is of foods that are found already
 * (`wide-range.ts` has another way for those).
 *
 * What is open is kept as runs: neighbours on one level of a tree, with the best of them known. The best run
 * is parted at its best entry, and a group of places in it is replaced by its members. The runs lie in arrays,
 * one a field, because an object for each would cost more than the search.
 *
 * Cost of each place: O(FANOUT) for each level that is entered, and a heap of a few hundred runs.
 */

import type { PlaceOrder, PlaceRange } from './place-range.ts';
import { bestOf, FANOUT } from './range-max-tree.ts';

/**
 * Runs that fit: a place takes two or three. Without long foods (`best-foods.ts`) these are enough for 100 foods that
 * consist of nothing but places, in 40 ms. The system gives memory only for those that a search has used.
 */
const RUNS = 2 ** 18;

/** With long foods it gives up after 5,000 to 8,000 places, in 3 ms. Other foods have mostly filled the answer after some hundred. */
const RUNS_WITH_LONG_FOODS = 2 ** 14;

/** Runs that the best one is replaced by, at the most. */
const RUNS_OF_A_STEP = 3;

// Shared by all searches: legal only because a search never awaits.
const rangeOf = new Uint8Array(RUNS);
const levelOf = new Uint8Array(RUNS);
const fromOf = new Int32Array(RUNS);
const toOf = new Int32Array(RUNS);
const bestEntryOf = new Int32Array(RUNS);
const scoreOf = new Int16Array(RUNS);
const positionOf = new Int32Array(RUNS);
const heap = new Int32Array(RUNS);

/** The order is good until the next one is made. */
export function bestFirst(ranges: readonly PlaceRange[]): PlaceOrder {
  const order = new BestFirst(ranges);
  for (let range = 0; range < ranges.length; range++) order.open(range);
  return order;
}

class BestFirst implements PlaceOrder {
  readonly #ranges: readonly PlaceRange[];
  readonly #mostRuns: number;
  /** Runs made so far, and how many of them are open. */
  #made = 0;
  #open = 0;

  constructor(ranges: readonly PlaceRange[]) {
    this.#ranges = ranges;
    const hasLongFoods = ranges[0]?.tree.bestFoods != null;
    this.#mostRuns = (hasLongFoods ? RUNS_WITH_LONG_FOODS : RUNS) - RUNS_OF_A_STEP;
  }

  /** Covers the places of a range by as few runs as possible. */
  open(range: number): void {
    const { tree } = this.#ranges[range]!;
    let { from, to } = this.#ranges[range]!;
    for (let level = 0; from < to; level++) {
      const first = Math.ceil(from / FANOUT);
      const end = Math.floor(to / FANOUT);
      if (first >= end || level + 1 === tree.levels.length) {
        this.#push(range, level, from, to);
        return;
      }
      this.#push(range, level, from, first * FANOUT);
      this.#push(range, level, end * FANOUT, to);
      from = first;
      to = end;
    }
  }

  get gaveUp(): boolean {
    return this.#open > 0 && this.#made > this.#mostRuns;
  }

  next(positions: Int32Array, count: number): number {
    let written = 0;
    while (written < count && this.#open > 0 && this.#made <= this.#mostRuns) {
      const run = this.#pop();
      const range = rangeOf[run]!;
      const level = levelOf[run]!;
      const best = bestEntryOf[run]!;
      this.#push(range, level, fromOf[run]!, best);
      this.#push(range, level, best + 1, toOf[run]!);
      if (level === 0) positions[written++] = positionOf[run]!;
      else {
        const members = this.#ranges[range]!.tree.levels[level - 1]!.positions.length;
        this.#push(range, level - 1, best * FANOUT, Math.min(members, (best + 1) * FANOUT));
      }
    }
    return written;
  }

  #push(range: number, level: number, from: number, to: number): void {
    if (from >= to) return;
    const { tree, bonus } = this.#ranges[range]!;
    const entries = tree.levels[level]!;
    const best = bestOf(entries, from, to);
    const run = this.#made++;
    rangeOf[run] = range;
    levelOf[run] = level;
    fromOf[run] = from;
    toOf[run] = to;
    bestEntryOf[run] = best;
    scoreOf[run] = (entries.scores === null ? 0 : entries.scores[best]!) + bonus;
    positionOf[run] = entries.positions[best]!;
    let at = this.#open++;
    for (let parent = (at - 1) >> 1; at > 0 && isBetter(run, heap[parent]!); parent = (at - 1) >> 1) {
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = run;
  }

  /** Takes the best run out of the heap. */
  #pop(): number {
    const top = heap[0]!;
    const size = --this.#open;
    const last = heap[size]!;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBetter(heap[child + 1]!, heap[child]!)) child++;
      if (!isBetter(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return top;
  }
}

function isBetter(a: number, b: number): boolean {
  return scoreOf[a]! > scoreOf[b]! || (scoreOf[a] === scoreOf[b] && positionOf[a]! < positionOf[b]!);
}
