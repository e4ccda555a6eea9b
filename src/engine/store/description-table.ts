/**
 * Finds the food whose description is a text, in a table made when an index is opened, because a text may end very many
 * descriptions.
 */
import { FNV_OFFSET, hashWith, NONE, slotOf, slotsFor } from '#core';
import { END } from '../suffixes/alphabet.ts';
import type { IndexSections } from './sections.ts';

/** Slots with the positions of descriptions in the corpus, without foods that have the name of an earlier one. */
export type DescriptionTable = Int32Array;

/** Takes 0.2 s at 2,000,000 foods. */
export function descriptionTableOf({ corpus, firstRepeat }: IndexSections): DescriptionTable {
  const foods = firstRepeat[0]!;
  const table = slotsFor(foods);
  for (let food = 0, start = 0; food < foods; food++) {
    let hash = FNV_OFFSET;
    let end = start;
    for (; corpus[end] !== END; end++) hash = hashWith(hash, corpus[end]!);
    table[slotOf(table, hash, () => false)] = start;
    start = end + 1;
  }
  return table;
}

/** The position of the first description that is these symbols and an ending, or the length of the corpus. @param hash of the symbols */
export function findDescription(
  table: DescriptionTable,
  corpus: Uint8Array,
  symbols: Uint8Array,
  hash: number,
  ending: Uint8Array,
): number {
  const { length } = symbols;
  const slot = slotOf(
    table,
    hashOfSymbols(ending, hash),
    (start) =>
      corpus[start + length + ending.length] === END &&
      standsAt(corpus, start, symbols) &&
      standsAt(corpus, start + length, ending),
  );
  return table[slot] === NONE ? corpus.length : table[slot]!;
}

/** The hash of symbols, which may extend another hash. */
export function hashOfSymbols(symbols: Uint8Array, before: number = FNV_OFFSET): number {
  let hash = before;
  for (let i = 0; i < symbols.length; i++) hash = hashWith(hash, symbols[i]!);
  return hash;
}

/** Whether the symbols are at a position of the corpus. */
export function standsAt(corpus: Uint8Array, position: number, symbols: Uint8Array): boolean {
  let i = 0;
  while (i < symbols.length && corpus[position + i] === symbols[i]) i++;
  return i === symbols.length;
}
