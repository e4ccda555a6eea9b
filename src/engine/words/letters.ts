/** The letters of which characters consist, so that a missing accent is no edit, and a part of a syllable is one. */

import { PLAIN_LETTERS } from '#core';

/** They only modify a letter, and are often left out: accents, which Latin, Greek and Cyrillic take, and Arabic hamza and madda. */
const ACCENTS = /[\u0300-\u036f\u0653-\u0655]/gu;

const FIRST_SYLLABLE = 0xac00;
const FIRST_VOWEL = 'ㅏ'.codePointAt(0)!;
const VOWELS = 21;

/** A consonant is the same letter before and after the vowel, so that "바브" is "밥" with one letter more. */
const INITIALS = codesOf('ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ');
const FINALS = codesOf(
  ' ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ',
);
const SYLLABLES = INITIALS.length * VOWELS * FINALS.length;

function codesOf(letters: string): number[][] {
  return letters.split(' ').map((some) => Array.from(some, (letter) => letter.codePointAt(0)!));
}

/** From this one on, a character may consist of others. */
export const FIRST_WITH_LETTERS = 0xc0;

/** Those of the characters of vocabularies, which every search for corrections meets again. */
const known = new Map<number, readonly number[]>();

export function knownLettersOf(character: number): readonly number[] {
  if (!known.has(character)) known.set(character, lettersOf(character));
  return known.get(character)!;
}

/**
 * The letters of a character, as code points; none for an accent by itself. A vowel sign of Devanagari or Thai counts like any
 * letter, and a Hangul syllable is two to four letters ("닭" is ㄷㅏㄹㄱ).
 */
export function lettersOf(character: number): readonly number[] {
  if (character < FIRST_WITH_LETTERS) return [character];
  const syllable = character - FIRST_SYLLABLE;
  if (syllable >= 0 && syllable < SYLLABLES) {
    const rest = Math.floor(syllable / FINALS.length);
    const vowel = FIRST_VOWEL + (rest % VOWELS);
    return [...INITIALS[Math.floor(rest / VOWELS)]!, vowel, ...FINALS[syllable % FINALS.length]!];
  }
  // In normal form C again: a letter of another script stays whole, such as Japanese が.
  const letter = String.fromCodePoint(character).normalize('NFD').replace(ACCENTS, '').normalize('NFC');
  const plain = PLAIN_LETTERS[letter] ?? letter;
  return Array.from(plain, (letter) => letter.codePointAt(0)!);
}
