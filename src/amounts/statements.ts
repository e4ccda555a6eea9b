/** All amounts that a line states of one food, and which of them counts. */
import type { Amount, Quantity } from './amount.ts';
import { isCommon, isEqual, isLess, ONE, over, plus, times } from './fraction.ts';
import { bracketAt, isOneOf, type Line, matchAt, means, past, type Stated, textAt } from './line.ts';
import { isBare, isContainer, isMeasured, multiplied, sumAt } from './quantities.ts';
import { KIND } from './words.ts';

export const TWO_WEIGHTS = 'The text states two weights that differ.';
const EACH_OR_ALL = 'The weight may be that of one or of all.';

interface Place extends Stated {
  readonly isInBrackets: boolean;
  /** Whether "each", or in the same way "of", is beside it. */
  readonly isEach: boolean;
}

const isCanned = (line: Line, { start, next }: Stated): boolean =>
  line.tokens
    .slice(start, next)
    .some((_, i) => matchAt(line, start + i, KIND.piece)?.senses.some(({ unit }) => unit.piece === 'can'));

/** "2 x 400 g tins chopped tomatoes" are canned, chopped or not. */
export const isOfCans = (line: Line, places: readonly Place[]): boolean =>
  places.some((place, i) => (i === 0 || isStated(line, place, 0)) && isCanned(line, place));

/** All amounts of the part, in order. */
export function placesOf(line: Line): readonly Place[] {
  const places: Place[] = [];
  // Behind brackets and signs.
  const firstAt = line.tokens.findIndex((_, at) => !isOneOf(line, at, '([*"-'));
  let depth = 0;
  for (let at = 0, behind = 0; at < line.tokens.length; at = behind) {
    depth += bracketAt(line, at);
    const stated = isJoined(line, at) || isSigned(line, at) ? undefined : sumAt(line, at);
    behind = stated?.next ?? at + 1;
    if (stated === undefined) continue;
    const isMore = isHalfMore(line, places[0], stated);
    if (at !== firstAt && !isMore && !isAllowed(line, at, stated)) continue;
    const isEach =
      means(line, at - 1, KIND.each | KIND.of) ||
      means(line, stated.next, KIND.each) ||
      isStatesOnly(line, places[0]?.next ?? at, at);
    const start = isOneOf(line, at - 1, 'xX×') ? at - 1 : at;
    const { first, second, next } = stated;
    places.push({ first, second, start, next, isInBrackets: depth > 0, isEach });
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
  !isOneOf(line, at - 1, 'xX') &&
  !/[\u3040-\uffff]$/.test(textAt(line, at - 1));

/** An amount inside a food needs a unit, or stands behind everything, or behind "of": "eggs x 3", "juice of 1 lemon"; not "butter (g) 200". */
function isAllowed(line: Line, at: number, { first, next }: Stated): boolean {
  // "325 g (± 1 cl)", "½ stick (or 1 tbsp powder)".
  const isEnd = next === line.tokens.length;
  if (isOneOf(line, at - 1, '+±') || (means(line, at - 1, KIND.or) && !isEnd)) return false;
  if (!isBare(first)) return !first.isWord || !means(line, at - 1, KIND.of | KIND.and | KIND.with);
  if (first.isWord) return means(line, at - 1, KIND.of) && isLess(first.quantity.least, ONE);
  if (isEnd || isIn(line, at, next)) return textAt(line, at - 1) !== ')';
  return means(line, at - 1, KIND.of);
}

/** "eggs (2)" */
const isIn = (line: Line, at: number, next: number): boolean =>
  textAt(line, at - 1) === '(' && textAt(line, next) === ')' && next + 1 === line.tokens.length;

const isMass = ({ first }: Stated): boolean => first.quantity.unit.kind === 'g';
const isPiece = ({ first }: Stated): boolean => first.quantity.unit.kind === 'piece';

/** Whether a weight behind the first amount can be meant for the same food: in brackets, behind a comma, at the end, or "of 125 g". */
const isStated = (line: Line, { start, next, isInBrackets, isEach }: Place, from: number): boolean =>
  isInBrackets ||
  isEach ||
  (next === line.tokens.length && !line.tokens.slice(from, start).some(({ text }) => text === ',')) ||
  /^(?:[,/=:–—-]|)$/.test(textAt(line, start - 1)) ||
  means(line, start - 1, KIND.about);

/** "1 cup sugar plus 2 tbsp", of which the second has no food of its own. */
const isAdded = (line: Line, place: Stated, { start, first }: Stated): boolean =>
  (isBare(place.first) ? isBare(first) : isMeasured(place.first) && isMeasured(first)) &&
  means(line, start - 1, KIND.and) &&
  !means(line, start - 1, KIND.number);

/** "an egg and a half" */
const isHalfMore = (line: Line, place: Place | undefined, stated: Stated): boolean =>
  stated.next === line.tokens.length &&
  isLess(stated.first.quantity.most, ONE) &&
  place !== undefined &&
  isAdded(line, place, stated);

/** The middle of a quantity, in grams or millilitres. */
const middleOf = ({ times: factor, least, most, unit }: Quantity) =>
  times(times(factor, over(plus(least, most), { above: 2, below: 1 })), unit.size);

const sizeOf = ({ first, second }: Stated) =>
  second ? plus(middleOf(first.quantity), middleOf(second.quantity)) : middleOf(first.quantity);

/** A pound may be given as 500 g. */
function agree(a: Stated, b: Stated): boolean {
  const ratio = over(sizeOf(a), sizeOf(b));
  return isLess({ above: 5, below: 6 }, ratio) && isLess(ratio, { above: 6, below: 5 });
}

/** Of all amounts of a food the one that counts: grams before anything else, and those of each piece for all pieces. */
export function amountOf(line: Line, places: readonly Place[], place: Place): Amount {
  const added = places.findIndex((each) => each.start >= place.next && !each.isInBrackets);
  const more = places[added];
  if (more !== undefined && isAdded(line, place, more)) {
    const [a, b] = [amountOf(line, places.slice(0, added), place), amountOf(line, places.slice(added), more)];
    const [one, other] = [a.parts, b.parts].map(([first, second]) => (second ? undefined : first));
    return {
      parts: one && other ? together(one, other) : [...a.parts, ...b.parts],
      doubt: a.doubt ?? b.doubt,
    };
  }
  const others = places.filter((each) => each.start >= place.next && isStated(line, each, place.next));
  // "1 cup (240 ml/8 oz)": those are fluid.
  const isFluid = others.some(({ first }) => first.quantity.unit.name === 'ml');
  const mass = others.find((other) => isMass(other) && !(isFluid && other.first.quantity.unit.name === 'oz'));
  if (isMass(place)) {
    // "100 g rice 200 g", "100 g 200 g rice"
    const isCounted = (each: Place) =>
      each.next === line.tokens.length || each.start === place.next || isStated(line, each, place.next);
    const other = places.find(
      (each) => each.start >= place.next && isMass(each) && !each.isEach && isCounted(each),
    );
    return toAmount(place, other && !agree(place, other) ? TWO_WEIGHTS : undefined);
  }
  const other = mass ?? (isPiece(place) ? others.find((each) => !isPiece(each)) : undefined);
  // "1 pint (568 ml)"
  const metric = others.find(({ start, first: { quantity } }) => {
    return start === place.next + 1 && /^[cd]?l$|^ml$/.test(quantity.unit.name);
  });
  // "2 eggs, rice 100 g"
  if (other === undefined && isPiece(place) && isMass(places.at(-1) ?? place))
    return toAmount(place, EACH_OR_ALL);
  if (other === undefined)
    return toAmount(metric && !isPiece(place) && !agree(place, metric) ? metric : place);
  if (!isPiece(place)) return toAmount(other);
  const { times: factor, least, most } = place.first.quantity;
  const all = { least: times(factor, least), most: times(factor, most) };
  const isOfEach = other.isEach || isContainer(place.first);
  if (isEqual(all.most, ONE) || (other.isInBrackets && !isOfEach)) return toAmount(other);
  const first = isOfEach && other.second === undefined ? multiplied(all, other.first) : undefined;
  return first === undefined ? toAmount(place, EACH_OR_ALL) : toAmount({ ...other, first });
}

const toAmount = ({ first, second }: Stated, doubt = first.doubt ?? second?.doubt): Amount => ({
  parts: second ? together(first.quantity, second.quantity) : [first.quantity],
  doubt,
});

/** "1 cup and 1/2 cup" are 1½ cups. */
function together(a: Quantity, b: Quantity): readonly Quantity[] {
  const [least, most] = [plus(a.least, b.least), plus(a.most, b.most)];
  const isSame = a.unit.name === b.unit.name && isEqual(a.times, ONE) && isEqual(b.times, ONE);
  return isSame && isCommon(least) && isCommon(most) ? [{ ...a, least, most }] : [a, b];
}
