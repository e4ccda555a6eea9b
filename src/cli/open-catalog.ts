/**
 * Opens what `FOOD_DATA` names.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataSetLabel } from '../catalog.ts';
import { MemoryCatalog } from '../catalogs/memory.ts';
import { shown, UserError } from '../errors.ts';
import type { FoodRecord } from '../food.ts';
import { readCsv } from '../readers/csv.ts';
import { detectKind } from '../readers/detect.ts';
import { readSqlite } from '../readers/sqlite.ts';

/** Seen from this file both in `src` and in `dist`. */
const STARTER_FOODS = fileURLToPath(new URL('../../data/starter-foods.csv', import.meta.url));

const STARTER_LABEL: DataSetLabel = {
  name: 'starter foods',
  date: '2015',
  source: 'USDA National Nutrient Database for Standard Reference, release 28',
  licence: 'public domain',
};

/** @throws UserError where the data set cannot be used; nothing stays half loaded */
export async function openCatalog(file: string | undefined): Promise<MemoryCatalog> {
  if (file === undefined) return MemoryCatalog.from(readCsv(STARTER_FOODS), STARTER_LABEL);
  if ((await detectKind(file)) === 'index') return MemoryCatalog.fromIndexFile(file);
  return MemoryCatalog.from(await readRecords(file), await labelOf(file));
}

/**
 * The records of a CSV or SQLite file.
 * @param onProgress is told the share that is read, 0 to 1
 * @throws UserError where the file cannot be read
 */
export async function readRecords(
  file: string,
  onProgress: (share: number) => void = () => {},
): Promise<AsyncIterable<FoodRecord>> {
  switch (await detectKind(file)) {
    case 'sqlite':
      return readSqlite(file, onProgress);
    case 'csv':
      return readCsv(file, onProgress);
    case 'index':
      throw new UserError(
        `Data file ${shown(file)} is an index already. Serve it: FOOD_DATA=${file} food-lookup serve`,
      );
  }
}

/** What a file tells of itself. */
export async function labelOf(file: string): Promise<DataSetLabel> {
  const { mtime } = await stat(file);
  return { name: basename(file), date: mtime.toISOString().slice(0, 10), source: null, licence: null };
}
