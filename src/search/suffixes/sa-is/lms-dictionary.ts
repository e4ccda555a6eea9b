/**
 * Names LMS substrings by rank with a dictionary: a hash table finds the distinct ones in one pass over the
 * text, and only these are sorted (multikey quicksort). Food descriptions have few: 6,000 among 25,000,000.
 * If there are many, or hashing or pivots turn out badly, it gives up, and induced sorting takes over.
 * Sources: section 3 of Nong, Zhang & Chan (2011), see ../suffix-array.ts; Bentley & Sedgewick, "Fast Algorithms
 * for Sorting and Searching Strings", 1997.
 * Cost: O(n + d log d) expected for d distinct substrings; no memory besides the suffix array to be.
 * Example: "nut|nut|nut|oat|" with "|" smallest has the LMS substrings |nut| |nut| |oa at|, so names 0 0 1 2.
 */
import { type LmsSet, previousLms, type Symbols, sameLmsSubstring } from './lms.ts';

/** If more than one substring in eight is new, induced sorting is as fast. */
const MIN_REPEATS = 8;
/** Below this, there is nothing to gain. */
const MIN_NAMES = 64;
/** Good pivots need about 3 log2(d) nested calls, at most 80 here. */
const MAX_NESTING = 128;

const SENTINEL = -1;

/**
 * Writes the name of each LMS substring, in the order of the text, to the last elements of sa, which is free
 * to use. Returns the number of different names, or 0 if it gave up.
 */
export function nameByDictionary(text: Symbols, lms: LmsSet, sa: Int32Array): number {
  const n = text.length;
  const { bits, size } = lms;
  const maxNames = Math.floor(size / MIN_REPEATS);
  if (maxNames < MIN_NAMES) return 0;
  // At most n / 2 positions are LMS: table (n / 4), slots (n / 16) and names (n / 2) do not meet within sa.
  const tableSize = 1 << (32 - Math.clz32(2 * maxNames - 1));
  const table = sa.subarray(0, tableSize).fill(0);
  const slots = sa.subarray(tableSize, tableSize + maxNames);
  const shift = Math.clz32(tableSize - 1);
  let distinct = 0;
  let probesLeft = 4 * size;
  let end = n;
  let start = n;
  for (let to = n - 1; to >= n - size; to--) {
    start = previousLms(bits, start);
    let slot = hashOf(text, start, Math.min(end, n - 1)) >>> shift;
    let known = table[slot]!;
    // 0 marks a free slot: position 0 has no left neighbour, so it is never LMS.
    while (known !== 0 && !sameLmsSubstring(text, bits, start, end, known)) {
      slot = (slot + 1) & (tableSize - 1);
      known = table[slot]!;
      probesLeft--;
    }
    if (known === 0) {
      if (distinct === maxNames || probesLeft < 0) return 0;
      table[slot] = start;
      slots[distinct++] = slot;
    }
    sa[to] = slot;
    end = start;
  }
  if (!sortSlots(text, table, slots, 0, distinct, 0, 0)) return 0;
  for (let rank = 0; rank < distinct; rank++) table[slots[rank]!] = rank;
  for (let i = n - size; i < n; i++) sa[i] = table[sa[i]!]!;
  return distinct;
}

/** A hash of the symbols from start to last; its upper bits are the best ones. */
function hashOf(text: Symbols, start: number, last: number): number {
  let h = last - start;
  for (let i = start; i <= last; i++) h = Math.imul(h ^ text[i]!, 0x9e3779b1) ^ (h >>> 15);
  return Math.imul(h, 0x9e3779b1);
}

/** Sorts slots[lo, hi), whose substrings agree in their first `depth` symbols; false if pivots were bad. */
function sortSlots(
  text: Symbols,
  table: Int32Array,
  slots: Int32Array,
  lo: number,
  hi: number,
  depth: number,
  nesting: number,
): boolean {
  while (hi - lo > 1) {
    if (nesting > MAX_NESTING) return false;
    const pivot = symbolAt(text, table[slots[lo + ((hi - lo) >> 1)]!]! + depth);
    let less = lo;
    let greater = hi;
    for (let i = lo; i < greater; ) {
      const slot = slots[i]!;
      const symbol = symbolAt(text, table[slot]! + depth);
      if (symbol < pivot) {
        slots[i++] = slots[less]!;
        slots[less++] = slot;
      } else if (symbol > pivot) {
        slots[i] = slots[--greater]!;
        slots[greater] = slot;
      } else {
        i++;
      }
    }
    if (!sortSlots(text, table, slots, lo, less, depth, nesting + 1)) return false;
    if (!sortSlots(text, table, slots, greater, hi, depth, nesting + 1)) return false;
    lo = less;
    hi = greater;
    depth++;
  }
  return true;
}

/**
 * There is no need to stop at the end of the substring: where two differ only in types, the symbols after them
 * differ too, so that suffixes have the order of the LMS substrings they start with.
 */
function symbolAt(text: Symbols, i: number): number {
  return i < text.length ? text[i]! : SENTINEL;
}
