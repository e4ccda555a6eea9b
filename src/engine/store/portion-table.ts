/**
 * Finds the portions of a description, in a table made when an index is opened. The table of descriptions
 * (`description-table.ts`) does not suffice: it ignores case, and lacks the foods with the name of an earlier one, of which
 * there may be a million.
 */
import { areEqualBytes, composed, NONE, slotOf, slotsFor, textOfUtf8, utf8 } from '#core';
import { hashOfSymbols } from './description-table.ts';
import { hasPortions, portionCounts, renderPortions } from './portion-sections.ts';
import type { IndexSections } from './sections.ts';

/** Slots with the first food with portions of each description; empty if no food has portions. */
export type PortionTable = Int32Array;

type Sections = Pick<IndexSections, 'entries' | 'entryStarts' | 'portions'>;

const NOTHING = '[]';

/** Precedes the description in an entry, and occurs nowhere else in it, because quotes of a description are escaped. */
const BEFORE_DESCRIPTION = utf8(',"description":');
const END_OF_ENTRY = '}';

/** Takes a second at 2,000,000 foods with portions. */
export function portionTableOf(sections: Sections): PortionTable {
  const { starts } = sections.portions;
  if (!hasPortions(sections.portions)) return new Int32Array(0);
  const keys = new Keys(sections);
  const table = slotsFor(portionCounts(sections.portions).foods);
  for (let food = 0; food < starts.length - 1; food++) {
    if (starts[food] === starts[food + 1]) continue;
    const slot = slotOfKey(table, keys, keys.of(food));
    if (table[slot] === NONE) table[slot] = food;
  }
  return table;
}

/** A JSON array of the portions of the first food with exactly this description that has any. */
export function findPortions(table: PortionTable, sections: Sections, description: string): string {
  if (table.length === 0) return NOTHING;
  const food = table[slotOfKey(table, new Keys(sections), portionKey(description))]!;
  return food === NONE ? NOTHING : renderPortions(sections.portions, food);
}

/** The keys of all descriptions with portions, and these as `findPortions` returns them. */
export function* portionRows(sections: Sections) {
  const keys = new Keys(sections);
  for (const food of portionTableOf(sections)) {
    if (food === NONE) continue;
    yield { key: keys.of(food), portions: renderPortions(sections.portions, food) };
  }
}

/** Equal for the same descriptions: the UTF-8 of a JSON string in normal form C. */
export const portionKey = (description: string): Uint8Array => utf8(JSON.stringify(composed(description)));

const slotOfKey = (table: PortionTable, keys: Keys, key: Uint8Array): number =>
  slotOf(table, hashOfSymbols(key), (food) => areEqualBytes(keys.of(food), key));

class Keys {
  readonly #entries: Uint8Array;
  readonly #starts: Uint32Array;

  constructor({ entries, entryStarts }: Sections) {
    this.#entries = entries;
    this.#starts = entryStarts;
  }

  of(food: number): Uint8Array {
    let from = this.#starts[food]!;
    const end = this.#starts[food + 1]! - END_OF_ENTRY.length;
    while (from < end && !BEFORE_DESCRIPTION.every((byte, i) => byte === this.#entries[from + i])) from++;
    const description = this.#entries.subarray(from + BEFORE_DESCRIPTION.length, end);
    if (description.every((byte) => byte < 0x80)) return description;
    return portionKey(JSON.parse(textOfUtf8(description)) as string);
  }
}
