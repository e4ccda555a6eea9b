/** The search engine beside what people use today: the same texts, the same descriptions, one process. */
import { readIndexFile } from '../src/catalogs/index-file.ts';
import { FoodIndex } from '../src/search/food-index.ts';
import { type Spread, spreadOf, timed } from './measure.ts';
import { createPeers } from './peers.ts';
import { textsOf } from './workload.ts';

/** Different texts for the engines that answer at once, and for those that read everything. */
const TEXTS = 10_000;
const TEXTS_OF_SCANS = 300;

export interface EngineFigures extends Spread {
  readonly name: string;
  readonly texts: number;
}

/** Times in ms. @throws where two engines find another number of foods for a text */
export async function measureEngine(
  indexFile: string,
  descriptions: readonly string[],
  withPeers: boolean,
): Promise<EngineFigures[]> {
  const texts = textsOf(descriptions, TEXTS);
  const index = new FoodIndex((await readIndexFile(indexFile)).index);
  for (const text of texts) index.search(text); // to be compiled, as a running service is
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
    // SQLite ignores the case of ASCII alone, and no engine but ours knows white space at the end of a line.
    const asked = texts
      .filter((text) => text.length >= peer.leastLength && /^[ -~]+$/.test(text))
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
