/**
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
import { foodAt, type IndexSections } from './sections.ts';

/** Places per list: many for each entry, but read in less than 0.1 ms if a range begins or ends among them. */
export const GROUP = 16_384;

/** A food is long if it fills a whole piece of this many bytes of the corpus. */
const PIECE = 512;

/** The list of group i is [starts[i], starts[i + 1]) of `foods` and `scores`. */
export interface BestFoods {
  readonly starts: Uint32Array;
  readonly foods: Int32Array;
  /** Null if all scores are equal. */
  readonly scores: Uint8Array | null;
}

interface Places {
  readonly positions: Int32Array;
  readonly scores: Uint8Array | null;
}

export function hasLongFood({ corpus, blocks }: IndexSections): boolean {
  const step = (2 * PIECE) / BLOCK_SIZE;
  for (let block = step; block * BLOCK_SIZE < 2 * corpus.length; block += step) {
    if (blocks[block] === blocks[block - step]) return true;
  }
  return false;
}

export function bestFoodsOf(
  { positions, scores }: Places,
  { blocks, entryStarts }: IndexSections,
): BestFoods {
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
