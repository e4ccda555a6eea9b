/**
 * Types of the suffixes of a text. Suffix i is S-type if it is smaller than suffix i + 1, else L-type; S-type
 * right behind L-type is LMS (leftmost S). An LMS substring runs from one LMS position to the next, both
 * included. The sentinel behind the text (position n) counts as LMS and is smaller than every symbol.
 * Source: section 2 of Nong, Zhang & Chan (2011), see ../suffix-array.ts.
 * Cost: one pass over the text, one bit per symbol.
 * Example: in "banana" the types are L S L S L L, so the LMS positions are 1, 3 and 6 (the sentinel).
 */

/** The bytes at the top, the names of LMS substrings in the recursion. */
export type Symbols = Uint8Array | Int32Array;

export interface LmsSet {
  /** Bit i & 31 of word i >> 5 tells whether position i is LMS. */
  readonly bits: Int32Array;
  /** How many there are, the sentinel not counted. */
  readonly size: number;
}

export function findLms(text: Symbols): LmsSet {
  const n = text.length;
  const bits = new Int32Array((n >> 5) + 1);
  let size = 0;
  let word = 0;
  let isS = 0;
  let right = text[n - 1]!;
  // Types follow each other too irregularly for branch prediction, so they are computed with sign bits only.
  for (let i = n - 1; i > 0; i--) {
    const left = text[i - 1]!;
    const leftIsGreater = (right - left) >>> 31;
    const leftIsSmaller = (left - right) >>> 31;
    const isLms = isS & leftIsGreater;
    isS = leftIsSmaller | (isS & (leftIsGreater ^ 1));
    size += isLms;
    word |= isLms << (i & 31);
    if ((i & 31) === 0) {
      bits[i >> 5] = word;
      word = 0;
    }
    right = left;
  }
  bits[0] = word;
  bits[n >> 5]! |= 1 << (n & 31);
  return { bits, size };
}

export function isLms(bits: Int32Array, i: number): boolean {
  return ((bits[i >> 5]! >>> (i & 31)) & 1) !== 0;
}

/** The greatest LMS position below i; there must be one. */
export function previousLms(bits: Int32Array, i: number): number {
  let at = i >> 5;
  let word = bits[at]! & ((1 << (i & 31)) - 1);
  while (word === 0) word = bits[--at]!;
  return (at << 5) + 31 - Math.clz32(word);
}

/** The least LMS position above i, for an i below the sentinel. */
export function nextLms(bits: Int32Array, i: number): number {
  let at = (i + 1) >> 5;
  let word = bits[at]! & (-1 << ((i + 1) & 31));
  while (word === 0) word = bits[++at]!;
  return (at << 5) + 31 - Math.clz32(word & -word);
}

/**
 * Whether the LMS substring from `start` to `end` also occurs at `other`. Equal symbols up to an LMS
 * position have equal types, so types need no comparison. The one with the sentinel at its end equals no
 * other.
 */
export function sameLmsSubstring(
  text: Symbols,
  bits: Int32Array,
  start: number,
  end: number,
  other: number,
): boolean {
  const otherEnd = other + end - start;
  if (end >= text.length || otherEnd >= text.length || !isLms(bits, otherEnd)) return false;
  for (let i = start, j = other; i <= end; i++, j++) {
    if (text[i] !== text[j]) return false;
  }
  return true;
}
