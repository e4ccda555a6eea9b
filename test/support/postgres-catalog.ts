/** Catalogs in a real PostgreSQL server, which the files of a project share. */
import { expect, inject } from 'vitest';
import { type DataSetLabel, type FoodRecord, NO_OTHER_NAMES, type OtherNames } from '#core';
import type { EverydayFoods, FileLabel, IndexSections } from '#engine';
import { parsePostgresUrl } from '#postgres';
import type { MemoryCatalog } from '#service';
import { loadIndexInto } from '../../src/postgres/load.ts';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
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

/** Searches for texts, except for the empty one. */
export async function expectSame(
  memory: MemoryCatalog,
  database: PostgresCatalog,
  texts: Iterable<string>,
): Promise<void> {
  for (const text of texts) {
    if (text === '') continue;
    const answer = (await database.search(text)).body.toString();
    expect(answer, JSON.stringify(text)).toBe(memory.search(text).toString());
  }
}

/** Searches by words, with their replacements. */
export async function expectSameByWords(
  memory: MemoryCatalog,
  database: PostgresCatalog,
  texts: Iterable<string>,
  names: OtherNames = NO_OTHER_NAMES,
): Promise<void> {
  for (const text of texts) {
    const expected = memory.searchWords(text, names);
    const { body, replaced, missing, identity } = await database.searchWords(text, names);
    expect(body.toString(), JSON.stringify(text)).toBe(expected.body.toString());
    expect(replaced, JSON.stringify(text)).toEqual(expected.replaced);
    expect(missing, JSON.stringify(text)).toEqual(expected.missing);
    expect(identity).toBe(memory.dataSet.identity);
  }
}
