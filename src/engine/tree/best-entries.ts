/** The best entries of one level of some trees: by their ranks, and among equal ranks by their positions. */
import { RANK_OF_ZERO, RANKS } from './place-order.ts';
import type { PlaceRange } from './range-max-tree.ts';

export class BestEntries {
  count = 0;
  /** The range of each, and its number on the level. */
  readonly ranges: Uint8Array;
  readonly entries: Int32Array;
  readonly #ranks: Uint16Array;
  readonly #positions: Int32Array;
  readonly #ties: Int32Array;
  readonly #countOf = new Int32Array(RANKS);
  /** Entries of worse ranks are not among the best. */
  #limit = RANKS;

  /** @param most chosen at once */
  constructor(most: number) {
    const room = 2 * most + LONGEST_RUN;
    this.ranges = new Uint8Array(room);
    this.entries = new Int32Array(room);
    this.#ranks = new Uint16Array(room);
    this.#positions = new Int32Array(room);
    this.#ties = new Int32Array(room);
  }

  clear(): void {
    this.count = 0;
    this.#limit = RANKS;
  }

  /** Replaces the entries of the level above by the best `count` of these. */
  choose(ranges: readonly PlaceRange[], level: number, runs: Runs, count: number): void {
    if (this.#limit === RANKS) this.#limit = this.#rankOf(ranges, level, runs, count);
    this.count = 0;
    for (let run = 0; run < runs.count; run++) {
      if (this.count + LONGEST_RUN > this.entries.length) this.#keepBest(count);
      const range = runs.ranges[run]!;
      const { tree, bonus } = ranges[range]!;
      const { scores, positions } = tree.levels[level]!;
      const from = runs.froms[run]!;
      const to = runs.tos[run]!;
      if (scores === null) this.#addUnscored(range, positions, from, to, tree.rankShift);
      else this.#addScored(range, scores, positions, from, to, RANK_OF_ZERO - bonus);
    }
    this.#keepBest(count);
  }

  sortInto(positions: Int32Array): void {
    this.#countRanks();
    const starts = this.#countOf;
    let best = 0;
    while (best < this.#limit && starts[best] === 0) best++;
    let start = 0;
    for (let rank = best; rank <= this.#limit; rank++) {
      start += starts[rank]!;
      starts[rank] = start - starts[rank]!;
    }
    for (let i = 0; i < this.count; i++) positions[starts[this.#ranks[i]!]!++] = this.#positions[i]!;
    // Now they are ends.
    for (let rank = best, from = 0; rank <= this.#limit; from = starts[rank++]!)
      sortPart(positions, from, starts[rank]!);
  }

  #rankOf(ranges: readonly PlaceRange[], level: number, runs: Runs, count: number): number {
    const countOf = this.#countOf.fill(0);
    for (let run = 0; run < runs.count; run++) {
      const { tree, bonus } = ranges[runs.ranges[run]!]!;
      const { scores, positions } = tree.levels[level]!;
      const from = runs.froms[run]!;
      const to = runs.tos[run]!;
      const worst = RANK_OF_ZERO - bonus;
      if (scores === null) for (let i = from; i < to; i++) countOf[positions[i]! >>> tree.rankShift]!++;
      else for (let i = from; i < to; i++) countOf[worst - scores[i]!]!++;
    }
    return rankAt(countOf, count);
  }

  /** @param worst the rank of a score of 0 */
  #addScored(
    range: number,
    scores: Uint8Array,
    positions: Int32Array,
    from: number,
    to: number,
    worst: number,
  ): void {
    const least = worst - this.#limit;
    let { count } = this;
    for (let i = from; i < to; i++) {
      const score = scores[i]!;
      if (score < least) continue;
      this.ranges[count] = range;
      this.entries[count] = i;
      this.#ranks[count] = worst - score;
      this.#positions[count++] = positions[i]!;
    }
    this.count = count;
  }

  #addUnscored(range: number, positions: Int32Array, from: number, to: number, rankShift: number): void {
    const limit = this.#limit;
    let { count } = this;
    for (let i = from; i < to; i++) {
      const position = positions[i]!;
      const rank = position >>> rankShift;
      if (rank > limit) continue;
      this.ranges[count] = range;
      this.entries[count] = i;
      this.#ranks[count] = rank;
      this.#positions[count++] = position;
    }
    this.count = count;
  }

  #keepBest(most: number): void {
    if (this.count <= most) return;
    this.#countRanks();
    const limit = rankAt(this.#countOf, most);
    const ranks = this.#ranks;
    let better = 0;
    let tied = 0;
    for (let i = 0; i < this.count; i++) {
      if (ranks[i]! < limit) better++;
      else if (ranks[i] === limit) this.#ties[tied++] = this.#positions[i]!;
    }
    const last = selectSmallest(this.#ties, tied, most - better);
    let count = 0;
    for (let i = 0; i < this.count; i++) {
      if (ranks[i]! > limit || (ranks[i] === limit && this.#positions[i]! > last)) continue;
      this.ranges[count] = this.ranges[i]!;
      this.entries[count] = this.entries[i]!;
      ranks[count] = ranks[i]!;
      this.#positions[count++] = this.#positions[i]!;
    }
    this.count = count;
    this.#limit = limit;
  }

  #countRanks(): void {
    this.#countOf.fill(0, 0, this.#limit + 1);
    for (let i = 0; i < this.count; i++) this.#countOf[this.#ranks[i]!]!++;
  }
}

function rankAt(countOf: Int32Array, count: number): number {
  let rank = 0;
  for (let known = countOf[0]!; known < count; known += countOf[rank]!) rank++;
  return rank;
}

/** Maximum number of entries of a run; longer ones are added in pieces. */
const LONGEST_RUN = 2 ** 16;

/** Runs: consecutive entries of one level of a tree, from one range. They are in arrays, because objects would cost time. */
export class Runs {
  readonly ranges: Uint8Array;
  readonly froms: Int32Array;
  readonly tos: Int32Array;
  count = 0;
  size = 0;

  constructor(room: number) {
    this.ranges = new Uint8Array(room);
    this.froms = new Int32Array(room);
    this.tos = new Int32Array(room);
  }

  clear(): void {
    this.count = 0;
    this.size = 0;
  }

  add(range: number, from: number, to: number): void {
    for (let start = from; start < to; start += LONGEST_RUN) {
      const end = Math.min(to, start + LONGEST_RUN);
      this.ranges[this.count] = range;
      this.froms[this.count] = start;
      this.tos[this.count++] = end;
      this.size += end - start;
    }
  }
}

/** Up to this many numbers are sorted by insertion, which takes less time than a call of the built-in sort. */
const FEW_NUMBERS = 40;

function sortPart(numbers: Int32Array, from: number, to: number): void {
  if (to - from > FEW_NUMBERS) {
    numbers.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const number = numbers[i]!;
    let at = i;
    for (; at > from && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!;
    numbers[at] = number;
  }
}

/** The `count`-th smallest of the first `size` numbers, which it reorders (Hoare's FIND). */
function selectSmallest(numbers: Int32Array, size: number, count: number): number {
  const wanted = count - 1;
  let low = 0;
  let high = size - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (numbers[i]! < pivot) i++;
      while (numbers[j]! > pivot) j--;
      if (i > j) break;
      const number = numbers[i]!;
      numbers[i++] = numbers[j]!;
      numbers[j--] = number;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return numbers[wanted]!;
}
