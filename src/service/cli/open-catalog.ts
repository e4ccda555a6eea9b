/**
 * Opens the data set of `FOOD_DATA`, and reads the other names of `OTHER_NAMES`. The libraries for a database and for SQLite are
 * loaded only for these, since loading them takes a fifth of the time of a start.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type FoodCatalog,
  type FoodRecord,
  furtherLanguage,
  isOwnLanguage,
  NO_OTHER_NAMES,
  type OtherNames,
  parseInput,
  shown,
  UserError,
  WrongUse,
} from '#core';
import { EverydayFoods, OtherNameTable } from '#engine';
import { isPostgresUrl, openStore, type PostgresUrl, parsePostgresUrl } from '#postgres';
import {
  ABBREVIATED_28,
  dataFile,
  detectKind,
  ImportReport,
  readFoods,
  readNamePairs,
  readTranslations,
} from '#tables';
import { LiveCatalog } from '../catalogs/live.ts';
import { loadIndex, MemoryCatalog } from '../catalogs/memory.ts';
import { print } from './print.ts';

/** A file that ships with the project: the same relative path from `src` and from `dist`. */
const shipped = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const STARTER_FOODS = shipped('data/starter-foods.csv');
/** Whose words do not count as those of everyday foods. */
const MORE_STARTER_FOODS = ['data/starter-ingredients.csv', 'data/starter-dishes.csv'].map(shipped);
const STARTER_LANGUAGES = shipped('data/foods');
/** Made by the build, since reading the tables and ordering their foods takes half of the time of a start. */
export const STARTER_INDEX = shipped('dist/starter-foods.idx');

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

/** The further language of the foods that `--language` means; undefined if it is their own, or, which it says, none that they have. @throws WrongUse */
export function languageOf({ dataSet }: FoodCatalog, tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined;
  requireLanguage(tag);
  const further = furtherLanguage(dataSet, tag);
  if (further !== undefined || isOwnLanguage(dataSet, tag)) return further;
  const { language, languages = [] } = dataSet;
  const said =
    language === undefined
      ? 'the data set does not say in which language its foods are named.'
      : `no food has a name in it. Names are in: ${[language, ...languages].join(', ')}`;
  print([`--language ${tag}: ${said}`], process.stderr);
  return undefined;
}

/** @throws WrongUse */
export function requireLanguage(tag: string): void {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  try {
    if (names.of(tag) !== undefined) return;
  } catch {
    // It does not even have the form of a tag.
  }
  throw new WrongUse(`--language ${shown(tag)}: expected the tag of a language, such as de or pt-BR.`);
}

/** @throws WrongUse that names the argument, but not its value, which may contain a password */
export function readPostgresUrl(argument: string, text: string): PostgresUrl {
  return parseInput(`${argument}: the address`, () => parsePostgresUrl(text), WrongUse);
}

export async function openCatalog(file: string | undefined, isShared = false): Promise<MemoryCatalog> {
  if (file === undefined) return new MemoryCatalog(await loadIndex(STARTER_INDEX, isShared));
  if ((await detectKind(file)) === 'index') return LiveCatalog.open(file, isShared);
  const report = new ImportReport();
  const catalog = await MemoryCatalog.from(
    readFoods(file, report),
    () => ({
      ...report.label,
      leftOut: report.leftOut,
      remarks: report.sources.flatMap((source) => source.remarks),
    }),
    await readEverydayFoods(),
    isShared,
  );
  if (catalog.dataSet.foods > 0) return catalog;
  throw new UserError(`${dataFile(file)} has no food. Check that it is complete.`);
}

/** The foods that ship with the project, from their tables. */
export async function readStarterFoods(): Promise<MemoryCatalog> {
  const tables = await Promise.all([STARTER_FOODS, ...MORE_STARTER_FOODS].map(foodsIn));
  const languages = await readLanguages();
  const foods = tables.flat().map((food) => {
    const translations = languages.flatMap(({ language, names }) => {
      const found = names.get(food.description);
      return found === undefined ? [] : { language, names: found };
    });
    return { ...food, ...(translations.length > 0 && { translations }) };
  });
  return MemoryCatalog.from(foods, STARTER_LABEL, await readEverydayFoods());
}

/** What the starter foods are called in other languages, each of which is a file. */
async function readLanguages() {
  const files = (await readdir(STARTER_LANGUAGES)).filter((file) => file.endsWith('.csv')).sort();
  return Promise.all(
    files.map(async (file) => ({
      language: basename(file, '.csv'),
      names: await readTranslations(join(STARTER_LANGUAGES, file)),
    })),
  );
}

/** The starter foods without the dishes, which people eat every day, and which the order of any data set therefore prefers. */
export const readEverydayFoods = async (): Promise<EverydayFoods> =>
  new EverydayFoods((await foodsIn(STARTER_FOODS)).map(({ description }) => description));

async function foodsIn(file: string): Promise<FoodRecord[]> {
  const foods: FoodRecord[] = [];
  for await (const food of readFoods(file)) foods.push(food);
  return foods;
}

/** @param setting path of a table, or "none"; undefined: the table that ships with the project */
export async function readOtherNames(setting: string | undefined): Promise<OtherNames> {
  if (setting === 'none') return NO_OTHER_NAMES;
  try {
    return new OtherNameTable(await readNamePairs(setting ?? shipped('data/other-names.csv')));
  } catch (error) {
    throw error instanceof UserError ? new UserError(`OTHER_NAMES: ${error.message}`) : error;
  }
}
