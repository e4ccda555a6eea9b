/** Numbers as people write them: digits, fractions, words, ranges. */
import { fraction, isLess, ONE, plus, times } from './fraction.ts';
import { isOneOf, type Line, matchAt, once, past, textAt, type Value } from './line.ts';
import { SIGNS, valuesOf } from './tokens.ts';
import { KIND } from './words.ts';

/** Denominators of kitchens: 26/11 is a date. */
const BELOW = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16];

const isInteger = (line: Line, at: number): boolean => /^\d{1,6}$/.test(textAt(line, at));

/** "½", "1/2". */
function partAt(line: Line, at: number): Value | undefined {
  const sign = SIGNS.get(textAt(line, at));
  if (sign !== undefined) return { value: sign, next: at + 1 };
  if (textAt(line, at + 1) !== '/' || !isInteger(line, at) || !isInteger(line, at + 2)) return undefined;
  const below = Number(textAt(line, at + 2));
  return BELOW.includes(below)
    ? { value: fraction(Number(textAt(line, at)), below), next: at + 3 }
    : undefined;
}

/** A number in words: "half", "two hundred", "three quarters". */
function wordAt(line: Line, at: number): Value | undefined {
  const number = matchAt(line, at, KIND.number);
  if (number === undefined) return undefined;
  const [{ value }] = number.senses;
  const part = matchAt(line, number.next, KIND.number);
  const below = part?.senses[0].value ?? ONE;
  return part !== undefined && isLess(below, ONE)
    ? { value: times(value, below), next: part.next }
    : { value, next: number.next };
}

/** "1 1/2", "1-1/2", "1½", "1 and 1/2", "one and a half", "1 e meia". */
function mixedAt(line: Line, whole: Value): Value {
  const isHyphen = textAt(line, whole.next) === '-' && line.tokens[whole.next]?.isAttached === true;
  const joined = isHyphen ? whole.next + 1 : past(line, whole.next, KIND.and);
  for (const part of [partAt(line, whole.next), partAt(line, joined) ?? wordAt(line, joined)])
    if (part !== undefined && isLess(part.value, ONE))
      return { value: plus(whole.value, part.value), next: part.next };
  return whole;
}

/** One number, with the dozen or hundred behind it: "half a dozen". */
const valueAt = once((line, at) => {
  const [first, grouped] = valuesOf(textAt(line, at), line.mark);
  const digits = first && { value: first, grouped, next: at + 1 };
  const isWord = line.tokens[at]?.kind !== 'number';
  const alone = partAt(line, at) ?? digits ?? wordAt(line, at);
  if (alone === undefined) {
    const many = matchAt(line, at, KIND.times);
    return many && { value: many.senses[0].value, grouped: undefined, next: many.next, isWord };
  }
  const isMore = !isLess(alone.value, ONE);
  // "1 half", "3 quarters".
  const part = isWord || !isMore ? undefined : wordAt(line, alone.next);
  const whole = isMore && alone.value.below === 1 ? mixedAt(line, alone) : alone;
  const number =
    part !== undefined && isLess(part.value, ONE)
      ? { value: times(alone.value, part.value), next: part.next }
      : whole;
  const article = wordAt(line, number.next)?.next ?? number.next;
  const factor = matchAt(line, number.next, KIND.times) ?? matchAt(line, article, KIND.times);
  // Of the same shape whatever was read, which V8 reads faster.
  const { value, next } = factor
    ? { value: times(number.value, factor.senses[0].value), next: factor.next }
    : number;
  return { value, grouped: factor ? undefined : number.grouped, next, isWord };
});

/** A number or a range: "2", "1-2", "1 to 2", "6- to 10". */
export const numberAt = once((line, at) => {
  const first = valueAt(line, at);
  if (first === undefined) return undefined;
  const { value: least, grouped, isWord } = first;
  const dash = isOneOf(line, first.next, '-–—~〜') ? first.next + 1 : first.next;
  const to = matchAt(line, dash, KIND.to | KIND.or)?.next ?? dash;
  const last = to === first.next ? undefined : valueAt(line, past(line, to, KIND.about));
  return last !== undefined && isLess(least, last.value)
    ? { least, most: last.value, grouped: undefined, isWord, next: last.next }
    : { least, most: least, grouped, isWord, next: first.next };
});
