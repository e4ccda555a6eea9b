/** Compares searches by words with a common library on the same texts and descriptions, in one process. */
import { readIndexFile } from '../../src/catalogs/index/index-file.ts';
import { readOtherNames } from '../../src/cli/open-catalog.ts';
import { MAX_ENTRIES } from '../../src/foods/food.ts';
import { FoodIndex } from '../../src/search/food-index.ts';
import type { DataSet } from '../tools/data-sets.ts';
import { spreadOf, timed } from '../tools/measure.ts';
import { typedTexts } from '../tools/typed-texts.ts';
import type { Timed } from './engine.ts';
import { requirePeer } from './peers.ts';

const TEXTS = 5000;
const SEED = 28;

/** As many as the library fits into a heap of 8 GB beside the index, with room to search. */
const FOODS_OF_PEERS = 500_000;
const TEXTS_OF_PEERS = 500;

export interface WordsFigures {
  readonly foods: number;
  readonly foodsOfPeers: number;
  readonly peers: readonly Timed[];
  /** Bytes of the index for searches by words, relative to the rest of the index. */
  readonly share: number;
}

/** Times in ms. */
export async function measureWords({ index: file, descriptions }: DataSet): Promise<WordsFigures> {
  const { index: sections } = await readIndexFile(file);
  const index = new FoodIndex(sections);
  const names = await readOtherNames('data/other-names.csv');
  const texts = [...typedTexts(descriptions, TEXTS, SEED)];
  for (const text of texts) index.searchWords(text, names); // lets V8 compile the code, as in a running service
  const own = texts.map((text) => timed(() => index.searchWords(text, names))[0]);
  const peers: Timed[] = [{ name: 'food-lookup, the 100 best', texts: texts.length, ...spreadOf(own) }];
  const some = descriptions.slice(0, FOODS_OF_PEERS);
  const search = miniSearchOf(some);
  const asked = texts.slice(0, TEXTS_OF_PEERS);
  for (const text of asked.slice(0, TEXTS_OF_PEERS / 5)) search(text);
  const times = asked.map((text) => timed(() => search(text))[0]);
  peers.push({ name: 'MiniSearch, prefix, fuzzy 0.2', texts: asked.length, ...spreadOf(times) });
  const { vocabulary, ...others } = sections;
  const share = bytesOf(vocabulary) / bytesOf(others);
  return { foods: index.size, foodsOfPeers: some.length, peers, share };
}

const bytesOf = (value: unknown): number => {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value as object).reduce((sum: number, part) => sum + bytesOf(part), 0);
};

/** Searches by a common library, with its best settings on the judged queries. */
function miniSearchOf(descriptions: readonly string[]): (text: string) => unknown {
  const MiniSearch =
    requirePeer<
      new (
        options: object,
      ) => { addAll(items: object[]): void; search(text: string, options: object): unknown[] }
    >('minisearch');
  const mini = new MiniSearch({ fields: ['description'] });
  mini.addAll(descriptions.map((description, id) => ({ id, description })));
  const options = { prefix: true, fuzzy: 0.2, combineWith: 'AND' };
  return (text) => mini.search(text, options).slice(0, MAX_ENTRIES);
}
