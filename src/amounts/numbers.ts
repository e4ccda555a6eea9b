/** Numbers as people write them: digits, fractions, words, ranges. */
import { fraction, isLess, ONE, plus, times } from './fraction.ts';
import { isOneOf, type Line, matchAt, means, once, past, textAt, type Value } from './line.ts';
import { SIGNS, valuesOf } from './tokens.ts';
import { KIND } from './words.ts';

/** Denominators of kitchens: 26/11 is a date. */
const BELOW = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16];

const isInteger = (line: Line, at: number): boolean => /^\d{1,6}$/.test(textAt(line, at));

/** "½", "1/2". */
function partAt(line: Line, at: number): Value | undefined {
  if (line.tokens[at]?.kind !== 'number') return undefined;
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
  const follows = isLess(value, ONE) ? undefined : matchAt(line, number.next, KIND.number);
  const after = follows?.senses[0].value;
  return follows && after && isLess(after, ONE)
    ? { value: times(value, after), next: follows.next }
    : { value, next: number.next };
}

/** "1 1/2", "1-1/2", "1½", "1 and 1/2", "one and a half", "1 e meia". */
function mixedAt(line: Line, at: number, whole: Value): Value {
  const joined = textAt(line, whole.next) === '&' ? whole.next + 1 : past(line, whole.next, KIND.and);
  const isHyphen = textAt(line, whole.next) === '-' && line.tokens[whole.next]?.isAttached === true;
  for (const next of [whole.next, isHyphen ? whole.next + 1 : joined]) {
    const part =
      partAt(line, next) ?? (next === joined && joined > whole.next ? wordAt(line, next) : undefined);
    if (part !== undefined && isLess(part.value, ONE) && isInteger(line, at) === /\d/.test(textAt(line, at)))
      return { value: plus(whole.value, part.value), next: part.next };
  }
  return whole;
}

/** Whether a number may have a second part from this token on. */
const mayGoOn = (line: Line, at: number): boolean =>
  isOneOf(line, at, '-&') ||
  means(line, at) ||
  (line.tokens[at]?.kind === 'number' && partAt(line, at) !== undefined);

/** One number, with the dozen or hundred behind it: "half a dozen". */
const valueAt = once((line, at) => {
  const isDigits = line.tokens[at]?.kind === 'number';
  const [first, grouped] = isDigits ? valuesOf(textAt(line, at), line.mark) : [];
  const digits = first && { value: first, grouped, next: at + 1 };
  const alone = partAt(line, at) ?? digits ?? (isDigits ? undefined : wordAt(line, at));
  const many = alone === undefined ? matchAt(line, at, KIND.times) : undefined;
  if (alone === undefined) return many && { value: many.senses[0].value, next: many.next, isWord: true };
  if (isDigits && !mayGoOn(line, alone.next)) return { ...alone, isWord: false };
  const isMore = !isLess(alone.value, ONE);
  // "1 half", "3 quarters".
  const part = isDigits && isMore ? wordAt(line, alone.next) : undefined;
  const isPart = part !== undefined && isLess(part.value, ONE);
  const whole = isMore ? mixedAt(line, at, alone) : alone;
  const number = isPart ? { value: times(alone.value, part.value), next: part.next } : whole;
  const article = wordAt(line, number.next);
  const factor =
    matchAt(line, number.next, KIND.times) ?? (article && matchAt(line, article.next, KIND.times));
  return factor === undefined
    ? { ...number, isWord: !isDigits }
    : { value: times(number.value, factor.senses[0].value), next: factor.next, isWord: !isDigits };
});

/** A number or a range: "2", "1-2", "1 to 2", "6- to 10". */
export const numberAt = once((line, at) => {
  const first = valueAt(line, at);
  if (first === undefined) return undefined;
  const { value: least, grouped, isWord } = first;
  const dash = isOneOf(line, first.next, '-–—~〜') ? first.next + 1 : first.next;
  const to = matchAt(line, dash, KIND.to | KIND.or)?.next ?? dash;
  const last = to === first.next ? undefined : valueAt(line, past(line, to, KIND.about));
  const isRange = last !== undefined && (!last.isWord || isWord) && isLess(least, last.value);
  return isRange
    ? { least, most: last.value, isWord, next: last.next }
    : { least, most: least, grouped, isWord, next: first.next };
});
