/**
 * Opens the data set of `FOOD_DATA`, and reads the other names of `OTHER_NAMES`. The libraries for a database and for SQLite are
 * loaded only for these, since loading them takes a fifth of the time of a start.
 */
import { fileURLToPath } from 'node:url';
import {
  type FoodCatalog,
  type FoodRecord,
  NO_OTHER_NAMES,
  type OtherNames,
  parseInput,
  UserError,
  WrongUse,
} from '#core';
import { EverydayFoods, OtherNameTable } from '#engine';
import { isPostgresUrl, openStore, type PostgresUrl, parsePostgresUrl } from '#postgres';
import { ABBREVIATED_28, dataFile, detectKind, ImportReport, readFoods, readNamePairs } from '#tables';
import { LiveCatalog } from '../catalogs/live.ts';
import { MemoryCatalog } from '../catalogs/memory.ts';

/** A file that ships with the project: the same relative path from `src` and from `dist`. */
const shipped = (name: string): string => fileURLToPath(new URL(`../../../data/${name}`, import.meta.url));

const STARTER_FOODS = shipped('starter-foods.csv');
/** Whose words do not count as those of everyday foods. */
const MORE_STARTER_FOODS = ['starter-ingredients.csv', 'starter-dishes.csv'].map(shipped);

const STARTER_LABEL = {
  ...ABBREVIATED_28.label,
  name: 'starter foods',
  source: `${ABBREVIATED_28.label.source}; Food and Nutrient Database for Dietary Studies 2017–2018`,
};

/** Opens a file, or a database, for which it waits up to `patience` ms. */
export async function openFoodData(foodData: string | undefined, patience?: number): Promise<FoodCatalog> {
  if (foodData === undefined || !isPostgresUrl(foodData)) return openCatalog(foodData);
  return openStore(parsePostgresUrl(foodData), patience);
}

/** @throws WrongUse that names the argument, but not its value, which may contain a password */
export function readPostgresUrl(argument: string, text: string): PostgresUrl {
  return parseInput(`${argument}: the address`, () => parsePostgresUrl(text), WrongUse);
}

export async function openCatalog(file: string | undefined, isShared = false): Promise<MemoryCatalog> {
  if (file !== undefined && (await detectKind(file)) === 'index') return LiveCatalog.open(file, isShared);
  const starterFoods = await foodsIn(STARTER_FOODS);
  const everydayFoods = everydayFoodsOf(starterFoods);
  if (file === undefined) {
    const more = await Promise.all(MORE_STARTER_FOODS.map(foodsIn));
    const all = [...starterFoods, ...more.flat()];
    return MemoryCatalog.from(all, STARTER_LABEL, everydayFoods, isShared);
  }
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

/** The starter foods without the dishes, which people eat every day, and which the order of any data set therefore prefers. */
export const readEverydayFoods = async (): Promise<EverydayFoods> =>
  everydayFoodsOf(await foodsIn(STARTER_FOODS));

const everydayFoodsOf = (foods: readonly FoodRecord[]): EverydayFoods =>
  new EverydayFoods(foods.map(({ description }) => description));

async function foodsIn(file: string): Promise<FoodRecord[]> {
  const foods: FoodRecord[] = [];
  for await (const food of readFoods(file)) foods.push(food);
  return foods;
}

/** @param setting path of a table, or "none"; undefined: the table that ships with the project */
export async function readOtherNames(setting: string | undefined): Promise<OtherNames> {
  if (setting === 'none') return NO_OTHER_NAMES;
  try {
    return new OtherNameTable(await readNamePairs(setting ?? shipped('other-names.csv')));
  } catch (error) {
    throw error instanceof UserError ? new UserError(`OTHER_NAMES: ${error.message}`) : error;
  }
}
