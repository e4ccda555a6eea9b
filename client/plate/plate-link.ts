/**
 * A plate in the fragment of a link (after `#`), which browsers do not send to servers.
 */
import { type Food, NUTRIENTS } from '../foods/food.ts';
import { type Plate, readPlate } from '../foods/plate.ts';

export const PREFIX = '#plate=';

export function plateLink(plate: Plate, page: string): string {
  const rows = plate.map(({ food, grams }) => [
    food.description,
    ...NUTRIENTS.map(({ key }) => food[key]),
    grams,
  ]);
  const address = new URL(page);
  // A link shares the plate, not the search.
  address.searchParams.delete('q');
  address.hash = PREFIX + toBase64Url(JSON.stringify(rows));
  return address.href;
}

/** The plate of a link; undefined if the fragment contains no readable one. */
export function plateOfLink(hash: string): Plate | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    const rows: unknown = JSON.parse(fromBase64Url(hash.slice(PREFIX.length)));
    if (!Array.isArray(rows)) return undefined;
    const plate = readPlate(rows.map(portionOfRow));
    // A link made by hand must not open a part of its plate.
    return plate?.length === rows.length ? plate : undefined;
  } catch {
    return undefined;
  }
}

function portionOfRow(row: unknown): { readonly food: Food; readonly grams: unknown } | undefined {
  if (!Array.isArray(row) || row.length !== 6) return undefined;
  const [description, kcal, protein, fat, carbohydrate, grams] = row;
  return { food: { description, kcal, protein, fat, carbohydrate }, grams };
}

function toBase64Url(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(bytes, (char) => char.charCodeAt(0)),
  );
}
