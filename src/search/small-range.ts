/**
 * Puts the slots of a few small ranges in order by reading all of them: cheaper than a walk of the tree, up to
 * some number of slots.
 */

/** Up to this many slots are read whole. At 2,000,000 foods the walk costs as much as reading about 3,000. */
export const SMALL_RANGE = 2048;

export interface SlotRange {
  readonly scores: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** What is added to the scores, at least -LEAST_BONUS. */
  readonly bonus: number;
}

const LEAST_BONUS = 64;
const SCORES = 256 + 2 * LEAST_BONUS;

// Shared by all searches: legal only because a search never awaits.
const firstOf = new Int32Array(SCORES);
const nextOf = new Int32Array(SMALL_RANGE);
const positionOf = new Int32Array(SMALL_RANGE);
const sameScore = new Int32Array(SMALL_RANGE);

/** Hands over the positions of the slots, the highest score first and then the earliest, until told to stop. */
export function readInOrder(
  suffixes: Int32Array,
  ranges: readonly SlotRange[],
  take: (position: number) => boolean,
): void {
  firstOf.fill(-1);
  let highest = 0;
  let count = 0;
  for (const { scores, from, to, bonus } of ranges) {
    for (let slot = from; slot < to; slot++) {
      const score = scores[slot]! + bonus + LEAST_BONUS;
      positionOf[count] = suffixes[slot]!;
      nextOf[count] = firstOf[score]!;
      firstOf[score] = count++;
      if (score > highest) highest = score;
    }
  }
  for (let score = highest; count > 0; score--) {
    let size = 0;
    for (let slot = firstOf[score]!; slot >= 0; slot = nextOf[slot]!) sameScore[size++] = positionOf[slot]!;
    if (size > 1) sameScore.subarray(0, size).sort();
    for (let i = 0; i < size; i++) if (!take(sameScore[i]!)) return;
    count -= size;
  }
}
