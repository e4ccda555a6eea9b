/**
 * The two parts of SA-IS (`suffix-array.ts`): types of suffixes, and induced sorting. Section 2 and 3 of Nong, Zhang & Chan (2011).
 *
 * Suffix i is S-type if it is smaller than suffix i + 1, else L-type; S-type right behind L-type is LMS (leftmost S). An LMS
 * substring runs from one LMS position to the next, both included. The sentinel behind the text (position n) counts as LMS and
 * is smaller than every symbol. In "banana" the types are L S L S L L, so the LMS positions are 1, 3 and 6 (the sentinel).
 *
 * From the LMS suffixes, placed in order at the ends of their buckets (a bucket per first symbol), a scan from the left yields
 * the order of the L-type suffixes and a scan from the right that of the S-type ones: when suffix j comes up, suffix j - 1 goes to
 * the next free place in its bucket. In "banana" the LMS suffixes 3, 1 stand at the end of bucket "a". The left scan puts 5
 * before them, then 0 into bucket "b" and 4, 2 into bucket "n"; the right scan places 1 and 3 again: 5 3 1 0 4 2.
 *
 * Cost: a pass over the text and one bit per symbol; two scans of n entries with one random read of the text each.
 */

/** The bytes at the top, the names of LMS substrings in the recursion. */
export type Symbols = Uint8Array | Int32Array;

export interface LmsSet {
  /** Bit i & 31 of word i >> 5 tells whether position i is LMS. */
  readonly bits: Int32Array;
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

export function countSymbols(text: Symbols, counts: Int32Array): void {
  const n = text.length;
  counts.fill(0);
  for (let i = 0; i < n; i++) counts[text[i]!]!++;
}

function setBucketHeads(counts: Int32Array, bucket: Int32Array): void {
  let sum = 0;
  for (let c = 0; c < counts.length; c++) {
    bucket[c] = sum;
    sum += counts[c]!;
  }
}

export function setBucketEnds(counts: Int32Array, bucket: Int32Array): void {
  let sum = 0;
  for (let c = 0; c < counts.length; c++) {
    sum += counts[c]!;
    bucket[c] = sum;
  }
}

/**
 * Sorts all suffixes. At entry sa holds the LMS positions at the ends of their buckets, and 0 elsewhere. If
 * these are in arbitrary order within their bucket, the order takes account of the symbols up to the next LMS
 * position.
 */
export function induceSuffixes(text: Symbols, sa: Int32Array, counts: Int32Array, bucket: Int32Array): void {
  induceLTypes(text, sa, counts, bucket);
  induceSTypes(text, sa, counts, bucket);
}

/**
 * An entry j > 0 has still to induce suffix j - 1, an L-type one; ~j stands for a suffix j with an S-type one
 * before it. The scan complements each entry it leaves, so that just the latter are positive in the scan from
 * the right.
 */
function induceLTypes(text: Symbols, sa: Int32Array, counts: Int32Array, bucket: Int32Array): void {
  const n = text.length;
  setBucketHeads(counts, bucket);
  // The sentinel, first of all suffixes, induces the last one of the text.
  const last = text[n - 1]!;
  sa[bucket[last]!++] = n > 1 && text[n - 2]! < last ? ~(n - 1) : n - 1;
  for (let from = 0; from < n; from += ROUND) {
    const end = Math.min(n, from + ROUND);
    for (let i = from; i < end; i++) lookAhead(text, sa[i]!, i - from);
    for (let i = from; i < end; i++) {
      const next = sa[i]!;
      sa[i] = ~next;
      if (next <= 0) continue;
      const j = next - 1;
      const c = symbols[i - from]!;
      // A branch on the symbol before would be mispredicted often; the sign of the difference does without.
      const induced = j === 0 ? 0 : j ^ ((symbolsBefore[i - from]! - c) >> 31);
      const place = bucket[c]!++;
      sa[place] = induced;
      if (place < end) lookAhead(text, induced, place - from);
    }
  }
}

/** Here j > 0 has still to induce an S-type suffix; entries complemented are done and get their final value. */
function induceSTypes(text: Symbols, sa: Int32Array, counts: Int32Array, bucket: Int32Array): void {
  setBucketEnds(counts, bucket);
  for (let end = text.length; end > 0; end -= ROUND) {
    const from = Math.max(0, end - ROUND);
    for (let i = from; i < end; i++) lookAhead(text, sa[i]!, i - from);
    for (let i = end - 1; i >= from; i--) {
      const next = sa[i]!;
      if (next <= 0) {
        sa[i] = ~next;
        continue;
      }
      const j = next - 1;
      const c = symbols[i - from]!;
      const induced = j === 0 ? ~j : j ^ ((c - symbolsBefore[i - from]!) >> 31);
      const place = --bucket[c]!;
      sa[place] = induced;
      if (place >= from) lookAhead(text, induced, place - from);
    }
  }
}

/** Entries whose symbols are read ahead, so that their cache misses overlap. */
const ROUND = 1024;
const symbols = new Int32Array(ROUND);
const symbolsBefore = new Int32Array(ROUND);

/** Reads the symbol that an entry induces by, and the one before it; any if it induces nothing. */
function lookAhead(text: Symbols, next: number, at: number): void {
  const j = Math.max(next, 1) - 1;
  symbols[at] = text[j]!;
  symbolsBefore[at] = text[Math.max(j, 1) - 1]!;
}
