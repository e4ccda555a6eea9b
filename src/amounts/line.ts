/** A line, what its words mean, and the amounts in it. */
import type { Quantity, Unit } from './amount.ts';
import type { Fraction } from './fraction.ts';
import { type DecimalMark, type Token, tokensOf } from './tokens.ts';
import { isSome, KIND, type Match, type Meanings, type Words } from './words.ts';

export interface Value {
  readonly value: Fraction;
  /** What the digits say if their mark separates thousands. */
  readonly grouped?: Fraction | undefined;
  readonly next: number;
}

export interface NumberRead extends Omit<Value, 'value'> {
  readonly least: Fraction;
  /** Of a range the other end, else equal to `least`. */
  readonly most: Fraction;
  /** "a", not "1". */
  readonly isWord: boolean;
}

export interface Counted {
  readonly quantity: Quantity;
  readonly next: number;
  /** Whether it has no unit: "2 eggs". */
  readonly isBare: boolean;
  /** Whether its number is a word, such as "a". */
  readonly isWord: boolean;
  /** Whether a weight behind it is that of each: "2 cans (400 g)". */
  readonly isContainer: boolean;
  readonly doubt?: string | undefined;
}

/** A sum; mostly of one part. */
export interface Stated {
  readonly parts: readonly Counted[];
  readonly start: number;
  readonly next: number;
  readonly doubt?: string | undefined;
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
  /** What the words from each token on mean, once somebody has asked. */
  readonly meanings: (Meanings | undefined)[];
  /** What functions found at each token, or null, as `once` keeps it. */
  readonly found: unknown[];
  /** In how many words each language is recognized. */
  votes?: ReadonlyMap<string, number>;
}

/** How many functions read a token once: all of them are there before the first line. */
let functions = 0;

/** The function, which then reads every token once. */
export function once<Read>(read: (line: Line, at: number) => Read | undefined): typeof read {
  const own = functions++;
  return (line, at) => {
    const place = at * functions + own;
    const found = line.found[place] as Read | null | undefined;
    if (found !== undefined) return found ?? undefined;
    const first = read(line, at);
    line.found[place] = first ?? null;
    return first;
  };
}

/** @param text as `plain` makes it */
export const lineOf = (text: string, words: Words, mark?: DecimalMark, tokens = tokensOf(text)): Line => ({
  text,
  tokens,
  words,
  mark,
  meanings: new Array(tokens.length),
  found: new Array(tokens.length * functions),
});

export const textAt = ({ tokens }: Line, at: number): string => tokens[at]?.text ?? '';

const NOTHING: Meanings = { matches: [], kinds: 0 };

function meaningsAt(line: Line, at: number): Meanings {
  if (at < 0 || at >= line.tokens.length) return NOTHING;
  const known = line.meanings[at] ?? line.words.meanings(line.tokens, at) ?? NOTHING;
  line.meanings[at] = known;
  return known;
}

/** Whether words from this token on have a meaning of one of these kinds, or any. */
export const means = (line: Line, at: number, kinds = ~0): boolean =>
  (meaningsAt(line, at).kinds & kinds) !== 0;

/** The longest words from this token on that have a meaning of one of these kinds, and those meanings. */
export function matchAt(line: Line, at: number, kinds: number): Match | undefined {
  const meanings = meaningsAt(line, at);
  if ((meanings.kinds & kinds) === 0) return undefined;
  for (const match of meanings.matches) {
    if ((match.kinds & ~kinds) === 0) return match;
    const senses = match.senses.filter(({ kind }) => (KIND[kind] & kinds) !== 0);
    if (isSome(senses)) return { senses, kinds, next: match.next };
  }
  return undefined;
}

/** The token behind words of these kinds, if any are there. */
export const past = (line: Line, at: number, kinds: number): number => matchAt(line, at, kinds)?.next ?? at;

/** Whether the token is one of these signs. */
export const isOneOf = (line: Line, at: number, signs: string): boolean => {
  const text = textAt(line, at);
  return text !== '' && signs.includes(text);
};
