/**
 * A tree over the slots of a suffix array that tells the best slot of each 64 neighbours, of each 64 such
 * groups, and so on. A better slot has the higher score, or the same score and the earlier position in the
 * text, which is that of the better food.
 */

/** Slots or groups in one group: a cache line of scores. */
const FANOUT = 64;

/** One level: the slots themselves, or the best of each group of them. */
export interface Level {
  /** Null where all scores are equal, so that positions alone decide. */
  readonly scores: Uint8Array | null;
  readonly positions: Int32Array;
}

export class SlotTree {
  /** Level 0 holds the slots, the last level a single group or none. */
  readonly levels: readonly Level[];

  constructor(positions: Int32Array, scores: Uint8Array | null) {
    const levels: Level[] = [{ scores, positions }];
    for (let level = levels[0]!; level.positions.length > FANOUT; level = levels.at(-1)!) {
      levels.push(bestOfGroups(level));
    }
    this.levels = levels;
  }
}

/** The better of the entries [from, to) of a level, which are not none. */
export function bestOf({ scores, positions }: Level, from: number, to: number): number {
  let best = from;
  if (scores === null) {
    for (let i = from + 1; i < to; i++) if (positions[i]! < positions[best]!) best = i;
    return best;
  }
  let bestScore = scores[from]!;
  for (let i = from + 1; i < to; i++) {
    const score = scores[i]!;
    if (score > bestScore || (score === bestScore && positions[i]! < positions[best]!)) {
      best = i;
      bestScore = score;
    }
  }
  return best;
}

function bestOfGroups(level: Level): Level {
  const size = level.positions.length;
  const groups = Math.ceil(size / FANOUT);
  const scores = level.scores === null ? null : new Uint8Array(groups);
  const positions = new Int32Array(groups);
  for (let group = 0; group < groups; group++) {
    const best = bestOf(level, group * FANOUT, Math.min(size, (group + 1) * FANOUT));
    positions[group] = level.positions[best]!;
    if (scores !== null) scores[group] = level.scores![best]!;
  }
  return { scores, positions };
}

/** The parts of a level that are open: entries [from, to), and which of them is the best. */
interface Run {
  readonly tree: SlotTree;
  readonly level: number;
  readonly from: number;
  readonly to: number;
  readonly best: number;
  /** Of the best entry, with what its range adds. */
  readonly score: number;
  readonly position: number;
  readonly bonus: number;
}

/**
 * Yields the positions of the slots of several ranges, the best first, reading little more than it yields. A
 * run that comes up is parted at its best entry; a group in it is replaced by its members.
 *
 * Cost of each position: O(FANOUT) for each level that is entered, and a heap of a few hundred runs.
 */
export class BestFirst {
  readonly #heap: Run[] = [];

  /** Adds the slots [from, to) of a tree; their scores count with a bonus added. */
  add(tree: SlotTree, from: number, to: number, bonus: number): void {
    for (let level = 0; from < to; level++) {
      const next = level + 1 < tree.levels.length;
      const first = next ? Math.ceil(from / FANOUT) : 0;
      const end = next ? Math.floor(to / FANOUT) : 0;
      if (first >= end) {
        this.#push(tree, level, from, to, bonus);
        return;
      }
      this.#push(tree, level, from, first * FANOUT, bonus);
      this.#push(tree, level, end * FANOUT, to, bonus);
      from = first;
      to = end;
    }
  }

  /** The position of the next slot in order, or -1 where there is none left. */
  next(): number {
    for (;;) {
      const run = this.#pop();
      if (run === undefined) return -1;
      const { tree, level, from, to, best, bonus } = run;
      this.#push(tree, level, from, best, bonus);
      this.#push(tree, level, best + 1, to, bonus);
      if (level === 0) return run.position;
      const members = tree.levels[level - 1]!.positions.length;
      this.#push(tree, level - 1, best * FANOUT, Math.min(members, (best + 1) * FANOUT), bonus);
    }
  }

  #push(tree: SlotTree, level: number, from: number, to: number, bonus: number): void {
    if (from >= to) return;
    const entries = tree.levels[level]!;
    const best = bestOf(entries, from, to);
    const score = (entries.scores === null ? 0 : entries.scores[best]!) + bonus;
    const run: Run = { tree, level, from, to, best, score, position: entries.positions[best]!, bonus };
    const heap = this.#heap;
    let at = heap.push(run) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && isBetter(run, heap[parent]!); parent = (at - 1) >> 1) {
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = run;
  }

  #pop(): Run | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBetter(heap[child + 1]!, heap[child]!)) child++;
      if (!isBetter(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return top;
  }
}

function isBetter(a: Run, b: Run): boolean {
  return a.score > b.score || (a.score === b.score && a.position < b.position);
}
