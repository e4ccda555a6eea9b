/**
 * What a text asks for, word by word: which words of the vocabulary stand for each of its own.
 */
import type { Replacement } from '../../catalog.ts';
import { fold } from '../../fold.ts';
import { readName, textOf } from '../ranking/food-name.ts';
import { formsOf } from '../ranking/word-forms.ts';
import type { Vocabulary, WordRange } from './vocabulary.ts';

/** Words of a text that count. Names have fewer. */
const MOST_WORDS = 32;

/** A word that is asked for, and the words of the vocabulary that stand for it. */
export interface AskedWord {
  readonly text: string;
  /** Words that begin with it; empty where only whole words count. */
  readonly begun: WordRange;
  /** The number of the word itself; -1 where no food has it. */
  readonly itself: number;
  /** Its singular and its plural, as far as foods have them. */
  readonly plurals: readonly number[];
}

/** The words of a text in their order, each once. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  const words = readName(text.normalize('NFC'), folded).words.map((word) => textOf(folded, word));
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** The words that a text was searched by. @param replaced what stood for some of its words */
export function searchedWords(text: string, replaced: readonly Replacement[]): string[] {
  let searched = ` ${wordsOf(text).join(' ')} `;
  for (const { typed, searched: other } of replaced) searched = searched.replace(` ${typed} `, ` ${other} `);
  const words = wordsOf(searched);
  return words.filter((word) => !beginsOneOf(word, words));
}

/** A word for which it stands, its singular and plural, and longer words that begin with it. */
export const askedWord = (vocabulary: Vocabulary, text: string): AskedWord => ({
  ...askedWhole(vocabulary, text),
  begun: vocabulary.begunBy(text),
});

/** A word for which only it stands, its singular and its plural. */
export function askedWhole(vocabulary: Vocabulary, text: string): AskedWord {
  const [itself = -1, ...plurals] = formsOf(text).map((form) => vocabulary.find(form));
  const known = plurals.filter((word) => word >= 0 && word !== itself);
  return { text, begun: { from: 0, to: 0 }, itself, plurals: [...new Set(known)] };
}

export const isKnown = ({ begun, itself, plurals }: AskedWord): boolean =>
  begun.from < begun.to || itself >= 0 || plurals.length > 0;

/** The words without those that another one begins with: the foods that have that one have these. */
export function withoutImplied(words: readonly AskedWord[]): AskedWord[] {
  const known = words.filter(isKnown).map(({ text }) => text);
  return words.filter(({ text }) => !beginsOneOf(text, known));
}

const beginsOneOf = (text: string, words: readonly string[]): boolean =>
  words.some((word) => word !== text && word.startsWith(text));
