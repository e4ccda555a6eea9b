/** What is made of an index when it is opened, to search it: trees over its suffixes, and tables of its descriptions. */
import { type DescriptionTable, descriptionTableOf } from './description-table.ts';
import { type PortionTable, portionTableOf } from './portion-table.ts';
import { type IndexTrees, treesOf } from './range-max-tree.ts';
import type { IndexSections } from './sections.ts';

export interface IndexLookups extends IndexTrees {
  readonly descriptions: DescriptionTable;
  readonly portions: PortionTable;
}

export const lookupsOf = (sections: IndexSections): IndexLookups => ({
  ...treesOf(sections),
  descriptions: descriptionTableOf(sections),
  portions: portionTableOf(sections),
});
