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
  for (let i = 0; i < n; i++) {
    const next = sa[i]!;
    sa[i] = ~next;
    if (next <= 0) continue;
    const j = next - 1;
    const c = text[j]!;
    // A branch on text[j - 1] would be mispredicted often; the sign of the difference does without.
    sa[bucket[c]!++] = j === 0 ? 0 : j ^ ((text[j - 1]! - c) >> 31);
  }
}

/**
 * Here j > 0 has still to induce an S-type suffix; entries complemented are done and get their final value.
 */
function induceSTypes(text: Symbols, sa: Int32Array, counts: Int32Array, bucket: Int32Array): void {
  const n = text.length;
  setBucketEnds(counts, bucket);
  for (let i = n - 1; i >= 0; i--) {
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
