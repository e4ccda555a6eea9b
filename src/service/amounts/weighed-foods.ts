/** The foods of lines, weighed by a catalog: for `GET /amounts` and `food-lookup amounts`. */
import { readFileSync } from 'node:fs';
import { readWords, type WeighedFoods, type Words, weighFoods } from '#amounts';
import { type DataSet, type FoodCatalog, hashOfText, type OtherNames, type WordsAnswer } from '#core';
import { version } from '../operations/process.ts';

/** What is asked of a catalog. */
export interface SearchedCatalog extends Pick<FoodCatalog, 'lookUp' | 'originalOf'> {
  readonly dataSet: Pick<DataSet, 'identity'>;
  searchWords(text: string, names: OtherNames, language?: string): WordsAnswer | Promise<WordsAnswer>;
}

const TEXT = readFileSync(new URL('../../../data/amounts.txt', import.meta.url), 'utf8');

/** Different wherever a text may be read in another way. */
export const WORDS_IDENTITY = `${version}-${hashOfText(TEXT)}`;

/** Read when they are first needed, since most processes never do. */
let words: Words | undefined;

/** With the identity of the data set that was searched. @throws Unavailable if the catalog cannot be asked */
export async function weighIn(
  catalog: SearchedCatalog,
  text: string,
  names: OtherNames,
  /** One of the further languages of the catalog. */
  language?: string,
): Promise<WeighedFoods & { readonly identity: string }> {
  const identity = catalog.dataSet.identity;
  const asked = {
    searchWords: (each: string) => catalog.searchWords(each, names, language),
    lookUp: async (what: 'portions' | 'names', description: string) => {
      const found = await catalog.lookUp(what, description, language);
      return Buffer.isBuffer(found) ? found : found.body;
    },
    ...(language !== undefined && {
      originalOf: (description: string) => catalog.originalOf?.(description, language) ?? description,
    }),
  };
  words ??= readWords(TEXT);
  const weighed = await weighFoods(text, words, asked, language);
  // A data set that was replaced meanwhile is asked again.
  return catalog.dataSet.identity === identity
    ? { ...weighed, identity }
    : weighIn(catalog, text, names, language);
}
