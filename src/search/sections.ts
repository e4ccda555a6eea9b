/**
 * What an index is made of: typed arrays and nothing else, so that it can be written to a file and read back
 * as it is. `n` is the length of the text, `f` the number of foods, in their static order: the best food by
 * itself is number 0.
 */
import { populationCount } from './bits.ts';

/** Bytes of text per pair of `blocks`: a bit each in a number. */
export const BLOCK_SIZE = 32;
const BLOCK_BITS = Math.log2(BLOCK_SIZE);

/** The suffixes that begin at certain positions, in order. */
export interface SuffixSections {
  /** Positions in the text. */
  readonly suffixes: Int32Array;
  /** For two symbols a, b: entries [buckets[256 a + b], buckets[256 a + b + 1]) of `suffixes` begin with them. */
  readonly buckets: Uint32Array;
}

/**
 * Bytes behind the entries, in the same buffer, where answers are put together: copies within one buffer need no
 * objects. An answer of 100 entries has 16 KB mostly; larger ones than this take the longer way.
 */
export const ANSWER_ROOM = 256 * 1024;

/** Bytes that have ANSWER_ROOM behind them in their buffer. */
export function bytesWithRoom(length: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(length + ANSWER_ROOM), 0, length);
}

export interface IndexSections {
  /** The folded descriptions as symbols (see `alphabet.ts`), each followed by END. */
  readonly text: Uint8Array;
  /** For each 32 positions of the text two numbers: the food to which the first belongs, and which of them are END. */
  readonly blocks: Uint32Array;
  /** The JSON of all entries, one behind the other, with room behind (`bytesWithRoom`). */
  readonly entries: Uint8Array;
  /** f + 1 positions in `entries`. */
  readonly entryStarts: Uint32Array;
  /** Suffixes that begin with a word. */
  readonly words: SuffixSections;
  /** For each entry of `words.suffixes` its score, less SCORE_MIN, for the three ends of a match. */
  readonly segmentEndScores: Uint8Array;
  readonly wordEndScores: Uint8Array;
  readonly insideScores: Uint8Array;
  /** All other suffixes, but those that begin with END. */
  readonly inner: SuffixSections;
}

/** The number of the food to which a position of the text belongs. */
export function foodAt(blocks: Uint32Array, position: number): number {
  const block = 2 * (position >>> BLOCK_BITS);
  const endsBefore = blocks[block + 1]! & ((1 << (position % BLOCK_SIZE)) - 1);
  return blocks[block]! + populationCount(endsBefore);
}
