/** Compares the tables of a new data set with the index they were made from, before the switch. */
import type pg from 'pg';
import { fold, NO_OTHER_NAMES, shown } from '#core';
import type { FoodIndex } from '#engine';
import { type Generation, StoredTables, stored, storedTable } from './schema.ts';
import { Unusable } from './servers/connection.ts';
import { StoredWords } from './stored-words.ts';
import { MAX_KEY } from './text-rows.ts';

const CHECKED_FOODS = 50;

/** @throws Unusable if the tables do not give the index's answers */
export async function checkTables(
  client: pg.Client,
  generation: Generation,
  index: FoodIndex,
): Promise<void> {
  const { rows } = await client.query<{ foods: string }>(
    `SELECT count(*) AS foods FROM ${storedTable('foods', generation.number)}`,
  );
  if (Number(rows[0]?.foods) !== index.size) {
    throw new Unusable(`${rows[0]?.foods} of ${index.size} foods arrived`);
  }
  const tables = new StoredTables(generation, client);
  const words = await StoredWords.read(tables);
  const step = Math.max(1, Math.floor(index.size / CHECKED_FOODS));
  for (let food = 0; food < index.size; food += step) {
    const { description, names = [], codes = [] } = index.record(food);
    const letters = description.match(/\p{L}+/gu) ?? [];
    for (const text of [description, ...letters, description.slice(0, 2)]) {
      if (!text.isWellFormed() || text === '') continue;
      const query = exactPart(text);
      const body = await tables.answer(stored(query));
      if (!body.equals(index.search(query))) throw differs(query);
    }
    for (const what of ['portions', 'names', 'nutrients'] as const) {
      const body = await tables.apart(what, description);
      if (!body.equals(index.lookUp(what, description))) throw differs(description);
    }
    for (const code of codes)
      if (!(await tables.withCode(code)).equals(index.searchBarcode(code))) throw differs(code);
    for (const text of [letters[0], letters.at(-1)?.slice(0, -1), letters.toReversed().join(' '), names[0]]) {
      if (text === undefined || letters.some((word) => Buffer.byteLength(word) > MAX_KEY)) continue;
      const { body } = await words.search(text, NO_OTHER_NAMES, tables);
      if (!body.equals(index.searchWords(text, NO_OTHER_NAMES).body)) throw differs(text);
    }
  }
}

const differs = (text: string): Unusable =>
  new Unusable(`the new tables do not answer ${shown(text)} as the index does`);

/** The folded text, or its longest beginning for which the tables have the exact answer, however many foods contain that. */
function exactPart(text: string): string {
  const folded = fold(text);
  return folded.slice(0, new TextEncoder().encodeInto(folded, new Uint8Array(MAX_KEY)).read);
}
