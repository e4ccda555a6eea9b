/** Compares the search engine with common alternatives on the same texts and descriptions, in one process. */
import { readIndexFile } from '../src/catalogs/index/index-file.ts';
import { fold } from '../src/fold.ts';
import { FoodIndex } from '../src/search/food-index.ts';
import { IndexBuilder } from '../src/search/index-builder.ts';
import { createPeers } from './peers.ts';
import { median, type Spread, spreadOf, timed } from './tools/measure.ts';
import { textsOf } from './tools/workload.ts';

/** Distinct texts for engines with an index, and for those that scan all descriptions. */
const TEXTS = 10_000;
const TEXTS_OF_SCANS = 300;

export interface EngineFigures extends Spread {
  readonly name: string;
  readonly texts: number;
}

/** Few foods in which a text occurs very often. */
const LONG_FOODS: readonly [set: string, foods: number, words: string, times: number][] = [
  ['99 foods of 10,000 words', 99, 'egg ', 10_000],
  ['60 foods of 50,000 words', 60, 'egg ', 50_000],
  ['20 foods of 500,000 times one letter', 20, 'a', 500_000],
  ['20 foods of 500,000 words of one letter', 20, 'a ', 500_000],
  ['50 foods of 1 MiB of one letter', 50, 'a', 2 ** 20],
  ['50 foods of 1 MiB of words', 50, 'egg, ', 2 ** 20 / 5],
];
const TEXTS_OF_LONG_FOODS = ['e', 'a', ' ', ',', 'egg', 'gg', 'g e', 'egg egg', 'aa', 'a a', ', '];
const ROUNDS_OF_LONG_FOODS = 9;

export interface LongFoodsFigures {
  readonly set: string;
  /** The slowest text, and the median of its times in ms. */
  readonly text: string;
  readonly ms: number;
}

export function measureLongFoods(): LongFoodsFigures[] {
  return LONG_FOODS.map(([set, foods, words, times]) => {
    const builder = new IndexBuilder();
    const figures = {
      kcal: '1',
      protein_g: '2',
      carbohydrate_g: '3',
      fa_sat_g: '4',
      fa_mono_g: '5',
      fa_poly_g: '6',
    };
    for (let i = 0; i < foods; i++)
      builder.add({ description: `Food ${i} ${words.repeat(times).trim()}`, ...figures });
    const index = new FoodIndex(builder.finish());
    const slowest = TEXTS_OF_LONG_FOODS.map((text) => {
      const rounds = Array.from({ length: ROUNDS_OF_LONG_FOODS }, () => timed(() => index.search(text))[0]);
      return { set, text, ms: median(rounds) };
    }).toSorted((a, b) => b.ms - a.ms);
    return slowest[0] ?? { set, text: '', ms: 0 };
  });
}

/** Times in ms. @throws if two engines find different numbers of foods */
export async function measureEngine(
  indexFile: string,
  descriptions: readonly string[],
  withPeers: boolean,
): Promise<EngineFigures[]> {
  const texts = textsOf(descriptions, TEXTS);
  const index = new FoodIndex((await readIndexFile(indexFile)).index);
  for (const text of texts) index.search(text); // lets V8 compile the code, as in a running service
  const counts = new Map<string, number>();
  const own = texts.map((text) => {
    const [ms, answer] = timed(() => index.search(text));
    counts.set(text, (JSON.parse(Buffer.from(answer).toString()) as unknown[]).length);
    return ms;
  });
  const figures: EngineFigures[] = [
    { name: 'food-lookup, the 100 best', texts: texts.length, ...spreadOf(own) },
  ];
  if (!withPeers) return figures;
  for (const peer of createPeers(descriptions)) {
    const count = peer.name.includes('trigram') ? TEXTS : TEXTS_OF_SCANS;
    // SQLite takes no lone surrogates.
    const asked = texts
      .filter((text) => text.isWellFormed() && Array.from(fold(text)).length >= peer.leastLength)
      .slice(0, count);
    const times = asked.map((text) => {
      const [ms, found] = timed(() => peer.search(text));
      if (found !== counts.get(text)) {
        throw new Error(
          `${peer.name} finds ${found} foods by ${JSON.stringify(text)}, not ${counts.get(text)}`,
        );
      }
      return ms;
    });
    figures.push({ name: peer.name, texts: asked.length, ...spreadOf(times) });
  }
  return figures;
}
