/** A line, what its words mean, and the amounts in it. */
import type { Quantity, Unit } from './amount.ts';
import type { Fraction } from './fraction.ts';
import { type DecimalMark, type Token, tokensOf } from './tokens.ts';
import { KIND, type Match, type Sense, type Words } from './words.ts';

export interface Value {
  readonly value: Fraction;
  readonly next: number;
}

export interface NumberRead {
  readonly least: Fraction;
  /** Of a range the other end, else equal to `least`. */
  readonly most: Fraction;
  /** What the digits say if their mark separates thousands. */
  readonly grouped?: Fraction | undefined;
  /** "a", not "1". */
  readonly isWord: boolean;
  readonly next: number;
}

export interface Counted {
  readonly quantity: Quantity;
  readonly next: number;
  /** Whether its number is a word, such as "a". */
  readonly isWord: boolean;
  readonly doubt?: string | undefined;
  /** The token of the container that it is the size of. */
  readonly container?: number;
}

export interface Stated {
  readonly first: Counted;
  /** What is added to it, as in "1 lb 4 oz". */
  readonly second?: Counted | undefined;
  readonly start: number;
  readonly next: number;
}

/** A unit or piece. */
export interface Named {
  readonly unit: Unit;
  /** How many of the unit it is. */
  readonly value: Fraction;
  readonly next: number;
  readonly doubt?: string | undefined;
}

export interface Line {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly words: Words;
  readonly mark?: DecimalMark | undefined;
  /** That of the text, such as "de", where it is known. */
  readonly language?: string | undefined;
  /** What functions found at each token, or null, as `once` keeps it. */
  readonly found: unknown[];
  /** In how many words each language is recognized, once somebody has asked. */
  votes?: ReadonlyMap<string, number>;
}

/** How many functions read a token once: all of them are there before the first line. */
let functions = 0;

/** The function, which then reads every token once, and nothing beside them. */
export function once<Read>(read: (line: Line, at: number) => Read | undefined): typeof read {
  const own = functions++;
  return (line, at) => {
    if (at < 0 || at >= line.tokens.length) return undefined;
    const place = at * functions + own;
    const found = line.found[place] as Read | null | undefined;
    if (found !== undefined) return found ?? undefined;
    const first = read(line, at);
    line.found[place] = first ?? null;
    return first;
  };
}

/** @param text as `plain` makes it */
export const lineOf = (
  text: string,
  { words, mark, language }: Pick<Line, 'words' | 'mark' | 'language'>,
  tokens = tokensOf(text),
): Line => ({ text, tokens, words, mark, language, found: new Array(tokens.length * functions) });

export const textAt = ({ tokens }: Line, at: number): string => tokens[at]?.text ?? '';

const meaningsAt = once((line, at) => spokenIn(line.words.meanings(line.tokens, at), line.language));

/** What may stand in any language: amounts. */
const AMOUNTS = KIND.number | KIND.times | KIND.unit | KIND.piece | KIND.about | KIND.level | KIND.vague;

/** Without what the words mean in other languages than that of the text: "mare", the sea, is large in Romanian, and "mais" is "and" in Portuguese. */
function spokenIn(match: Match | undefined, language: string | undefined): Match | undefined {
  if (match === undefined || language === undefined || language === 'en') return match;
  const shorter = spokenIn(match.shorter, language);
  const [first, ...others] = match.senses.filter(
    ({ kind, language: own }) => (kind & AMOUNTS) !== 0 || own === language || own === 'en',
  );
  if (first === undefined) return shorter;
  const kinds = others.reduce((sum, { kind }) => sum | kind, first.kind);
  return { ...match, senses: [first, ...others], kinds, shorter };
}

/** The longest words from this token on that have a meaning of one of these kinds, among others. */
export function longestAt(line: Line, at: number, kinds: number): Match | undefined {
  let match = meaningsAt(line, at);
  while (match !== undefined && (match.kinds & kinds) === 0) match = match.shorter;
  return match;
}

/** Whether words from this token on have a meaning of one of these kinds, or any. */
export const means = (line: Line, at: number, kinds = ~0): boolean =>
  longestAt(line, at, kinds) !== undefined;

/** The longest words from this token on that have a meaning of one of these kinds, and those meanings. */
export function matchAt(line: Line, at: number, kinds: number): Match | undefined {
  const match = longestAt(line, at, kinds);
  if (match === undefined || (match.kinds & ~kinds) === 0) return match;
  const senses = match.senses.filter(({ kind }) => (kind & kinds) !== 0) as [Sense, ...Sense[]];
  return { senses, kinds, next: match.next };
}

/** The token behind words of these kinds, if any are there. */
export const past = (line: Line, at: number, kinds: number): number => longestAt(line, at, kinds)?.next ?? at;

/** The token behind "and" or its sign. */
export const pastAnd = (line: Line, at: number): number =>
  textAt(line, at) === '&' ? at + 1 : past(line, at, KIND.and);

/** The token behind words of these kinds, but a name stays whole: の is no "of" in のり, dried seaweed. */
export const foodStart = (line: Line, at: number, kinds: number): number =>
  means(line, at, KIND.name) ? at : past(line, at, kinds);

/** Whether the token is one of these signs. */
export const isOneOf = (line: Line, at: number, signs: string): boolean => {
  const { kind, text = '' } = line.tokens[at] ?? {};
  return text !== '' && kind !== 'number' && signs.includes(text);
};

/** What the token adds to the depth of brackets. */
export const bracketAt = (line: Line, at: number): number =>
  Number(isOneOf(line, at, '([')) - Number(isOneOf(line, at, ')]'));
