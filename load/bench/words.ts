/** Measures searches by words in one process, without a cache. */
import { readIndexFile } from '../../src/catalogs/index/index-file.ts';
import { readOtherNames } from '../../src/cli/open-catalog.ts';
import { FoodIndex } from '../../src/search/food-index.ts';
import type { DataSet } from '../tools/data-sets.ts';
import { type Spread, spreadOf, timed } from '../tools/measure.ts';
import { typedTexts } from '../tools/typed-texts.ts';

const TEXTS = 5000;
const SEED = 28;

/** Times in ms. */
export interface WordsFigures extends Spread {
  readonly foods: number;
  readonly texts: number;
}

export async function measureWords({
  index: file,
  descriptions,
}: Pick<DataSet, 'index' | 'descriptions'>): Promise<WordsFigures> {
  const index = new FoodIndex((await readIndexFile(file)).index);
  const names = await readOtherNames('data/other-names.csv');
  const texts = [...typedTexts(descriptions, TEXTS, SEED)];
  for (const text of texts) index.searchWords(text, names); // lets V8 compile the code, as in a running service
  const times = texts.map((text) => timed(() => index.searchWords(text, names))[0]);
  return { foods: index.size, texts: texts.length, ...spreadOf(times) };
}
