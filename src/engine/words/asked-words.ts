/** The meaning of a text, word by word: the words of the vocabulary that match each of its words. */
import { composed, fold } from '#core';
import { readName, textOf } from '../order/food-name.ts';
import { formsOf } from '../order/match-end.ts';
import type { Vocabulary, WordRange } from './vocabulary.ts';

/** Only this many words of a text count. Names have fewer. */
const MOST_WORDS = 32;

/** A word of the text, and the words of the vocabulary that match it. */
export interface AskedWord {
  readonly text: string;
  /** Words that begin with it; empty if only whole words count. */
  readonly begun: WordRange;
  /** The number of the word itself; -1 if no food has it. */
  readonly itself: number;
  /** Its singular and its plural, if foods have them. */
  readonly plurals: readonly number[];
}

/** The distinct words of a text, in order. */
export function wordsOf(text: string): string[] {
  const normal = composed(text);
  const folded = fold(normal);
  const words = readName(normal, folded).words.map((word) => textOf(folded, word));
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** A word that is matched by itself, by its singular and plural, and by longer words that begin with it. */
export const askedWord = (vocabulary: Vocabulary, text: string): AskedWord => ({
  ...askedWhole(vocabulary, text),
  begun: vocabulary.begunBy(text),
});

/** A word that is matched only by itself, its singular and its plural. */
export function askedWhole(vocabulary: Vocabulary, text: string): AskedWord {
  const [itself = -1, ...plurals] = formsOf(text).map((form) => vocabulary.find(form));
  const known = plurals.filter((word) => word >= 0 && word !== itself);
  return { text, begun: { from: 0, to: 0 }, itself, plurals: [...new Set(known)] };
}

export const isKnown = ({ begun, itself, plurals }: AskedWord): boolean =>
  begun.from < begun.to || itself >= 0 || plurals.length > 0;

/** Removes the words with which another one begins: foods that have the other one have these, too. */
export function withoutImplied(words: readonly AskedWord[]): AskedWord[] {
  const known = words.filter(isKnown).map(({ text }) => text);
  return words.filter(({ text }) => !beginsOneOf(text, known));
}

const beginsOneOf = (text: string, words: readonly string[]): boolean =>
  words.some((word) => word !== text && word.startsWith(text));

/** The singulars and plurals that do not begin with the word itself. */
export function otherForms(vocabulary: Vocabulary, { text, plurals }: AskedWord): string[] {
  return plurals.map((plural) => vocabulary.textOf(plural)).filter((plural) => !plural.startsWith(text));
}
