/** The answers of a catalog in PostgreSQL, compared with those of one in memory, byte for byte. */
import { expect, onTestFinished } from 'vitest';
import { type FoodRecord, NO_OTHER_NAMES, type OtherNames } from '#core';
import type { MemoryCatalog } from '#service';
import type { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { copyOf } from '../support/postgres-catalog.ts';
import { memoryCatalogOf } from '../support/service.ts';

export interface Both {
  readonly memory: MemoryCatalog;
  readonly database: PostgresCatalog;
}

export async function bothOf(foods: readonly FoodRecord[], options = ''): Promise<Both> {
  const memory = await memoryCatalogOf(foods);
  return { memory, database: await copyOf(memory, options) };
}

/** Searches for texts, except for the empty one. */
async function expectSame({ memory, database }: Both, texts: Iterable<string>): Promise<void> {
  for (const text of texts) {
    if (text === '') continue;
    const answer = (await database.search(text)).body.toString();
    expect(answer, JSON.stringify(text)).toBe(memory.search(text).toString());
  }
}

/** Searches by words, with their replacements. */
export async function expectSameByWords(
  { memory, database }: Both,
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

/** Searches for texts and by words in these foods. @param options of the database */
export async function expectLikeMemory(
  foods: readonly FoodRecord[],
  texts: readonly string[],
  words: Iterable<string> = texts,
  options = '',
): Promise<Both> {
  const both = await bothOf(foods, options);
  onTestFinished(() => both.database.close());
  expect(both.database.dataSet).toMatchObject(both.memory.dataSet);
  await expectSame(both, texts);
  await expectSameByWords(both, words);
  return both;
}
