/**
 * A plate in the fragment of a link (after `#`), which browsers do not send to servers.
 */
import { base64ToUint8Array, stringToBase64 } from 'uint8array-extras';
import { GRAMS, isGrams } from '../foods/amount.ts';
import { NUTRIENTS } from '../foods/food.ts';
import { type Plate, readPlate } from '../foods/plate.ts';

export const PREFIX = '#plate=';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function plateLink(plate: Plate, page: string): string {
  const rows = plate.map(({ food, count, unit }) => [
    food.description,
    ...NUTRIENTS.map(({ key }) => food[key]),
    count,
    ...(isGrams(unit) ? [] : [unit.portion, unit.grams]),
  ]);
  const address = new URL(page);
  // A link shares the plate, not the search.
  address.searchParams.delete('q');
  address.hash = PREFIX + stringToBase64(JSON.stringify(rows), { urlSafe: true });
  return address.href;
}

/** The plate of a link; undefined if the fragment contains no readable one. */
export function plateOfLink(hash: string): Plate | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    const rows: unknown = JSON.parse(UTF8.decode(base64ToUint8Array(hash.slice(PREFIX.length))));
    if (!Array.isArray(rows)) return undefined;
    const plate = readPlate(rows.map(itemOfRow));
    // An edited link must not open only a part of its plate.
    return plate?.length === rows.length ? plate : undefined;
  } catch {
    return undefined;
  }
}

/** Earlier versions of the page had rows of six cells only: an amount in grams. */
function itemOfRow(row: unknown): unknown {
  if (!Array.isArray(row) || (row.length !== 6 && row.length !== 8)) return undefined;
  const [description, kcal, protein, fat, carbohydrate, count, portion, grams] = row;
  const unit = row.length === 6 ? GRAMS : { portion, grams };
  return { food: { description, kcal, protein, fat, carbohydrate }, count, unit };
}
