/**
 * Finds the portions of a description, in a table that is made when an index is opened. The table of descriptions
 * (`description-table.ts`) would not do: it ignores case, and lacks the foods whose name an earlier one has, of which there
 * may be a million.
 */
import { composed } from '../fold.ts';
import { hasPortions, portionCounts, renderPortions } from './portions.ts';
import type { IndexSections } from './sections.ts';

/**
 * Of each description that has portions the first food with some, in the first free slot from that of its hash on; NONE in
 * the others. Empty where no food has portions; otherwise the number of slots is a power of two.
 */
export type PortionTable = Int32Array;

type Sections = Pick<IndexSections, 'entries' | 'entryStarts' | 'portions'>;

const NONE = -1;
const MOST_FILLED = 0.75;
const NOTHING = '[]';

/** What stands in an entry before its description, and nowhere else in it: quotes of a description are escaped. */
const BEFORE_DESCRIPTION = ',"description":';
const END_OF_ENTRY = '}';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export function portionTableOf(sections: Sections): PortionTable {
  const { starts } = sections.portions;
  if (!hasPortions(sections.portions)) return new Int32Array(0);
  const { foods } = portionCounts(sections.portions);
  const table = new Int32Array(2 ** Math.ceil(Math.log2(1 + foods / MOST_FILLED))).fill(NONE);
  for (let food = 0; food < starts.length - 1; food++) {
    if (starts[food] === starts[food + 1]) continue;
    const slot = slotOf(table, sections, keyOfFood(sections, food));
    if (table[slot] === NONE) table[slot] = food;
  }
  return table;
}

/** A JSON array of the portions of the first food that has exactly this description, and some. */
export function findPortions(table: PortionTable, sections: Sections, description: string): string {
  const food = table.length === 0 ? NONE : table[slotOf(table, sections, portionKey(description))]!;
  return food === NONE ? NOTHING : renderPortions(sections.portions, food);
}

/** The keys of all descriptions with portions, and these as `findPortions` returns them. */
export function* portionRows(sections: Sections) {
  for (const food of portionTableOf(sections)) {
    if (food === NONE) continue;
    yield { key: keyOfFood(sections, food), portions: renderPortions(sections.portions, food) };
  }
}

/** Equal for the same descriptions: the UTF-8 of a JSON string in normal form C. */
export const portionKey = (description: string): Buffer => Buffer.from(JSON.stringify(composed(description)));

/** The slot of the food with this key, or the one that is free for it. */
function slotOf(table: PortionTable, sections: Sections, key: Buffer): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key[i]!, FNV_PRIME);
  let slot = (hash ^ (hash >>> 15)) & (table.length - 1);
  while (table[slot] !== NONE && !keyOfFood(sections, table[slot]!).equals(key))
    slot = (slot + 1) & (table.length - 1);
  return slot;
}

function keyOfFood({ entries, entryStarts }: Sections, food: number): Buffer {
  const start = entryStarts[food]!;
  const entry = Buffer.from(entries.buffer, entries.byteOffset + start, entryStarts[food + 1]! - start);
  const from = entry.indexOf(BEFORE_DESCRIPTION) + BEFORE_DESCRIPTION.length;
  const description = entry.subarray(from, -END_OF_ENTRY.length);
  return isAscii(description) ? description : portionKey(JSON.parse(description.toString()) as string);
}

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! > 0x7f) return false;
  return true;
}
