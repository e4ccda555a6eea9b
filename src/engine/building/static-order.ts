/** The static order of the foods of all batches, and their texts in that order. */

import { type BatchTexts, MAX_ORDERED_LENGTH, type ScoredBatch } from './scored-batch.ts';

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

/** The arrays that {@link placeTexts} fills in. */
export interface OpenTexts {
  readonly corpus: Uint8Array;
  /** For each word where it begins, and its three scores. */
  readonly wordStarts: Int32Array;
  readonly wordScores: Uint8Array;
}

/** For each food, in the order of arrival, where its text begins in the corpus, and the number of its first word. */
export interface TextPlaces {
  readonly symbols: Uint32Array;
  readonly words: Uint32Array;
}

/** Fills in the places of all texts. */
export function findPlaces(
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  { symbols, words }: TextPlaces,
): void {
  // Their lengths first, batch by batch: looked up in the batches in the order of the foods, they would take three times as long.
  let arrived = 0;
  for (const { texts } of scored) {
    const { firstSymbols, firstWords } = texts!;
    for (let i = 0; i < firstSymbols.length - 1; i++, arrived++) {
      symbols[arrived] = firstSymbols[i + 1]! - firstSymbols[i]!;
      words[arrived] = firstWords[i + 1]! - firstWords[i]!;
    }
  }
  let symbol = 0;
  let word = 0;
  for (let i = 0; i < order.length; i++) {
    const food = order[i]!;
    const [length, count] = [symbols[food]!, words[food]!];
    symbols[food] = symbol;
    words[food] = word;
    symbol += length;
    word += count;
  }
}

/** Copies the texts of a batch to the corpus, with the places and scores of their words. */
export function placeTexts({
  texts: { text, firstSymbols, positions, firstWords, scores },
  places,
  open: { corpus, wordStarts, wordScores },
}: {
  texts: BatchTexts;
  places: TextPlaces;
  open: OpenTexts;
}): void {
  for (const [i, at] of places.symbols.entries()) {
    const [first, end] = [firstWords[i]!, firstWords[i + 1]!];
    const word = places.words[i]! - first;
    for (let k = first; k < end; k++) wordStarts[word + k] = at + positions[k]!;
    for (let k = 3 * first; k < 3 * end; k++) wordScores[3 * word + k] = scores[k]!;
    const shift = at - firstSymbols[i]!;
    for (let k = firstSymbols[i]!; k < firstSymbols[i + 1]!; k++) corpus[shift + k] = text[k]!;
  }
}
