/**
 * Sorts the suffixes of a corpus one by one, and splits them into those that begin with a word, each with its scores, and all
 * others. For corpora with too many or too similar tokens to sort these first (`spread-suffixes.ts`).
 */
import { RankedBits } from '../collections/bits.ts';
import { suffixArray } from '../suffixes/suffix-array.ts';
import type { SuffixSections } from './spread-suffixes.ts';

interface Corpus {
  readonly corpus: Uint8Array;
  /** Where words begin, ascending. */
  readonly wordPositions: Uint32Array;
  /** Three for each word, in that order. */
  readonly scores: Uint8Array;
  readonly sections: SuffixSections;
}

export function splitSuffixes({ corpus, wordPositions, scores, sections }: Corpus): void {
  const suffixes = suffixArray(corpus);
  const isWord = new RankedBits(corpus.length, wordPositions);
  const { wordSuffixes, segmentEndScores, wordEndScores, insideScores, innerSuffixes } = sections;
  let word = 0;
  let inner = 0;
  const ends = suffixes.length - innerSuffixes.length - wordSuffixes.length;
  for (let i = ends; i < suffixes.length; i++) {
    const position = suffixes[i]!;
    if (isWord.has(position) === 0) {
      innerSuffixes[inner++] = position;
      continue;
    }
    const from = 3 * isWord.rank(position);
    segmentEndScores[word] = scores[from]!;
    wordEndScores[word] = scores[from + 1]!;
    insideScores[word] = scores[from + 2]!;
    wordSuffixes[word++] = position;
  }
}
