/** Which words of foods a written word may stand for: its misspellings, but no other food of nearly the same spelling. */
import { editsOf } from '#core';
import { bareOf, singularOf } from './word-forms.ts';

/** Shorter words are near others by chance: "hare" is not "hard", nor "bröd" broad beans. */
const LEAST_LETTERS = 5;

/**
 * Whether a search took a word for one of nearly the same spelling that it hardly stands for. Another name is another word, or a
 * longer one.
 */
export function isFarFetched(typed: string, searched: string): boolean {
  const [one, other] = [bareOf(typed), bareOf(searched)];
  const edits = editsOf(one.length);
  if (edits === 0 || other.startsWith(singularOf(one))) return false;
  return isBegun(one, other, edits) && !isLike(one, other, typed);
}

/** Whether a word is another one or a misspelling of it; true for what is not a word in Latin letters. @param typed the one with its accents */
function isLike(one: string, other: string, typed: string): boolean {
  if (!/^\p{Script=Latin}+$/u.test(one + other)) return true;
  const [sounds, others] = [soundsOf(one), soundsOf(other)];
  const isShort = one.length < LEAST_LETTERS;
  if (sounds[0] !== others[0] || Math.abs(one.length - other.length) > (isShort ? 1 : 2)) return false;
  if (sounds === others) return !isShort || /^[a-z]+$/.test(typed);
  // A consonant of at least four is missing or too many, or one of five is another.
  const least = sounds.length === others.length ? 10 : 7;
  return (
    !isShort &&
    sounds.length + others.length >= least &&
    isBegun(sounds, others, 1) &&
    isBegun(others, sounds, 1)
  );
}

/** Without doubled letters. */
const once = (word: string): string => word.replace(/(.)\1+/g, '$1');

/** The first letter and the consonants of the singular: vowels, s, c or k, and m or n are what people get wrong. */
const soundsOf = (word: string): string =>
  once(
    singularOf(word)
      .replace(/[cqsxz]/g, 'k')
      .replace(/j/g, 'y')
      .replace(/n/g, 'm'),
  ).replace(/(?!^)(?:[aeiouh]|y(?=[^aeiou]))/g, '');

/** Whether so many letters added, dropped or changed make a word a beginning of another one; both from these places on. */
function isBegun(word: string, whole: string, edits: number, i = 0, j = 0): boolean {
  if (i === word.length) return true;
  if (word[i] === whole[j]) return isBegun(word, whole, edits, i + 1, j + 1);
  return (
    edits > 0 &&
    (isBegun(word, whole, edits - 1, i + 1, j + 1) ||
      isBegun(word, whole, edits - 1, i + 1, j) ||
      isBegun(word, whole, edits - 1, i, j + 1))
  );
}
