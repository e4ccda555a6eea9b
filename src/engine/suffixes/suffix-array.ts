/**
 * Suffix array of a byte text by SA-IS: LMS substrings (see induced-sorting.ts) get their rank as a name, recursion sorts
 * the suffixes of the string of names, and the LMS suffixes, thus sorted, induce the order of all others.
 * Source: Nong, Zhang & Chan, "Two Efficient Algorithms for Linear Time Suffix Array Construction", 2009-11.
 * Cost: O(n). Memory beyond text and result: n / 4 bytes at most, and up
 * to 4 n for buckets if most names differ. Example: "oat", "fat", "at" are the text oat|fat|at| with
 * byte 0 as |, its suffix array is 10 7 3 8 5 1 4 0 9 6 2, that is | |at| |fat|at| at| at|at| at|fat|at|
 * fat|at| oat|fat|at| t| t|at| t|fat|at|: the entries 8 5 1 are all places of "at".
 */
import {
  countSymbols,
  findLms,
  induceSuffixes,
  isLms,
  type LmsSet,
  nextLms,
  previousLms,
  type Symbols,
  sameLmsSubstring,
  setBucketEnds,
} from './induced-sorting.ts';

const BYTE_VALUES = 256;

/** The positions of all suffixes in order; a suffix that is a prefix of another comes first. */
export function suffixArray(text: Uint8Array): Int32Array {
  const sa = new Int32Array(text.length);
  sortInto(sa, text, BYTE_VALUES);
  return sa;
}

/** The same for a text with symbols below sigma, into an array of its length that is all 0. */
export function sortInto(sa: Int32Array, text: Symbols, sigma: number): void {
  induceOrder(text, sigma, sa, sa.subarray(0, 0));
}

/** Fills sa with the suffix array of a text with symbols below sigma; `room` is memory to use meanwhile. */
function induceOrder(text: Symbols, sigma: number, sa: Int32Array, room: Int32Array): void {
  const n = text.length;
  if (n === 0) return;
  const lms = findLms(text);
  const { bits, size } = lms;
  if (size > 0) {
    // Both the string of names and its suffix array fit into sa, because at most every other suffix is LMS.
    const reduced = sa.subarray(n - size);
    const reducedSa = sa.subarray(0, size);
    const names = nameSubstrings(text, lms, sigma, sa, room);
    if (names === size) {
      for (let i = 0; i < size; i++) reducedSa[reduced[i]!] = i;
    } else {
      induceOrder(reduced, names, reducedSa, sa.subarray(size, n - size));
    }
    // The names are no longer needed: from here on `reduced` has the positions that they named.
    for (let k = size - 1, i = n; k >= 0; k--) {
      i = previousLms(bits, i);
      reduced[k] = i;
    }
    for (let i = 0; i < size; i++) reducedSa[i] = reduced[reducedSa[i]!]!;
  }
  const [counts, bucket] = bucketArrays(text, sigma, room);
  spreadToBucketEnds(text, lms, sa, counts, bucket);
  induceSuffixes(text, sa, counts, bucket);
}

/**
 * Writes the name of each LMS substring, in the order of the text, to the last elements of sa, which is free to use: unsorted
 * LMS suffixes induce sorted LMS substrings. Returns the number of different names.
 */
function nameSubstrings(text: Symbols, lms: LmsSet, sigma: number, sa: Int32Array, room: Int32Array): number {
  const n = text.length;
  const { bits, size } = lms;
  const [counts, bucket] = bucketArrays(text, sigma, room);
  setBucketEnds(counts, bucket);
  sa.fill(0);
  for (let k = size, i = n; k > 0; k--) {
    i = previousLms(bits, i);
    sa[--bucket[text[i]!]!] = i;
  }
  induceSuffixes(text, sa, counts, bucket);
  let kept = 0;
  for (let i = 0; i < n; i++) {
    const start = sa[i]!;
    if (isLms(bits, start)) sa[kept++] = start;
  }
  // LMS positions are at least two apart, so half the position is a separate place after the sorted list.
  let names = 0;
  let previous = n;
  for (let i = 0; i < size; i++) {
    const start = sa[i]!;
    if (i === 0 || !sameLmsSubstring(text, bits, start, nextLms(bits, start), previous)) names++;
    sa[size + (start >> 1)] = names - 1;
    previous = start;
  }
  for (let to = n - 1, i = n; to >= n - size; to--) {
    i = previousLms(bits, i);
    sa[to] = sa[size + (i >> 1)]!;
  }
  return names;
}

/** Moves the sorted LMS suffixes from the front of sa to the ends of their buckets and clears all other entries. */
function spreadToBucketEnds(
  text: Symbols,
  lms: LmsSet,
  sa: Int32Array,
  counts: Int32Array,
  bucket: Int32Array,
): void {
  const n = text.length;
  // Counts per bucket, taken in the order of the text, save a random read of the text for each LMS suffix.
  bucket.fill(0);
  for (let k = lms.size, i = n; k > 0; k--) {
    i = previousLms(lms.bits, i);
    bucket[text[i]!]!++;
  }
  let from = lms.size;
  let to = n;
  let head = n;
  for (let c = counts.length - 1; c >= 0; c--) {
    head -= counts[c]!;
    for (let left = bucket[c]!; left > 0; left--) sa[--to] = sa[--from]!;
    while (to > head) sa[--to] = 0;
  }
}

/** The symbol counts of the text and a second array of that size, in `room` if they fit. */
function bucketArrays(text: Symbols, sigma: number, room: Int32Array): [Int32Array, Int32Array] {
  const memory = room.length >= 2 * sigma ? room : new Int32Array(2 * sigma);
  const counts = memory.subarray(0, sigma);
  countSymbols(text, counts);
  return [counts, memory.subarray(sigma, 2 * sigma)];
}
