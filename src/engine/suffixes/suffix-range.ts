/** Ranges of a sorted array of suffixes: the suffixes that begin with a pattern are neighbours. */

import { firstWhere } from '#core';

/** The suffixes that begin at certain positions of a corpus, sorted. */
export interface SortedSuffixes {
  readonly suffixes: Int32Array;
  /** For two symbols a, b: entries [buckets[256 a + b], buckets[256 a + b + 1]) of `suffixes` begin with them. */
  readonly buckets: Uint32Array;
}

/** The suffixes [from, to) that begin with a pattern of one symbol or more: O(m log n) for m symbols among n suffixes. */
export function rangeOf(
  corpus: Uint8Array,
  { suffixes, buckets }: SortedSuffixes,
  pattern: Uint8Array,
): [from: number, to: number] {
  const first = 256 * pattern[0]!;
  if (pattern.length === 1) return [buckets[first]!, buckets[first + 256]!];
  const bucket = first + pattern[1]!;
  const end = buckets[bucket + 1]!;
  const from = firstWhere(buckets[bucket]!, end, (i) => order(corpus, suffixes[i]!, pattern) >= 0);
  // Few suffixes begin with most patterns: doubling steps find the last of them sooner than halving the bucket.
  let low = from;
  let step = 1;
  for (; low + step <= end && order(corpus, suffixes[low + step - 1]!, pattern) === 0; step *= 2) low += step;
  const last = Math.min(end, low + step - 1);
  return [from, firstWhere(low, last, (i) => order(corpus, suffixes[i]!, pattern) > 0)];
}

/** Below 0 if the suffix at a position, which has the first two symbols of the pattern, comes before it; 0 if it begins with it. */
function order(corpus: Uint8Array, position: number, pattern: Uint8Array): number {
  for (let i = 2; i < pattern.length; i++) {
    const difference = corpus[position + i]! - pattern[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The first of the suffixes [low, high), equal up to `offset`, whose symbol there is not below this one. */
export function boundary(
  corpus: Uint8Array,
  suffixes: Int32Array,
  low: number,
  high: number,
  offset: number,
  symbol: number,
): number {
  return firstWhere(low, high, (i) => corpus[suffixes[i]! + offset]! >= symbol);
}

export const SYMBOL_PAIRS = 256 * 256;

export function bucketsOf(corpus: Uint8Array, suffixes: Int32Array, buckets: Uint32Array): void {
  let from = 0;
  for (let first = 0; first < 256; first++) {
    const end = boundary(corpus, suffixes, from, suffixes.length, 0, first + 1);
    if (from === end) {
      buckets.fill(from, 256 * first, 256 * (first + 1));
      continue;
    }
    for (let second = 0; second < 256; second++) {
      buckets[256 * first + second] = from;
      from = boundary(corpus, suffixes, from, end, 1, second + 1);
    }
  }
  buckets[SYMBOL_PAIRS] = from;
}
