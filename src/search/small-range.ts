/**
 * Puts the slots of a few small ranges in order by reading all of them: cheaper than a walk of the tree, up to
 * some number of slots.
 */
import { LEAST_BONUS, type SlotOrder, type SlotRange } from './slot-order.ts';

/** Up to this many slots are read whole. */
export const SMALL_RANGE = 512;

/** Up to this many numbers are sorted by insertion, which takes less than a call of the sort that is built in. */
const FEW = 40;

const SCORES = 256 + 2 * LEAST_BONUS;

// Shared by all searches: legal only because a search never awaits.
const firstOf = new Int32Array(SCORES);
const nextOf = new Int32Array(SMALL_RANGE);
const positionOf = new Int32Array(SMALL_RANGE);
const sameScore = new Int32Array(SMALL_RANGE);

/** At most SMALL_RANGE slots in all; the order is good until the next one is made. */
export function inOrder(suffixes: Int32Array, ranges: readonly SlotRange[]): SlotOrder {
  firstOf.fill(-1);
  let score = 0;
  let left = 0;
  for (const { scores, from, to, bonus } of ranges) {
    for (let slot = from; slot < to; slot++) {
      const own = (scores === null ? 0 : scores[slot]!) + bonus + LEAST_BONUS;
      positionOf[left] = suffixes[slot]!;
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
    for (let slot = firstOf[score]!; slot >= 0; slot = nextOf[slot]!) sameScore[ready++] = positionOf[slot]!;
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
