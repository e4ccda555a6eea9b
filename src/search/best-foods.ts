/**
 * Lists of the best foods of a data set with long descriptions. There the best slots say little of the best foods:
 * a description of a megabyte has a hundred thousand places of a word, and each of them may be better than the only
 * place of another food.
 *
 * So each 16,384 neighbouring slots have a list of the 100 best foods among them, each once: at most one entry for
 * 160 slots. Making them takes about 10 ns a slot, when an index is opened; they take a hundredth of its memory. Data
 * sets without a long food have none and need none, because there no food can keep a search for long.
 */
import { MAX_ENTRIES } from '../food.ts';
import { ScoredFoods } from './scored-foods.ts';
import { BLOCK_SIZE, foodAt, type IndexSections } from './sections.ts';

/** Slots with a list: many for each entry of it, and read in less than 0.1 ms where a range begins or ends in them. */
export const GROUP = 16_384;

/** Some food is long where one fills a whole piece of so many bytes of the text. */
const PIECE = 512;

/** The list of group i is [starts[i], starts[i + 1]) of `foods` and `scores`. */
export interface BestFoods {
  readonly starts: Uint32Array;
  readonly foods: Int32Array;
  /** Null where all scores are equal. */
  readonly scores: Uint8Array | null;
}

interface Slots {
  readonly positions: Int32Array;
  readonly scores: Uint8Array | null;
}

export function hasLongFood({ text, blocks }: IndexSections): boolean {
  const step = (2 * PIECE) / BLOCK_SIZE;
  for (let block = step; block * BLOCK_SIZE < 2 * text.length; block += step) {
    if (blocks[block] === blocks[block - step]) return true;
  }
  return false;
}

export function bestFoodsOf({ positions, scores }: Slots, { blocks, entryStarts }: IndexSections): BestFoods {
  const groups = Math.floor(positions.length / GROUP);
  const starts = new Uint32Array(groups + 1);
  const foods = new Int32Array(groups * MAX_ENTRIES);
  const foodScores = scores === null ? null : new Uint8Array(foods.length);
  const seen = new ScoredFoods(entryStarts.length - 1);
  for (let group = 0; group < groups; group++) {
    for (let slot = group * GROUP; slot < (group + 1) * GROUP; slot++) {
      seen.add(foodAt(blocks, positions[slot]!), scores === null ? 0 : scores[slot]!);
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
