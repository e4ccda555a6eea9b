/** Columns with the amount of food that the figures of each row are for: `Serving size (g)`, `Menge`, `Porción`. */
import { scaleDecimal, shown } from '#core';
import { type Cell, cellText, isUnknown, type TableRow } from '../words/cells.ts';
import {
  FIELDS,
  type Heading,
  keysFor,
  PER_100,
  PER_100_ML,
  PER_GRAM,
  parseHeading,
  writtenAs,
} from '../words/headings.ts';
import { lazily } from '../words/languages.ts';
import { decimalWith, type Mark } from '../words/numbers.ts';
import { conversion, GRAMS_OF, type Ratio } from '../words/units.ts';
import type { ColumnCandidate } from './candidates.ts';

export interface AmountColumn {
  readonly index: number;
  readonly heading: string;
  readonly unit: string;
  readonly unitIndex: number | undefined;
  /** Smaller is better: grams, another unit, a unit in each row, none. */
  readonly rank: number;
  /** Whether the heading may also mean another weight: that of a package, or one that it does not name, if not placed. */
  readonly doubt?: 'package' | 'not placed' | 'unknown' | undefined;
  /** The decimal mark of the amounts; undefined if nothing shows it, so that `1,419` may mean two weights. */
  readonly mark?: Mark | undefined;
  /** Whether a few rows may be for an amount without a weight, and are left out. */
  readonly mayLackWeight?: boolean;
}

/** Names of amounts that are weights, because packages have them, too: `weight` and `net weight`, `Gewicht` and `Nettogewicht`. */
const weightNames = lazily(() =>
  [...keysFor('weight')].filter((name) => [...keysFor('net weight')].some((each) => each.includes(name))),
);

const NUMBER = "(\\d{1,3}(?:[.,'’]\\d{3})+(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?)";
const PLAIN_NUMBER = new RegExp(`^${NUMBER}$`);
const GRAM = `${writtenAs('g')}(?!\\d)\\.?`;
const MILLILITRE = new RegExp(writtenAs('ml'), 'giu');
/** Thousands between blanks, if nothing follows: `2 100 g` may be two of 100 g. */
const SPACED_NUMBER = /^\d{1,3}(?: \d{3})+(?=$|[.,]\d+$)/;
const NOT_BEFORE = "[\\d.,'’]|\\d\\s*/\\s*|\\d\\s*[x×*–\\-]\\s*|\\d\\s(?=\\d{3}(?!\\d))";
/** No multiple (`2 x 15 g`), range (`20-30 g`) or fraction. */
const GRAMS = new RegExp(`(?<!${NOT_BEFORE})${NUMBER}\\s*${GRAM}`, 'giu');
/** The same of a volume, which stands for its weight. */
const MILLILITRES = new RegExp(`(?<!${NOT_BEFORE})${NUMBER}\\s*ml(?![\\p{L}\\d])`, 'gu');
const OTHER_UNIT = new RegExp(`^(?:per\\s+)?${NUMBER}\\s*(ml|cl|dl|l|fl\\.?\\s*oz|kg|oz|lb)s?\\.?$`, 'i');
/** A unit without a number, beside figures per 100 g. */
const UNIT_ALONE = new RegExp(`^(?:${GRAM}|ml)$`, 'iu');

export function amountColumns(headings: readonly string[]): AmountColumn[] {
  const parsed = headings.map(parseHeading);
  const find = (isOne: (heading: Heading, index: number) => boolean) =>
    parsed.flatMap((heading, index) => (isOne(heading, index) ? [index] : []));
  const units = find((heading) => isOfWords(heading, keysFor('unit')));
  const amounts = find((heading) => isOfWords(heading, keysFor('weight')));
  const pairs = pairsOf(parsed);
  const columnOf = (doubt: AmountColumn['doubt']) => (index: number) => {
    const heading = headings[index] ?? '';
    const unit = unitOf(heading);
    const unitIndex = unit === '' ? (units.find((each) => each !== index) ?? pairs.get(index)) : undefined;
    const rank = unit === 'g' ? 0 : unit !== '' ? 1 : unitIndex !== undefined ? 2 : 3;
    return { index, heading, unit, unitIndex, rank, doubt };
  };
  const placed = amounts.length > 0 ? amounts : units;
  const packages = find(({ key, basis }) => basis === undefined && keysFor('net weight').has(key));
  const others = find(
    (heading, index) =>
      (isSomeWeight(heading) || pairs.has(index)) &&
      // Portions, and MyFoodData's `200 Calorie Weight (g)`, have numbers.
      !/\d/.test(headings[index] ?? '') &&
      ![...amounts, ...units, ...packages].includes(index),
  );
  return [
    ...placed.map(columnOf(undefined)),
    ...packages.map(columnOf('package')),
    ...others.map(columnOf('not placed')),
  ];
}

/** The columns of amounts and those of their units that have the same further words: `defaultAmount`, `defaultUnit`. */
function pairsOf(headings: readonly Heading[]): ReadonlyMap<number, number> {
  const restOf = ({ key, unit }: Heading, names: ReadonlySet<string>): string | undefined => {
    const words = key.split(' ');
    const isOne = unit === undefined && words.length > 1 && words.some((word) => names.has(word));
    return isOne ? words.filter((word) => !names.has(word)).join(' ') : undefined;
  };
  const units = new Map(headings.map((heading, index) => [restOf(heading, keysFor('unit')), index]));
  const pairs = headings.map((heading, index) => {
    const rest = restOf(heading, keysFor('weight'));
    return [index, rest === undefined ? undefined : units.get(rest)] as const;
  });
  return new Map(
    pairs.flatMap(([amount, unit]) => (unit === undefined || unit === amount ? [] : [[amount, unit]])),
  );
}

/** A column whose heading is not known: only its unit, or those of its cells, say that it has weights. */
export const unknownAmount = (heading: string, index: number): AmountColumn => ({
  ...{ index, heading, unit: unitOf(heading), unitIndex: undefined, rank: 3, doubt: 'unknown' },
});

/** Whether a heading names a weight among other things: `Drained weight (g)`, `Stückgewicht`, but not `Amount of sugar (g)`. */
function isSomeWeight({ key, unit, basis }: Heading): boolean {
  if ((unit !== undefined && unit !== 'g') || (basis !== undefined && basis !== 'serving')) return false;
  const words = key.split(' ');
  if (unit === 'g' && (basis !== undefined || words.some(isAmountWord))) return true;
  const isWeight = (word: string) =>
    weightNames().some((name) => word === name || (name.length > 3 && word.includes(name)));
  return words.some(isWeight);
}

/** Whether a heading of no nutrient may name an amount of food: `Package size (g)`. */
export const isSomeAmount = ({ key, basis }: Heading): boolean =>
  (key === '' && basis !== undefined) ||
  key.split(' ').some((word) => isAmountWord(word) || keysFor('unit').has(word)) ||
  keysFor('net weight').has(key);

const isAmountWord = (word: string): boolean => keysFor('weight').has(word) && !keysFor('measure').has(word);

export const isUnitHeading = (heading: string): boolean => isOfWords(parseHeading(heading), keysFor('unit'));

export function chosenAmount(heading: string, index: number): AmountColumn {
  return { index, heading, unit: unitOf(heading) || 'g', unitIndex: undefined, rank: 0 };
}

/** The heading of dates, and of meals, which may be the same; without one of meals, only foods that occur again show a diary. */
export function datesOf(headings: readonly string[]) {
  const keys = headings.map((heading) => parseHeading(heading).key.replace(/ type$/, ''));
  const find = (names: ReadonlySet<string>) => headings.find((_, i) => names.has(keys[i] ?? ''));
  const ofMeals = find(keysFor('meal date'));
  const heading = ofMeals ?? find(keysFor('date'));
  return heading === undefined ? undefined : { heading, meals: ofMeals ?? find(keysFor('meal')) };
}

/** Whether a heading has only words of these, of amounts, and of servings: `serving_size_unit`. */
function isOfWords({ key, unit, basis }: Heading, names: ReadonlySet<string>): boolean {
  if (basis !== undefined && basis !== 'serving') return false;
  const words = key
    .split(' ')
    .filter(
      (word) =>
        word !== '' &&
        !(word in GRAMS_OF) &&
        (keysFor('weight').has(word) || !keysFor('which weight').has(word)),
    );
  if (unit !== undefined && unit !== 'g') return false;
  // A name may have several words: `net weight`.
  const phrases = names.has(key) || keysFor('weight').has(key) ? [key] : words;
  if (names === keysFor('unit') && !phrases.some((phrase) => names.has(phrase))) return false;
  const isStated = words.length > 0 || basis !== undefined || unit === 'g';
  return isStated && phrases.every((phrase) => names.has(phrase) || keysFor('weight').has(phrase));
}

function unitOf(heading: string): string {
  const { key, unit, basis } = parseHeading(heading);
  return unit === 'g' || basis === PER_GRAM ? 'g' : (key.split(' ').find((word) => word in GRAMS_OF) ?? '');
}

/** The grams in the row, a canonical decimal; null if there is no amount, undefined if its weight is not known. */
export function gramsIn(row: TableRow, column: AmountColumn): string | null | undefined {
  const cell = row.cell(column.index);
  const text = amountText(cell);
  if (isUnknown(text) || /^[0.,]+$/.test(text)) return null;
  const unit = column.unitIndex === undefined ? column.unit : amountText(row.cell(column.unitIndex));
  const mark = typeof cell === 'number' ? '.' : column.mark;
  return gramsOf(PLAIN_NUMBER.test(text) ? `${text} ${unit}`.trim() : text, mark);
}

/** The amount as the row states it, with the unit that only the heading may have. */
export function amountIn(row: TableRow, { index, unit, unitIndex }: AmountColumn): string {
  const text = amountText(row.cell(index));
  const ownUnit = unitIndex === undefined ? unit : amountText(row.cell(unitIndex));
  return PLAIN_NUMBER.test(text) || unitIndex !== undefined ? `${text} ${ownUnit}`.trim() : text;
}

const amountText = (cell: Cell): string =>
  cellText(cell)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(SPACED_NUMBER, (number) => number.replaceAll(' ', ''));

/** The grams that a text states: `30 g (1 slice)`, `1 cup (240 g)`, `1.5 oz`; of numbers alone, only 100 does. */
export function gramsOf(written: string, mark?: Mark): string | undefined {
  const text = written.replace(MILLILITRE, 'ml');
  if (text === '100' || UNIT_ALONE.test(text)) return '100';
  if (/\beach\b|\bapiece\b|\bje\b/i.test(text)) return undefined;
  for (const amounts of [GRAMS, MILLILITRES]) {
    const found = new Set([...text.matchAll(amounts)].map(([, number = '']) => number));
    const [number] = found;
    if (number !== undefined) return found.size === 1 ? decimalWith(mark, number) : undefined;
  }
  // `1 cup (240 ml)` states its volume in brackets, as `1 cup (240 g)` does its weight.
  const [, within = text] = /^[^()]*\(([^()]+)\)$/.exec(text) ?? [];
  const [, amount = '', unit = ''] = OTHER_UNIT.exec(text) ?? OTHER_UNIT.exec(within.trim()) ?? [];
  const grams = GRAMS_OF[unit.toLowerCase().replace(/^fl\W*/, 'fl ')];
  const decimal = grams && decimalWith(mark, amount);
  return decimal && scaleDecimal(decimal, ...grams, 9);
}

/** Whether only a decimal mark would show how much it is. */
export const mayBeThousands = (row: TableRow, column: AmountColumn): boolean =>
  gramsIn(row, column) === undefined && gramsIn(row, { ...column, mark: '.' }) !== undefined;

export const OTHER_BASIS = 4;

/** What is best for figures per 100 g: to say so, to say 100 ml, not to say anything, a weight, anything else. */
export function basisRank(basis: string | undefined): number {
  if (basis === PER_100) return 0;
  if (basis === PER_100_ML) return 1;
  return basis === undefined ? 2 : gramsOf(basis) === undefined ? OTHER_BASIS : 3;
}

/** `figure * times / by`, rounded to that many digits after the point. */
export interface Factor extends Ratio {
  readonly digits: number;
}

/** @param grams that the figures are for, if they are not per 100 g */
export function factorOf({ field, unit }: ColumnCandidate, grams: string | undefined): Factor | undefined {
  const wanted = field === 'nutrient' ? unit : field === 'kcal' ? 'kcal' : 'g';
  const ratio = (unit && wanted && conversion(unit, wanted)) ?? { times: 1n, by: 1n };
  const isConverted = ratio.times !== ratio.by;
  const digits = field === 'kcal' ? 2 : field === 'nutrient' ? 12 : isConverted ? 9 : 4;
  if (grams === undefined || grams === '100') return isConverted ? { ...ratio, digits } : undefined;
  const [whole = '', fraction = ''] = grams.split('.');
  const times = ratio.times * 100n * 10n ** BigInt(fraction.length);
  return { times, by: ratio.by * BigInt(whole + fraction), digits };
}

export const WAYS_ON =
  'Say what they are for: --per 30g if it is the same for all foods, --per-column HEADING for a column of weights in grams, or --per 100g if they are per 100 g after all.';

/** A heading in a message; the names of fields need no quotes. */
export const quotedUnlessField = (heading: string): string =>
  FIELDS.some((field) => field === heading) || /^portion_\d+(?:_g)?$/.test(heading)
    ? heading
    : shown(heading);

export const placeOf = ({ index, heading }: Pick<ColumnCandidate, 'index' | 'heading'>): string =>
  `column ${index + 1}, ${shown(heading)}`;
