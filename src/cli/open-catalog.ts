/**
 * Opens what `FOOD_DATA` names.
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FoodCatalog } from '../catalog.ts';
import { MemoryCatalog } from '../catalogs/memory.ts';
import { readCsv } from '../readers/csv.ts';
import { detectKind } from '../readers/detect.ts';
import { readSqlite } from '../readers/sqlite.ts';

/** Seen from this file both in `src` and in `dist`. */
const STARTER_FOODS = fileURLToPath(new URL('../../data/starter-foods.csv', import.meta.url));

/** @throws UserError where the data set cannot be used; nothing stays half loaded */
export async function openCatalog(file: string | undefined): Promise<FoodCatalog> {
  const path = file ?? STARTER_FOODS;
  const records = (await detectKind(path)) === 'sqlite' ? readSqlite(path) : readCsv(path);
  return MemoryCatalog.from(records, file === undefined ? 'starter foods' : basename(file));
}
