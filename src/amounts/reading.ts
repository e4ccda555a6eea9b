/** Texts into foods with their amounts: lines, lists in a line, and what is amount and what name of each food. */
import type { Amount } from './amount.ts';
import { type FoodWords, type NamedFood, unique, wordsOf } from './food-words.ts';
import {
  bracketAt,
  foodStart,
  isOneOf,
  type Line,
  lineOf,
  matchAt,
  means,
  past,
  type Stated,
  textAt,
} from './line.ts';
import { numberAt } from './numbers.ts';
import { isBare, sumAt } from './quantities.ts';
import { amountOf, isOfCans, placesOf } from './statements.ts';
import { type DecimalMark, plain } from './tokens.ts';
import { isSpoken } from './units.ts';
import { KIND, Words } from './words.ts';

export interface Reading extends Partial<Pick<FoodWords, 'needed' | 'names' | 'other' | 'isCooked'>> {
  /** By which it was read. */
  readonly words: Words;
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
  /**
   * All of the text but the amount at its beginning or end: where a food in the language of the text is called so, it is this one. Two
   * of "100 g pak choi", which might be a packet.
   */
  readonly rests?: readonly string[] | undefined;
  /** The foods of "eggs and toast", if no food has all of its words. */
  readonly parts?: readonly Reading[] | undefined;
  /** Grams in a hundred, if the text says so. */
  readonly fat?: number | undefined;
}

export const readWords = (text: string): Words => new Words(text);

/**
 * The foods of a text, in order: of each line, and of each part of a line that is a food of its own.
 * @param language of the text, as a BCP 47 tag, if it is known
 */
export function readText(
  text: string,
  words: Words,
  mark?: DecimalMark,
  language?: string,
): readonly Reading[] {
  const known = { words, mark, language: language?.replace(/-.*/, '').toLowerCase() };
  return plain(text)
    .split(/[\r\n]+/)
    .flatMap((each) => {
      const line = lineOf(each.replace(BULLET, '').trim(), known);
      const cuts = line.text === '' || isHeading(each, line) ? [] : cutsOf(line);
      return cuts.map((cut, i) => readPart(line, cut.next, cuts[i + 1]?.at ?? line.tokens.length));
    });
}

/** Signs and boxes before a line of a list, and its number if a blank and something else follow: "2) 3 eggs". */
const BULLET = /^(?:[\s*•·▪▢□☐✓➢>#_]|[-–—+](?!\d)|\[[ xX]?\])+|^\s*\d{1,2}[.)]\s+(?=[\d¼-¾⅐-⅞(]|an? )/u;

/** "## Filling", "**Filling**", "[Filling]", "--- Filling ---", "For the sauce:", "For the sauce". */
const isHeading = (typed: string, line: Line): boolean =>
  /^\s*(?:##|#\s\D*$|([*_]{1,2})\S\D*\1\s*$|\[\D*\]\s*$|([-=–—]{2,9})\D*\2\s*$)/.test(typed) ||
  (/:[\s*_]*$/.test(line.text) && sumAt(line, 0) === undefined) ||
  (means(line, 0, KIND.end) && line.tokens.every(({ kind }) => kind === 'word'));

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
  let trailed = -1;
  let at = cuts[0]?.next ?? 0;
  while (at < tokens.length) {
    const text = textAt(line, at);
    depth = Math.max(0, depth + bracketAt(line, at));
    const stated = sumAt(line, at);
    if (stated !== undefined) {
      at = stated.next;
      if (hasFood && depth === 0) trailed = at;
      continue;
    }
    const next = depth === 0 && hasFood ? separatorEnd(line, at) : at;
    const isPair = text === ',' && trailed === at && trailsFood(line, next);
    if (next > at && (isPair || startsFood(line, next, /^[;+]$/.test(text)))) {
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
  if (colon < 1 || line.tokens.slice(0, colon).some(({ kind }) => kind !== 'word')) return 0;
  const from = sumAt(line, colon + 1)?.next ?? colon + 1;
  return line.tokens.some((_, at) => at >= from && isName(line, at)) ? colon + 1 : 0;
}

const separatorEnd = (line: Line, at: number): number =>
  isOneOf(line, at, ',;+&') ? past(line, at + 1, KIND.and) : past(line, at, KIND.and | KIND.with);

const NO_NAME =
  KIND.state |
  KIND.size |
  KIND.drop |
  KIND.end |
  KIND['to taste'] |
  KIND.each |
  KIND.about |
  KIND.of |
  KIND.level;

const isName = (line: Line, at: number): boolean =>
  line.tokens[at]?.kind === 'word' && !means(line, at, NO_NAME);

/** Whether an amount and a food follow; behind a semicolon, a food. */
function startsFood(line: Line, at: number, isSemicolon: boolean): boolean {
  const stated = sumAt(line, at);
  if (stated === undefined) return isSemicolon && isName(line, at);
  if (stated.first.isWord && !isSpoken(line, at, KIND.number | KIND.times | KIND.piece)) return false;
  const next = past(line, stated.next, KIND.of | KIND.about);
  const isEnd = next >= line.tokens.length || isOneOf(line, next, ',;(+/');
  return !isEnd && namesBefore(line, next) && !means(line, next, KIND.each | KIND.end);
}

/** Whether a food and its amount follow, behind another such pair: "chicken 200 g, rice 150 g". */
function trailsFood(line: Line, from: number): boolean {
  let at = from;
  while (isName(line, at) && sumAt(line, at) === undefined) at++;
  const stated = at > from ? sumAt(line, at) : undefined;
  return stated !== undefined && !isBare(stated.first) && /^[,;]?$/.test(textAt(line, stated.next));
}

/** How far a food is from its amount at most, so that a long line takes time in proportion to its length. */
const NEAR = 30;

/** Whether a food is named from here to the next comma or bracket. */
function namesBefore(line: Line, from: number): boolean {
  const end = Math.min(line.tokens.length, from + NEAR);
  for (let at = from; at < end && !isOneOf(line, at, ',;(+'); at++) if (isName(line, at)) return true;
  return false;
}

/** One food: its amounts, and its words. */
function readPart(whole: Line, from: number, to: number): Reading {
  const isWhole = from === 0 && to === whole.tokens.length;
  const tokens = isWhole ? whole.tokens : whole.tokens.slice(from, to);
  const text = whole.text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
  const line = isWhole ? whole : lineOf(whole.text, whole, tokens);
  const places = placesOf(line);
  const [place] = places;
  const { searches, parts, piece, ...named } = wordsOf(line, places);
  const { food } = named;
  const stated = place && amountOf(line, places, place);
  const amount = stated && piece ? ofPieces(stated, piece) : stated;
  const partOf = (part: NamedFood, i: number): Reading => {
    return {
      ...part,
      words: line.words,
      text: part.food,
      searches: [part.food],
      amount: i === 0 ? amount : undefined,
    };
  };
  const isCan = food !== '' && isOfCans(line, places);
  const fat = fatOf(text);
  const isNamed = place !== undefined && isBare(place.first) && food !== '';
  return {
    ...named,
    words: line.words,
    text,
    searches: isCan
      ? unique([`canned ${food}`, `canned ${searches.at(-1)}`, ...searches])
      : unique([
          fat !== undefined && (LEAN.test(text) || RATIO.test(text)) ? withoutFat(food) : '',
          ...searches,
        ]),
    amount,
    name: isNamed ? text : undefined,
    rests: restsOf(line, place),
    fat,
    parts: parts.length < 2 ? undefined : parts.map(partOf),
  };
}

/** "85/15", lean and fat. */
const RATIO = /(?<![\d.,])([5-9]\d)\s*\/\s*(\d\d?)(?!\d)/;
/** "2%", "15% fat", but "25% less salt". */
const SHARE = /(?<![\d.,])(\d\d?(?:\.\d+)?)\s*(?:%|percent\b|(?=lean\b))(?! less| more)/i;
/** "85% lean", "95% fat-free". */
const LEAN = /\blean\b|fat.free/i;

/** How much of a hundred grams of the food is fat, as the text says. */
function fatOf(text: string): number | undefined {
  const [, lean, fat] = RATIO.exec(text) ?? [];
  if (Number(lean) + Number(fat) === 100) return Number(fat);
  const [, share] = SHARE.exec(text) ?? [];
  if (share === undefined) return undefined;
  return LEAN.test(text) && Number(share) >= 50 ? 100 - Number(share) : Number(share);
}

/** "ground beef" of "85/15 extra lean ground beef" and "ground beef 85% lean". */
const withoutFat = (food: string): string =>
  food.replace(/\S*\d\S*\s*(?:percent\b)?|(?:extra )?lean\b|\bfat.free\b/gi, '').trim();

/** "2 noix" are walnuts, of which French also has knobs of butter. */
function restsOf(line: Line, { start = 0, next = 0, first }: Partial<Stated> = {}): readonly string[] {
  const piece = next === line.tokens.length ? numberAt(line, start)?.next : undefined;
  const ends = [first?.container ?? next, next, piece ?? next].filter((end) => !isGeneral(line, start, end));
  return unique(ends.map((end) => restOf(line, start, end)));
}

/** Whether the words are general ones in the language of the text, which are names for searches alone: "viande", not "chips". */
function isGeneral(line: Line, start: number, next: number): boolean {
  const from = foodStart(line, next, KIND.of);
  const isOwn = (at: number) =>
    matchAt(line, at, KIND.general | KIND.nothing)?.senses.some(({ language }) => language === line.language);
  return start === 0 && line.tokens.every((_, at) => at < from || isOwn(at));
}

/** @param next the token behind the amount */
function restOf(line: Line, start: number, next: number): string {
  const { text, tokens } = line;
  if (start > 0) return next < tokens.length ? '' : text.slice(tokens[0]?.start, tokens[start - 1]?.end);
  return text.slice(tokens[foodStart(line, next, KIND.of)]?.start ?? text.length, tokens.at(-1)?.end);
}

/** "3 garlic cloves" and "1 large garlic clove" are cloves. */
const ofPieces = (amount: Amount, piece: string): Amount => ({
  ...amount,
  parts: amount.parts.map((part) => {
    const { kind, piece: size } = part.unit;
    const isOpen = kind === 'piece' && /^(?:|small|medium|(?:extra )?large)$/.test(size);
    return isOpen ? { ...part, unit: { ...part.unit, piece: `${size} ${piece}`.trim() } } : part;
  }),
});
