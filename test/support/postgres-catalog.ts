/** Catalogs in a real PostgreSQL server, which the files of a project share. */
import { inject } from 'vitest';
import type { DataSetLabel, FoodRecord } from '#core';
import type { FileLabel, IndexSections } from '#engine';
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

export async function load(url: string, foods: Iterable<FoodRecord>, label: DataSetLabel): Promise<void> {
  await loadIndex(url, await sectionsOf(foods), { ...label, leftOut: 0 });
}

export async function loadIndex(url: string, index: IndexSections, label: FileLabel): Promise<void> {
  await loadIndexInto(parsePostgresUrl(url), index, label, () => {});
}

/** The foods of a catalog in memory, in their own database. @param options of that */
export async function copyOf(
  { loaded: { index, label } }: MemoryCatalog,
  options = '',
): Promise<PostgresCatalog> {
  const url = await newDatabase(options);
  await loadIndex(url, index, label);
  return PostgresCatalog.open(parsePostgresUrl(url), BUSY);
}
