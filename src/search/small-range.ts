/**
 * Orders the places of a few small ranges by reading all of them, which up to some number is cheaper than walking the tree: a
 * search of 8,790 foods takes 0.0084 ms instead of 0.012 (p50).
 */
import { FEW, sortPart } from './best-entries.ts';
import { LEAST_BONUS, type PlaceRange, POSITION_RANKS } from './range-max-tree.ts';

/** The maximum number of places. */
export const SMALL_RANGE = 512;

const SCORES = 256 + 2 * LEAST_BONUS;

/** If all scores are equal, the high bits of positions replace them, so that fewer places are sorted at once. */
const RANKS_OF_A_SCORE = Math.log2(POSITION_RANKS / 256);
const ALL_BITS = 31;

export class SmallRange {
  readonly gaveUp = false;
  /** The places of each score are a list: its first one, and the next one of each. */
  readonly #first = new Int32Array(SCORES);
  readonly #next = new Int32Array(SMALL_RANGE);
  readonly #positions = new Int32Array(SMALL_RANGE);
  readonly #sameScore = new Int32Array(SMALL_RANGE);
  #score = 0;
  #left = 0;
  #ready = 0;
  #handedOut = 0;

  /** Begins with the best place of these ranges, which have at most SMALL_RANGE. */
  begin(ranges: readonly PlaceRange[]): void {
    const first = this.#first.fill(-1);
    let [score, left] = [0, 0];
    for (const { tree, from, to, bonus } of ranges) {
      const { scores, positions } = tree.levels[0]!;
      const shift = to - from > FEW ? tree.rankShift + RANKS_OF_A_SCORE : ALL_BITS;
      for (let place = from; place < to; place++) {
        const position = positions[place]!;
        const own = (scores === null ? 255 - (position >>> shift) : scores[place]!) + bonus + LEAST_BONUS;
        this.#positions[left] = position;
        this.#next[left] = first[own]!;
        first[own] = left++;
        if (own > score) score = own;
      }
    }
    [this.#score, this.#left] = [score, left];
    [this.#ready, this.#handedOut] = [0, 0];
  }

  /** Writes the next positions, at most `count`, and returns how many there were. */
  next(positions: Int32Array, count: number): number {
    let written = 0;
    while (written < count && (this.#handedOut < this.#ready || this.#left > 0)) {
      if (this.#handedOut === this.#ready) this.#sortNextScore();
      else positions[written++] = this.#sameScore[this.#handedOut++]!;
    }
    return written;
  }

  #sortNextScore(): void {
    let ready = 0;
    for (let place = this.#first[this.#score--]!; place >= 0; place = this.#next[place]!)
      this.#sameScore[ready++] = this.#positions[place]!;
    sortPart(this.#sameScore, 0, ready);
    this.#left -= ready;
    [this.#ready, this.#handedOut] = [ready, 0];
  }
}
