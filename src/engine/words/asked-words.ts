/** The meaning of a text, word by word: the words of the vocabulary that match each of its words. */
import { fold } from '#core';
import { wordBoundsOf, wordTextsOf } from '../order/food-name.ts';
import { formsOf } from '../order/match-end.ts';
import { hasRuns, piecesOf, scriptFolded } from '../order/script-runs.ts';
import { accentedOf } from './accents.ts';
import type { Vocabulary, WordRange } from './vocabulary.ts';

/** Only this many words of a text count. Names have fewer. */
export const MOST_WORDS = 32;

/** Letters of a word that is the beginning of others only while it is typed: "de" is no deer. */
const MOST_SHORT = 3;

const NO_WORDS: WordRange = { from: 0, to: 0 };

/** A word of the text, and the words of the vocabulary that match it. */
export interface AskedWord {
  readonly text: string;
  /** Words that begin with it; empty if only whole words count. */
  readonly begun: WordRange;
  /** The number of the word itself, with its accents; -1 if no food has it. */
  readonly itself: number;
  /** Its singular and its plural, if foods have them, and the word without its accents. */
  readonly plurals: readonly number[];
  /** The word with the accents that people leave out: "azúcar" for "azucar". */
  readonly accents?: string;
  /** The word of the text of which it is a piece, in a script without blanks; or itself, if it begins no others. */
  readonly whole?: string;
  /** If it begins no others, those that it would begin: it weighs no more for it, since short words are had by chance. */
  readonly weighed?: WordRange;
}

/** The distinct words of a text, in order. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const folded = fold(text);
  const mayHaveRuns = hasRuns(folded);
  for (const each of wordTextsOf(folded)) {
    const word = mayHaveRuns ? scriptFolded(each) : each;
    if (!words.includes(word)) words.push(word);
    if (words.length === MOST_WORDS) break;
  }
  return words;
}

/** The text that foods must contain to come first, if it is in a script without blanks, or in letters of full width. */
export function contiguousOf(text: string): string | undefined {
  const folded = fold(text).replace(/ +/g, ' ');
  if (!text.isWellFormed() || !hasRuns(folded)) return undefined;
  const bounds = wordBoundsOf(folded);
  return bounds.length === 0 ? undefined : folded.slice(bounds[0], bounds.at(-1));
}

/** What is looked up for a word of a text: the word, or its pieces. @param isTyping whether it is the last one, which may be unfinished */
export function askedWords(vocabulary: Vocabulary, text: string, isTyping = true): AskedWord[] {
  if (!hasRuns(text)) {
    const word = withAccents(vocabulary, askedWord(vocabulary, text));
    return isTyping || text.length > MOST_SHORT
      ? [word]
      : [{ ...word, begun: NO_WORDS, whole: text, weighed: word.begun }];
  }
  return piecesOf(text)
    .slice(0, MOST_WORDS)
    .map((piece) => ({
      text: piece,
      begun: isPair(piece) ? NO_WORDS : vocabulary.begunBy(piece),
      itself: vocabulary.find(piece),
      plurals: [],
      whole: text,
    }));
}

const isPair = (piece: string): boolean => hasRuns(piece) && Array.from(piece).length > 1;

/** A word that is matched by itself, by its singular and plural, and by longer words that begin with it. */
export const askedWord = (vocabulary: Vocabulary, text: string): AskedWord => ({
  ...askedWhole(vocabulary, text),
  begun: vocabulary.begunBy(text),
});

/** If more foods have the word with accents that people leave out, it is meant, and what was typed counts as a plural does. */
function withAccents(vocabulary: Vocabulary, word: AskedWord): AskedWord {
  const { itself, plurals } = word;
  const accented = accentedOf(vocabulary, word.text);
  const foodsOf = (each: number): number => (each < 0 ? 0 : vocabulary.foodsOf({ from: each, to: each + 1 }));
  if (accented < 0 || plurals.includes(accented) || foodsOf(accented) <= foodsOf(itself)) return word;
  const others = itself < 0 ? plurals : [...plurals, itself];
  return { ...word, itself: accented, plurals: others, accents: vocabulary.textOf(accented) };
}

/** A word that is matched only by itself, its singular and its plural. */
export function askedWhole(vocabulary: Vocabulary, text: string): AskedWord {
  const [itself = -1, ...plurals] = formsOf(text).map((form) => vocabulary.find(form));
  const known = plurals.filter((word) => word >= 0 && word !== itself);
  return { text, begun: NO_WORDS, itself, plurals: [...new Set(known)] };
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
