/**
 * Ranges of places, and the order in which they are returned: the higher score first, then the earlier
 * position, which is that of the better food.
 */
import type { RangeMaxTree } from './range-max-tree.ts';

export interface PlaceRange {
  readonly tree: RangeMaxTree;
  /** Null if all scores are equal. */
  readonly scores: Uint8Array | null;
  readonly from: number;
  readonly to: number;
  /** What is added to the scores, at least -LEAST_BONUS. */
  readonly bonus: number;
}

export const LEAST_BONUS = 64;
