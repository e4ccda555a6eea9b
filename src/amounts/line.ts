/** A line, what its words mean, and the amounts in it. */
import type { Quantity, Unit } from './amount.ts';
import type { Fraction } from './fraction.ts';
import { type DecimalMark, type Token, tokensOf } from './tokens.ts';
import type { Match, Sense, WordKind, Words } from './words.ts';

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

/** What a function found at each token, or null; undefined where nobody asked. */
type Reads<Read> = (Read | null | undefined)[];

export interface Line {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly words: Words;
  readonly mark?: DecimalMark | undefined;
  /** What the words at each token mean, once somebody has asked. */
  readonly matches: (readonly Match[] | undefined)[];
  /** In how many words each language is recognized. */
  votes?: ReadonlyMap<string, number>;
  readonly reads: {
    readonly values: Reads<Value & { readonly isWord: boolean }>;
    readonly numbers: Reads<NumberRead>;
    readonly units: Reads<Named>;
    readonly simple: Reads<Counted>;
    readonly quantities: Reads<Counted>;
    readonly sums: Reads<Stated>;
  };
}

/** The function, which then reads every token once. */
export const once =
  <Kind extends keyof Line['reads']>(
    kind: Kind,
    read: (line: Line, at: number) => NonNullable<Line['reads'][Kind][number]> | undefined,
  ): typeof read =>
  (line, at) => {
    const reads: Reads<ReturnType<typeof read>> = line.reads[kind];
    if (reads[at] === undefined) reads[at] = read(line, at) ?? null;
    return reads[at] ?? undefined;
  };

/** @param text as `plain` makes it */
export const lineOf = (text: string, words: Words, mark?: DecimalMark, tokens = tokensOf(text)): Line => ({
  text,
  tokens,
  words,
  mark,
  matches: [],
  reads: { values: [], numbers: [], units: [], simple: [], quantities: [], sums: [] },
});

export const textAt = ({ tokens }: Line, at: number): string => tokens[at]?.text ?? '';

/** The longest words from this token on that have a meaning of one of these kinds, and those meanings. */
export function matchAt(line: Line, at: number, ...kinds: readonly WordKind[]): Match | undefined {
  const isMeant = ({ kind }: Sense): boolean => kinds.includes(kind);
  for (const match of meaningsAt(line, at)) {
    if (match.senses.every(isMeant)) return match;
    const [first, ...others] = match.senses.filter(isMeant);
    if (first !== undefined) return { senses: [first, ...others], next: match.next };
  }
  return undefined;
}

const NONE: readonly Match[] = [];

export function meaningsAt({ tokens, words, matches }: Line, at: number): readonly Match[] {
  if (at < 0 || at >= tokens.length) return NONE;
  const known = matches[at] ?? words.matches(tokens, at);
  matches[at] = known;
  return known;
}

/** The token behind words of this kind, if any are there. */
export const past = (line: Line, at: number, ...kinds: readonly WordKind[]): number =>
  matchAt(line, at, ...kinds)?.next ?? at;

/** Whether the token is one of these signs. */
export const isOneOf = (line: Line, at: number, signs: string): boolean => {
  const text = textAt(line, at);
  return text !== '' && signs.includes(text);
};
