/**
 * Compares the tables of a new data set with the index they were made from, before the switch.
 */
import type pg from 'pg';
import { shown } from '../../errors.ts';
import { fold } from '../../fold.ts';
import type { FoodIndex } from '../../search/food-index.ts';
import { MAX_KEY } from '../../search/text-rows.ts';
import { Unusable } from './connection.ts';
import { answerOf, type FoundRow, foodsTable, type Generation, searchQuery, stored } from './schema.ts';

/** How many foods' descriptions are searched for. */
const CHECKED_FOODS = 50;

/**
 * @param cutKeys keys of more foods than a row holds
 * @throws Unusable where the tables do not answer like the index
 */
export async function checkTables(
  client: pg.Client,
  generation: Generation,
  index: FoodIndex,
  cutKeys: ReadonlySet<string>,
): Promise<void> {
  const { rows } = await client.query<{ foods: string }>(
    `SELECT count(*) AS foods FROM ${foodsTable(generation.number)}`,
  );
  if (Number(rows[0]?.foods) !== index.size) {
    throw new Unusable(`${rows[0]?.foods} of ${index.size} foods arrived`);
  }
  const step = Math.max(1, Math.floor(index.size / CHECKED_FOODS));
  for (let food = 0; food < index.size; food += step) {
    const { description } = index.record(food);
    for (const text of [description, ...(description.match(/\p{L}+/gu) ?? []), description.slice(0, 2)]) {
      if (!text.isWellFormed() || text === '') continue;
      const query = promised(text, cutKeys);
      const key = stored(fold(query));
      const found = await client.query<FoundRow>(searchQuery(generation, key));
      if (answerOf(key, found.rows).equals(index.search(query))) continue;
      throw new Unusable(`the new tables do not answer ${shown(query)} as the index does`);
    }
  }
}

/**
 * The text if the tables promise the index's answer to it; otherwise its longest beginning for which they do, however
 * many foods contain that.
 */
function promised(text: string, cutKeys: ReadonlySet<string>): string {
  let key = '';
  for (const character of fold(text)) {
    const shorter = key;
    key += character;
    if (Buffer.byteLength(key) > MAX_KEY) return cutKeys.has(key) ? shorter : text;
  }
  return text;
}
