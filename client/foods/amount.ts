/** Amounts: a number, and what it counts. That is grams, or a portion of the food. */

import { Big } from 'big.js';
import { fractionText, ofDecimal } from '#amounts';
import { portionIn } from '../texts/texts.ts';

/** "1 large", and the grams of one. */
export interface Unit {
  readonly portion: string;
  readonly grams: string;
}

export interface Amount {
  /** Decimal text; null if the field is empty, so that the amount is unknown. */
  readonly count: string | null;
  readonly unit: Unit;
}

export const GRAMS: Unit = { portion: 'g', grams: '1' };

/** What is added of a food if nothing else is known. */
export const HUNDRED_GRAMS: Amount = { count: '100', unit: GRAMS };

export const MAX_GRAMS = 100_000;

const isSameUnit = (a: Unit, b: Unit): boolean => a.portion === b.portion && a.grams === b.grams;

export const isGrams = (unit: Unit): boolean => isSameUnit(unit, GRAMS);

/** Of a count, which has six digits after the point: 0.333333 is a third. Undefined if it is exact. */
function fractionOf(count: string): { readonly above: number; readonly below: number } | undefined {
  if (!/\.\d{6}$/.test(count)) return undefined;
  const fractions = [3, 6, 7, 12].map((below) => ({ above: Math.round(Number(count) * below), below }));
  return fractions.find(({ above, below }) => new Big(above).div(below).round(6).eq(count));
}

/** So many of a number: exact or, of a third, with 20 digits. */
function ofCount(count: string, number: string): Big {
  const { above, below } = fractionOf(count) ?? {};
  return above === undefined ? new Big(count).times(number) : new Big(above).times(number).div(below ?? 1);
}

/** Null if unknown. */
export const weightOf = ({ count, unit }: Amount): Big | null =>
  count === null ? null : ofCount(count, unit.grams);

/** "100 g", "2 large", "½ medium" or "2 × 1/2 cup", without remarks in brackets; empty if it is unknown. */
export function countText({ count, unit }: Amount): string {
  if (count === null) return '';
  if (isGrams(unit)) return `${count} g`;
  const number = fractionText(fractionOf(count) ?? ofDecimal(count));
  const portion = unit.portion.replace(/(?<=\S)\s*\(.*\)$/, '');
  const [, one] = /^1 (.+)$/.exec(portion) ?? [];
  if (one === undefined) return `${number} × ${portionText(portion)}`;
  const shown = portionIn(one, number, Number(count) > 1);
  if (shown !== undefined) return shown;
  return `${number} ${Number(count) > 1 ? one.replace(/^(?!(?:extra|large|medium|small|oz|fl|tbsp|tsp|of|k?g|.?l|lb)\b)[a-z]+/, pluralOf) : one}`;
}

/** A portion as the page says it: "1/2 cup" in its language, if it knows the words. */
export function portionText(portion: string): string {
  const [, number = '', rest = ''] = /^([\d./-]+) (.+)$/.exec(portion) ?? [];
  const isMany = Number(number) > 1 && !/^\w+s\b/.test(rest);
  return (rest !== '' && portionIn(rest, number, isMany)) || portion;
}

const pluralOf = (word: string): string =>
  word.replace(/(?:f|y|ch|sh|s|x|)$/, (end) => ({ f: 'ves', y: 'ies', '': 's' })[end] ?? `${end}es`);

/** "100 g", or "2 large (100 g)". */
export function amountText(amount: Amount, weight = weightOf(amount)?.round(2).toFixed()): string {
  const text = countText(amount);
  return isGrams(amount.unit) || text === '' ? text : `${text} (${weight} g)`;
}

/** The same weight, to the microgram. */
const inGrams = (weight: Big): Amount => ({ count: weight.round(6).toFixed(), unit: GRAMS });

/** The weight in grams, or one of a portion. */
export const inUnit = (amount: Amount, unit: Unit): Amount =>
  isGrams(unit)
    ? inGrams(weightOf(amount) ?? new Big(100))
    : { count: isGrams(amount.unit) ? '1' : amount.count, unit };

/** The sum of both, in their unit if it is the same, but at most the maximum of an amount. */
export function together(a: Amount, b: Amount): Amount {
  const [weightA, weightB] = [weightOf(a), weightOf(b)];
  if (weightA === null) return b;
  if (weightB === null) return a;
  const isSame = isSameUnit(a.unit, b.unit);
  const count = ofCount(a.count ?? '0', '1')
    .plus(ofCount(b.count ?? '0', '1'))
    .round(6)
    .toFixed();
  const amount = isSame ? { count, unit: a.unit } : inGrams(weightA.plus(weightB));
  return isAmount(amount) ? amount : { count: String(MAX_GRAMS), unit: GRAMS };
}

const markOf = (locale?: string): '.' | ',' =>
  new Intl.NumberFormat(locale).format(0.5).includes(',') ? ',' : '.';

/** Other programs on the same machine read it. */
export const BROWSER_MARK = markOf();

/** The page shows and reads it. */
export let LOCAL_MARK = markOf();

function roundingOf(locale?: string) {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const significant = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  return (amount: Big): string =>
    (amount.gte(100) ? whole : significant).format(amount.toFixed() as Intl.StringNumericLiteral);
}

let rounding: ReturnType<typeof roundingOf> | undefined;
let figureLocale: string | undefined;

/** As packets have it: three digits, or a whole number. */
export function labelText(amount: Big): string {
  rounding ??= roundingOf(figureLocale);
  return rounding(amount);
}

export function setLocale(locale: string): void {
  LOCAL_MARK = markOf(locale);
  figureLocale = locale;
}

/** The weight in grams, as on packets; "?" if it is unknown. */
export function weightText(amount: Amount): string {
  const weight = weightOf(amount);
  return weight === null ? '?' : labelText(weight);
}

/** A number as it is typed: with a decimal mark, without groups. */
export const typedText = (count: string, mark = LOCAL_MARK): string => count.replace('.', mark);

function isCount(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,6}(\.\d{1,6})?$/.test(value) && Number(value) <= MAX_GRAMS;
}

/** A longer text is not a portion. */
const MAX_PORTION_LENGTH = 200;

/** Whether a value from a service, the storage or a link is a unit. */
export function isUnit(value: unknown): value is Unit {
  const { portion, grams } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isText = typeof portion === 'string' && portion !== '' && portion.length <= MAX_PORTION_LENGTH;
  return isText && isCount(grams) && Number(grams) > 0;
}

/** Whether a value from a field, the storage or a link is a plausible amount. */
export function isAmount(value: { readonly count: unknown; readonly unit: unknown }): value is Amount {
  const { count, unit } = value;
  return (
    isUnit(unit) && (count === null || (isCount(count) && new Big(count).times(unit.grams).lte(MAX_GRAMS)))
  );
}
