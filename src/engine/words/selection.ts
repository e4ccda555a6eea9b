/**
 * Selects the postings that a search reads, from the counts of the vocabulary alone: so the work is bounded whatever
 * the text, and the answer is the same wherever the postings are.
 *
 * Ordinary texts need fewer postings than the bound. If a text needs more, such as `a b c … z`, of the words that it only
 * begins the most common ones count, and of each word the same share of its foods: the best by themselves, because postings
 * are in that order. So the answer is nearly that of a data set without the worst foods.
 */
import { MAX_ENTRIES } from '#core';
import { BestKeys } from '../tree/best-keys.ts';
import type { AskedWord } from './asked-words.ts';
import type { Vocabulary, WordRange } from './vocabulary.ts';

/** Postings are stored and read in parts: so few that a rare word costs little, and so many that a common one needs few parts. */
export const POSTINGS_OF_A_PART = 4096;

/** Parts that a search reads: 400,000 postings, 2 MB, which take some ms. */
export const MOST_PARTS = 96;

/** Words of the vocabulary that a search reads. */
const MOST_WORDS = 2 ** 15;

/** A word of a text, and the words of the vocabulary that are read for it. */
export interface SelectedWord extends Omit<AskedWord, 'begun'> {
  /** Of the words that begin with it, those that count. */
  readonly begun: readonly WordRange[];
}

export interface Selection {
  readonly words: readonly SelectedWord[];
  /** Of the foods of each word of the vocabulary, those that count: above 0, at most 1. */
  readonly share: number;
}

/** Of the foods that have a word, so many count. */
export const countedOf = (foods: number, share: number): number =>
  Math.max(Math.min(foods, POSTINGS_OF_A_PART), Math.ceil(foods * share));

/** The factor by which a share is reduced until the postings are few enough. */
const LESS = 0.8;
const LEAST_SHARE = 0.001;

/** More would not leave room for the word in a key of the best. */
const MOST_SCORE = 2 ** 20;

export function select(vocabulary: Vocabulary, asked: readonly AskedWord[]): Selection {
  const ranges = asked.flatMap(rangesOf);
  const parts = countParts(vocabulary, ranges, 1);
  const words = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  return parts <= MOST_PARTS && words <= MOST_WORDS
    ? { words: asked.map((word) => ({ ...word, begun: [word.begun] })), share: 1 }
    : selectBest(vocabulary, asked);
}

/** All words of the vocabulary that are selected. */
export const wordsBehind = ({ words }: Selection): WordRange[] =>
  words.flatMap((word) => [...word.begun, ...wholeOf(word).map(rangeOfWord)]);

function selectBest(vocabulary: Vocabulary, asked: readonly AskedWord[]): Selection {
  const foodsOf = (word: number): number => vocabulary.foodsOf(rangeOfWord(word));
  const whole = new Set(asked.flatMap(wholeOf));
  const common = new BestKeys();
  for (const { begun } of asked) {
    for (let word = begun.from; word < begun.to; word++)
      if (!whole.has(word)) common.add(word, Math.min(MOST_SCORE, foodsOf(word)));
  }
  // Two parts are enough for the share of a word.
  const begun = common.foods().slice(0, Math.max(0, MOST_PARTS / 2 - whole.size));
  const all = [...whole, ...begun].map(rangeOfWord);
  let share = 1;
  while (countParts(vocabulary, all, share) > MOST_PARTS && share > LEAST_SHARE) share *= LESS;
  const words = asked.map((word) => ({
    ...word,
    begun: begun.filter((each) => each >= word.begun.from && each < word.begun.to).map(rangeOfWord),
  }));
  return { words, share };
}

/** The parts with the postings of each range, added up. */
function countParts(vocabulary: Vocabulary, ranges: readonly WordRange[], share: number): number {
  return ranges.reduce((sum, range) => {
    const first = vocabulary.postingOf(range.from) % POSTINGS_OF_A_PART;
    return sum + Math.ceil((first + countedOf(vocabulary.foodsOf(range), share)) / POSTINGS_OF_A_PART);
  }, 0);
}

/** Words of the vocabulary that a word of the text is, in the singular or plural. */
export const wholeOf = ({ itself, plurals }: Omit<AskedWord, 'begun'>): number[] =>
  [itself, ...plurals].filter((word) => word >= 0);

/** All words of the vocabulary that match one. */
export function rangesOf(asked: AskedWord): WordRange[] {
  const { from, to } = asked.begun;
  const others = wholeOf(asked).filter((word) => word < from || word >= to);
  return [asked.begun, ...others.map(rangeOfWord)].filter((range) => range.from < range.to);
}

/** Whether an answer has room for more foods with a word than were found by its letters: they have it in those of full width. */
export const hasMore = (vocabulary: Vocabulary, asked: AskedWord, found: number): boolean =>
  found < MAX_ENTRIES && rangesOf(asked).reduce((sum, range) => sum + vocabulary.foodsOf(range), 0) > found;

const rangeOfWord = (word: number): WordRange => ({ from: word, to: word + 1 });
