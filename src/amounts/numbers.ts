/** Numbers as people write them: digits, fractions, words, ranges. */
import { type Fraction, fraction, isLess, ONE, plus, times } from './fraction.ts';
import {
  isOneOf,
  type Line,
  longestAt,
  means,
  type NumberRead,
  once,
  past,
  pastAnd,
  textAt,
  type Value,
} from './line.ts';
import { SIGNS, valuesOf } from './tokens.ts';
import { isHyphen, KIND } from './words.ts';

/** Denominators of kitchens: 26/11 is a date. */
const BELOW = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16];

const isInteger = (line: Line, at: number): boolean => /^\d{1,6}$/.test(textAt(line, at));

/** "85/15" of ground beef, which are the shares of lean and fat; "4/6", which nobody writes for two thirds; "11/2", which may be 1 1/2. */
export function isRatio(line: Line, slash: number): boolean {
  if (textAt(line, slash) !== '/' || !isInteger(line, slash - 1) || !isInteger(line, slash + 1)) return false;
  const [above, below] = [Number(textAt(line, slash - 1)), Number(textAt(line, slash + 1))];
  const isReduced = above > 3 && fraction(above, below).below !== below;
  return above + below === 100 || isReduced || (above > 9 && above > below);
}

/** "½", "1/2", "1/3rd". */
function partAt(line: Line, at: number): Value | undefined {
  if (line.tokens[at]?.kind !== 'number') return undefined;
  const value = SIGNS.get(textAt(line, at));
  if (value !== undefined) return { value, next: at + 1 };
  if (textAt(line, at + 1) !== '/' || !isInteger(line, at) || !isInteger(line, at + 2)) return undefined;
  const below = Number(textAt(line, at + 2));
  if (!BELOW.includes(below) || isRatio(line, at + 1)) return undefined;
  const isOrdinal = /^(?:nd|rd|th)s?$/.test(textAt(line, at + 3));
  return { value: fraction(Number(textAt(line, at)), below), next: at + (isOrdinal ? 4 : 3) };
}

function saidAt(line: Line, at: number, kind: number): Value | undefined {
  const match = longestAt(line, at, kind);
  const sense = match?.senses.find((each) => each.kind === kind);
  return match && sense && { value: sense.value, next: match.next };
}

const isPart = (part: Value | undefined): part is Value => part !== undefined && isLess(part.value, ONE);

/** The token behind the hyphen of "one-half", if it is there. */
const pastHyphen = (line: Line, at: number): number => (isHyphen(line.tokens, at) ? at + 1 : at);

/** Whether a number in words is added to one that is so round: "five" to "twenty". */
const isRest = (rest: Value | undefined, below: number): rest is Value =>
  rest !== undefined && !isLess(rest.value, ONE) && isLess(rest.value, fraction(below));

/** A number in words: "half", "two-thirds", "twenty-five", "three quarters". */
function wordAt(line: Line, at: number): Value | undefined {
  const number = saidAt(line, at, KIND.number);
  if (number === undefined) return undefined;
  const from = pastHyphen(line, number.next);
  const behind = saidAt(line, from, KIND.number);
  const isTens = !isLess(number.value, fraction(20)) && Number(number.value.above) % 10 === 0;
  // But "twenty two-ounce patties".
  const isOne = from > number.next || behind === undefined || !isHyphen(line.tokens, behind.next);
  if (!isTens || !isOne || !isRest(behind, 10)) return partOf(number, behind);
  return { value: plus(number.value, behind.value), next: behind.next };
}

/** "three quarters": the part behind the number, so many times. */
const partOf = (number: Value, part: Value | undefined): Value =>
  isPart(part) ? { value: times(number.value, part.value), next: part.next } : number;

/** "1 1/2", "1-1/2", "1½", "1 and 1/2", "one and a half", "1 e meia". */
function mixedAt(line: Line, whole: Value): Value {
  const from = pastHyphen(line, whole.next);
  const joined = pastHyphen(line, pastAnd(line, from));
  const behind = partAt(line, whole.next);
  const part = isPart(behind) ? behind : (partAt(line, joined) ?? wordAt(line, joined));
  return isPart(part) ? { value: plus(whole.value, part.value), next: part.next } : whole;
}

const exactly = (value: Fraction, next: number, isWord: boolean, grouped?: Fraction): NumberRead => {
  return { least: value, most: value, grouped, isWord, next };
};

const HUNDRED = fraction(100);

/** One number, with the dozen or hundred behind it: "half a dozen", "two hundred and fifty". */
function valueAt(line: Line, at: number): NumberRead | undefined {
  const isWord = line.tokens[at]?.kind !== 'number';
  const [digits, grouped] = isWord ? [] : valuesOf(textAt(line, at), line.mark);
  const first = partAt(line, at) ?? (digits ? { value: digits, next: at + 1 } : wordAt(line, at));
  let number = first;
  if (first !== undefined && !isLess(first.value, ONE)) {
    // "1 half", "3 quarters".
    number = isWord ? first : partOf(first, wordAt(line, pastHyphen(line, first.next)));
    if (number === first && first.value.below === 1) number = mixedAt(line, first);
  }
  const next = number?.next ?? at;
  const from = pastHyphen(line, next);
  const factor = saidAt(line, from, KIND.times) ?? saidAt(line, wordAt(line, from)?.next ?? from, KIND.times);
  if (factor === undefined)
    return number && exactly(number.value, number.next, isWord, number === first ? grouped : undefined);
  const product = times(number?.value ?? ONE, factor.value);
  const behind = past(line, pastHyphen(line, factor.next), KIND.and);
  const rest = wordAt(line, behind);
  // "a dozen and a half"
  const isOfFactor = isPart(rest) && behind > factor.next;
  return rest !== undefined && (isOfFactor || (isRest(rest, 100) && !isLess(factor.value, HUNDRED)))
    ? exactly(plus(product, isOfFactor ? times(factor.value, rest.value) : rest.value), rest.next, isWord)
    : exactly(product, factor.next, isWord);
}

/** The token behind a dash or "to", as between the ends of a range. */
export const pastTo = (line: Line, at: number): number =>
  past(line, isOneOf(line, at, '-–—~〜') ? at + 1 : at, KIND.to | KIND.or);

/** A number or a range: "2", "1-2", "1 to 2", "6- to 10", "between 1 and 2". */
export const numberAt = once((line, at) => {
  const first = valueAt(line, at);
  if (first === undefined) return undefined;
  // "half-an-ounce"
  if (first.isWord && isLess(first.most, ONE) && isHyphen(line.tokens, first.next)) return first;
  const isBetween = means(line, at - 1, KIND.between);
  const to = isBetween ? pastAnd(line, first.next) : pastTo(line, first.next);
  const last = to === first.next ? undefined : valueAt(line, past(line, to, KIND.about));
  return last !== undefined && isLess(first.least, last.most)
    ? { ...exactly(last.most, last.next, first.isWord), least: first.least }
    : first;
});
