/**
 * Finds what an index has beside the entries, portions and other names, by a description: in a table made when an index is
 * opened. The table of descriptions (`description-table.ts`) does not suffice: it ignores case, and lacks the foods with the
 * name of an earlier one, of which there may be a million.
 */
import { areEqualBytes, composed, NONE, slotOf, slotsFor, textOfUtf8, utf8 } from '#core';
import { hashOfSymbols, standsAt } from './description-table.ts';
import type { IndexSections } from './sections.ts';

/** Slots with the first food of each description that has some; empty if no food has. */
export type FoodTable = Int32Array;

type Entries = Pick<IndexSections, 'entries' | 'entryStarts'>;

/** Precedes the description in an entry, and occurs nowhere else in it, because quotes of a description are escaped. */
const BEFORE_DESCRIPTION = utf8(',"description":');
const END_OF_ENTRY = '}';

/** Takes a second at 2,000,000 foods. @param starts what food i has is [starts[i], starts[i + 1]); empty if no food has any */
export function foodTableOf(entries: Entries, starts: Uint32Array): FoodTable {
  if (starts.length === 0) return new Int32Array(0);
  const keys = new Keys(entries);
  let count = 0;
  for (let food = 0; food < starts.length - 1; food++) if (starts[food]! < starts[food + 1]!) count++;
  const table = slotsFor(count);
  for (let food = 0; food < starts.length - 1; food++) {
    if (starts[food] === starts[food + 1]) continue;
    const slot = slotOfKey(table, keys, keys.of(food));
    if (table[slot] === NONE) table[slot] = food;
  }
  return table;
}

/** The first food with exactly this description that has some; NONE if there is none. */
export const findFood = (table: FoodTable, entries: Entries, description: string): number =>
  table.length === 0 ? NONE : table[slotOfKey(table, new Keys(entries), descriptionKey(description))]!;

/** The foods that `findFood` finds, with the keys of their descriptions. */
export function* foodsWith(entries: Entries, starts: Uint32Array) {
  const keys = new Keys(entries);
  for (const food of foodTableOf(entries, starts)) if (food !== NONE) yield { key: keys.of(food), food };
}

/** Equal for the same descriptions: the UTF-8 of a JSON string in normal form C. */
export const descriptionKey = (description: string): Uint8Array =>
  utf8(JSON.stringify(composed(description)));

const slotOfKey = (table: FoodTable, keys: Keys, key: Uint8Array): number =>
  slotOf(table, hashOfSymbols(key), (food) => areEqualBytes(keys.of(food), key));

/** The JSON string of the description of the entry [start, end). */
export function descriptionIn(entries: Uint8Array, start: number, end: number): Uint8Array {
  let from = start;
  const last = end - END_OF_ENTRY.length;
  while (from < last && !standsAt(entries, from, BEFORE_DESCRIPTION)) from++;
  return entries.subarray(from + BEFORE_DESCRIPTION.length, last);
}

class Keys {
  readonly #entries: Uint8Array;
  readonly #starts: Uint32Array;

  constructor({ entries, entryStarts }: Entries) {
    this.#entries = entries;
    this.#starts = entryStarts;
  }

  of(food: number): Uint8Array {
    const description = descriptionIn(this.#entries, this.#starts[food]!, this.#starts[food + 1]!);
    if (isAscii(description)) return description;
    return descriptionKey(JSON.parse(textOfUtf8(description)) as string);
  }
}

/** A loop: with a method that calls a function for each byte, an index of many foods takes longer to open. */
function isAscii(bytes: Uint8Array): boolean {
  let i = 0;
  while (i < bytes.length && bytes[i]! < 0x80) i++;
  return i === bytes.length;
}
