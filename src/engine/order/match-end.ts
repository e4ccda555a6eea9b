/**
 * How a match ends: with a segment of the description, with a word, or inside one; as typed or in the plural. `FoodIndex`
 * finds the same by ranges of its suffix array; this defines it for a single match.
 */
import { isWordCharacter, SEGMENT_ENDS } from '../suffixes/alphabet.ts';
import { pluralScore } from './points.ts';

const ENDS_SEGMENT = new RegExp(`[${SEGMENT_ENDS}] *$`);

export type MatchEnd = 'segmentEnd' | 'wordEnd' | 'inside';

export interface Match {
  readonly end: MatchEnd;
  readonly isPlural: boolean;
}

/** A place where a word begins (a position in the folded description), with its score for each end of a match. */
export type WordScores = { readonly position: number } & Readonly<Record<MatchEnd, number>>;

/** What a match adds to the score of the word where it begins. */
export const bonusOf = ({ isPlural }: Match): number => (isPlural ? pluralScore() : 0);

/** The matches that begin at a position of a folded description. */
export type MatchesAt = (folded: string, position: number) => readonly Match[];

/** The best of the matches that begin at these words of a folded description; undefined if there is none. */
export function bestMatch(folded: string, words: Iterable<WordScores>, matchesAt: MatchesAt) {
  let best: (Match & { readonly position: number; readonly score: number }) | undefined;
  for (const word of words) {
    for (const match of matchesAt(folded, word.position)) {
      const score = word[match.end] + bonusOf(match);
      if (best === undefined || score > best.score) best = { ...match, position: word.position, score };
    }
  }
  return best;
}

/** Those of a text. */
export function matchesOf(query: string): MatchesAt {
  const closed = endOfText(query);
  return (folded, position) => {
    if (!folded.startsWith(query, position)) return [];
    return [closed === undefined ? endAt(folded, position + query.length) : { end: closed, isPlural: false }];
  };
}

/** Those of a word, of longer ones that begin with it, and of its other forms as whole words. */
export function matchesOfWord(word: string, otherForms: readonly string[]): MatchesAt {
  const closed = (folded: string, position: number, form: string, isPlural: boolean): Match[] => {
    const end = folded.startsWith(form, position) ? closing(folded, position + form.length) : undefined;
    return end === undefined ? [] : [{ end, isPlural }];
  };
  const itself = isPossessive(word)
    ? (folded: string, position: number) => closed(folded, position, word, false)
    : matchesOf(word);
  return (folded, position) => [
    ...itself(folded, position),
    ...otherForms.flatMap((form) => closed(folded, position, form, true)),
  ];
}

/** Whether a word ends after an apostrophe and "s", which belong to it only because no letter follows: "baker's". */
export const isPossessive = (word: string): boolean => /['\u2019]s$/.test(word);

/** A plural is the same food: if one of these follows the match, the characters after it decide how the match ends. */
export const PLURALS = ['s', 'es'] as const;

/** Whether a query consists of words, with one blank between them. */
export function isPlain(folded: string): boolean {
  let isAfterBlank = true;
  for (let i = 0; i < folded.length; i++) {
    const isBlank = folded.charCodeAt(i) === 32;
    if (isBlank ? isAfterBlank : !isWordCharacter(folded.charCodeAt(i))) return false;
    isAfterBlank = isBlank;
  }
  return !isAfterBlank;
}

/** How a text that does not end inside a word ends wherever it matches: "egg," or "chicken ". */
export function endOfText(folded: string): Exclude<MatchEnd, 'inside'> | undefined {
  if (isWordCharacter(folded.charCodeAt(folded.length - 1))) return undefined;
  return ENDS_SEGMENT.test(folded) ? 'segmentEnd' : 'wordEnd';
}

export function isWhole(folded: string, query: string): boolean {
  return folded === query || PLURALS.some((plural) => folded === query + plural);
}

/** How a match that ends at a position of a folded description ends, and whether it is a plural there. */
export function endAt(folded: string, position: number): Match {
  for (const plural of PLURALS) {
    const end = closing(folded, position + plural.length);
    if (end !== undefined && folded.startsWith(plural, position)) return { end, isPlural: true };
  }
  return { end: closing(folded, position) ?? 'inside', isPlural: false };
}

/** How a match ends that ends with a word at a position; undefined if a word continues there. */
function closing(folded: string, position: number): Exclude<MatchEnd, 'inside'> | undefined {
  if (position === folded.length || SEGMENT_ENDS.includes(folded[position]!)) return 'segmentEnd';
  return isWordCharacter(folded.charCodeAt(position)) ? undefined : 'wordEnd';
}

/**
 * A word and what may be its singular, its plural, its form with or without the apostrophe of a possessive ("joes", "joe's"),
 * which few people type, and these with letters spelled out or not ("boeuf", "bœuf"). The word itself comes first. Some forms are
 * not words, and occur in no food. A word is among the forms of each of its forms.
 */
export function formsOf(word: string): string[] {
  return [...inflected(word), ...spellingsOf(word).flatMap((other) => [other, ...withOrWithoutS(other)])];
}

/** Not next to another "s", which may be spelled "ß" with it: then the word would not be among the forms of the other. */
function withOrWithoutS(word: string): string[] {
  if (/(ss|ß)$/.test(word)) return [];
  return [word.endsWith('s') ? word.slice(0, -1) : `${word}s`];
}

/** What letters are spelled out as, and which of them languages use together. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ø: 'oe', å: 'aa', ß: 'ss' },
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', þ: 'th' },
};
const ALPHABETS = ['æøå', 'œæ', 'äöü', 'äöüß', 'äöå', 'þæö'].map((letters) => Array.from(letters));
const LETTERS = new RegExp(`[${Object.keys(SPELLED_OUT).join('')}]`, 'g');
const SPELLABLE = new RegExp(`${LETTERS.source}|${[...new Set(Object.values(SPELLED_OUT))].join('|')}`);

/** Longer words have no other spellings; real ones are shorter. */
const MOST_LETTERS = 32;

/** The word with its letters spelled out, and as each alphabet writes that. */
function spellingsOf(word: string): string[] {
  if (word.length > MOST_LETTERS || !SPELLABLE.test(word)) return [];
  const plain = word.replace(LETTERS, (letter) => SPELLED_OUT[letter]!);
  const written = (text: string, letter: string): string => text.replaceAll(SPELLED_OUT[letter]!, letter);
  const all = new Set([plain, ...ALPHABETS.map((letters) => letters.reduce(written, plain))]);
  return all.delete(word) ? [...all] : [];
}

/** A word and what may be its singular, its plural, and its form with or without the apostrophe of a possessive. */
export function inflected(word: string): string[] {
  const singular = word.replace(/ies$/, 'y');
  const plurals = [`${word}s`, `${word}es`, word.replace(/y$/, 'ies')];
  return [
    word,
    ...plurals,
    singular,
    ...(/...s$/.test(word) ? [word.slice(0, -1), word.replace(/es$/, '')] : []),
    ...possessivesOf(word),
  ];
}

function possessivesOf(word: string): string[] {
  const [, owner] = /^(..+?)['\u2019]?s$/.exec(word) ?? [];
  return owner === undefined
    ? []
    : [`${owner}s`, `${owner}'s`, `${owner}\u2019s`].filter((each) => each !== word);
}
