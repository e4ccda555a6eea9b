/** Finds foods by a whole description, in a table made when an index is opened, because a text may end very many descriptions. */
import { composed, FNV_OFFSET, firstSlot, hashWith, KeyTable, keyOf, NONE, utf8 } from '#core';
import { END } from '../suffixes/alphabet.ts';
import { Entries } from './entries.ts';
import { foodAt, type IndexSections } from './sections.ts';

/** The descriptions with a hash in the same slot are a chain, as positions in the corpus, ascending. */
export interface DescriptionTable {
  readonly first: Int32Array;
  /** By food, the description after its own. */
  readonly next: Int32Array;
}

/** Takes 0.3 s at 2,000,000 foods. */
export function descriptionTableOf({
  corpus,
  entryStarts,
}: Pick<IndexSections, 'corpus' | 'entryStarts'>): DescriptionTable {
  const foods = entryStarts.length - 1;
  // Half of them empty, since most texts that are searched for are no description.
  const first = new Int32Array(2 ** Math.ceil(1 + Math.log2(Math.max(1, foods)))).fill(NONE);
  const next = new Int32Array(foods).fill(NONE);
  /** By slot the last food of its chain. */
  const last = new Int32Array(first.length);
  for (let food = 0, start = 0; food < foods; food++) {
    let hash = FNV_OFFSET;
    let end = start;
    for (; corpus[end] !== END; end++) hash = hashWith(hash, corpus[end]!);
    const slot = firstSlot(first, hash);
    if (first[slot] === NONE) first[slot] = start;
    else next[last[slot]!] = start;
    last[slot] = food;
    start = end + 1;
  }
  return { first, next };
}

/** The first food whose description is these symbols, and of which the rest is true; or NONE. */
export function findDescription(
  { first, next }: DescriptionTable,
  { corpus, blocks }: Pick<IndexSections, 'corpus' | 'blocks'>,
  symbols: Uint8Array,
  isIt?: (food: number) => boolean,
): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < symbols.length; i++) hash = hashWith(hash, symbols[i]!);
  for (let start = first[firstSlot(first, hash)]!; start !== NONE; ) {
    let length = 0;
    while (length < symbols.length && corpus[start + length] === symbols[length]) length++;
    const isEqual = length === symbols.length && corpus[start + length] === END;
    const food = foodAt(blocks, start);
    if (isEqual && (isIt === undefined || isIt(food))) return food;
    start = next[food]!;
  }
  return NONE;
}

/** The first food of each description that has some, with the key of this. */
export function* foodsWith(
  { entries, entryStarts }: Pick<IndexSections, 'entries' | 'entryStarts'>,
  hasSome: (food: number) => boolean,
) {
  const foods = new Entries(entries, entryStarts);
  const keys = new KeyTable();
  for (let food = 0; food < foods.size; food++) {
    if (!hasSome(food)) continue;
    const description = foods.description(food);
    const { low, high } = keyOf(composed(description));
    const known = keys.size;
    if (keys.numberOf(low, high) === known) yield { key: descriptionKey(description), food };
  }
}

/** Equal for the same descriptions: the UTF-8 of a JSON string in normal form C. */
export const descriptionKey = (description: string): Uint8Array =>
  utf8(JSON.stringify(composed(description)));
