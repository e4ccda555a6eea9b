/** Words and whether they are the same: in any form, with or without accents, alone or joined. */
import { fold } from '#core';
import { plain, UNSPACED } from './tokens.ts';
import { withoutAccents } from './words.ts';

/** In the same case and width, without accents. */
export const bareOf = (text: string): string => withoutAccents(fold(plain(text)));

export const singularOf = (word: string): string =>
  word.endsWith('s')
    ? word.replace(/(?<=lea|loa|hal)ves$/, 'f').replace(/(?<=...)s$|(?<=(?:sh|ch|x|o))es$/, '')
    : word;

/** How much longer a text may be for letters that are spelled out, such as œ: most are told apart by their lengths. */
const SPELLED_OUT = 4;

/** Whether a text is another one, in any case and width, with or without accents. */
export const isAlike =
  (one: string) =>
  (other: string): boolean =>
    Math.abs(one.length - other.length) <= SPELLED_OUT && bareOf(one) === bareOf(other);

/** Neighbours as one word. */
export const pairsOf = (words: readonly string[]): readonly string[] =>
  words.slice(1).map((word, i) => `${words[i]}${word}`);

export const wordsIn = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

export const hasAll = (words: readonly string[], all: readonly string[]): boolean =>
  all.every((word) => hasForm(words, word));

/** What words end with in their forms, in the languages of foods: "pomodoro" and "pomodori", "rote" and "rot". */
const ENDINGS = /^(?:[aeiounsxy]|as|e[dnrsx]?|es|ies|is|nen|os|ne)?$/;
/** Letters that forms have in common, if the ending is longer than one letter: "pap" is not of "paper". */
const LEAST_STEM = 4;

/** Whether one of the words is this one in any form, accents aside. */
export function hasForm(words: readonly string[], word: string): boolean {
  const bare = withoutAccents(word);
  return words.some((each) => {
    const other = withoutAccents(each);
    if (UNSPACED.test(bare)) return other.includes(bare);
    let same = 0;
    while (same < bare.length && bare[same] === other[same]) same++;
    if (same === bare.length && same === other.length) return true;
    const [ending, otherEnding] = [bare.slice(same), other.slice(same)];
    const isStem =
      same >= LEAST_STEM || (same === LEAST_STEM - 1 && ending.length + otherEnding.length === 1);
    return isStem && ENDINGS.test(ending) && ENDINGS.test(otherEnding);
  });
}

/** Whether the description has the text, not as a part of a longer word. */
export function isWholeIn(description: string, text: string): boolean {
  const [whole, part] = [fold(description), fold(text)];
  const at = whole.indexOf(part);
  const around = whole.slice(Math.max(0, at - 1), at) + whole.slice(at + part.length, at + part.length + 1);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(around);
}
