/** Compares the search engine with common alternatives on the same texts and descriptions, in one process without a cache. */
import { gzipSync } from 'node:zlib';
import { fold } from '#core';
import { readOtherNames } from '#service';
import { bundled } from '../../scripts/bundle.ts';
import { PRODUCTS } from '../../test/support/shared.ts';
import { type DataSet, indexOf, productIndex, REAL_FOODS, searchable } from '../tools/data-sets.ts';
import { spreadOf, timed } from '../tools/measure.ts';
import { typedTexts } from '../tools/typed-texts.ts';
import { SEED, textsOf } from '../tools/workload.ts';
import { sqlitePeers } from './peers.ts';

const TEXTS = 10_000;
const TEXTS_BY_WORDS = 5000;

/** Times in ms, of texts that were not searched for before. @param phrases of a recipe site, beside texts that are typed */
export async function measureWords(
  set: Pick<DataSet, 'index' | 'descriptions'>,
  phrases: readonly string[] = [],
) {
  const { descriptions } = set;
  const index = await searchable(set);
  const names = await readOtherNames('data/other-names.csv');
  const search = (text: string) => index.searchWords(text, names);
  // Lets V8 compile the code, as in a running service.
  for (const text of typedTexts(descriptions, TEXTS_BY_WORDS, SEED + 1)) search(text);
  const measure = (what: string, texts: readonly string[]) => {
    const times = texts.map((text) => timed(() => search(text))[0]);
    return { what, foods: index.size, texts: texts.length, ...spreadOf(times) };
  };
  return [
    ...(phrases.length === 0 ? [] : [measure('phrases', phrases)]),
    measure('typed', [...typedTexts(descriptions, TEXTS_BY_WORDS, SEED)]),
  ];
}

/** Times in ms: of the engine, then of its alternatives. @param foods the size of the generated data set */
export async function measureEngine(foods: number) {
  const sr28 = await indexOf(REAL_FOODS);
  const made = await indexOf(foods);
  const imported = await productIndex();
  // Without those that an import drops, because another product has the same figures, too.
  const known = await searchable(imported);
  const descriptions = Array.from({ length: known.size }, (_, food) => known.record(food).description);
  const products = { ...imported, csv: PRODUCTS, descriptions };
  return [
    { ...labelled('those of SR28', sr28), peers: [(await measureOwn(sr28)).own], trigramSeconds: undefined },
    { ...labelled('descriptions made of parts of those of SR28', made), ...(await measureWithPeers(made)) },
    {
      ...labelled('real products of Open Food Facts, June 2019 (Open Database License 1.0)', products),
      ...(await measureWithPeers(products)),
    },
  ];
}

const labelled = (corpus: string, { descriptions, seconds }: DataSet) => ({
  corpus,
  foods: descriptions.length,
  importSeconds: seconds,
});

/** Also returns the number of foods found by each text. */
async function measureOwn(set: DataSet) {
  const texts = textsOf(set.descriptions, TEXTS);
  const index = await searchable(set);
  for (const text of texts) index.search(text); // lets V8 compile the code, as in a running service
  const counts = new Map<string, number>();
  const times = texts.map((text) => {
    const [ms, answer] = timed(() => index.search(text));
    counts.set(text, (JSON.parse(Buffer.from(answer).toString()) as unknown[]).length);
    return ms;
  });
  const own = { name: 'food-lookup, the 100 best', texts: texts.length, ...spreadOf(times) };
  return { own, counts };
}

/** @throws if two engines find different numbers of foods */
async function measureWithPeers(set: DataSet) {
  const { own, counts } = await measureOwn(set);
  const { peers, trigramSeconds } = sqlitePeers(set.descriptions);
  const others = peers.map(({ name, texts, leastLength, search }) => {
    // SQLite takes no lone surrogates.
    const asked = [...counts]
      .filter(([text]) => text.isWellFormed() && Array.from(fold(text)).length >= leastLength)
      .slice(0, texts);
    const times = asked.map(([text, count]) => {
      const [ms, found] = timed(() => search(text));
      if (found !== count) throw new Error(`${name} finds ${found} foods by “${text}”, not ${count}`);
      return ms;
    });
    return { name, texts: asked.length, ...spreadOf(times) };
  });
  return { peers: [own, ...others], trigramSeconds };
}

/** Bytes of what opens and searches an index, as a script for a browser. */
export async function measureBundle() {
  const code = Buffer.from(await bundled('test/browser/engine-worker.ts', 'es'));
  return { bytes: code.length, gzip: gzipSync(code).length };
}
