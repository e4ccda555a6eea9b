/** The static order of the foods of all batches, and copies in that order. */
import { BLOCK_SIZE } from '../collections/bits.ts';
import { END } from '../suffixes/alphabet.ts';
import { BATCH_SIZE, type FoodBatch, SLOT_BITS } from './food-batch.ts';
import { MAX_ORDERED_LENGTH, type ScoredBatch } from './scored-batch.ts';

/** More than there are slots: each food has at least two bytes of the corpus. */
const SLOTS = 2 ** 29;

export interface CollectedFoods {
  readonly batches: readonly FoodBatch[];
  readonly scored: readonly ScoredBatch[];
  readonly order: Uint32Array;
}

interface FoodPart {
  readonly from: number;
  readonly to: number;
}

export interface EntriesPart extends FoodPart {
  readonly entries: Uint8Array;
}

export interface TextsPart extends FoodPart {
  readonly corpus: Uint8Array;
  /** Where the texts of the part begin in the corpus. */
  readonly textStart: number;
  /** The number of its first word. */
  readonly firstWord: number;
  readonly wordStarts: Int32Array;
  readonly wordScores: Uint8Array;
}

export const batchOf = (slot: number): number => slot >>> SLOT_BITS;
export const indexInBatch = (slot: number): number => slot % BATCH_SIZE;

/** Fills in the order: the foods of new names first; by static score, then length, then arrival. */
export function orderFoods(
  scored: readonly ScoredBatch[],
  isRepeat: Uint8Array,
  order: Uint32Array,
): Uint32Array {
  // All in one number below 2^53, because sorting numbers is far faster than calling a comparison.
  const keys = new Float64Array(order.length);
  let food = 0;
  for (const [b, { staticScores, lengths }] of scored.entries()) {
    for (let i = 0; i < staticScores.length; i++) {
      const slot = (b << SLOT_BITS) + i;
      const rank = 256 * isRepeat[slot]! + 255 - staticScores[i]!;
      keys[food++] = (rank * (MAX_ORDERED_LENGTH + 1) + lengths[i]!) * SLOTS + slot;
    }
  }
  for (const [i, key] of keys.sort().entries()) order[i] = key % SLOTS;
  return order;
}

export function gatherEntries({ batches, order }: CollectedFoods, { from, to, entries }: EntriesPart): void {
  let at = 0;
  for (let food = from; food < to; food++) {
    const slot = order[food]!;
    const batch = batches[batchOf(slot)]!;
    const start = batch.entryStarts[indexInBatch(slot)]!;
    const end = batch.entryStarts[indexInBatch(slot) + 1]!;
    entries.set(batch.entries.subarray(start, end), at);
    at += end - start;
  }
}

/** Copies the texts of a part to the corpus, with the places and scores of their words. */
export function gatherTexts(
  { scored, order }: CollectedFoods,
  { from, to, corpus, textStart, firstWord, wordStarts, wordScores }: TextsPart,
): void {
  let at = textStart;
  let word = firstWord;
  for (let food = from; food < to; food++) {
    const slot = order[food]!;
    const i = indexInBatch(slot);
    const { text, firstSymbols, positions, firstWords, scores } = scored[batchOf(slot)]!.texts!;
    const [first, end] = [firstWords[i]!, firstWords[i + 1]!];
    for (let k = first; k < end; k++) wordStarts[word + k - first] = at + positions[k]!;
    for (let k = 3 * first; k < 3 * end; k++) wordScores[3 * word + k - 3 * first] = scores[k]!;
    word += end - first;
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
