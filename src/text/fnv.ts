/**
 * FNV-1a with 32 bits, the hash of Fowler, Noll and Vo: one multiplication for each symbol.
 */

/** The hash of nothing. */
export const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Extends a hash by one symbol. */
export const hashWith = (hash: number, symbol: number): number => Math.imul(hash ^ symbol, FNV_PRIME);

/** The hash of the UTF-16 code units of a text. */
export function hashOfText(text: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) hash = hashWith(hash, text.charCodeAt(i));
  return hash;
}
