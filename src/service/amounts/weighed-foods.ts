/** The foods of lines, weighed by a catalog: for `GET /amounts` and `food-lookup amounts`. */
import { readFileSync } from 'node:fs';
import { readWords, type WeighedFoods, type Words, weighFoods } from '#amounts';
import { type FoodCatalog, hashOfText, type WordsAnswer } from '#core';
import { version } from '../operations/process.ts';

const TEXT = readFileSync(new URL('../../../data/amounts.txt', import.meta.url), 'utf8');

/** Different wherever a text may be read in another way. */
export const WORDS_IDENTITY = `${version}-${hashOfText(TEXT)}`;

/** Read when they are first needed, since most processes never do. */
let words: Words | undefined;

/**
 * With the identity of the data set that was searched. @param searchWords of the catalog @param language one of its further ones
 * @throws Unavailable if the catalog cannot be asked
 */
export async function weighIn(
  catalog: FoodCatalog,
  text: string,
  searchWords: (text: string) => WordsAnswer | Promise<WordsAnswer>,
  language?: string,
): Promise<WeighedFoods & { readonly identity: string }> {
  const identity = catalog.dataSet.identity;
  const asked = {
    searchWords,
    lookUp: async (what: 'portions' | 'names', description: string) => {
      const found = await catalog.lookUp(what, description, language);
      return Buffer.isBuffer(found) ? found : found.body;
    },
    ...(language !== undefined && {
      originalOf: (description: string) => catalog.originalOf?.(description, language),
    }),
  };
  words ??= readWords(TEXT);
  const weighed = await weighFoods(text, words, asked, language);
  // A data set that was replaced meanwhile is asked again.
  return catalog.dataSet.identity === identity
    ? { ...weighed, identity }
    : weighIn(catalog, text, searchWords, language);
}
