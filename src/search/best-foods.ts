/**
 * The best foods of ranges of any size, for texts at very many places of few foods. The best slots say little of
 * the best foods there: a description of a megabyte has a hundred thousand places of a word, and each of them may
 * be better than the only place of another food.
 *
 * So data sets with a long food have, for each 16,384 neighbouring slots, the 100 best foods among them, each
 * once. All of a range but its two ends is read by these lists: at most one entry for 160 slots. Made when an index
 * is opened (about 10 ns a slot), they take a hundredth of its memory. Data sets without long foods have none, and
 * need none: best first, 100 foods come before much else.
 */
import { MAX_ENTRIES } from '../food.ts';
import type { FoundFoods } from './found-foods.ts';
import { BLOCK_SIZE, foodAt, type IndexSections } from './sections.ts';
import { LEAST_BONUS, type SlotRange } from './slot-order.ts';

/** Slots with a list: many for each entry of it, and read in less than 0.1 ms where a range begins or ends in them. */
const GROUP = 16_384;

/** Some food is long where one fills a whole piece of so many bytes of the text. */
const PIECE = 512;

/** Above 0, which stands for foods without a slot, whatever is added to a score. */
const LOWEST = 1 + LEAST_BONUS;

/** Above the number of any food, so that a score and a food make one number. */
const FOODS = 2 ** 32;

/** Foods of which the best are chosen at once. */
const CANDIDATES = 1024;

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
      seen.add(foodAt(blocks, positions[slot]!), scores === null ? LOWEST : LOWEST + scores[slot]!);
    }
    let at = starts[group]!;
    for (const food of seen.best()) {
      if (foodScores !== null) foodScores[at] = seen.scoreOf(food) - LOWEST;
      foods[at++] = food;
    }
    starts[group + 1] = at;
    seen.clear();
  }
  const size = starts[groups]!;
  return { starts, foods: foods.slice(0, size), scores: foodScores?.slice(0, size) ?? null };
}

/** Adds the foods of these ranges to what is found, the best first, until it is full. */
export function addBestFoods(
  found: FoundFoods,
  ranges: readonly SlotRange[],
  { blocks, entryStarts }: IndexSections,
): void {
  const seen = new ScoredFoods(entryStarts.length - 1);
  for (const { tree, scores, from, to, bonus } of ranges) {
    const { positions } = tree.levels[0]!;
    const lowest = LOWEST + bonus;
    const addSlots = (first: number, end: number): void => {
      for (let slot = first; slot < end; slot++) {
        seen.add(foodAt(blocks, positions[slot]!), scores === null ? lowest : lowest + scores[slot]!);
      }
    };
    const firstGroup = Math.ceil(from / GROUP);
    const endGroup = Math.floor(to / GROUP);
    if (tree.bestFoods === null || firstGroup >= endGroup) {
      addSlots(from, to);
      continue;
    }
    addSlots(from, firstGroup * GROUP);
    const { starts, ...lists } = tree.bestFoods;
    for (let i = starts[firstGroup]!; i < starts[endGroup]!; i++) {
      seen.add(lists.foods[i]!, lists.scores === null ? lowest : lowest + lists.scores[i]!);
    }
    addSlots(endGroup * GROUP, to);
  }
  for (const food of seen.best()) found.add(food);
}

/** Foods, each with the highest of its scores. */
class ScoredFoods {
  /** Of each food of the data set; 0: not seen. */
  readonly #scores: Uint16Array;
  readonly #foods: number[] = [];
  readonly #keys = new Float64Array(CANDIDATES);

  constructor(foods: number) {
    this.#scores = new Uint16Array(foods);
  }

  /** @param score above 0 */
  add(food: number, score: number): void {
    const known = this.#scores[food]!;
    if (score <= known) return;
    if (known === 0) this.#foods.push(food);
    this.#scores[food] = score;
  }

  scoreOf(food: number): number {
    return this.#scores[food]!;
  }

  clear(): void {
    for (const food of this.#foods) this.#scores[food] = 0;
    this.#foods.length = 0;
  }

  /** The best 100: the higher score first, then the lower number. */
  best(): number[] {
    const keys = this.#keys;
    let count = 0;
    let worst = Number.POSITIVE_INFINITY;
    for (const food of this.#foods) {
      const key = food - this.#scores[food]! * FOODS;
      if (key >= worst) continue;
      keys[count++] = key;
      if (count < CANDIDATES) continue;
      keys.sort();
      count = MAX_ENTRIES;
      worst = keys[count - 1]!;
    }
    const best = keys.subarray(0, count).sort().subarray(0, MAX_ENTRIES);
    return Array.from(best, (key) => key - Math.floor(key / FOODS) * FOODS);
  }
}
