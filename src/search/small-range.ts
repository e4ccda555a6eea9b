/**
 * Orders the places of a few small ranges by reading all of them, which up to some number is cheaper than walking the tree.
 */
import { LEAST_BONUS, type PlaceOrder, type PlaceRange } from './place-range.ts';
import { POSITION_RANKS } from './range-max-tree.ts';
import { FEW, sortPart } from './sorting.ts';

/** The maximum number of places. */
export const SMALL_RANGE = 512;

const SCORES = 256 + 2 * LEAST_BONUS;

/** If all scores are equal, the high bits of positions replace them, so that fewer places are sorted at once. */
const RANKS_OF_A_SCORE = Math.log2(POSITION_RANKS / 256);
const ALL_BITS = 31;

// Shared by all searches: legal only because a search never awaits.
const firstOf = new Int32Array(SCORES);
const nextOf = new Int32Array(SMALL_RANGE);
const positionOf = new Int32Array(SMALL_RANGE);
const sameScore = new Int32Array(SMALL_RANGE);

/** At most SMALL_RANGE places in total; the order is valid until the next call. */
export function inOrder(suffixes: Int32Array, ranges: readonly PlaceRange[]): PlaceOrder {
  firstOf.fill(-1);
  let score = 0;
  let left = 0;
  for (const { tree, scores, from, to, bonus } of ranges) {
    const shift = to - from > FEW ? tree.rankShift + RANKS_OF_A_SCORE : ALL_BITS;
    for (let place = from; place < to; place++) {
      const position = suffixes[place]!;
      const own = (scores === null ? 255 - (position >>> shift) : scores[place]!) + bonus + LEAST_BONUS;
      positionOf[left] = position;
      nextOf[left] = firstOf[own]!;
      firstOf[own] = left++;
      if (own > score) score = own;
    }
  }
  let ready = 0;
  let handedOut = 0;
  const sortNextScore = (): void => {
    ready = 0;
    handedOut = 0;
    for (let place = firstOf[score]!; place >= 0; place = nextOf[place]!)
      sameScore[ready++] = positionOf[place]!;
    sortPart(sameScore, 0, ready);
    left -= ready;
    score--;
  };
  return {
    gaveUp: false,
    next(positions, count) {
      let written = 0;
      while (written < count && (handedOut < ready || left > 0)) {
        if (handedOut === ready) sortNextScore();
        else positions[written++] = sameScore[handedOut++]!;
      }
      return written;
    },
  };
}
