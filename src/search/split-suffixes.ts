/**
 * Splits the sorted suffixes of a corpus into those that begin with a word, each with its scores, and all others.
 */
import { RankedBits } from './collections/bits.ts';
import { END } from './suffixes/alphabet.ts';
import type { SortedSuffixes } from './suffixes/suffix-range.ts';

/** Suffixes whose kind is looked up at once. */
const ROUND = 512;

/**
 * @param foods their number, which is that of the ENDs
 * @param wordPositions where words begin, ascending
 * @param scores three for each word, in that order
 */
export function splitSuffixes(
  corpus: Uint8Array,
  suffixes: Int32Array,
  foods: number,
  wordPositions: Uint32Array,
  scores: Uint8Array,
) {
  const isWord = new RankedBits(corpus.length, wordPositions);
  const words = new Int32Array(wordPositions.length);
  const [segmentEndScores, wordEndScores, insideScores] = [0, 1, 2].map(
    () => new Uint8Array(words.length),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  let word = 0;
  let inner = 0;
  // In rounds: the loads of the first loop depend neither on each other nor on the branches of the second.
  const isWordOf = new Uint8Array(ROUND);
  for (let start = 0; start < suffixes.length; start += ROUND) {
    const end = Math.min(suffixes.length, start + ROUND);
    for (let i = start; i < end; i++) isWordOf[i - start] = isWord.has(suffixes[i]!);
    for (let i = start; i < end; i++) {
      const position = suffixes[i]!;
      if (isWordOf[i - start] === 1) {
        const from = 3 * isWord.rank(position);
        segmentEndScores[word] = scores[from]!;
        wordEndScores[word] = scores[from + 1]!;
        insideScores[word] = scores[from + 2]!;
        words[word++] = position;
      } else if (i >= foods) {
        // Those before are the ENDs, one for each food. What is written is never ahead of what is read.
        suffixes[inner++] = position;
      }
    }
  }
  return {
    words: withBuckets(corpus, words, (position) => isWord.has(position) === 1),
    segmentEndScores,
    wordEndScores,
    insideScores,
    inner: withBuckets(
      corpus,
      suffixes.slice(0, inner),
      (position) => corpus[position] !== END && isWord.has(position) === 0,
    ),
  };
}

function withBuckets(
  corpus: Uint8Array,
  suffixes: Int32Array,
  isMember: (position: number) => boolean,
): SortedSuffixes {
  const buckets = new Uint32Array(256 * 256 + 1);
  for (let position = 0; position < corpus.length; position++) {
    if (isMember(position)) buckets[256 * corpus[position]! + corpus[position + 1]! + 1]!++;
  }
  for (let i = 1; i < buckets.length; i++) buckets[i]! += buckets[i - 1]!;
  return { suffixes, buckets };
}
