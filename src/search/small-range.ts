/**
 * Puts the places of a few small ranges in order by reading all of them: cheaper than a walk of the tree, up to
 * some number of places.
 */
import { LEAST_BONUS, type PlaceOrder, type PlaceRange } from './place-range.ts';

/** Up to this many places are read whole. */
export const SMALL_RANGE = 512;

/** Up to this many numbers are sorted by insertion, which takes less than a call of the sort that is built in. */
const FEW = 40;

const SCORES = 256 + 2 * LEAST_BONUS;

// Shared by all searches: legal only because a search never awaits.
const firstOf = new Int32Array(SCORES);
const nextOf = new Int32Array(SMALL_RANGE);
const positionOf = new Int32Array(SMALL_RANGE);
const sameScore = new Int32Array(SMALL_RANGE);

/** At most SMALL_RANGE places in all; the order is good until the next one is made. */
export function inOrder(suffixes: Int32Array, ranges: readonly PlaceRange[]): PlaceOrder {
  firstOf.fill(-1);
  let score = 0;
  let left = 0;
  for (const { scores, from, to, bonus } of ranges) {
    for (let place = from; place < to; place++) {
      const own = (scores === null ? 0 : scores[place]!) + bonus + LEAST_BONUS;
      positionOf[left] = suffixes[place]!;
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
    if (ready <= FEW) sortFew(ready);
    else sameScore.subarray(0, ready).sort();
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

function sortFew(count: number): void {
  for (let i = 1; i < count; i++) {
    const position = sameScore[i]!;
    let at = i;
    for (; at > 0 && sameScore[at - 1]! > position; at--) sameScore[at] = sameScore[at - 1]!;
    sameScore[at] = position;
  }
}
