/** The scores of the foods of a batch, and what their descriptions add to the index. */
import { composed, fold } from '../../text/fold.ts';
import { type FoodName, IN_BRACKETS, nameOf, textOf } from '../ranking/food-name.ts';
import { MOST_POPULAR, repeatedScore } from '../ranking/points.ts';
import type { Ranking } from '../ranking/ranking.ts';
import { END, SYMBOL_OF } from '../suffixes/alphabet.ts';
import type { Arena } from './arena.ts';
import { descriptionOf, type FoodBatch } from './food-batch.ts';
import type { NameGroups } from './name-groups.ts';

/** Longer descriptions count as having this length when equal scores are ordered. */
export const MAX_ORDERED_LENGTH = 2 ** 15 - 1;

const MOST_NAME_WORDS = 255;

/** In the order of arrival; those of food i are from `firstX[i]` up to `firstX[i + 1]`. */
interface BatchTexts {
  readonly text: Uint8Array;
  readonly firstSymbols: Uint32Array;
  /** For each word its position in its description, and its three scores. */
  readonly positions: Uint32Array;
  readonly scores: Uint8Array;
  readonly firstWords: Uint32Array;
}

export interface ScoredBatch {
  readonly staticScores: Uint8Array;
  /** For each food the length of its description, at most MAX_ORDERED_LENGTH. */
  readonly lengths: Uint16Array;
  /** For each food its popularity, from 0 to MOST_POPULAR; absent if none is known. */
  readonly popularities: Uint8Array | undefined;
  /** Undefined once they are in the corpus. */
  readonly texts: BatchTexts | undefined;
  /** For each food its distinct words by the numbers of `LocalWords`, the best place of each, and how many its name has. */
  readonly postingWords: Uint32Array;
  readonly postingPlaces: Uint8Array;
  readonly firstPostings: Uint32Array;
  readonly nameWords: Uint8Array;
  readonly thread: number;
}

/** What depends on the foods of all batches: a second "Egg, raw" is a repeat, whichever batch has the first. */
export interface Neighbours extends NameGroups {
  readonly mostPopular: number;
}

const bytes = (length: number) => new Uint8Array(length);
const numbers = (length: number) => new Uint32Array(length);

/** @param texts memory for the parts of texts; @param others for the rest, which is needed longer */
export function scoredBatch(
  batch: FoodBatch,
  { isRepeat, sameName, mostPopular }: Neighbours,
  ranking: Ranking,
  localWords: LocalWords,
  texts: Arena,
  others: Arena,
): Omit<ScoredBatch, 'thread'> {
  const { size, nameLengths } = batch;
  const lengths = new Uint16Array(size);
  const [staticScores, nameWords] = [bytes(size), bytes(size)];
  const [firstSymbols, firstWords, firstPostings] = [numbers(size + 1), numbers(size + 1), numbers(size + 1)];
  const text = Buffer.allocUnsafeSlow(batch.textSize);
  const positions: number[] = [];
  const wordScores: number[] = [];
  const postings: Postings = { words: [], places: [] };
  const popularities =
    batch.popularities && Uint8Array.from(batch.popularities, (each) => popularityLevel(each, mostPopular));
  for (let i = 0; i < size; i++) {
    const description = composed(descriptionOf(batch, i));
    lengths[i] = Math.min(description.length, MAX_ORDERED_LENGTH);
    const name = nameOf(description, fold(description), nameLengths?.[i] ?? 0);
    const scores = ranking.scores(name, popularities?.[i] ?? 0, sameName[i]!);
    staticScores[i] = scores.staticScore;
    const byteOf = bytePositions(name.folded);
    for (const { position, segmentEnd, wordEnd, inside } of scores.words) {
      positions.push(byteOf(position));
      for (const score of [segmentEnd, wordEnd, inside])
        wordScores.push(isRepeat[i] === 1 ? repeatedScore(score) : score);
    }
    nameWords[i] = Math.min(localWords.add(name, scores.places, postings), MOST_NAME_WORDS);
    firstSymbols[i + 1] = writeSymbols(name.folded, text, firstSymbols[i]!);
    firstWords[i + 1] = positions.length;
    firstPostings[i + 1] = postings.words.length;
  }
  return {
    staticScores: others.keep(staticScores),
    lengths: others.keep(lengths),
    popularities: popularities && others.keep(popularities),
    texts: {
      text: texts.keep(new Uint8Array(text.buffer)),
      firstSymbols: texts.keep(firstSymbols),
      positions: texts.keep(Uint32Array.from(positions)),
      scores: texts.keep(Uint8Array.from(wordScores)),
      firstWords: texts.keep(firstWords),
    },
    postingWords: others.keep(Uint32Array.from(postings.words)),
    postingPlaces: others.keep(Uint8Array.from(postings.places)),
    firstPostings: others.keep(firstPostings),
    nameWords: others.keep(nameWords),
  };
}

/** Writes a description and its END; returns the position after it. */
function writeSymbols(folded: string, text: Buffer, start: number): number {
  const end = start + text.write(folded, start);
  for (let at = start; at < end; at++) text[at] = SYMBOL_OF[text[at]!]!;
  text[end] = END;
  return end + 1;
}

/** From 0 (not popular, or not known) to MOST_POPULAR, by logarithm. @param most the highest popularity of all foods */
function popularityLevel(popularity: number, most: number): number {
  if (popularity === 0) return 0;
  return Math.max(1, Math.round((MOST_POPULAR * Math.log2(1 + popularity)) / Math.log2(1 + most)));
}

/** A popularity that gets this level again, if that of MOST_POPULAR is the highest. */
export const popularityOfLevel = (level: number): number => (1 + MOST_POPULAR) ** (level / MOST_POPULAR) - 1;

/** Converts positions in a text, requested in ascending order, to positions in its UTF-8. */
function bytePositions(text: string): (position: number) => number {
  if (Buffer.byteLength(text) === text.length) return (position) => position;
  let known = 0;
  let bytes = 0;
  return (position) => {
    bytes += Buffer.byteLength(text.slice(known, position));
    known = position;
    return bytes;
  };
}

interface Postings {
  readonly words: number[];
  readonly places: number[];
}

/** The words of the foods of one thread, numbered in the order of their first occurrence. */
export class LocalWords {
  readonly #numbers = new Map<string, number>();
  /** By the number of a word: how many foods have it, and the number of its last posting plus 1. */
  readonly #foods: number[] = [];
  readonly #last: number[] = [];
  #postings = 0;

  get texts(): string[] {
    return [...this.#numbers.keys()];
  }

  get foods(): Uint32Array {
    return Uint32Array.from(this.#foods);
  }

  /**
   * Adds the words of a food to the postings of its batch: for each distinct one its number, and its best place in the food.
   * Returns the number of distinct words in its name.
   */
  add({ folded, words }: FoodName, places: readonly number[], postings: Postings): number {
    const first = this.#postings;
    const begin = first - postings.words.length;
    let nameWords = 0;
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const number = this.#numberOf(textOf(folded, word));
      const known = this.#last[number]!;
      if (known > first) {
        const at = known - 1 - begin;
        postings.places[at] = Math.max(postings.places[at]!, places[i]!);
        continue;
      }
      postings.words.push(number);
      postings.places.push(places[i]!);
      this.#last[number] = ++this.#postings;
      this.#foods[number]!++;
      if (word.segment !== IN_BRACKETS) nameWords++;
    }
    return nameWords;
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#foods.push(0);
    this.#last.push(0);
    return number;
  }
}
