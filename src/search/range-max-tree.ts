/**
 * A tree over the places of a suffix array with the best place of every 32 consecutive ones, of every 32 such
 * groups, and so on. A better place has the higher score, or the same score and the earlier position in the
 * text, which is that of the better food.
 *
 * Lists of the best foods, for data sets with long descriptions. There the best places say little about the best foods:
 * a word may have a hundred thousand places in a description of a megabyte, each of them better than the only place in
 * another food.
 *
 * So every 16,384 consecutive places have a list of the 100 best foods among them, without repetition: at most one entry
 * for 160 places. Opening an index makes the lists, in about 10 ns per place; they take a hundredth of its memory. Data
 * sets without a long food need none, because no food can delay a search for long.
 */
import { MAX_ENTRIES } from '../foods/food.ts';
import { ScoredFoods } from './collections/best-keys.ts';
import { BLOCK_SIZE } from './collections/bits.ts';
import type { FoundFoods } from './collections/found-foods.ts';
import { foodAt, type IndexSections } from './sections.ts';

/** Places or groups in one group. With 16 the trees would take twice the memory; with 64 a search reads twice as many scores. */
export const FANOUT = 32;

/** If all scores are equal, the high bits of a position are its rank, which is below this number. */
export const POSITION_RANKS = 1024;

/** One level: the places themselves, or the best of each group of them. */
export interface Level {
  /** Null if all scores are equal, so that positions alone decide. */
  readonly scores: Uint8Array | null;
  readonly positions: Int32Array;
}

export interface RangeMaxTree {
  /** Level 0 has the places, the last level a single group or none. */
  readonly levels: readonly Level[];
  /** Low bits of a position that its rank lacks if all scores are equal. */
  readonly rankShift: number;
  readonly bestFoods: BestFoods | null;
}

/** Over the suffixes that begin with a word, by their scores for each end of a match, and over the others. */
export interface IndexTrees {
  readonly segmentEnd: RangeMaxTree;
  readonly wordEnd: RangeMaxTree;
  readonly inside: RangeMaxTree;
  readonly inner: RangeMaxTree;
}

/** Takes 0.4 s at 2,000,000 foods, and 1 s more if one of them is long. */
export function treesOf(sections: IndexSections): IndexTrees {
  const { words, inner, segmentEndScores, wordEndScores, insideScores } = sections;
  const hasLong = hasLongFood(sections);
  const rankShift = Math.max(0, 32 - Math.clz32(sections.corpus.length) - Math.log2(POSITION_RANKS));
  const treeOf = (positions: Int32Array, scores: Uint8Array | null): RangeMaxTree => {
    const places = { scores, positions };
    return { levels: levelsOf(places), rankShift, bestFoods: hasLong ? bestFoodsOf(places, sections) : null };
  };
  return {
    segmentEnd: treeOf(words.suffixes, segmentEndScores),
    wordEnd: treeOf(words.suffixes, wordEndScores),
    inside: treeOf(words.suffixes, insideScores),
    inner: treeOf(inner.suffixes, null),
  };
}

function levelsOf(places: Level): Level[] {
  const levels = [places];
  for (let level = places; level.positions.length > FANOUT; level = levels.at(-1)!) {
    levels.push(bestOfGroups(level));
  }
  return levels;
}

function bestOf({ scores, positions }: Level, from: number, to: number): number {
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

/** Places per list: many for each entry, but read in less than 0.1 ms if a range begins or ends among them. */
const GROUP = 16_384;

/** A food is long if it fills a whole piece of this many bytes of the corpus. */
const PIECE = 512;

/** The list of group i is [starts[i], starts[i + 1]) of `foods` and `scores`. */
export interface BestFoods {
  readonly starts: Uint32Array;
  readonly foods: Int32Array;
  /** Null if all scores are equal. */
  readonly scores: Uint8Array | null;
}

function hasLongFood({ corpus, blocks }: IndexSections): boolean {
  const step = (2 * PIECE) / BLOCK_SIZE;
  for (let block = step; block * BLOCK_SIZE < 2 * corpus.length; block += step) {
    if (blocks[block] === blocks[block - step]) return true;
  }
  return false;
}

function bestFoodsOf({ positions, scores }: Level, { blocks, entryStarts }: IndexSections): BestFoods {
  const groups = Math.floor(positions.length / GROUP);
  const starts = new Uint32Array(groups + 1);
  const foods = new Int32Array(groups * MAX_ENTRIES);
  const foodScores = scores === null ? null : new Uint8Array(foods.length);
  const seen = new ScoredFoods(entryStarts.length - 1);
  for (let group = 0; group < groups; group++) {
    for (let place = group * GROUP; place < (group + 1) * GROUP; place++) {
      seen.add(foodAt(blocks, positions[place]!), scores === null ? 0 : scores[place]!);
    }
    let at = starts[group]!;
    for (const food of seen.best()) {
      if (foodScores !== null) foodScores[at] = seen.scoreOf(food);
      foods[at++] = food;
    }
    starts[group + 1] = at;
    seen.clear();
  }
  const size = starts[groups]!;
  return { starts, foods: foods.slice(0, size), scores: foodScores?.slice(0, size) ?? null };
}

/** Places of a tree. They are returned by their scores, the highest first, then by their positions. */
export interface PlaceRange {
  readonly tree: RangeMaxTree;
  readonly from: number;
  readonly to: number;
  /** What is added to the scores, at least -LEAST_BONUS. */
  readonly bonus: number;
}

export const LEAST_BONUS = 64;

/**
 * Adds the foods of these ranges, the best first, until the answer is full. Except for its two ends, a range is read from the
 * lists of best foods, so the cost does not depend on how often a food contains the text. Without lists, it reads every place.
 */
export function addBestFoods(
  found: FoundFoods,
  ranges: readonly PlaceRange[],
  { blocks, entryStarts }: IndexSections,
): void {
  const seen = new ScoredFoods(entryStarts.length - 1);
  for (const { tree, from, to, bonus } of ranges) {
    const { scores, positions } = tree.levels[0]!;
    const base = LEAST_BONUS + bonus;
    const addPlaces = (first: number, end: number): void => {
      for (let place = first; place < end; place++) {
        seen.add(foodAt(blocks, positions[place]!), base + (scores === null ? 0 : scores[place]!));
      }
    };
    const firstGroup = Math.ceil(from / GROUP);
    const endGroup = Math.floor(to / GROUP);
    if (tree.bestFoods === null || firstGroup >= endGroup) {
      addPlaces(from, to);
      continue;
    }
    addPlaces(from, firstGroup * GROUP);
    const { starts, ...lists } = tree.bestFoods;
    for (let i = starts[firstGroup]!; i < starts[endGroup]!; i++) {
      seen.add(lists.foods[i]!, base + (lists.scores === null ? 0 : lists.scores[i]!));
    }
    addPlaces(endGroup * GROUP, to);
  }
  for (const food of seen.best()) found.add(food);
}
