/** The suffixes of a corpus in their order, divided into those that begin a word and all others. */
import { RankedBits } from './bits.ts';
import { sortInto } from './suffix-array.ts';
import { sortByWords } from './word-tails.ts';

export interface OpenSuffixes {
  readonly corpus: Uint8Array;
  readonly foods: number;
  /** Where the words of the corpus begin, ascending; used up. */
  readonly wordStarts: Int32Array;
  /** The three scores of each. */
  readonly wordScores: Uint8Array;
  /** As many as the corpus is long: receives the suffixes inside words, then those that begin one. */
  readonly suffixes: Int32Array;
  /** Receives the scores of those that begin a word: the first scores of all, then the second ones, then the third. */
  readonly scores: Uint8Array;
}

const SYMBOLS = 256;

export function sortSuffixes({
  corpus,
  foods,
  wordStarts,
  wordScores,
  suffixes,
  scores,
}: OpenSuffixes): void {
  const isWord = new RankedBits(corpus.length, wordStarts);
  // The memory of the results is free until then.
  const room = {
    order: new Int32Array(wordStarts.buffer),
    before: new Uint16Array(scores.buffer, 0, scores.length >> 1),
  };
  let ranges = sortByWords(suffixes, corpus, wordStarts, room);
  if (ranges === undefined) {
    sortInto(suffixes, corpus, SYMBOLS);
    ranges = [foods, suffixes.length];
  }
  let inner = 0;
  let words = 0;
  // The first of all are the ends of the descriptions.
  let at = foods;
  for (let range = 0; range < ranges.length; range += 2) {
    while (at < ranges[range]!) suffixes[inner++] = suffixes[at++]!;
    for (const end = ranges[range + 1]!; at < end; at++) {
      const position = suffixes[at]!;
      // A branch would be mispredicted often. What follows the last one is not kept.
      wordStarts[words] = position;
      suffixes[inner] = position;
      words += isWord.has(position);
      inner = at + 1 - foods - words;
    }
  }
  while (at < suffixes.length) suffixes[inner++] = suffixes[at++]!;
  suffixes.set(wordStarts, inner);
  for (let word = 0; word < words; word++) {
    const score = 3 * isWord.rank(wordStarts[word]!);
    scores[word] = wordScores[score]!;
    scores[words + word] = wordScores[score + 1]!;
    scores[2 * words + word] = wordScores[score + 2]!;
  }
}
