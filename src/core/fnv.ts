/** FNV-1a with 32 bits, the hash of Fowler, Noll and Vo: one multiplication for each symbol. */

export const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export const hashWith = (hash: number, symbol: number): number => Math.imul(hash ^ symbol, FNV_PRIME);

export function hashOfText(text: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) hash = hashWith(hash, text.charCodeAt(i));
  return hash;
}
