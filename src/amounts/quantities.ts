/**
 * Quantities: a number and what it counts. Each construct is a function, tried from `sumAt` on; docs/amounts.md has examples of each.
 */
import { fraction, isCommon, isEqual, isLess, ONE, plus, times } from './fraction.ts';
import {
  type Counted,
  isOneOf,
  type Line,
  matchAt,
  means,
  type Named,
  type NumberRead,
  once,
  past,
  pastAnd,
  textAt,
} from './line.ts';
import { isRatio, numberAt, pastTo } from './numbers.ts';
import { isNoAmount, isSpoken, unitAt, unitBehind, unitInBrackets } from './units.ts';
import { isHyphen, KIND, PIECE } from './words.ts';

const CONTAINERS = /(?:^| )(?:can|bottle|packet|package|bag|container|jar|bar|block|loaf)$/;

const TWO_NUMBERS = 'The number can be read in two ways.';

/** Pieces that need no number: "pinch of salt". */
const VAGUE = /^(?:pinch|dash|handful|knob|splash|dollop|drop)$/;

export const isMeasured = ({ quantity }: Counted): boolean => quantity.unit.kind !== 'piece';

/** Whether it has no unit: "2 eggs". */
export const isBare = ({ quantity }: Counted): boolean => quantity.unit === PIECE;

/** Whether a weight behind it is that of each: "2 cans (400 g)". */
export const isContainer = ({ quantity }: Counted): boolean => CONTAINERS.test(quantity.unit.piece);

/** `number × quantity`; undefined if both are ranges, or the number of quantities is none that people write, as 4/9. */
export function multiplied(
  { least, most }: Pick<NumberRead, 'least' | 'most'>,
  { quantity, isWord, doubt, next: end }: Counted,
  next = end,
): Counted | undefined {
  const { unit } = quantity;
  const { times: factor, least: from, most: to } = quantity;
  const product = isEqual(least, most)
    ? { times: times(least, factor), least: from, most: to, unit }
    : isEqual(from, to) && { times: from, least, most, unit };
  return product && isCommon(product.times) ? { quantity: product, next, isWord, doubt } : undefined;
}

const isPiece = (named: Named | undefined): named is Named => named?.unit.kind === 'piece';

/** "1 (14 ounce) can", "1 (15 oz / 425 g) can", "2 (6-oz) salmon fillets". */
function bracketed(line: Line, number: NumberRead): Counted | undefined {
  if (textAt(line, number.next) !== '(') return undefined;
  const size = simpleAt(line, number.next + 1);
  if (size === undefined || !isMeasured(size)) return undefined;
  const other = isOneOf(line, size.next, '/,;=') ? simpleAt(line, size.next + 1) : undefined;
  const end = other && isMeasured(other) ? other.next : size.next;
  if (textAt(line, end) !== ')') return undefined;
  return multiplied(number, size, unitAt(line, end + 1)?.next ?? end + 1);
}

/** "2 400 g cans", "2 14-oz cans", "1 800g can", "four six-ounce fillets". */
function sized(line: Line, number: NumberRead): Counted | undefined {
  const isSize = line.tokens[number.next]?.kind === 'number' || isHyphen(line.tokens, number.next + 1);
  const size = isSize ? simpleAt(line, number.next) : undefined;
  if (size === undefined || !isMeasured(size)) return undefined;
  const piece = unitBehind(line, size.next);
  const several = multiplied(number, size, isPiece(piece) ? piece.next : size.next);
  // "1 500 g" may be written for 1,500 g.
  const isGroup = /^\d{3}$/.test(textAt(line, number.next));
  const isOne = isEqual(number.least, ONE) && (piece !== undefined || number.isWord);
  return several && (isPiece(piece) || isOne || !isGroup ? several : { ...several, doubt: TWO_NUMBERS });
}

const isTimes = (line: Line, at: number): boolean => isOneOf(line, at, 'xX×*хХ');

/** "2 x 400 g", "3x80g", "3 x 3 x 100 g"; without a second quantity only the number: "3x egg". */
function multiple(line: Line, number: NumberRead, more = 3): Counted | undefined {
  if (!isTimes(line, number.next) || more === 0) return undefined;
  const second = numberAt(line, number.next + 1);
  if (second && isTimes(line, second.next) && number.least.below === 1 && second.least.below === 1) {
    const [least, most] = [times(number.least, second.least), times(number.most, second.most)];
    const product = multiple(line, { ...second, least, most }, more - 1);
    return product && isMeasured(product) ? product : undefined;
  }
  const each = simpleAt(line, number.next + 1);
  if (each !== undefined && !each.isWord) {
    const piece = isMeasured(each) ? unitAt(line, each.next) : undefined;
    return multiplied(number, each, isPiece(piece) ? piece.next : each.next);
  }
  if (second !== undefined && each === undefined) return undefined;
  // "8x pomme", "4x gousse d'ail": the unit follows, or there is none.
  const unit = unitAt(line, number.next + 1);
  return unit === undefined ? counts(number, number.next + 1) : counted(line, number, unit);
}

/** A number of units, or of pieces if it has none. */
const counts = (number: NumberRead, next: number, doubt?: string, unit = PIECE, value = ONE): Counted => ({
  quantity: { times: ONE, least: times(number.least, value), most: times(number.most, value), unit },
  next,
  isWord: number.isWord,
  doubt,
});

/** Grams or millilitres. */
const MANY = fraction(200);

function counted(line: Line, number: NumberRead, named: Named): Counted {
  const { unit, value, next, doubt } = named;
  // "1.234 kg" has thousandths, but who writes "1.234 g"?
  const isLarge = !isLess(unit.size, MANY);
  const isClear = number.grouped === undefined || isLarge || unit.kind === 'piece';
  const level = past(line, next, KIND.level);
  const end = past(line, next, KIND.state) > level ? next : level;
  return counts(number, end, doubt ?? (isClear ? undefined : TWO_NUMBERS), unit, value);
}

/** "大さじ1と1/2", "大さじ2杯": the spoon before the number. */
function unitBefore(line: Line, at: number): Counted | undefined {
  const unit = /^[\u3040-\uffff]/.test(textAt(line, at)) ? unitAt(line, at) : undefined;
  const number = unit && numberAt(line, past(line, unit.next, KIND.about));
  if (unit === undefined || number === undefined) return undefined;
  const { next } = number;
  return counted(line, number, { ...unit, next: textAt(line, next) === '杯' ? next + 1 : next });
}

/** "pinch of salt", "cup of tea": one. */
function withoutNumber(line: Line, at: number): Counted | undefined {
  const unit = unitAt(line, at);
  if (unit === undefined) return undefined;
  const isOf = means(line, unit.next, KIND.of) && !/^[gltTc]$/.test(textAt(line, at));
  // A hand of cream is Dutch, "hand cream" is not.
  const isOther = isSpoken(line, past(line, at, KIND.level | KIND.size), KIND.piece) === false;
  const isVague = VAGUE.test(unit.unit.piece.replace(/^\w+ (?=\w)/, '')) && !isOther;
  return isOf || isVague ? counted(line, { least: ONE, most: ONE, isWord: true, next: at }, unit) : undefined;
}

/** "2 - 8 oz boxes", "2-14 oz cans": two of 8 oz, as no range is so wide. */
function dashed(line: Line, number: NumberRead): Counted | undefined {
  const { least, most } = number;
  if (!isLess(times(least, fraction(3)), most)) return undefined;
  const unit = unitBehind(line, number.next);
  const piece = unit && unitBehind(line, unit.next);
  if (unit === undefined || !CONTAINERS.test(piece?.unit.piece ?? '')) return undefined;
  return multiplied({ least, most: least }, counted(line, { ...number, least: most }, unit), piece?.next);
}

/** One quantity from this token on. */
const quantityAt = once((line, at) => {
  const isAbout = isOneOf(line, at, '~≈±');
  const isNumber = isAbout || line.tokens[at]?.kind === 'number';
  if (!isNumber && !means(line, at)) return undefined;
  if (means(line, at, KIND.name)) return undefined;
  const start = past(line, at, KIND.about) + (isAbout ? 1 : 0);
  const number = numberAt(line, start);
  if (number === undefined) return unitBefore(line, start) ?? withoutNumber(line, start);
  if (isRatio(line, number.next) || isRatio(line, number.next - 2)) return undefined;
  // "a few", "un poco de"
  if (number.isWord && past(line, start, KIND.vague) > number.next) return undefined;
  return (
    multiple(line, number) ??
    bracketed(line, number) ??
    sized(line, number) ??
    dashed(line, number) ??
    repeated(line, contained(line, ranged(line, simpleAt(line, start))))
  );
});

/** "20 g - 30 g", "1 cup to 2 cups": the same unit at both ends. */
function ranged(line: Line, first: Counted | undefined): Counted | undefined {
  const to = first && pastTo(line, first.next);
  const last = to !== first?.next ? simpleAt(line, to ?? 0) : undefined;
  if (!first || !last || !isMeasured(first) || !isLess(first.quantity.least, last.quantity.most))
    return first;
  const isSame = last.quantity.unit.name === first.quantity.unit.name;
  return isSame ? { ...last, quantity: { ...last.quantity, least: first.quantity.least } } : first;
}

/** "100 g x 2", "12 oz x 3 cans". */
function repeated(line: Line, each: Counted | undefined): Counted | undefined {
  const several = each && isTimes(line, each.next) ? simpleAt(line, each.next + 1) : undefined;
  return each && several && isMeasured(each) && !isMeasured(several)
    ? multiplied(several.quantity, each, several.next)
    : each;
}

/** "400 g can": the size of what it names. */
function contained(line: Line, size: Counted | undefined): Counted | undefined {
  const isUnit = size && isMeasured(size) && isSpoken(line, size.next, KIND.piece);
  const piece = isUnit ? unitAt(line, size.next) : undefined;
  return size && piece && CONTAINERS.test(piece.unit.piece)
    ? { ...size, next: piece.next, container: size.next }
    : size;
}

/** "a cup and a half": a part in words, of the same unit; "and half a banana" is another food. */
function halfBehind(line: Line, at: number): NumberRead | undefined {
  const from = pastAnd(line, at);
  const half = from > at ? numberAt(line, from) : undefined;
  if (!half?.isWord || !isLess(half.most, ONE)) return undefined;
  return means(line, half.next, KIND.number) || unitAt(line, half.next) ? undefined : half;
}

/** A number and its unit, without a factor. */
const simpleAt = once((line, at) => {
  const number = numberAt(line, past(line, at, KIND.about));
  if (number === undefined || number.most.above === 0 || isNoAmount(line, number.next)) return undefined;
  if (isOneOf(line, number.next, 'xX×*')) return undefined;
  // "14-oz", "14 -oz"
  const isHyphen =
    isOneOf(line, number.next, '-–') &&
    [number.next, number.next + 1].some((at) => line.tokens[at]?.isAttached === true);
  const next = isHyphen ? number.next + 1 : number.next;
  const of = past(line, next, KIND.of);
  const isArticle = matchAt(line, of, KIND.number)?.senses.every(({ value }) => isEqual(value, ONE));
  const article = isArticle ? past(line, of, KIND.number) : of;
  const unit = unitBehind(line, article) ?? unitInBrackets(line, article);
  const half = unit && halfBehind(line, unit.next);
  if (unit !== undefined && half !== undefined) {
    const [least, most] = [plus(number.least, half.least), plus(number.most, half.least)];
    return counted(line, { ...number, least, most }, { ...unit, next: half.next });
  }
  if (unit !== undefined) return counted(line, number, unit);
  if (number.grouped !== undefined) return counts(number, number.next, TWO_NUMBERS);
  const isDash = isOneOf(line, number.next, '-–—') && line.tokens[number.next + 1]?.kind === 'number';
  const last = isDash ? numberAt(line, number.next + 1) : undefined;
  const lastUnit = last && unitAt(line, last.next);
  // "1-2-3 cups", "1 - 3/4 cups"
  if (lastUnit !== undefined) return { ...counted(line, number, lastUnit), doubt: TWO_NUMBERS };
  return last !== undefined ? undefined : counts(number, isLess(number.least, ONE) ? article : number.next);
});

/** "1 lb 4 oz", "1 kg 200 g", "2 cups plus 1 tbsp", "1 tablespoon and 1 teaspoon", "1 + 1 el". */
export const sumAt = once((line, at) => {
  const first = quantityAt(line, at);
  if (first === undefined) return undefined;
  const comma = textAt(line, first.next) === ',' ? first.next + 1 : 0;
  const sign = textAt(line, first.next) === '+' ? first.next + 1 : comma || pastAnd(line, first.next);
  const second = quantityAt(line, sign);
  const alone = { first, second: undefined, start: at, next: first.next };
  if (second === undefined) return alone;
  const { unit } = second.quantity;
  const isOfKind = unit.kind === first.quantity.unit.kind;
  const isMore = isMeasured(first) && isMeasured(second);
  // "2 tablespoons, 1 teaspoon", but "1 cup, 16 tbsp" are the same twice.
  const least = comma ? times(second.quantity.most, unit.size) : unit.size;
  const isSmaller = isOfKind && isLess(least, first.quantity.unit.size);
  if (isMore && (isSmaller || (sign > first.next && !comma))) return { ...alone, second, next: second.next };
  if (textAt(line, first.next) !== '+' || !isBare(first)) return alone;
  return { first: { ...first, quantity: { ...first.quantity, unit } }, second, start: at, next: second.next };
});
