/**
 * The scores of the foods of a batch, and what their descriptions add to the index.
 */
import { composed, fold } from '../../text/fold.ts';
import { GrowingArray } from '../collections/growing-array.ts';
import { type FoodName, nameOf } from '../ranking/food-name.ts';
import { MOST_POPULAR, repeatedScore } from '../ranking/points.ts';
import type { NameScores, Ranking } from '../ranking/ranking.ts';
import { END, SYMBOL_OF } from '../suffixes/alphabet.ts';
import { endsToken } from '../suffixes/token-kinds.ts';
import type { Arena } from './arena.ts';
import { descriptionOf, type FoodBatch } from './food-batch.ts';
import type { LocalWords, Postings } from './local-words.ts';
import type { NameGroups } from './name-groups.ts';

/** Longer descriptions count as having this length when equal scores are ordered. */
export const MAX_ORDERED_LENGTH = 2 ** 15 - 1;

const MOST_NAME_WORDS = 255;

/** In the order of arrival; those of food i are from `firstX[i]` up to `firstX[i + 1]`. */
interface BatchTexts {
  /** The symbols of the descriptions, with their ENDs. */
  readonly text: Uint8Array;
  readonly firstSymbols: Uint32Array;
  /** For each food the number of tokens in its description. */
  readonly tokens: Uint32Array;
  /** For each word its position in its description, and its three scores. */
  readonly positions: Uint32Array;
  readonly scores: Uint8Array;
  readonly firstWords: Uint32Array;
}

/** In the order of arrival, likewise. */
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
  /** The thread whose numbers they are. */
  readonly thread: number;
}

/** What depends on the foods of all batches: a second "Egg, raw" is a repeat, whichever batch has the first. */
export interface Neighbours extends NameGroups {
  /** The highest popularity of all foods. */
  readonly mostPopular: number;
}

const bytes = (length: number) => new Uint8Array(length);
const numbers = (length: number) => new Uint32Array(length);

export class BatchScorer {
  readonly #batch: FoodBatch;
  readonly #neighbours: Neighbours;
  readonly #ranking: Ranking;
  readonly #localWords: LocalWords;
  readonly #text: Buffer;
  readonly #firstSymbols: Uint32Array;
  readonly #positions = new GrowingArray(numbers);
  readonly #scores = new GrowingArray(bytes);
  readonly #postings: Postings = { words: [], places: [] };

  constructor(batch: FoodBatch, neighbours: Neighbours, ranking: Ranking, localWords: LocalWords) {
    this.#batch = batch;
    this.#neighbours = neighbours;
    this.#ranking = ranking;
    this.#localWords = localWords;
    this.#text = Buffer.allocUnsafeSlow(batch.textSize);
    this.#firstSymbols = numbers(batch.size + 1);
  }

  /** @param texts memory for the parts of texts; @param others for the rest, which is needed longer */
  score(thread: number, texts: Arena, others: Arena): ScoredBatch {
    const { size, nameLengths } = this.#batch;
    const lengths = new Uint16Array(size);
    const [staticScores, nameWords] = [bytes(size), bytes(size)];
    const [tokens, firstWords, firstPostings] = [numbers(size), numbers(size + 1), numbers(size + 1)];
    const popularities = this.#popularities();
    for (let i = 0; i < size; i++) {
      const description = composed(descriptionOf(this.#batch, i));
      lengths[i] = Math.min(description.length, MAX_ORDERED_LENGTH);
      const name = nameOf(description, fold(description), nameLengths?.[i] ?? 0);
      const scores = this.#ranking.scores(name, popularities?.[i] ?? 0, this.#neighbours.sameName[i]!);
      staticScores[i] = scores.staticScore;
      this.#addWords(name, scores, this.#neighbours.isRepeat[i] === 1);
      nameWords[i] = Math.min(this.#localWords.add(name, scores.places, this.#postings), MOST_NAME_WORDS);
      tokens[i] = this.#addText(name.folded, i);
      firstWords[i + 1] = this.#positions.length;
      firstPostings[i + 1] = this.#postings.words.length;
    }
    return {
      staticScores: others.keep(staticScores),
      lengths: others.keep(lengths),
      popularities: popularities && others.keep(popularities),
      texts: {
        text: texts.keep(new Uint8Array(this.#text.buffer)),
        firstSymbols: texts.keep(this.#firstSymbols),
        tokens: texts.keep(tokens),
        positions: texts.keep(this.#positions.view()),
        scores: texts.keep(this.#scores.view()),
        firstWords: texts.keep(firstWords),
      },
      postingWords: others.keep(Uint32Array.from(this.#postings.words)),
      postingPlaces: others.keep(Uint8Array.from(this.#postings.places)),
      firstPostings: others.keep(firstPostings),
      nameWords: others.keep(nameWords),
      thread,
    };
  }

  #popularities(): Uint8Array | undefined {
    const { popularities } = this.#batch;
    const { mostPopular } = this.#neighbours;
    return popularities && Uint8Array.from(popularities, (each) => popularityLevel(each, mostPopular));
  }

  #addWords({ folded }: FoodName, { words }: NameScores, isRepeat: boolean): void {
    const byteOf = bytePositions(folded);
    const push = (score: number): void => this.#scores.push(isRepeat ? repeatedScore(score) : score);
    for (const word of words) {
      this.#positions.push(byteOf(word.position));
      push(word.segmentEnd);
      push(word.wordEnd);
      push(word.inside);
    }
  }

  /** Returns the number of its tokens. */
  #addText(folded: string, index: number): number {
    const text = this.#text;
    const start = this.#firstSymbols[index]!;
    const end = start + text.write(folded, start);
    for (let at = start; at < end; at++) text[at] = SYMBOL_OF[text[at]!]!;
    text[end] = END;
    this.#firstSymbols[index + 1] = end + 1;
    let tokens = 0;
    for (let at = start; at <= end; at++) if (endsToken(text, at)) tokens++;
    return tokens;
  }
}

/** From 0 (not popular, or not known) to MOST_POPULAR, by logarithm. @param most the highest popularity of all foods */
function popularityLevel(popularity: number, most: number): number {
  if (popularity === 0) return 0;
  return Math.max(1, Math.round((MOST_POPULAR * Math.log2(1 + popularity)) / Math.log2(1 + most)));
}

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
