/**
 * Quantities: a number and what it counts. Each construct is a function, tried from `amountAt` on; `RULES` in rules.ts names
 * them with examples.
 */
import type { Quantity, Unit } from './amount.ts';
import { type Fraction, fraction, isEqual, isLess, ONE, times } from './fraction.ts';
import { type Counted, type Line, matchAt, past, type Stated, textAt } from './line.ts';
import { type NumberRead, numberAt } from './numbers.ts';
import { type Match, PIECE, type Sense } from './words.ts';

const CONTAINERS = /(?:^| )(?:can|bottle|packet|package|bag|container|jar|bar|block|stick|loaf)$/;

const TWO_UNITS = 'The unit has two meanings.';
const TWO_NUMBERS = 'The number can be read in two ways.';

/** Pieces that need no number: "pinch of salt". */
const VAGUE = /^(?:pinch|dash|handful|knob|splash|dollop|drop)$/;

/** In how many words of the line each language is recognized. */
export function votesOf(line: Line): ReadonlyMap<string, number> {
  const votes = new Map<string, number>();
  const isKana = /[\u3040-\u30ff]/.test(line.text);
  for (const at of line.tokens.keys()) {
    const { senses = [] } =
      matchAt(line, at, 'of', 'and', 'or', 'state', 'to taste', 'size', 'end', 'with') ?? {};
    for (const language of new Set(senses.map((sense) => sense.language)))
      votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  if (isKana) votes.set('ja', line.tokens.length);
  return votes;
}

const isSame = (a: Sense, b: Sense): boolean =>
  isEqual(a.value, b.value) &&
  a.unit.kind === b.unit.kind &&
  isEqual(a.unit.size, b.unit.size) &&
  a.kind === b.kind;

/** What the words mean, by the other words of the line where languages differ; undefined in `doubt` if that is known. */
function decide(line: Line, { senses }: Match): { sense: Sense; doubt?: string } | undefined {
  const [first] = senses;
  if (first === undefined || senses.every((sense) => isSame(sense, first))) return first && { sense: first };
  const votes = votesOf(line);
  const voted = senses.map((sense) => votes.get(sense.language) ?? 0);
  const best = senses.filter((_, i) => voted[i] === Math.max(...voted));
  const [sense = first] = best;
  return best.every((each) => isSame(each, sense)) ? { sense } : { sense, doubt: TWO_UNITS };
}

const nameOf = ({ text, tokens }: Line, start: number, next: number): string =>
  text.slice(tokens[start]?.start, tokens[next - 1]?.end).replace(/\.$/, '');

interface Named {
  readonly unit: Unit;
  readonly value: Fraction;
  readonly next: number;
  readonly doubt?: string | undefined;
}

/** A unit or piece, with its size: "g", "heaped tbsp", "large cloves", "medium". */
function unitAt(line: Line, at: number): Named | undefined {
  const start = past(line, at, 'level');
  const size = matchAt(line, start, 'size');
  const behind = size && matchAt(line, past(line, size.next, 'level'), 'piece');
  const match = behind ?? matchAt(line, start, 'unit', 'piece') ?? size;
  const decided = match && decide(line, match);
  if (match === undefined || decided === undefined) return undefined;
  const { sense, doubt } = decided;
  const [of] = behind === undefined ? [] : (size?.senses ?? []);
  const name = sense.unit.name || nameOf(line, start, match.next);
  const piece = [of?.unit.piece, sense.unit.piece].filter(Boolean).join(' ');
  return { unit: { ...sense.unit, name, piece }, value: sense.value, next: match.next, doubt };
}

const scaled = (number: NumberRead, value: Fraction, unit: Unit): Quantity => ({
  times: ONE,
  least: times(number.least, value),
  most: times(number.most, value),
  unit,
});

const isMeasured = ({ quantity }: Counted): boolean => quantity.unit.kind !== 'piece';

/** `number × quantity`. */
const multiplied = (number: NumberRead, each: Counted, start: number, next: number): Counted | undefined =>
  isEqual(number.least, number.most)
    ? {
        ...each,
        quantity: { ...each.quantity, times: times(number.least, each.quantity.times) },
        start,
        next,
      }
    : isEqual(each.quantity.least, each.quantity.most)
      ? {
          ...each,
          quantity: { ...each.quantity, least: number.least, most: number.most, times: each.quantity.least },
          start,
          next,
        }
      : undefined;

/** Behind a number is what makes it no amount: "2%", "2-inch", "7-grain", "3 x 3 cm". */
function isNoAmount(line: Line, next: number): boolean {
  const text = textAt(line, next);
  if (/^[%‰°"'″]$/.test(text) || matchAt(line, next, 'no amount') !== undefined) return true;
  const isJoined = text === '-' && line.tokens[next]?.isAttached === true;
  if (isJoined)
    return (
      matchAt(line, next + 1, 'unit', 'piece', 'size') === undefined && line.tokens[next + 1]?.kind === 'word'
    );
  // "2nd", "1e3"; but "2eggs".
  const isAttached = line.tokens[next]?.isAttached === true && line.tokens[next]?.kind === 'word';
  return (
    isAttached &&
    /^(?:\p{sc=Latn}|st|nd|rd|th)$/u.test(text) &&
    !/^[x×]$/i.test(text) &&
    unitAt(line, next) === undefined
  );
}

/** "1 (14 ounce) can", "2 (6-oz) salmon fillets". */
function bracketed(line: Line, number: NumberRead, start: number): Counted | undefined {
  if (textAt(line, number.next) !== '(') return undefined;
  const size = simpleAt(line, number.next + 1);
  if (size === undefined || !isMeasured(size) || textAt(line, size.next) !== ')') return undefined;
  const piece = unitAt(line, size.next + 1);
  return multiplied(number, size, start, piece?.next ?? size.next + 1);
}

/** "2 400 g cans", "2 14-oz cans", "1 800g can". */
function sized(line: Line, number: NumberRead, start: number): Counted | undefined {
  const size = line.tokens[number.next]?.kind === 'number' ? simpleAt(line, number.next) : undefined;
  if (size === undefined || size.isBare || !isMeasured(size)) return undefined;
  const piece = unitAt(line, textAt(line, size.next) === '-' ? size.next + 1 : size.next);
  const several = multiplied(number, size, start, piece?.unit.kind === 'piece' ? piece.next : size.next);
  // "1 500 g" may be written for 1,500 g.
  const isGroup = /^\d{3}$/.test(textAt(line, number.next));
  const isOne = isEqual(number.least, ONE) && (piece !== undefined || number.isWord);
  return (
    several &&
    (piece?.unit.kind === 'piece' || isOne || !isGroup ? several : { ...several, doubt: TWO_NUMBERS })
  );
}

/** "2 x 400 g", "3x80g"; without a second quantity only the number: "3x egg". */
function multiple(line: Line, number: NumberRead, start: number): Counted | undefined {
  if (!/^[x×*х]$/i.test(textAt(line, number.next))) return undefined;
  const each = simpleAt(line, number.next + 1);
  if (each !== undefined && !each.isWord) {
    const piece = isMeasured(each) ? unitAt(line, each.next) : undefined;
    return multiplied(number, each, start, piece?.unit.kind === 'piece' ? piece.next : each.next);
  }
  if (numberAt(line, number.next + 1) !== undefined && each === undefined) return undefined;
  // "8x pomme", "4x gousse d'ail": the unit follows, or there is none.
  const unit = unitAt(line, number.next + 1);
  return unit === undefined ? bare(number, start, number.next + 1) : counted(line, number, unit, start);
}

const bare = (number: NumberRead, start: number, next: number): Counted => ({
  quantity: scaled(number, ONE, PIECE),
  start,
  next,
  isBare: true,
  isWord: number.isWord,
  isContainer: false,
});

/** Grams or millilitres. */
const MANY = fraction(200n);

function counted(line: Line, number: NumberRead, named: Named, start: number): Counted {
  const { unit, value, next, doubt } = named;
  // "1.234 kg" has thousandths, but who writes "1.234 g"?
  const isLarge = !isLess(unit.size, MANY);
  const isClear = number.grouped === undefined || isLarge || unit.kind === 'piece';
  return {
    quantity: scaled(number, value, unit),
    start,
    next: past(line, next, 'level'),
    isBare: false,
    isWord: number.isWord,
    isContainer: CONTAINERS.test(unit.piece),
    doubt: doubt ?? (isClear ? undefined : TWO_NUMBERS),
  };
}

/** "大さじ1と1/2", "大さじ2杯": the spoon before the number. */
function unitBefore(line: Line, at: number): Counted | undefined {
  const unit = /^[\u3040-\uffff]/.test(textAt(line, at)) ? unitAt(line, at) : undefined;
  const number = unit && numberAt(line, past(line, unit.next, 'about'));
  if (unit === undefined || number === undefined) return undefined;
  const { next } = number;
  return counted(line, number, { ...unit, next: textAt(line, next) === '杯' ? next + 1 : next }, at);
}

/** "pinch of salt", "cup of tea": one. */
function withoutNumber(line: Line, at: number): Counted | undefined {
  const unit = unitAt(line, at);
  if (unit === undefined || (unit.unit.kind === 'piece' && unit.unit.piece === '')) return undefined;
  const isOf = matchAt(line, unit.next, 'of') !== undefined && !/^(?:g|l|t|T|c)$/.test(textAt(line, at));
  const isVague = VAGUE.test(unit.unit.piece.replace(/^\w+ (?=\w)/, ''));
  if (!isOf && !isVague) return undefined;
  return counted(line, { least: ONE, most: ONE, isWord: true, next: at }, unit, at);
}

/** "2 - 8 oz boxes", "2-14 oz cans": two of 8 oz, as no range is so wide. */
function dashed(line: Line, number: NumberRead, start: number): Counted | undefined {
  if (isEqual(number.least, number.most) || !isLess(times(number.least, fraction(3n)), number.most))
    return undefined;
  const unit = unitAt(line, textAt(line, number.next) === '-' ? number.next + 1 : number.next);
  const piece = unit && unitAt(line, textAt(line, unit.next) === '-' ? unit.next + 1 : unit.next);
  if (
    unit === undefined ||
    unit.unit.kind === 'piece' ||
    piece === undefined ||
    !CONTAINERS.test(piece.unit.piece)
  )
    return undefined;
  const size = counted(line, { ...number, least: number.most }, unit, start);
  return multiplied({ ...number, most: number.least }, size, start, piece.next);
}

/** Whether an amount may begin with this token. */
const mayBegin = ({ tokens, matches, words }: Line, at: number): boolean => {
  const kind = tokens[at]?.kind;
  matches[at] ??= words.matches(tokens, at);
  return (
    kind === 'number' || matches[at].length > 0 || (kind === 'sign' && /^[~≈±]$/.test(tokens[at]?.text ?? ''))
  );
};

/** One quantity from this token on. */
function quantityAt(line: Line, at: number): Counted | undefined {
  if (!mayBegin(line, at) || matchAt(line, at, 'name') !== undefined) return undefined;
  const start = past(line, at, 'about') + (/^[~≈±]$/.test(textAt(line, at)) ? 1 : 0);
  const number = numberAt(line, start);
  if (number === undefined) return unitBefore(line, start) ?? withoutNumber(line, start);
  // "a few", "un poco de"
  if (number.isWord && past(line, start, 'vague') > number.next) return undefined;
  const several =
    multiple(line, number, at) ??
    bracketed(line, number, at) ??
    sized(line, number, at) ??
    dashed(line, number, at);
  return several ?? simple(line, number, at);
}

/** A number and its unit, without a factor. */
function simpleAt(line: Line, at: number): Counted | undefined {
  const start = past(line, at, 'about');
  const number = numberAt(line, start);
  return number && simple(line, number, at);
}

function simple(line: Line, number: NumberRead, start: number): Counted | undefined {
  if (number.most.above === 0n || isNoAmount(line, number.next)) return undefined;
  if (/^[x×*]$/i.test(textAt(line, number.next))) return undefined;
  const isHyphen = /^[-–]$/.test(textAt(line, number.next)) && line.tokens[number.next]?.isAttached === true;
  const next = isHyphen ? number.next + 1 : number.next;
  const of = past(line, next, 'of');
  const isPart = isLess(number.least, ONE);
  const article = isPart ? past(line, of, 'number') : of;
  const unit = unitAt(line, next) ?? unitAt(line, article);
  if (unit !== undefined) return counted(line, number, unit, start);
  if (number.grouped !== undefined) return { ...bare(number, start, number.next), doubt: TWO_NUMBERS };
  const isOther = isHyphen && line.tokens[next]?.kind === 'number';
  return isOther ? undefined : bare(number, start, isPart ? article : number.next);
}

const isSmaller = (a: Counted, b: Counted): boolean =>
  a.quantity.unit.kind === b.quantity.unit.kind && isLess(a.quantity.unit.size, b.quantity.unit.size);

/** "1 lb 4 oz", "1 kg 200 g", "2 cups plus 1 tbsp", "1 tablespoon and 1 teaspoon", "1 + 1 el". */
export function sumAt(line: Line, at: number): Stated | undefined {
  if (line.sums[at] === undefined) line.sums[at] = readSum(line, at) ?? null;
  return line.sums[at] ?? undefined;
}

function readSum(line: Line, at: number): Stated | undefined {
  const first = quantityAt(line, at);
  if (first === undefined) return undefined;
  const sign = /^[+&]$/.test(textAt(line, first.next)) ? first.next + 1 : past(line, first.next, 'and');
  const second = quantityAt(line, sign);
  if (
    second !== undefined &&
    isMeasured(second) &&
    isMeasured(first) &&
    (isSmaller(second, first) ||
      (sign > first.next && second.quantity.unit.name === first.quantity.unit.name)) &&
    !second.isWord
  )
    return { parts: [first, second], start: at, next: second.next, doubt: first.doubt ?? second.doubt };
  const isPlus = textAt(line, first.next) === '+';
  if (second !== undefined && isPlus && first.isBare && !second.isBare)
    return {
      parts: [{ ...second, quantity: { ...first.quantity, unit: second.quantity.unit } }, second],
      start: at,
      next: second.next,
      doubt: second.doubt,
    };
  return { parts: [first], start: at, next: first.next, doubt: first.doubt };
}
