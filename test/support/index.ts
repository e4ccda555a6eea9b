/** Indexes of foods, in memory and in files. */

import type { FoodRecord } from '#core';
import { type EverydayFoods, type FileLabel, FoodIndex, IndexBuilder, type IndexSections } from '#engine';
import { writeWhileMade } from '#service';

export async function sectionsOf(
  foods: Iterable<FoodRecord>,
  everydayFoods?: EverydayFoods,
): Promise<IndexSections> {
  const builder = new IndexBuilder({ everydayFoods });
  for (const each of foods) await builder.add(each);
  return builder.finish();
}

export const indexOf = async (...foods: Parameters<typeof sectionsOf>): Promise<FoodIndex> =>
  new FoodIndex(await sectionsOf(...foods));

export const placesIn = (answer: Uint8Array): number[] =>
  (JSON.parse(Buffer.from(answer).toString()) as { kcal: number }[]).map(({ kcal }) => kcal);

export const writeIndexFile = (path: string, index: IndexSections, label: FileLabel) =>
  writeWhileMade(path, label, async (sink) => {
    sink.begin(index, index.entries.length);
    await sink.entries(index.entries);
  });
