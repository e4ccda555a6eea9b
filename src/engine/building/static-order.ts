/** The static order of the foods of all batches, and their texts in that order. */

import { END } from '../suffixes/alphabet.ts';
import { BLOCK_SIZE } from '../tree/bits.ts';
import { batchOf, indexInBatch } from './food-batch.ts';
import { MAX_ORDERED_LENGTH, type ScoredBatch } from './scored-batch.ts';

/** More than there are foods: each has at least two bytes of the corpus. */
const FOODS = 2 ** 29;

/** The foods, as numbered by their arrival: those of new names first; by static score, then length, then arrival. */
export function orderFoods(scored: readonly ScoredBatch[], isRepeat: Uint8Array): Uint32Array {
  // All in one number below 2^53, because sorting numbers is far faster than calling a comparison.
  const keys = new Float64Array(isRepeat.length);
  let food = 0;
  for (const { staticScores, lengths } of scored) {
    for (let i = 0; i < staticScores.length; i++, food++) {
      const rank = 256 * isRepeat[food]! + 255 - staticScores[i]!;
      keys[food] = (rank * (MAX_ORDERED_LENGTH + 1) + lengths[i]!) * FOODS + food;
    }
  }
  const order = new Uint32Array(keys.length);
  for (const [i, key] of keys.sort().entries()) order[i] = key % FOODS;
  return order;
}

/** The arrays that {@link gatherTexts} fills in. */
export interface OpenTexts {
  readonly corpus: Uint8Array;
  /** For each word where it begins, and its three scores. */
  readonly wordStarts: Int32Array;
  readonly wordScores: Uint8Array;
}

/** Copies all texts to the corpus, with the places and scores of their words. */
export function gatherTexts(
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  { corpus, wordStarts, wordScores }: OpenTexts,
): void {
  let at = 0;
  let word = 0;
  for (const food of order) {
    const i = indexInBatch(food);
    const { text, firstSymbols, positions, firstWords, scores } = scored[batchOf(food)]!.texts!;
    const [first, end] = [firstWords[i]!, firstWords[i + 1]!];
    for (let k = 3 * first; k < 3 * end; k++) wordScores[3 * word + k - 3 * first] = scores[k]!;
    for (let k = first; k < end; k++) wordStarts[word++] = at + positions[k]!;
    for (let k = firstSymbols[i]!; k < firstSymbols[i + 1]!; k++) corpus[at++] = text[k]!;
  }
}

export function fillBlocks({ corpus, blocks }: { corpus: Uint8Array; blocks: Uint32Array }): void {
  let food = 0;
  for (let position = 0; position < corpus.length; position += BLOCK_SIZE) {
    const block = 2 * (position / BLOCK_SIZE);
    const end = Math.min(position + BLOCK_SIZE, corpus.length);
    let ends = 0;
    blocks[block] = food;
    for (let k = position; k < end; k++) {
      if (corpus[k] !== END) continue;
      ends |= 1 << (k - position);
      food++;
    }
    blocks[block + 1] = ends;
  }
}
