/**
 * The best foods of ranges with very many places of few foods. Except for its two ends, a range is read from the lists of
 * `best-foods.ts`, so the cost does not depend on how often a food contains the text. Without lists, it reads every place.
 */
import { GROUP } from './best-foods.ts';
import { ScoredFoods } from './collections/best-keys.ts';
import type { FoundFoods } from './collections/found-foods.ts';
import { LEAST_BONUS, type PlaceRange } from './place-range.ts';
import { foodAt, type IndexSections } from './sections.ts';

/** Adds the foods of these ranges, the best first, until the answer is full. */
export function addBestFoods(
  found: FoundFoods,
  ranges: readonly PlaceRange[],
  { blocks, entryStarts }: IndexSections,
): void {
  const seen = new ScoredFoods(entryStarts.length - 1);
  for (const { tree, scores, from, to, bonus } of ranges) {
    const { positions } = tree.levels[0]!;
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
