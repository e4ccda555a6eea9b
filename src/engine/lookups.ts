/** What is derived from an index when it is opened, and looked into by searches. */
import { type DescriptionTable, descriptionTableOf } from './store/description-table.ts';
import { type FoodTable, foodTableOf } from './store/food-table.ts';
import { hasNutrients } from './store/nutrient-sections.ts';
import type { IndexSections } from './store/sections.ts';
import { type IndexTrees, treesOf } from './tree/range-max-tree.ts';
import { type SpellingTree, spellingTreeOf } from './words/spelling-tree.ts';

export interface IndexLookups extends IndexTrees {
  readonly spellings: SpellingTree;
  readonly descriptions: DescriptionTable;
  readonly portions: FoodTable;
  readonly names: FoodTable;
  /** Of all foods, so that none gets the nutrients of another one of its name; empty if no food has nutrients. */
  readonly nutrients: FoodTable;
}

/** Every food has an entry. */
const startsOfAll = ({ nutrients, entryStarts }: IndexSections): Uint32Array =>
  hasNutrients(nutrients) ? entryStarts : nutrients.starts;

export const lookupsOf = (sections: IndexSections): IndexLookups => ({
  ...treesOf(sections),
  spellings: spellingTreeOf(sections.vocabulary),
  descriptions: descriptionTableOf(sections),
  portions: foodTableOf(sections, sections.portions.starts),
  names: foodTableOf(sections, sections.names.starts),
  nutrients: foodTableOf(sections, startsOfAll(sections)),
});
