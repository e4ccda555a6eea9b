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
  /** Bytes of the index for searches by words, relative to the rest of the index. */
  readonly share: number;
}

export async function measureWords({ index: file, descriptions }: DataSet): Promise<WordsFigures> {
  const { index: sections } = await readIndexFile(file);
  const index = new FoodIndex(sections);
  const names = await readOtherNames('data/other-names.csv');
  const texts = [...typedTexts(descriptions, TEXTS, SEED)];
  for (const text of texts) index.searchWords(text, names); // lets V8 compile the code, as in a running service
  const times = texts.map((text) => timed(() => index.searchWords(text, names))[0]);
  const { vocabulary, ...others } = sections;
  const share = bytesOf(vocabulary) / bytesOf(others);
  return { foods: index.size, texts: texts.length, ...spreadOf(times), share };
}

const bytesOf = (value: unknown): number => {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value as object).reduce((sum: number, part) => sum + bytesOf(part), 0);
};
