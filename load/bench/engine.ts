/** Compares the search engine with common alternatives on the same texts and descriptions, in one process. */

import { readIndexFile } from '../../src/catalogs/index/index-file.ts';
import { FoodIndex } from '../../src/search/food-index.ts';
import { fold } from '../../src/text/fold.ts';
import type { DataSet } from '../tools/data-sets.ts';
import { type Spread, spreadOf, timed } from '../tools/measure.ts';
import { textsOf } from '../tools/workload.ts';
import { createPeers } from './peers.ts';

/** Distinct texts for engines with an index, and for LIKE, which scans all descriptions. */
const TEXTS = 10_000;
const TEXTS_OF_SCANS = 300;

export interface EngineFigures extends Spread {
  readonly name: string;
  readonly texts: number;
}

/** Times in ms. @throws if two engines find different numbers of foods */
export async function measureEngine(
  { index: file, descriptions }: DataSet,
  withPeers: boolean,
): Promise<EngineFigures[]> {
  const texts = textsOf(descriptions, TEXTS);
  const index = new FoodIndex((await readIndexFile(file)).index);
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
