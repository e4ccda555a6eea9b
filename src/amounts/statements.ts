/** All amounts that a line states of one food, and which of them counts. */
import type { Amount, Quantity } from './amount.ts';
import { isCommon, isEqual, isLess, ONE, over, plus, times } from './fraction.ts';
import { type Counted, isOneOf, type Line, matchAt, means, past, type Stated, textAt } from './line.ts';
import { multiplied, sumAt } from './quantities.ts';
import { KIND } from './words.ts';

export const TWO_WEIGHTS = 'The text states two weights that differ.';
const EACH_OR_ALL = 'The weight may be that of one or of all.';

export interface Place extends Stated {
  readonly isInBrackets: boolean;
  /** Whether "each", or in the same way "of", is beside it. */
  readonly isEach: boolean;
}

/** Whether it is an amount of cans. */
export const isCanned = (line: Line, { start, next }: Stated): boolean =>
  line.tokens
    .slice(start, next)
    .some((_, i) => matchAt(line, start + i, KIND.piece)?.senses.some(({ unit }) => unit.piece === 'can'));

/** Behind brackets and signs. */
const firstOf = (line: Line): number => line.tokens.findIndex((_, at) => !isOneOf(line, at, '([*"-'));

/** All amounts of the part, in order. */
export function placesOf(line: Line): readonly Place[] {
  const places: Place[] = [];
  let depth = 0;
  for (let at = 0; at < line.tokens.length; ) {
    const text = textAt(line, at);
    if (isOneOf(line, at, '()[]')) depth += '(['.includes(text) ? 1 : -1;
    const stated = isJoined(line, at) || isSigned(line, at) ? undefined : sumAt(line, at);
    if (stated === undefined || !isAllowed(line, at, stated)) {
      at = stated === undefined ? at + 1 : stated.next;
      continue;
    }
    const isEach =
      means(line, at - 1, KIND.each | KIND.of) ||
      means(line, stated.next, KIND.each) ||
      isStatesOnly(line, places[0]?.next ?? at, at);
    const start = isOneOf(line, at - 1, 'xX×') ? at - 1 : at;
    places.push({ ...stated, start, isInBrackets: depth > 0, isEach });
    at = stated.next;
  }
  return places;
}

/** "1 boneless 2-3 pound roast": between a number and a weight are only states. */
function isStatesOnly(line: Line, from: number, to: number): boolean {
  let at = from;
  while (at < to) {
    const next = past(line, at, KIND.state | KIND.drop | KIND.size);
    if (next === at) return false;
    at = next;
  }
  return from < to;
}

/** "Nr. 405", "#2". */
const isSigned = (line: Line, at: number): boolean =>
  line.tokens[at]?.kind === 'number' &&
  (textAt(line, at - 1) === '#' || means(line, at - 1, KIND['number sign']));

/** "V8": a number that is part of a word. */
const isJoined = (line: Line, at: number): boolean =>
  line.tokens[at]?.isAttached === true &&
  line.tokens[at - 1]?.kind === 'word' &&
  !/[\u3040-\uffff]$/.test(textAt(line, at - 1));

/** An amount inside a food needs a unit, or stands behind everything, or behind "of": "eggs x 3", "juice of 1 lemon". */
function isAllowed(line: Line, at: number, { parts, next }: Stated): boolean {
  const [first] = parts;
  if (first === undefined || at === firstOf(line)) return first !== undefined;
  // "325 g (± 1 cl)", "½ stick (or 1 tbsp powder)".
  if (isOneOf(line, at - 1, '+±') || means(line, at - 1, KIND.or)) return false;
  if (!first.isBare) return !first.isWord || !means(line, at - 1, KIND.of | KIND.and | KIND.with);
  if (first.isWord) return means(line, at - 1, KIND.of) && isLess(first.quantity.least, ONE);
  return next === line.tokens.length || means(line, at - 1, KIND.of);
}

const isMass = ({ parts }: Stated): boolean => parts[0]?.quantity.unit.kind === 'g';
const isPiece = ({ parts }: Stated): boolean => parts[0]?.quantity.unit.kind === 'piece';

/** Whether a weight behind the first amount can be meant for the same food: in brackets, behind a comma, at the end, or "of 125 g". */
export const isStated = (line: Line, { start, isInBrackets, isEach }: Place): boolean =>
  isInBrackets ||
  isEach ||
  /^(?:[,/=:–—-]|)$/.test(textAt(line, start - 1)) ||
  means(line, start - 1, KIND.about);

/** The middle of a sum, in grams or millilitres. */
const sizeOf = ({ parts }: Stated) =>
  parts
    .map(({ quantity: { times: factor, least, most, unit } }) =>
      times(times(factor, over(plus(least, most), { above: 2, below: 1 })), unit.size),
    )
    .reduce(plus);

/** A pound may be given as 500 g. */
function agree(a: Stated, b: Stated): boolean {
  const ratio = over(sizeOf(a), sizeOf(b));
  return isLess({ above: 5, below: 6 }, ratio) && isLess(ratio, { above: 6, below: 5 });
}

/** Of all amounts of a food the one that counts: grams before anything else, and those of each piece for all pieces. */
export function amountOf(line: Line, places: readonly Place[], first: Place): Amount {
  const others = places.filter((place) => place.start >= first.next && isStated(line, place));
  // "1 cup (240 ml/8 oz)": those are fluid.
  const isFluid = others.some((place) => place.parts[0]?.quantity.unit.name === 'ml');
  const mass = others.find(
    (place) => isMass(place) && !(isFluid && place.parts[0]?.quantity.unit.name === 'oz'),
  );
  if (isMass(first)) {
    const other = others.find((place) => isMass(place) && !place.isEach);
    return toAmount(first, other && !agree(first, other) ? TWO_WEIGHTS : undefined);
  }
  const other = mass ?? (isPiece(first) ? others.find((place) => !isPiece(place)) : undefined);
  if (other === undefined) return toAmount(first);
  if (!isPiece(first)) return toAmount(other);
  const [{ quantity, isContainer } = first.parts[0] as Counted] = first.parts;
  const all = {
    least: times(quantity.times, quantity.least),
    most: times(quantity.times, quantity.most),
  };
  if (isEqual(all.most, ONE) || (other.isInBrackets && !other.isEach && !isContainer)) return toAmount(other);
  const isOfEach = other.parts.length === 1 && (other.isEach || isContainer);
  const every = isOfEach ? multiplied(all, other.parts[0] as Counted) : undefined;
  return every === undefined ? toAmount(first, EACH_OR_ALL) : toAmount({ ...other, parts: [every] });
}

function toAmount({ parts, doubt }: Stated, reason = doubt): Amount {
  const sums: Quantity[] = [];
  for (const { quantity } of parts) {
    const same = sums.findIndex(
      ({ unit, times: factor }) => unit.name === quantity.unit.name && isEqual(factor, ONE),
    );
    const before = sums[same];
    const sum = before && {
      ...before,
      least: plus(before.least, quantity.least),
      most: plus(before.most, quantity.most),
    };
    if (sum !== undefined && isEqual(quantity.times, ONE) && isCommon(sum.least) && isCommon(sum.most))
      sums[same] = sum;
    else sums.push(quantity);
  }
  return reason === undefined ? { parts: sums } : { parts: sums, doubt: reason };
}
