/**
 * The order of the places of a suffix array. A better place has the higher score, or the same score and the earlier position
 * in the text, which is that of the better food. A rank is a number of few bits for it; lower is better.
 */

/** Places of a suffix array, or the best of each group of them. */
export interface ScoredPlaces {
  /** Null if all scores are equal, so that positions alone decide. */
  readonly scores: Uint8Array | null;
  readonly positions: Int32Array;
}

/** The best of the places [from, to). */
export function bestOf({ scores, positions }: ScoredPlaces, from: number, to: number): number {
  let best = from;
  let bestScore = scores === null ? 0 : scores[from]!;
  for (let i = from + 1; i < to; i++) {
    const score = scores === null ? 0 : scores[i]!;
    if (score > bestScore || (score === bestScore && positions[i]! < positions[best]!)) {
      best = i;
      bestScore = score;
    }
  }
  return best;
}

/** What a range of places may take off their scores at most, or add to them. */
const MOST_BONUS = 64;

/** By scores, the rank of a place whose score and bonus are 0. */
export const RANK_OF_ZERO = 255 + MOST_BONUS;

/** If all scores are equal, the high bits of a position are its rank, which is below this number. */
const POSITION_RANKS = 1024;

/** Ranks are below this number. */
export const RANKS = Math.max(RANK_OF_ZERO + MOST_BONUS + 1, POSITION_RANKS);

/** Low bits of a position that its rank lacks if all scores are equal. @param length of the text */
export const rankShiftOf = (length: number): number =>
  Math.max(0, 32 - Math.clz32(length) - Math.log2(POSITION_RANKS));
