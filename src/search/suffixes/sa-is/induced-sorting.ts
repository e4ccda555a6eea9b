/**
 * Induced sorting: from the LMS suffixes, placed in order at the ends of their buckets (a bucket per first
 * symbol), a scan from the left yields the order of the L-type suffixes and a scan from the right that of the
 * S-type ones: when suffix j comes up, suffix j - 1 goes to the next free place in its bucket.
 * Source: section 3 of Nong, Zhang & Chan (2011), see ../suffix-array.ts.
 * Cost: two scans of n entries with one random read of the text each; no memory beyond the buckets.
 * Example: in "banana" the LMS suffixes 3, 1 stand at the end of bucket "a". The left scan puts 5 before
 * them, then 0 into bucket "b" and 4, 2 into bucket "n"; the right scan places 1 and 3 again: 5 3 1 0 4 2.
 */
import type { Symbols } from './lms.ts';

/** Entries per round of `touchText`: few enough for the cache, many enough to overlap their reads. */
const BLOCK = 256;

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
 * position. The number returned means nothing: it keeps the compiler from dropping the reads of `touchText`.
 */
export function induceSuffixes(
  text: Symbols,
  sa: Int32Array,
  counts: Int32Array,
  bucket: Int32Array,
): number {
  return induceLTypes(text, sa, counts, bucket) | induceSTypes(text, sa, counts, bucket);
}

/**
 * An entry j > 0 has still to induce suffix j - 1, an L-type one; ~j stands for a suffix j with an S-type one
 * before it. The scan complements each entry it leaves, so that just the latter are positive in the scan from
 * the right.
 */
function induceLTypes(text: Symbols, sa: Int32Array, counts: Int32Array, bucket: Int32Array): number {
  const n = text.length;
  let touched = 0;
  setBucketHeads(counts, bucket);
  // The sentinel, first of all suffixes, induces the last one of the text.
  const last = text[n - 1]!;
  sa[bucket[last]!++] = n > 1 && text[n - 2]! < last ? ~(n - 1) : n - 1;
  for (let from = 0; from < n; from += BLOCK) {
    const to = Math.min(n, from + BLOCK);
    touched |= touchText(text, sa, from, to);
    for (let i = from; i < to; i++) {
      const next = sa[i]!;
      sa[i] = ~next;
      if (next <= 0) continue;
      const j = next - 1;
      const c = text[j]!;
      // A branch on text[j - 1] would be mispredicted often; the sign of the difference does without.
      sa[bucket[c]!++] = j === 0 ? 0 : j ^ ((text[j - 1]! - c) >> 31);
    }
  }
  return touched;
}

/**
 * Here j > 0 has still to induce an S-type suffix; entries complemented are done and get their final value.
 */
function induceSTypes(text: Symbols, sa: Int32Array, counts: Int32Array, bucket: Int32Array): number {
  const n = text.length;
  let touched = 0;
  setBucketEnds(counts, bucket);
  for (let to = n; to > 0; to -= BLOCK) {
    const from = Math.max(0, to - BLOCK);
    touched |= touchText(text, sa, from, to);
    for (let i = to - 1; i >= from; i--) {
      const next = sa[i]!;
      if (next <= 0) {
        sa[i] = ~next;
        continue;
      }
      const j = next - 1;
      const c = text[j]!;
      sa[--bucket[c]!] = j === 0 ? ~j : j ^ ((c - text[j - 1]!) >> 31);
    }
  }
  return touched;
}

/**
 * Brings the symbols that the next entries need into the cache. Nothing depends on the reads here, so
 * the processor overlaps them better than in the scans, which then take a quarter less time.
 */
function touchText(text: Symbols, sa: Int32Array, from: number, to: number): number {
  let touched = 0;
  for (let i = from; i < to; i++) {
    const next = sa[i]!;
    touched |= text[next & ~(next >> 31)]!;
  }
  return touched;
}
