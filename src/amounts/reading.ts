/** Texts into foods with their amounts: lines and lists, what is the amount of a food, and what its name. */
import type { Amount, Quantity } from './amount.ts';
import { isEqual, isLess, ONE, ofDecimal, over, plus, times } from './fraction.ts';
import { type Line, matchAt, past, textAt } from './numbers.ts';
import { type Counted, type Stated, sumAt, votesOf } from './quantities.ts';
import { type DecimalMark, plain, tokensOf } from './tokens.ts';
import { Words } from './words.ts';

export interface Reading {
  /** The part of the text, as typed. */
  readonly text: string;
  /** What is left of it without amount and notes; empty if the text is an amount alone. */
  readonly food: string;
  /** Texts for searches by words, the most exact first: the first counts whose answer lacks no word, else the last. */
  readonly searches: readonly string[];
  /** Absent if the text has none. */
  readonly amount?: Amount | undefined;
  /** The text as a name: where a description has exactly this, as with "three bean salad", it has no amount. */
  readonly name?: string | undefined;
  /** The foods of "eggs and toast", if no food has all of its words. */
  readonly parts?: readonly Reading[] | undefined;
}

export const readWords = (text: string): Words => new Words(text);

const TWO_WEIGHTS = 'The text states two weights that differ.';
const EACH_OR_ALL = 'The weight may be that of one or of all.';

/** The foods of a text, in order: of each line, and of each part of a line that is a food of its own. */
export function readText(text: string, words: Words, mark?: DecimalMark): readonly Reading[] {
  const lines = plain(text).split(/[\r\n]+/);
  return lines.flatMap((each) => {
    const line = each.replace(BULLET, '').trim();
    return line === '' ? [] : readLine({ text: line, tokens: tokensOf(line), words, mark });
  });
}

/** Signs before a line of a list, and its number if a blank and something else follow: "2) 3 eggs". */
const BULLET = /^(?:[\s*•·▪▢□☐✓➢>#_]|[-–—+](?!\d))+|^\s*\d{1,2}[.)]\s+(?=[\d¼-¾⅐-⅞(]|an? )/u;

function readLine(line: Line): readonly Reading[] {
  const cuts = cutsOf(line);
  return cuts.map((cut, i) => readPart(line, cut.next, cuts[i + 1]?.at ?? line.tokens.length));
}

interface Cut {
  readonly at: number;
  /** The token behind what separates. */
  readonly next: number;
}

/** Where foods of a line begin: "1 egg + 2 whites", "eggs and 2 slices toast", "breakfast: 2 eggs". */
function cutsOf(line: Line): readonly Cut[] {
  const { tokens } = line;
  const cuts: Cut[] = [{ at: 0, next: labelEnd(line) }];
  let depth = 0;
  let hasFood = false;
  let at = cuts[0]?.next ?? 0;
  while (at < tokens.length) {
    const text = textAt(line, at);
    if (/^[()[\]]$/.test(text)) depth = Math.max(0, depth + (/[([]/.test(text) ? 1 : -1));
    const stated = depth === 0 ? sumAt(line, at) : undefined;
    if (stated !== undefined) {
      at = stated.next;
      continue;
    }
    const next = depth === 0 && hasFood ? separatorEnd(line, at) : at;
    if (next > at && startsFood(line, next, text === ';')) {
      cuts.push({ at, next });
      hasFood = false;
      at = next;
    } else {
      hasFood ||= tokens[at]?.kind === 'word';
      at++;
    }
  }
  return cuts;
}

/** The token behind "breakfast:"; 0 if the label is the food itself, as in "Maslo: 100 g". */
function labelEnd(line: Line): number {
  const colon = line.tokens.findIndex(({ text }) => text === ':');
  if (colon < 1 || colon > 4 || line.tokens.slice(0, colon).some(({ kind }) => kind !== 'word')) return 0;
  const stated = sumAt(line, colon + 1);
  const isFood = line.tokens
    .slice(stated?.next ?? colon + 1)
    .some((_, i) => isName(line, (stated?.next ?? colon + 1) + i));
  return isFood ? colon + 1 : 0;
}

const separatorEnd = (line: Line, at: number): number => {
  if (!/^[,;+&]$/.test(textAt(line, at))) return past(line, at, 'and', 'with');
  return past(line, at + 1, 'and');
};

/** Whether a token is a word that can name a food. */
const isName = (line: Line, at: number): boolean =>
  line.tokens[at]?.kind === 'word' &&
  matchAt(line, at, 'state', 'drop', 'end', 'to taste', 'each', 'about', 'of', 'level') === undefined;

/** Whether an amount and a food follow; behind a semicolon, a food. */
function startsFood(line: Line, at: number, isSemicolon: boolean): boolean {
  const stated = sumAt(line, at);
  if (stated === undefined) return isSemicolon && isName(line, at);
  if (stated.parts[0]?.isWord === true && !isLikely(line, at)) return false;
  const next = past(line, stated.next, 'of', 'about');
  const isEnd = next >= line.tokens.length || /^[,;(+/]$/.test(textAt(line, next));
  return !isEnd && namesBefore(line, next) && matchAt(line, next, 'each', 'end') === undefined;
}

/** Whether a number in words is of the language of the line: "en" is one in Swedish, and "in" in French. */
const isLikely = (line: Line, at: number): boolean =>
  matchAt(line, at, 'number', 'times', 'piece')?.senses.some(
    ({ language }) => language === 'en' || (votesOf(line).get(language) ?? 0) > 0,
  ) === true;

/** Whether a food is named from here to the next comma or bracket. */
function namesBefore(line: Line, from: number): boolean {
  for (let at = from; at < line.tokens.length && !/^[,;(+]$/.test(textAt(line, at)); at++)
    if (isName(line, at)) return true;
  return false;
}

interface Place extends Stated {
  readonly isInBrackets: boolean;
  /** Whether "each", or in the same way "of", is beside it. */
  readonly isEach: boolean;
}

/** One food: its amounts, and its words. */
function readPart(whole: Line, from: number, to: number): Reading {
  const tokens = whole.tokens.slice(from, to);
  const text = whole.text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
  const line = { ...whole, tokens };
  const places = placesOf(line);
  const first =
    places.find(({ start }) => start === firstOf(line)) ??
    places.find(({ isInBrackets }) => !isInBrackets) ??
    places[0];
  const amount = first && amountOf(line, places, first);
  const used = places.filter((place) => place === first || isStated(line, place));
  const { food, searches: texts, parts } = wordsOf(line, used);
  const searches =
    used.some((place) => isCanned(line, place)) && food !== '' ? [`canned ${food}`, ...texts] : texts;
  const isNamed = first?.parts[0]?.isBare === true && food !== '';
  const name = isNamed ? text : undefined;
  return {
    text,
    food,
    searches,
    amount,
    name,
    parts: parts.length < 2 ? undefined : parts.map((part, i) => partOf(part, i === 0 ? amount : undefined)),
  };
}

const partOf = (food: string, amount: Amount | undefined): Reading => ({
  text: food,
  food,
  searches: [food],
  amount,
});

/** Whether it is an amount of cans. */
const isCanned = (line: Line, { start, next }: Stated): boolean =>
  line.tokens
    .slice(start, next)
    .some((_, i) => matchAt(line, start + i, 'piece')?.senses.some(({ unit }) => unit.piece === 'can'));

/** Behind brackets and signs. */
const firstOf = (line: Line): number => line.tokens.findIndex(({ text }) => !/^[([*"-]$/.test(text));

/** All amounts of the part, in order. */
function placesOf(line: Line): readonly Place[] {
  const places: Place[] = [];
  let depth = 0;
  for (let at = 0; at < line.tokens.length; ) {
    const text = textAt(line, at);
    if (/^[()[\]]$/.test(text)) depth += /[([]/.test(text) ? 1 : -1;
    const isSign = matchAt(line, at - 1, 'number sign') !== undefined || textAt(line, at - 1) === '#';
    const isStart = at === 0 || !isSign || line.tokens[at]?.kind !== 'number';
    const stated = isStart && !isJoined(line, at) ? sumAt(line, at) : undefined;
    if (stated === undefined || !isAllowed(line, at, stated, places.length === 0)) {
      at = stated === undefined ? at + 1 : stated.next;
      continue;
    }
    const each = ['each', 'of'] as const;
    const isEach =
      each.some(
        (kind) => matchAt(line, at - 1, kind) !== undefined && (kind !== 'of' || places.length > 0),
      ) || matchAt(line, stated.next, 'each') !== undefined;
    const isBeside = places.length === 1 && isStatesOnly(line, places[0]?.next ?? 0, at);
    places.push({ ...stated, isInBrackets: depth > 0, isEach: isEach || isBeside });
    at = stated.next;
  }
  return places;
}

/** "1 boneless 2-3 pound roast": between a number and a weight are only states. */
function isStatesOnly(line: Line, from: number, to: number): boolean {
  let at = from;
  while (at < to) {
    const next = past(line, at, 'state', 'drop', 'size');
    if (next === at) return false;
    at = next;
  }
  return from < to;
}

/** "V8": a number that is part of a word. */
const isJoined = (line: Line, at: number): boolean =>
  line.tokens[at]?.isAttached === true &&
  line.tokens[at - 1]?.kind === 'word' &&
  !/[\u3040-\uffff]$/.test(textAt(line, at - 1));

/** An amount inside a food needs a unit, or stands behind everything, or behind "of": "eggs x 3", "juice of 1 lemon". */
function isAllowed(line: Line, at: number, { parts, next }: Stated, isOnly: boolean): boolean {
  const [first] = parts;
  if (first === undefined || at === firstOf(line)) return first !== undefined;
  // "325 g (± 1 cl)", "½ stick (or 1 tbsp powder)".
  if (/^[+±]$/.test(textAt(line, at - 1)) || matchAt(line, at - 1, 'or') !== undefined) return false;
  if (!first.isBare) return !first.isWord || matchAt(line, at - 1, 'of', 'and', 'with') === undefined;
  if (first.isWord) return false;
  const isLast = next === line.tokens.length && (isOnly || textAt(line, at - 1) !== ',');
  return isLast || matchAt(line, at - 1, 'of') !== undefined;
}

const isMass = ({ parts }: Stated): boolean => parts[0]?.quantity.unit.kind === 'g';
const isPiece = ({ parts }: Stated): boolean => parts[0]?.quantity.unit.kind === 'piece';

/** Whether a weight behind the first amount can be meant for the same food: in brackets, behind a comma, at the end, or "of 125 g". */
const isStated = (line: Line, { start, isInBrackets, isEach }: Place): boolean =>
  isInBrackets ||
  isEach ||
  /^(?:[,/=:–—-]|)$/.test(textAt(line, start - 1)) ||
  matchAt(line, start - 1, 'about') !== undefined;

/** The middle of a sum, in grams or millilitres. */
const sizeOf = ({ parts }: Stated) =>
  parts
    .map(({ quantity: { times: factor, least, most, unit } }) =>
      times(times(factor, over(plus(least, most), { above: 2n, below: 1n })), ofDecimal(unit.size || '0')),
    )
    .reduce(plus);

/** A pound may be given as 500 g. */
function agree(a: Stated, b: Stated): boolean {
  const ratio = over(sizeOf(a), sizeOf(b));
  return isLess({ above: 5n, below: 6n }, ratio) && isLess(ratio, { above: 6n, below: 5n });
}

/** Of all amounts of a food the one that counts: grams before anything else, and those of each piece for all pieces. */
function amountOf(line: Line, places: readonly Place[], first: Place): Amount {
  const others = places.filter(
    (place) => place !== first && place.start >= first.next && isStated(line, place),
  );
  const mass = others.find(isMass);
  if (isMass(first)) {
    const other = others.find((place) => isMass(place) && !place.isEach);
    const isBeside = other?.isInBrackets === true || textAt(line, (other?.start ?? 0) - 1) === '/';
    return toAmount(first, other && isBeside && !agree(first, other) ? TWO_WEIGHTS : undefined);
  }
  const other = mass ?? (isPiece(first) ? others.find((place) => !isPiece(place)) : undefined);
  if (other === undefined) return toAmount(first);
  if (!isPiece(first)) return toAmount(other);
  const [{ quantity, isContainer } = first.parts[0] as Counted] = first.parts;
  const isOne = isEqual(quantity.least, ONE) && isEqual(quantity.most, ONE) && isEqual(quantity.times, ONE);
  if (isOne || (other.isInBrackets && !other.isEach && !isContainer)) return toAmount(other);
  if (!other.isEach && !(other.isInBrackets && isContainer)) return toAmount(other, EACH_OR_ALL);
  const [each] = other.parts;
  if (each === undefined || other.parts.length > 1) return toAmount(first, EACH_OR_ALL);
  const isRange = !isEqual(quantity.least, quantity.most);
  if (!isRange)
    return toAmount({
      ...other,
      parts: [{ ...each, quantity: { ...each.quantity, times: times(quantity.least, each.quantity.times) } }],
    });
  if (!isEqual(each.quantity.least, each.quantity.most)) return toAmount(first, EACH_OR_ALL);
  return toAmount({
    ...other,
    parts: [{ ...each, quantity: { ...quantity, times: each.quantity.least, unit: each.quantity.unit } }],
  });
}

function toAmount({ parts, doubt }: Stated, reason = doubt): Amount {
  const sums: Quantity[] = [];
  for (const { quantity } of parts) {
    const same = sums.findIndex(
      ({ unit, times: factor }) => unit.name === quantity.unit.name && isEqual(factor, ONE),
    );
    const before = sums[same];
    if (before === undefined || !isEqual(quantity.times, ONE)) sums.push(quantity);
    else
      sums[same] = {
        ...before,
        least: plus(before.least, quantity.least),
        most: plus(before.most, quantity.most),
      };
  }
  return reason === undefined ? { parts: sums } : { parts: sums, doubt: reason };
}

interface Word {
  readonly at: number;
  readonly isState: boolean;
}

interface FoodWords {
  readonly food: string;
  readonly searches: readonly string[];
  readonly parts: readonly string[];
}

/** Words of a search beyond which it says more than a food does. */
const MOST_WORDS = 8;

/** The words of the food without those of amounts, and without notes, as searches from the most exact to the plainest. */
function wordsOf(line: Line, places: readonly Stated[]): FoodWords {
  const core: Word[] = [];
  const more: Word[] = [];
  const joints: number[] = [];
  let depth = 0;
  let isBehind = false;
  let at = 0;
  for (let next = 0; at < line.tokens.length; at = next) {
    const place = places.find(({ start }) => start === at);
    next = place === undefined ? notesEnd(line, at, core.length === 0) : past(line, place.next, 'of', 'each');
    if (next > at) continue;
    next = at + 1;
    const text = textAt(line, at);
    if (/^[()[\]]$/.test(text)) depth += /[([]/.test(text) ? 1 : -1;
    if (core.length > 0 && depth === 0 && matchAt(line, at, 'or', 'end') !== undefined) {
      if (core.some(({ isState }) => !isState) || matchAt(line, at, 'end') !== undefined) break;
      continue;
    }
    isBehind ||= core.length > 0 && isBreak(line, at);
    if (!isWord(line, at)) continue;
    const word = { at, isState: matchAt(line, at, 'state') !== undefined };
    if (isBehind || depth > 0) {
      if (depth === 0 || word.isState) more.push(word);
      continue;
    }
    if (core.length > 0 && (text === '&' || matchAt(line, at, 'and', 'with') !== undefined))
      joints.push(core.length);
    core.push(word);
  }
  const food = textOf(line, core);
  const plainest = core.filter(({ isState }) => !isState);
  const all = core.length + more.length > MOST_WORDS ? core : [...core, ...more];
  const searches = [
    ...mixedFoods(line, at, food, plainest.length === 1),
    textOf(line, all),
    food,
    textOf(line, plainest),
  ];
  const [joint = 0] = joints;
  const parts = joints.length === 1 ? [core.slice(0, joint), core.slice(joint + 1)] : [];
  return {
    food,
    searches: [...new Set(searches)].filter((each) => each !== ''),
    parts: parts.map((words) => textOf(line, words)).filter((each) => each !== ''),
  };
}

/** Behind it, words describe the food: a comma, a bracket, a dash with blanks. */
const isBreak = ({ tokens }: Line, at: number): boolean =>
  /^[,;(–—]$/.test(tokens[at]?.text ?? '') || (tokens[at]?.text === '-' && !tokens[at].isAttached);

/** "chicken broth" and "vegetable broth" of "chicken or vegetable broth", but butter is no oil in "butter or olive oil". */
function mixedFoods(line: Line, at: number, food: string, isOne: boolean): readonly string[] {
  const next = past(line, at, 'or');
  let end = next;
  while (isWord(line, end) && matchAt(line, end, 'end') === undefined) end++;
  const head = textAt(line, end - 1);
  if (!isOne || next === at || end - next < 2 || head === 'oil') return [];
  const others = Array.from({ length: end - next }, (_, i) => ({ at: next + i, isState: false }));
  return [`${food} ${head}`, ...(/^(?:broth|stock)$/.test(head) ? [textOf(line, others)] : [])];
}

/** The token behind words that no search needs, from this one on. */
function notesEnd(line: Line, at: number, isFirst: boolean): number {
  const note =
    matchAt(line, at, 'to taste', 'drop', 'about', 'level') ??
    (isFirst ? matchAt(line, at, 'of', 'vague', 'and') : undefined);
  if (note !== undefined) return note.next;
  if (line.tokens[at]?.kind !== 'number') return at;
  // "1 1/2-inch", "350 °F"; but "2%" and "7-grain" are names.
  const isHyphen = textAt(line, at + 1) === '-';
  const unit = matchAt(line, isHyphen ? at + 2 : at + 1, 'no amount');
  const isName = isHyphen || textAt(line, at + 1) === '%' || matchAt(line, at, 'name') !== undefined;
  return unit?.next ?? (isName ? at : at + 1);
}

/** A word, or a sign that joins words: "low-fat", "l'huile". */
const isWord = ({ tokens }: Line, at: number): boolean => {
  const { kind = 'sign', text = '', isAttached = false } = tokens[at] ?? {};
  return kind !== 'sign' || text === '%' || text === '&' || (/^['-]$/.test(text) && isAttached);
};

/** The words as they are typed. */
const textOf = ({ text, tokens }: Line, words: readonly Word[]): string =>
  words
    .map(({ at }, i) => {
      const { start, end, isAttached } = tokens[at] ?? { start: 0, end: 0, isAttached: false };
      const isNext = i > 0 && words[i - 1]?.at === at - 1;
      return `${i === 0 || (isNext && isAttached) ? '' : ' '}${text.slice(start, end)}`;
    })
    .join('');
