/**
 * Returns the places of ranges of any size, best first, reading little more than it returns.
 *
 * The best k places are in the groups of the best k entries of each level of a tree. So the levels are read from the top
 * down: on each the members of the groups that were chosen above, and the entries at the ends of a range that are not in a
 * complete group. No read depends on the one before it, so that cache misses overlap. If k places are not enough, the search
 * starts again with more.
 *
 * Cost of k places: O(k FANOUT) for each level.
 */

import { BestEntries, Runs } from './best-entries.ts';
import { FANOUT, type PlaceRange } from './range-max-tree.ts';

/** Additional places chosen at first, because some foods have several. */
const SPARE = 28;

/** The factor by which the number of places grows the next time. */
const GROWTH = 4;

/** Up to this many places are sorted at once: level by level, a search in 8,790 foods would take half as long again. */
const FEW_PLACES = 64;

/** Up to this many are chosen without the levels above, whose reads would miss the cache. */
const FEW_OF_A_LEVEL = 512;

/** Above any position, so that a score and a position make one number. */
const POSITIONS = 2 ** 31;

/** Places for which there is memory at first. Only foods that contain a text very often need more: it is made for them. */
const FIRST_ROOM = 4096;

export class BestFirst {
  #best = new BestEntries(FIRST_ROOM);
  #runs = new Runs(2 * FIRST_ROOM);
  #runsBelow = new Runs(2 * FIRST_ROOM);
  #places = new Int32Array(FIRST_ROOM);
  readonly #keys = new Float64Array(FEW_PLACES);
  #ranges: readonly PlaceRange[] = [];
  /** The level to begin with. */
  #top = 0;
  /** Places of the ranges. */
  #size = 0;
  #chosen = 0;
  #handedOut = 0;

  begin(ranges: readonly PlaceRange[]): void {
    this.#ranges = ranges;
    this.#size = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const levels = Math.max(...ranges.map(({ tree }) => tree.levels.length));
    this.#top = this.#size <= FEW_OF_A_LEVEL ? 0 : levels - 1;
    this.#chosen = 0;
    this.#handedOut = 0;
    if (this.#size <= FEW_PLACES) this.#chooseAll();
  }

  /** Writes the next positions, at most `count`, and returns how many there were. */
  next(positions: Int32Array, count: number): number {
    let written = 0;
    for (; written < count && this.#handedOut < this.#size; written++) {
      if (this.#handedOut === this.#chosen) this.#choose(this.#chosen * GROWTH || count + SPARE);
      positions[written] = this.#places[this.#handedOut++]!;
    }
    return written;
  }

  /** By insertion, with a key for each place. */
  #chooseAll(): void {
    const keys = this.#keys;
    let count = 0;
    for (const { tree, from, to, bonus } of this.#ranges) {
      const { scores, positions } = tree.levels[0]!;
      for (let place = from; place < to; place++) {
        const key = positions[place]! - (scores === null ? 0 : scores[place]! + bonus) * POSITIONS;
        let at = count++;
        for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
        keys[at] = key;
      }
    }
    for (let i = 0; i < count; i++) this.#places[i] = keys[i]! - Math.floor(keys[i]! / POSITIONS) * POSITIONS;
    this.#chosen = count;
  }

  #choose(wanted: number): void {
    const count = Math.min(wanted, this.#size);
    if (count > this.#places.length) this.#makeRoom(count);
    const best = this.#best;
    this.#runsBelow.clear();
    best.clear();
    for (let level = this.#top; level >= 0; level--) {
      [this.#runs, this.#runsBelow] = [this.#runsBelow, this.#runs];
      const runs = this.#runs;
      this.#runsBelow.clear();
      this.#addEnds(level);
      if (level > 0 && runs.size <= count) {
        for (let run = 0; run < runs.count; run++)
          this.#descend(level, runs.ranges[run]!, runs.froms[run]!, runs.tos[run]!);
        continue;
      }
      best.choose(this.#ranges, level, runs, count);
      if (level === 0) break;
      for (let i = 0; i < best.count; i++)
        this.#descend(level, best.ranges[i]!, best.entries[i]!, best.entries[i]! + 1);
    }
    best.sortInto(this.#places);
    this.#chosen = count;
  }

  /** For all places from the first one on: they are chosen anew. */
  #makeRoom(count: number): void {
    this.#best = new BestEntries(count);
    this.#runs = new Runs(2 * count);
    this.#runsBelow = new Runs(2 * count);
    this.#places = new Int32Array(count);
  }

  /** Adds the entries of a level that are not in a group whose members are all in a range. */
  #addEnds(level: number): void {
    for (let range = 0; range < this.#ranges.length; range++) {
      const { levels } = this.#ranges[range]!.tree;
      if (level >= levels.length) continue;
      let { from, to } = this.#ranges[range]!;
      for (let below = 0; below < level; below++) {
        from = Math.ceil(from / FANOUT);
        to = Math.floor(to / FANOUT);
      }
      const first = Math.ceil(from / FANOUT);
      const end = Math.floor(to / FANOUT);
      if (first >= end || level === this.#top || level + 1 === levels.length) this.#runs.add(range, from, to);
      else {
        this.#runs.add(range, from, first * FANOUT);
        this.#runs.add(range, end * FANOUT, to);
      }
    }
  }

  /** Adds the members of the groups [from, to) of a level. */
  #descend(level: number, range: number, from: number, to: number): void {
    const members = this.#ranges[range]!.tree.levels[level - 1]!.positions.length;
    this.#runsBelow.add(range, from * FANOUT, Math.min(members, to * FANOUT));
  }
}
