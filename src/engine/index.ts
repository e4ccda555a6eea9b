/**
 * A search engine for foods: foods in, the best hundred for any text out. It is pure and in memory, without clock, input or output,
 * and without anything of Node.js, so it also runs in a worker of a browser. A search takes microseconds and never awaits.
 *
 * ```ts
 * const builder = new IndexBuilder();
 * for (const food of foods) await builder.add(food);
 * const index = await builder.finish();
 *
 * // Any part of a description, and words in any order; answers are JSON in UTF-8.
 * const search = new FoodIndex(index);
 * const found = JSON.parse(textOfUtf8(search.search('egg')));
 * const words = search.searchWords('raw eggs', NO_OTHER_NAMES);
 * const portions = search.lookUp('portions', found[0].description);
 * const nutrients = search.lookUp('nutrients', found[0].description);
 * const packets = search.searchBarcode('4 006381 333931');
 *
 * // The bytes of a file, for example for a page.
 * const label = { name: 'my foods', date: '2026-11-26', source: null, licence: null, leftOut: 0 };
 * const bytes = writeIndex(index, label);
 * const again = new FoodIndex(readIndex(bytes).index);
 * ```
 *
 * An index of f foods takes about 280 f bytes. How it is built and searched: `docs/design.md`, "The engine".
 */

// Build, open, search.

export { IndexBuilder } from './building/index-builder.ts';
export { Explainer, type FoodParts } from './explanation.ts';
export { FoodIndex } from './food-index.ts';
export { type LanguageIndex, languagesWith, readLanguage, withoutWords } from './languages/language-part.ts';
export { FoodLanguages, TranslatedFoods } from './languages/translated-foods.ts';
export { lookupsOf } from './lookups.ts';
export { EverydayFoods } from './order/everyday-foods.ts';
export type { AnswerMemory } from './store/entries.ts';
export { Facts, hasFacts, NO_FACTS, type PortionCounts, portionCounts } from './store/facts.ts';
export { NO_FOREIGN_NAMES } from './store/foreign-names.ts';
export {
  type IndexSource,
  identityOfIndex,
  readIndex,
  readSection,
  writeIndex,
} from './store/read-index.ts';
export { OtherNameTable } from './words/other-names.ts';

// For a host that writes an index while it is made, and builds it with several threads.

export type { Allocate } from './building/arena.ts';
export {
  type BuildPool,
  BuildThread,
  type InputOf,
  type Job,
  type OutputOf,
  perform,
  type StepName,
} from './building/build-pool.ts';
export {
  BadIndex,
  BEGINNING,
  type FileLabel,
  HEADER_SIZE,
  headerOf,
  identityOf,
  isIndex,
  isLanguage,
  languageOfSection,
  offsetsOf,
  type Place,
  sectionsOf,
} from './store/index-format.ts';
export { type IndexSections, type IndexSink, inMemory, type SectionArray } from './store/sections.ts';

// For a store of its own, which has the parts of an index as rows and ranks what it finds by the same rules.

export {
  bonusOf,
  formsOf,
  type MatchEnd,
  type MatchesAt,
  matchesOf,
  matchesOfWord,
  PLURALS,
} from './order/match-end.ts';
export { CodesByFood } from './store/code-sections.ts';
export { descriptionKey, foodsWith } from './store/descriptions.ts';
export { Entries } from './store/entries.ts';
export { foodAt } from './store/sections.ts';
export { BYTE_OF, END } from './suffixes/alphabet.ts';
export { RankedBits } from './suffixes/bits.ts';
export { boundary } from './suffixes/suffix-range.ts';
export { AnswerFoods } from './tree/answer-foods.ts';
export { type AskedWord, askedWord, contiguousOf, otherForms, wordsOf } from './words/asked-words.ts';
export { foodsNamed, type NameKeys } from './words/name-keys.ts';
export {
  type OnlyWord,
  onlyWordOf,
  onlyWordOrder,
  type Reading,
  readingsOf,
  wordsIn,
} from './words/readings.ts';
export { countedOf, hasMore, POSTINGS_OF_A_PART, select, wordsBehind } from './words/selection.ts';
export { type Postings, Vocabulary, type VocabularyFacts, type WordRange } from './words/vocabulary.ts';
export { isHeadless, WordSearch } from './words/word-search.ts';
