/** A tree over the places of a suffix array with the best place of every 32 consecutive ones, of every 32 such groups, and so on. */
import type { SortedSuffixes } from '../suffixes/suffix-range.ts';
import { bestOf, rankShiftOf, type ScoredPlaces } from './place-order.ts';

/** Places or groups in one group. With 16 the trees would take twice the memory; with 64 a search reads twice as many scores. */
export const FANOUT = 32;

export interface RangeMaxTree {
  /** Level 0 has the places, the last level a single group or none. */
  readonly levels: readonly ScoredPlaces[];
  /** See {@link rankShiftOf}. */
  readonly rankShift: number;
}

/** Over the suffixes that begin with a word, by their scores for each end of a match, and over the others. */
export interface IndexTrees {
  readonly segmentEnd: RangeMaxTree;
  readonly wordEnd: RangeMaxTree;
  readonly inside: RangeMaxTree;
  readonly inner: RangeMaxTree;
}

/** The suffixes of an index, and the scores of those that begin with a word. */
interface ScoredSuffixes {
  readonly corpus: Uint8Array;
  readonly words: Pick<SortedSuffixes, 'suffixes'>;
  readonly inner: Pick<SortedSuffixes, 'suffixes'>;
  readonly segmentEndScores: Uint8Array;
  readonly wordEndScores: Uint8Array;
  readonly insideScores: Uint8Array;
}

/** Takes 0.4 s at 2,000,000 foods. */
export function treesOf(sections: ScoredSuffixes): IndexTrees {
  const { words, inner, segmentEndScores, wordEndScores, insideScores } = sections;
  const rankShift = rankShiftOf(sections.corpus.length);
  const treeOf = (positions: Int32Array, scores: Uint8Array | null): RangeMaxTree => ({
    levels: levelsOf({ scores, positions }),
    rankShift,
  });
  return {
    segmentEnd: treeOf(words.suffixes, segmentEndScores),
    wordEnd: treeOf(words.suffixes, wordEndScores),
    inside: treeOf(words.suffixes, insideScores),
    inner: treeOf(inner.suffixes, null),
  };
}

function levelsOf(places: ScoredPlaces): ScoredPlaces[] {
  const levels = [places];
  for (let level = places; level.positions.length > FANOUT; level = levels.at(-1)!) {
    levels.push(bestOfGroups(level));
  }
  return levels;
}

function bestOfGroups(level: ScoredPlaces): ScoredPlaces {
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

/** Places of a tree. They are returned by their scores, the highest first, then by their positions. */
export interface PlaceRange {
  readonly tree: RangeMaxTree;
  readonly from: number;
  readonly to: number;
  /** What is added to the scores: from -MOST_BONUS to MOST_BONUS (`place-order.ts`). */
  readonly bonus: number;
}
