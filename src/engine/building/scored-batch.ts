/** The scores of the foods of a batch, and what their descriptions add to the index. */
import { composed, fold, growingNumbers, utf8Positions } from '#core';
import { nameOf } from '../order/food-name.ts';
import { popularityLevel, repeatedScore } from '../order/points.ts';
import type { Ranking } from '../order/ranking.ts';
import { putSymbols } from '../suffixes/alphabet.ts';
import { wordsOf } from '../words/asked-words.ts';
import { nameKeyOf } from '../words/name-keys.ts';
import { descriptionOf, type FoodBatch, otherNamesOf, room } from './food-batch.ts';
import type { LocalWords } from './local-words.ts';
import type { NameGroups } from './name-groups.ts';

/** Longer descriptions count as having this length when equal scores are ordered. */
export const MAX_ORDERED_LENGTH = 2 ** 15 - 1;

const MOST_NAME_WORDS = 255;

/** In the order of arrival; those of food i are from `firstX[i]` up to `firstX[i + 1]`. */
export interface BatchTexts {
  readonly text: Uint8Array;
  readonly firstSymbols: Uint32Array;
  /** For each word its position in its description, which MAX_DESCRIPTION keeps within two bytes, and its three scores. */
  readonly positions: Uint16Array;
  readonly scores: Uint8Array;
  readonly firstWords: Uint32Array;
}

export interface ScoredBatch {
  readonly staticScores: Uint8Array;
  /** For each food the length of its description, at most MAX_ORDERED_LENGTH. */
  readonly lengths: Uint16Array;
  /** Undefined once they are in the corpus. */
  readonly texts: BatchTexts | undefined;
  /** For each food its distinct words by the numbers of `LocalWords`, the best place of each, and how many its name has. */
  readonly postingWords: Uint32Array;
  readonly postingPlaces: Uint8Array;
  readonly firstPostings: Uint32Array;
  readonly nameWords: Uint8Array;
  /**
   * The keys of their other names, of food i from 2 × `firstNames[i]` on: what gives the bucket, then what is checked. If there are
   * none, both are empty.
   */
  readonly otherNames: Uint32Array;
  readonly firstNames: Uint32Array;
  readonly thread: number;
}

/** What depends on the foods of all batches: a second "Egg, raw" is a repeat, whichever batch has the first. */
export interface Neighbours extends NameGroups {
  /** The popularity of the most popular food. */
  readonly most: number;
}

const bytes = (length: number) => new Uint8Array(length);
const numbers = (length: number) => new Uint32Array(length);

/** Reused for all batches of a thread, as {@link room} is. */
const lists = {
  positions: growingNumbers(),
  scores: growingNumbers(),
  words: growingNumbers(),
  places: growingNumbers(),
  names: growingNumbers(),
};

/** The result is to be copied before the next call. */
export function scoredBatch(
  batch: FoodBatch,
  { isRepeat, sameName, most }: Neighbours,
  ranking: Ranking,
  localWords: LocalWords,
): Omit<ScoredBatch, 'texts' | 'thread'> & { texts: BatchTexts } {
  const { size, nameLengths, popularities } = batch;
  const lengths = new Uint16Array(size);
  const [staticScores, nameWords] = [bytes(size), bytes(size)];
  const [firstSymbols, firstWords] = [numbers(size + 1), numbers(size + 1)];
  const [firstPostings, firstNames] = [numbers(size + 1), numbers(size + 1)];
  for (const growing of Object.values(lists)) growing.clear();
  const { positions, scores: wordScores, names: otherNames, ...postings } = lists;
  const text = room(batch.textSize).subarray(0, batch.textSize);
  for (let i = 0; i < size; i++) {
    const description = composed(descriptionOf(batch, i));
    lengths[i] = Math.min(description.length, MAX_ORDERED_LENGTH);
    const name = nameOf(description, fold(description), nameLengths?.[i] ?? 0);
    const popularity = popularityLevel(popularities?.[i] ?? 0, most);
    const scores = ranking.scores(name, popularity, sameName[i]!);
    staticScores[i] = scores.staticScore;
    const byteOf = utf8Positions(name.folded);
    for (const { position, segmentEnd, wordEnd, inside } of scores.words) {
      positions.push(byteOf(position));
      const isNew = isRepeat[i] === 0;
      wordScores.push(isNew ? segmentEnd : repeatedScore(segmentEnd));
      wordScores.push(isNew ? wordEnd : repeatedScore(wordEnd));
      wordScores.push(isNew ? inside : repeatedScore(inside));
    }
    const others = otherNamesOf(batch, i).map(wordsOf);
    for (const words of others) {
      const { low, check } = nameKeyOf(words);
      otherNames.push(low);
      otherNames.push(check);
    }
    firstNames[i + 1] = otherNames.length / 2;
    nameWords[i] = Math.min(localWords.add(name, scores.places, postings, others), MOST_NAME_WORDS);
    firstSymbols[i + 1] = putSymbols(name.folded, text, firstSymbols[i]!);
    firstWords[i + 1] = positions.length;
    firstPostings[i + 1] = postings.words.length;
  }
  return {
    staticScores,
    lengths,
    texts: {
      text,
      firstSymbols,
      positions: new Uint16Array(positions.all),
      scores: new Uint8Array(wordScores.all),
      firstWords,
    },
    postingWords: postings.words.all,
    postingPlaces: new Uint8Array(postings.places.all),
    firstPostings,
    nameWords,
    otherNames: otherNames.all,
    firstNames: otherNames.length > 0 ? firstNames : numbers(0),
  };
}
