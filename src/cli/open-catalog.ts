/**
 * Opens the data set that `FOOD_DATA` names. The libraries for a database and for SQLite are loaded only for these, since
 * loading them takes a fifth of the time of a start.
 */
import { fileURLToPath } from 'node:url';
import type { DataSetLabel, FoodCatalog } from '../catalog.ts';
import { LiveCatalog } from '../catalogs/index/live.ts';
import { MemoryCatalog } from '../catalogs/index/memory.ts';
import { UserError } from '../errors.ts';
import type { FoodRecord } from '../food.ts';
import { detectKind } from '../readers/bytes/file-kind.ts';
import { dataFile } from '../readers/bytes/streams.ts';
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
 * @throws UserError if it cannot be used
 */
export async function openFoodData(foodData: string | undefined, patience?: number): Promise<FoodCatalog> {
  if (foodData === undefined || !isPostgresUrl(foodData)) return openCatalog(foodData);
  const { PostgresCatalog } = await import('../catalogs/postgres/postgres-catalog.ts');
  return PostgresCatalog.open(parsePostgresUrl(foodData), patience);
}

/**
 * @param isShared whether several threads serve it
 * @throws UserError if the data set cannot be used
 */
export async function openCatalog(
  file: string | undefined,
  isShared = false,
): Promise<MemoryCatalog | LiveCatalog> {
  if (file !== undefined && (await detectKind(file)) === 'index') return LiveCatalog.open(file, isShared);
  const starterFoods = await readStarterFoods();
  const everydayFoods = everydayFoodsOf(starterFoods);
  if (file === undefined) return MemoryCatalog.from(starterFoods, STARTER_LABEL, everydayFoods, isShared);
  const report = new ImportReport();
  const catalog = await MemoryCatalog.from(
    readFoods(file, report),
    () => ({
      ...report.label,
      leftOut: report.leftOut,
      remarks: report.sources.flatMap((source) => source.remarks),
    }),
    everydayFoods,
    isShared,
  );
  if (catalog.dataSet.foods > 0) return catalog;
  throw new UserError(`${dataFile(file)} has no food. Check that it is complete.`);
}

/** The starter foods, which people eat every day, and which the order of any data set therefore prefers. */
export const readEverydayFoods = async (): Promise<EverydayFoods> =>
  everydayFoodsOf(await readStarterFoods());

const everydayFoodsOf = (foods: readonly FoodRecord[]): EverydayFoods =>
  new EverydayFoods(foods.map(({ description }) => description));

async function readStarterFoods(): Promise<FoodRecord[]> {
  const foods: FoodRecord[] = [];
  for await (const food of readFoods(STARTER_FOODS)) foods.push(food);
  return foods;
}
