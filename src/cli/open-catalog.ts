/**
 * Opens the data set that `FOOD_DATA` names.
 */
import { fileURLToPath } from 'node:url';
import type { DataSetLabel, FoodCatalog } from '../catalog.ts';
import { LiveCatalog } from '../catalogs/index/live.ts';
import { MemoryCatalog } from '../catalogs/index/memory.ts';
import { PostgresCatalog } from '../catalogs/postgres/postgres-catalog.ts';
import { UserError } from '../errors.ts';
import { dataFile, detectKind } from '../readers/bytes/data-file.ts';
import { readFoods } from '../readers/read-foods.ts';
import { ImportReport } from '../readers/report/report.ts';
import { EverydayFoods } from '../search/ranking/everyday-foods.ts';
import { isPostgresUrl, parsePostgresUrl } from '../settings/postgres-url.ts';

/** The same relative path from `src` and from `dist`. */
const STARTER_FOODS = fileURLToPath(new URL('../../data/starter-foods.csv', import.meta.url));

const STARTER_LABEL: DataSetLabel = {
  name: 'starter foods',
  date: '2015',
  source: 'USDA National Nutrient Database for Standard Reference, release 28',
  licence: 'public domain',
};

/**
 * Opens a file, or a database, for which it waits up to `patience` ms.
 * @throws UserError where it cannot be used
 */
export async function openFoodData(foodData: string | undefined, patience?: number): Promise<FoodCatalog> {
  if (foodData === undefined || !isPostgresUrl(foodData)) return openCatalog(foodData);
  return PostgresCatalog.open(parsePostgresUrl(foodData), patience);
}

/** @throws UserError where the data set cannot be used */
export async function openCatalog(file: string | undefined): Promise<MemoryCatalog | LiveCatalog> {
  if (file !== undefined && (await detectKind(file)) === 'index') return LiveCatalog.open(file);
  const everydayFoods = await readEverydayFoods();
  if (file === undefined) return MemoryCatalog.from(readFoods(STARTER_FOODS), STARTER_LABEL, everydayFoods);
  const report = new ImportReport();
  const catalog = await MemoryCatalog.from(
    readFoods(file, report),
    () => ({
      ...report.label,
      leftOut: report.leftOut,
      remarks: report.sources.flatMap((source) => source.remarks),
    }),
    everydayFoods,
  );
  if (catalog.dataSet.foods > 0) return catalog;
  throw new UserError(`${dataFile(file)} holds not a single food. Check that it is whole.`);
}

/** The starter foods as what people eat every day, which the order of any data set prefers. */
export async function readEverydayFoods(): Promise<EverydayFoods> {
  const descriptions: string[] = [];
  for await (const { description } of readFoods(STARTER_FOODS)) descriptions.push(description);
  return new EverydayFoods(descriptions);
}
