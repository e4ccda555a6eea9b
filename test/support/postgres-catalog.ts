/** Catalogs in a real PostgreSQL server, which the files of a project share. */
import { inject } from 'vitest';
import type { MemoryCatalog } from '../../src/catalogs/index/memory.ts';
import { loadIndexInto } from '../../src/catalogs/postgres/load.ts';
import { PostgresCatalog } from '../../src/catalogs/postgres/postgres-catalog.ts';
import type { DataSetLabel } from '../../src/foods/catalog.ts';
import type { FoodRecord } from '../../src/foods/food.ts';
import type { FileLabel } from '../../src/search/index-format.ts';
import type { EverydayFoods } from '../../src/search/ranking/everyday-foods.ts';
import type { IndexSections } from '../../src/search/sections.ts';
import { parsePostgresUrl } from '../../src/settings/postgres-url.ts';
import { sectionsOf } from './index.ts';
import { Postgres } from './postgres.ts';

/** ms to wait for a server on a busy machine. */
const BUSY = 20_000;

declare module 'vitest' {
  interface ProvidedContext {
    postgresPort: number;
  }
}

let server: Postgres | undefined;
let databases = 0;

export function postgres(): Postgres {
  server ??= Postgres.at(inject('postgresPort'));
  return server;
}

export async function newDatabase(options = ''): Promise<string> {
  const name = `test_${process.pid}_${++databases}`;
  // Copying files takes half the processor time of writing each page to the log.
  await postgres().query(`CREATE DATABASE ${name} STRATEGY FILE_COPY ${options}`);
  return postgres().url({ database: name });
}

/** Runs statements in the database of the address, in turn; returns the rows of the last. */
export const sql = (url: string, ...statements: readonly string[]) =>
  postgres().queryIn(new URL(url).pathname.slice(1), ...statements);

export async function load(
  url: string,
  foods: Iterable<FoodRecord>,
  label: DataSetLabel,
  everydayFoods?: EverydayFoods,
): Promise<void> {
  await loadIndex(url, await sectionsOf(foods, everydayFoods), { ...label, leftOut: 0 });
}

export async function loadIndex(url: string, index: IndexSections, label: FileLabel): Promise<void> {
  await loadIndexInto(parsePostgresUrl(url), index, label, () => {});
}

export async function postgresCatalogOf(
  foods: Iterable<FoodRecord>,
  label: DataSetLabel,
  options = '',
  everydayFoods?: EverydayFoods,
): Promise<PostgresCatalog> {
  const url = await newDatabase(options);
  await load(url, foods, label, everydayFoods);
  return PostgresCatalog.open(parsePostgresUrl(url), BUSY);
}

/** The foods of a catalog in memory, in their own database. */
export async function copyOf({ loaded: { index, label } }: MemoryCatalog): Promise<PostgresCatalog> {
  const url = await newDatabase();
  await loadIndex(url, index, label);
  return PostgresCatalog.open(parsePostgresUrl(url), BUSY);
}
