/** The static order of the foods of all batches, and copies in that order. */
import { FNV_OFFSET, hashWith } from '../../text/fnv.ts';
import { BLOCK_SIZE } from '../collections/bits.ts';
import { END } from '../suffixes/alphabet.ts';
import { endsToken, NO_WORD, TokenKinds } from '../suffixes/token-kinds.ts';
import { BATCH_SIZE, type FoodBatch, SLOT_BITS } from './food-batch.ts';
import { MAX_ORDERED_LENGTH, type ScoredBatch } from './scored-batch.ts';
import type { Tokens } from './spread-suffixes.ts';

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
  /** From the first token of the part on. */
  readonly tokens: Tokens;
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

/** Copies the texts of a part to the corpus, splits them into tokens, and returns the kinds of these. */
export function gatherTexts(
  { scored, order }: CollectedFoods,
  { from, to, corpus, textStart, tokens: { starts, kinds, scores } }: TextsPart,
): Int32Array {
  const known = new TokenKinds(corpus);
  let at = textStart;
  let token = 0;
  for (let food = from; food < to; food++) {
    const slot = order[food]!;
    const index = indexInBatch(slot);
    const { text, firstSymbols, positions, firstWords, scores: wordScores } = scored[batchOf(slot)]!.texts!;
    const start = at;
    const last = firstSymbols[index + 1]!;
    for (let k = firstSymbols[index]!; k < last; k++) corpus[at++] = text[k]!;
    let word = firstWords[index]!;
    const lastWord = firstWords[index + 1]!;
    let tokenStart = start;
    let hash = FNV_OFFSET;
    for (let i = start; i < at; i++) {
      hash = hashWith(hash, corpus[i]!);
      if (!endsToken(corpus, i)) continue;
      // At most one word begins in each token.
      const next = word < lastWord ? start + positions[word]! : at;
      const offset = next <= i ? next - tokenStart : NO_WORD;
      kinds[token] = known.numberOf(tokenStart, i + 1 - tokenStart, offset, hash ^ offset);
      starts[token] = tokenStart;
      if (offset !== NO_WORD) {
        for (let end = 0; end < 3; end++) scores[3 * token + end] = wordScores[3 * word + end]!;
        word++;
      }
      token++;
      tokenStart = i + 1;
      hash = FNV_OFFSET;
    }
  }
  return known.rows.slice();
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
