/** Numbers as people write them: digits, fractions, words, ranges. */
import { type Fraction, fraction, isLess, ONE, plus, times } from './fraction.ts';

import { type Line, matchAt, past, textAt } from './line.ts';
import { valuesOf } from './tokens.ts';

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

/** Denominators of kitchens: 26/11 is a date. */
const BELOW = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16];

interface Value {
  readonly value: Fraction;
  readonly grouped?: Fraction | undefined;
  readonly next: number;
}

const isInteger = (line: Line, at: number): boolean => /^\d{1,6}$/.test(textAt(line, at));

/** "½", "1/2". */
function partAt(line: Line, at: number): Value | undefined {
  const [sign] = /^[¼-¾⅐-⅞]$/.test(textAt(line, at)) ? valuesOf(textAt(line, at)) : [];
  if (sign !== undefined) return { value: sign, next: at + 1 };
  if (!isInteger(line, at) || textAt(line, at + 1) !== '/' || !isInteger(line, at + 2)) return undefined;
  const below = Number(textAt(line, at + 2));
  if (!BELOW.includes(below)) return undefined;
  return { value: fraction(BigInt(textAt(line, at)), BigInt(below)), next: at + 3 };
}

/** A number in words: "half", "two hundred", "three quarters". */
function wordAt(line: Line, at: number): Value | undefined {
  const match = matchAt(line, at, 'number');
  const [sense] = match?.senses ?? [];
  if (match === undefined || sense === undefined) return undefined;
  const { next } = match;
  const follows = matchAt(line, next, 'number');
  const [after] = follows?.senses ?? [];
  if (follows !== undefined && after !== undefined && isLess(after.value, ONE) && !isLess(sense.value, ONE))
    return { value: times(sense.value, after.value), next: follows.next };
  return { value: sense.value, next };
}

/** "1 1/2", "1-1/2", "1½", "1 and 1/2", "one and a half", "1 e meia". */
function mixedAt(line: Line, at: number, whole: Value): Value {
  const joined = textAt(line, whole.next) === '&' ? whole.next + 1 : past(line, whole.next, 'and');
  const isHyphen = textAt(line, whole.next) === '-' && line.tokens[whole.next]?.isAttached === true;
  for (const next of [whole.next, isHyphen ? whole.next + 1 : joined]) {
    const part =
      partAt(line, next) ?? (next === joined && joined > whole.next ? wordAt(line, next) : undefined);
    if (part !== undefined && isLess(part.value, ONE) && isInteger(line, at) === /\d/.test(textAt(line, at)))
      return { value: plus(whole.value, part.value), next: part.next };
  }
  return whole;
}

/** One number, with the dozen or hundred behind it: "half a dozen". */
function valueAt(line: Line, at: number): (Value & { isWord: boolean }) | undefined {
  const isDigits = line.tokens[at]?.kind === 'number';
  const [first, second] = isDigits ? valuesOf(textAt(line, at), line.mark) : [];
  const digits = first && { value: first, grouped: second, next: at + 1 };
  const alone = partAt(line, at) ?? digits ?? (isDigits ? undefined : wordAt(line, at));
  const many = matchAt(line, at, 'times');
  const [dozen] = many?.senses ?? [];
  if (alone === undefined) return many && dozen && { value: dozen.value, next: many.next, isWord: true };
  const part = isDigits && !isLess(alone.value, ONE) ? wordAt(line, alone.next) : undefined;
  // "1 half", "3 quarters".
  const halves =
    part !== undefined && isLess(part.value, ONE)
      ? { value: times(alone.value, part.value), next: part.next }
      : undefined;
  const number = halves ?? (isLess(alone.value, ONE) ? alone : mixedAt(line, at, alone));
  const article = wordAt(line, number.next);
  const times_ = matchAt(line, number.next, 'times') ?? (article && matchAt(line, article.next, 'times'));
  const [factor] = times_?.senses ?? [];
  if (times_ === undefined || factor === undefined) return { ...number, isWord: !isDigits };
  return { value: times(number.value, factor.value), next: times_.next, isWord: !isDigits };
}

/** A number or a range: "2", "1-2", "1 to 2", "6- to 10". */
export function numberAt(line: Line, at: number): NumberRead | undefined {
  const first = valueAt(line, at);
  if (first === undefined) return undefined;
  const { value: least, grouped, isWord } = first;
  const dash = /^[-–—~〜]$/.test(textAt(line, first.next)) ? first.next + 1 : first.next;
  const to = matchAt(line, dash, 'to', 'or')?.next ?? dash;
  const last = to === first.next ? undefined : valueAt(line, past(line, to, 'about'));
  const isRange = last !== undefined && (!last.isWord || isWord) && isLess(least, last.value);
  return isRange
    ? { least, most: last.value, isWord, next: last.next }
    : { least, most: least, grouped, isWord, next: first.next };
}
