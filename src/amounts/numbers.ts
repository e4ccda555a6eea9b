/** Numbers as people write them: digits, fractions, words, ranges. */
import { type Fraction, fraction, isLess, ONE, plus, times } from './fraction.ts';
import { isOneOf, type Line, longestAt, type NumberRead, once, past, textAt, type Value } from './line.ts';
import { SIGNS, valuesOf } from './tokens.ts';
import { KIND } from './words.ts';

/** Denominators of kitchens: 26/11 is a date. */
const BELOW = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16];

const isInteger = (line: Line, at: number): boolean => /^\d{1,6}$/.test(textAt(line, at));

/** "½", "1/2". */
function partAt(line: Line, at: number): Value | undefined {
  if (line.tokens[at]?.kind !== 'number') return undefined;
  const value = SIGNS.get(textAt(line, at));
  if (value !== undefined) return { value, next: at + 1 };
  if (textAt(line, at + 1) !== '/' || !isInteger(line, at) || !isInteger(line, at + 2)) return undefined;
  const below = Number(textAt(line, at + 2));
  return BELOW.includes(below)
    ? { value: fraction(Number(textAt(line, at)), below), next: at + 3 }
    : undefined;
}

function saidAt(line: Line, at: number, kind: number): Value | undefined {
  const match = longestAt(line, at, kind);
  const sense = match?.senses.find((each) => each.kind === kind);
  return match && sense && { value: sense.value, next: match.next };
}

const isPart = (part: Value | undefined): part is Value => part !== undefined && isLess(part.value, ONE);

/** A number in words: "half", "two hundred", "three quarters". */
function wordAt(line: Line, at: number): Value | undefined {
  const number = saidAt(line, at, KIND.number);
  return number && partOf(number, saidAt(line, number.next, KIND.number));
}

/** "three quarters": the part behind the number, so many times. */
const partOf = (number: Value, part: Value | undefined): Value =>
  isPart(part) ? { value: times(number.value, part.value), next: part.next } : number;

/** "1 1/2", "1-1/2", "1½", "1 and 1/2", "one and a half", "1 e meia". */
function mixedAt(line: Line, whole: Value): Value {
  const isHyphen = textAt(line, whole.next) === '-' && line.tokens[whole.next]?.isAttached === true;
  const joined = isHyphen ? whole.next + 1 : past(line, whole.next, KIND.and);
  const behind = partAt(line, whole.next);
  const part = isPart(behind) ? behind : (partAt(line, joined) ?? wordAt(line, joined));
  return isPart(part) ? { value: plus(whole.value, part.value), next: part.next } : whole;
}

const exactly = (value: Fraction, next: number, isWord: boolean, grouped?: Fraction): NumberRead => {
  return { least: value, most: value, grouped, isWord, next };
};

/** One number, with the dozen or hundred behind it: "half a dozen". */
function valueAt(line: Line, at: number): NumberRead | undefined {
  const isWord = line.tokens[at]?.kind !== 'number';
  const [digits, grouped] = isWord ? [] : valuesOf(textAt(line, at), line.mark);
  const first = partAt(line, at) ?? (digits ? { value: digits, next: at + 1 } : wordAt(line, at));
  let number = first;
  if (first !== undefined && !isLess(first.value, ONE)) {
    // "1 half", "3 quarters".
    number = isWord ? first : partOf(first, wordAt(line, first.next));
    if (number === first && first.value.below === 1) number = mixedAt(line, first);
  }
  const next = number?.next ?? at;
  const factor = saidAt(line, next, KIND.times) ?? saidAt(line, wordAt(line, next)?.next ?? next, KIND.times);
  if (factor === undefined)
    return number && exactly(number.value, number.next, isWord, number === first ? grouped : undefined);
  return exactly(times(number?.value ?? ONE, factor.value), factor.next, isWord);
}

/** A number or a range: "2", "1-2", "1 to 2", "6- to 10". */
export const numberAt = once((line, at) => {
  const first = valueAt(line, at);
  if (first === undefined) return undefined;
  const dash = isOneOf(line, first.next, '-–—~〜') ? first.next + 1 : first.next;
  const to = past(line, dash, KIND.to | KIND.or);
  const last = to === first.next ? undefined : valueAt(line, past(line, to, KIND.about));
  return last !== undefined && isLess(first.least, last.most)
    ? { ...exactly(last.most, last.next, first.isWord), least: first.least }
    : first;
});
