/**
 * Finds the food whose description is a text, in a table that is made when an index is opened: the places where the text
 * ends a description may be very many.
 */
import { FNV_OFFSET, firstSlot, hashWith, NONE, nextSlot, slotsFor } from './collections/hash-slots.ts';
import type { IndexSections } from './sections.ts';
import { END } from './suffixes/alphabet.ts';

/** Slots with where descriptions begin in the corpus. Foods whose name an earlier food has are not in it. */
export type DescriptionTable = Int32Array;

/** Takes 0.2 s at 2,000,000 foods. */
export function descriptionTableOf({ corpus, firstRepeat }: IndexSections): DescriptionTable {
  const foods = firstRepeat[0]!;
  const table = slotsFor(foods);
  for (let food = 0, start = 0; food < foods; food++) {
    let hash = FNV_OFFSET;
    let end = start;
    for (; corpus[end] !== END; end++) hash = hashWith(hash, corpus[end]!);
    let slot = firstSlot(table, hash);
    while (table[slot] !== NONE) slot = nextSlot(table, slot);
    table[slot] = start;
    start = end + 1;
  }
  return table;
}

/** Where the first description begins that is these symbols and an ending, or the length of the corpus. */
export function findDescription(
  table: DescriptionTable,
  corpus: Uint8Array,
  symbols: Uint8Array,
  ending: Uint8Array,
): number {
  const length = symbols.length + ending.length;
  const hash = ending.reduce(hashWith, symbols.reduce(hashWith, FNV_OFFSET));
  for (let slot = firstSlot(table, hash); table[slot] !== NONE; slot = nextSlot(table, slot)) {
    const start = table[slot]!;
    const isIt =
      corpus[start + length] === END &&
      symbols.every((symbol, i) => corpus[start + i] === symbol) &&
      ending.every((symbol, i) => corpus[start + symbols.length + i] === symbol);
    if (isIt) return start;
  }
  return corpus.length;
}
