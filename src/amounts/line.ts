/** A line, what its words mean, and the amounts in it. */
import type { Quantity } from './amount.ts';
import { type DecimalMark, type Token, tokensOf } from './tokens.ts';
import type { Match, WordKind, Words } from './words.ts';

export interface Counted {
  readonly quantity: Quantity;
  readonly start: number;
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

export interface Line {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly words: Words;
  readonly mark?: DecimalMark | undefined;
  /** What the words at each token mean, once somebody has asked. */
  readonly matches: (readonly Match[] | undefined)[];
  /** The amounts that begin at each token, or null. */
  readonly sums: (Stated | null | undefined)[];
}

/** @param text as `plain` makes it */
export const lineOf = (text: string, words: Words, mark?: DecimalMark, tokens = tokensOf(text)): Line => ({
  text,
  tokens,
  words,
  mark,
  matches: [],
  sums: [],
});

export const textAt = ({ tokens }: Line, at: number): string => tokens[at]?.text ?? '';

/** The longest words from this token on that have a meaning of one of these kinds, and those meanings. */
export function matchAt(
  { tokens, words, matches }: Line,
  at: number,
  ...kinds: readonly WordKind[]
): Match | undefined {
  if (at < 0 || at >= tokens.length) return undefined;
  matches[at] ??= words.matches(tokens, at);
  for (const match of matches[at]) {
    const senses = match.senses.filter(({ kind }) => kinds.includes(kind));
    if (senses.length > 0) return { senses, next: match.next };
  }
  return undefined;
}

/** The token behind words of this kind, if any are there. */
export const past = (line: Line, at: number, ...kinds: readonly WordKind[]): number =>
  matchAt(line, at, ...kinds)?.next ?? at;
