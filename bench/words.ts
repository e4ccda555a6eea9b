/** Compares searches by words with common libraries on the same texts and descriptions, in one process. */
import { createRequire } from 'node:module';
import { readIndexFile } from '../src/catalogs/index/index-file.ts';
import { readOtherNames } from '../src/cli/other-names.ts';
import { MAX_ENTRIES } from '../src/food.ts';
import { FoodIndex } from '../src/search/food-index.ts';
import type { EngineFigures } from './engine.ts';
import { installPeers } from './peers.ts';
import { median, spreadOf, timed } from './tools/measure.ts';
import { wordTextsOf } from './tools/workload.ts';

const TEXTS = 5000;

/** As many as the libraries fit into a heap of 8 GB beside the index, with room to search. */
const FOODS_OF_PEERS = 500_000;
const TEXTS_OF_PEERS = 500;

const COMMON = ['chicken breast', 'whole milk', 'organic chocolate'];
const ROUNDS = 9;

export interface WordsFigures {
  readonly foods: number;
  readonly foodsOfPeers: number;
  readonly peers: readonly EngineFigures[];
  /** Median ms for two common words. */
  readonly common: readonly { readonly text: string; readonly ms: number }[];
  /** Bytes of the index for searches by words, relative to the rest of the index. */
  readonly share: number;
}

/** Times in ms. */
export async function measureWords(
  indexFile: string,
  descriptions: readonly string[],
): Promise<WordsFigures> {
  const { index: sections } = await readIndexFile(indexFile);
  const index = new FoodIndex(sections);
  const names = await readOtherNames('data/other-names.csv');
  const texts = wordTextsOf(descriptions, TEXTS);
  for (const text of texts) index.searchWords(text, names); // lets V8 compile the code, as in a running service
  const own = texts.map((text) => timed(() => index.searchWords(text, names))[0]);
  const common = COMMON.map((text) => {
    const rounds = Array.from({ length: ROUNDS }, () => timed(() => index.searchWords(text, names))[0]);
    return { text, ms: median(rounds) };
  });
  const peers: EngineFigures[] = [
    { name: 'food-lookup, the 100 best', texts: texts.length, ...spreadOf(own) },
  ];
  const some = descriptions.slice(0, FOODS_OF_PEERS);
  for (const [name, search] of createWordPeers(some)) {
    const asked = texts.slice(0, TEXTS_OF_PEERS);
    for (const text of asked.slice(0, TEXTS_OF_PEERS / 5)) search(text);
    const times = asked.map((text) => timed(() => search(text))[0]);
    peers.push({ name, texts: asked.length, ...spreadOf(times) });
  }
  const { vocabulary, ...others } = sections;
  const share = bytesOf(vocabulary) / bytesOf(others);
  return { foods: index.size, foodsOfPeers: some.length, peers, common, share };
}

const bytesOf = (value: unknown): number => {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value as object).reduce((sum: number, part) => sum + bytesOf(part), 0);
};

/** Each library with its best settings on the judged queries. */
function* createWordPeers(descriptions: readonly string[]): Generator<[string, (text: string) => unknown]> {
  const require = createRequire(`${installPeers()}/package.json`);
  const MiniSearch = require('minisearch') as new (
    options: object,
  ) => { addAll(items: object[]): void; search(text: string, options: object): unknown[] };
  const mini = new MiniSearch({ fields: ['description'] });
  mini.addAll(descriptions.map((description, id) => ({ id, description })));
  const options = { prefix: true, fuzzy: 0.2, combineWith: 'AND' };
  yield ['MiniSearch, prefix, fuzzy 0.2', (text) => mini.search(text, options).slice(0, MAX_ENTRIES)];
  const { Index } = require('flexsearch') as {
    Index: new (
      options: object,
    ) => { add(id: number, text: string): void; search(text: string, options: object): unknown[] };
  };
  const flex = new Index({ tokenize: 'forward' });
  for (const [id, description] of descriptions.entries()) flex.add(id, description);
  const wanted = { limit: MAX_ENTRIES, suggest: true };
  yield ['FlexSearch, forward, suggest', (text) => flex.search(text, wanted)];
}
