/** Indexes of foods, in memory and in files. */
import { writeWhileMade } from '../../src/catalogs/index/index-file.ts';
import type { FoodRecord } from '../../src/foods/food.ts';
import { FoodIndex } from '../../src/search/food-index.ts';
import { IndexBuilder } from '../../src/search/index-builder.ts';
import type { FileLabel } from '../../src/search/index-format.ts';
import type { EverydayFoods } from '../../src/search/ranking/everyday-foods.ts';
import type { IndexSections } from '../../src/search/sections.ts';

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
