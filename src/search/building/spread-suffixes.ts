/**
 * Derives the order of all suffixes of a corpus from its sorted tokens. It visits the suffixes that begin with a token in their
 * order, and for each of them appends every suffix that begins inside the token before it to the group of that token's end.
 *
 * Cost: one pass over the tokens, each with a few random reads and a write for each of its symbols. Parts of the sorted
 * tokens are independent as soon as their ends are counted.
 */

import { sortInto } from '../suffixes/suffix-array.ts';
import type { TokenDictionary } from '../suffixes/token-dictionary.ts';
import { NO_WORD } from '../suffixes/token-kinds.ts';

/** Tokens that are looked up at once, so that their independent loads overlap. */
const ROUND = 256;

export interface Tokens {
  readonly starts: Uint32Array;
  readonly kinds: Int32Array;
  /** The three scores of the word that begins in each, 0 if none does. */
  readonly scores: Uint8Array;
}

interface SortedPart {
  /** All tokens, by their numbers, in the order of the suffixes that begin with them. */
  readonly sorted: Int32Array;
  readonly from: number;
  readonly to: number;
}

export interface SuffixSections {
  readonly wordSuffixes: Int32Array;
  readonly segmentEndScores: Uint8Array;
  readonly wordEndScores: Uint8Array;
  readonly insideScores: Uint8Array;
  readonly innerSuffixes: Int32Array;
}

/** Where the next suffix of each group goes. */
interface GroupPlaces {
  readonly words: Uint32Array;
  readonly inner: Uint32Array;
}

/** Sorts all tokens, of these kinds, in the order of the suffixes that begin with them. */
export function sortTokens({
  kinds,
  dictionary: { rankOf, ranks },
  sorted,
}: {
  kinds: Int32Array;
  dictionary: Pick<TokenDictionary, 'rankOf' | 'ranks'>;
  sorted: Int32Array;
}): void {
  const text = new Int32Array(kinds.length);
  for (let token = 0; token < text.length; token++) text[token] = rankOf[kinds[token]!]!;
  sortInto(sorted, text, ranks);
}

/** How many tokens of each kind precede those of a part. The last token precedes the end, the first suffix of all. */
export function countKindsBefore({
  part: { sorted, from, to },
  kinds,
  size,
}: {
  part: SortedPart;
  kinds: Int32Array;
  size: number;
}): Int32Array {
  const counts = new Int32Array(size);
  if (from === 0 && kinds.length > 0) counts[kinds.at(-1)!]!++;
  for (let i = from; i < to; i++) {
    const token = sorted[i]!;
    if (token > 0) counts[kinds[token - 1]!]!++;
  }
  return counts;
}

/** For each part where its suffixes go. @param counts of each part */
export function groupPlaces(dictionary: TokenDictionary, counts: readonly Int32Array[]): GroupPlaces[] {
  const { firstEnds, groupOf, groups, words } = dictionary;
  const places = counts.map((kinds): GroupPlaces => {
    const place = { words: new Uint32Array(groups), inner: new Uint32Array(groups) };
    for (let kind = 0; kind < kinds.length; kind++) {
      const first = firstEnds[kind]!;
      const word = words[kind] === NO_WORD ? NO_WORD : first + words[kind]!;
      for (let end = first; end < firstEnds[kind + 1]!; end++)
        (end === word ? place.words : place.inner)[groupOf[end]!]! += kinds[kind]!;
    }
    return place;
  });
  const sums = { words: 0, inner: 0 };
  for (let group = 0; group < groups; group++) {
    for (const part of places) {
      for (const kind of ['words', 'inner'] as const) {
        const count = part[kind][group]!;
        part[kind][group] = sums[kind];
        sums[kind] += count;
      }
    }
  }
  return places;
}

export function spreadSuffixes({
  part: { sorted, from, to },
  tokens,
  dictionary,
  places,
  sections,
}: {
  part: SortedPart;
  tokens: Tokens;
  dictionary: TokenDictionary;
  places: GroupPlaces;
  sections: SuffixSections;
}): void {
  const { starts, kinds, scores } = tokens;
  const { firstEnds, groupOf, words } = dictionary;
  const { words: nextWord, inner: nextInner } = places;
  const { wordSuffixes, segmentEndScores, wordEndScores, insideScores, innerSuffixes } = sections;
  const before = new Int32Array(ROUND);
  const kindOf = new Int32Array(ROUND);
  const startOf = new Uint32Array(ROUND);
  // One more place in front, for the last token.
  for (let round = from === 0 ? -1 : from; round < to; round += ROUND) {
    const end = Math.min(to, round + ROUND);
    let count = 0;
    for (let i = round; i < end; i++) {
      const token = (i < 0 ? kinds.length : sorted[i]!) - 1;
      if (token >= 0) before[count++] = token;
    }
    for (let i = 0; i < count; i++) {
      kindOf[i] = kinds[before[i]!]!;
      startOf[i] = starts[before[i]!]!;
    }
    for (let i = 0; i < count; i++) {
      const kind = kindOf[i]!;
      const first = firstEnds[kind]!;
      const ends = firstEnds[kind + 1]! - first;
      const word = words[kind]!;
      const start = startOf[i]!;
      for (let k = 0; k < ends; k++) {
        const group = groupOf[first + k]!;
        if (k !== word) {
          innerSuffixes[nextInner[group]!++] = start + k;
          continue;
        }
        const place = nextWord[group]!++;
        const score = 3 * before[i]!;
        wordSuffixes[place] = start + k;
        segmentEndScores[place] = scores[score]!;
        wordEndScores[place] = scores[score + 1]!;
        insideScores[place] = scores[score + 2]!;
      }
    }
  }
}
