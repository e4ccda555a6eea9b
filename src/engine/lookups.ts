/** What is derived from an index when it is opened, and looked into by searches. */

import { type DescriptionTable, descriptionTableOf } from './store/descriptions.ts';
import { type ForeignNameTable, foreignNameTableOf } from './store/foreign-names.ts';
import type { IndexSections } from './store/sections.ts';
import { type IndexTrees, treesOf } from './tree/range-max-tree.ts';
import { type SpellingTree, spellingTreeOf } from './words/spelling-tree.ts';

export interface IndexLookups extends IndexTrees {
  readonly spellings: SpellingTree;
  readonly descriptions: DescriptionTable;
  readonly foreign: ForeignNameTable;
}

export const lookupsOf = (sections: IndexSections): IndexLookups => ({
  ...treesOf(sections),
  spellings: spellingTreeOf(sections.vocabulary),
  descriptions: descriptionTableOf(sections),
  foreign: foreignNameTableOf(sections.foreign),
});
