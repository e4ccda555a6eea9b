/** Columns with the amount of food that the figures of each row are for: `Serving size (g)`, `Menge`, `Porción`. */
import { scaleDecimal } from '../../foods/decimal.ts';
import { decimalIn } from '../rules/portions.ts';
import { type Cell, isUnknown, type TableRow } from './cells.ts';
import { type Heading, keysFor, parseHeading, writtenAs } from './headings.ts';
import { lazily } from './languages.ts';

export interface AmountColumn {
  readonly index: number;
  readonly heading: string;
  readonly unit: string;
  readonly unitIndex: number | undefined;
  /** Smaller is better: grams, another unit, a unit in each row, none. */
  readonly rank: number;
}

const unitNames = lazily(() => keysFor('unit'));
const amountNames = lazily(() => keysFor('weight'));
const WHICH = new Set(['metric', 'reference', 'base']);
/** Units of weight besides grams, as exact fractions of grams. A volume is stated for 100 ml as a weight is for 100 g. */
const GRAMS_OF: Readonly<Record<string, readonly [times: bigint, by: bigint]>> = {
  ml: [1n, 1n],
  cl: [10n, 1n],
  dl: [100n, 1n],
  kg: [1000n, 1n],
  oz: [28_349_523_125n, 1_000_000_000n],
  lb: [45_359_237n, 100_000n],
};
const mealDates = lazily(() => keysFor('meal date'));
const dateNames = lazily(() => keysFor('date'));
const mealNames = lazily(() => keysFor('meal'));

const NUMBER = '(\\d+(?:[.,]\\d+)?)';
const PLAIN_NUMBER = new RegExp(`^${NUMBER}$`);
const GRAM = `${writtenAs('g')}(?!\\d)\\.?`;
const MILLILITRE = new RegExp(writtenAs('ml'), 'giu');
/** No multiple (`2 x 15 g`), range (`20-30 g`) or fraction. */
const GRAMS = new RegExp(`(?<![\\d.,]|/\\s*|\\d\\s*[x×*–\\-]\\s*)${NUMBER}\\s*${GRAM}`, 'giu');
const OTHER_UNIT = new RegExp(`^(?:per\\s+)?${NUMBER}\\s*(ml|cl|dl|kg|oz|lb)s?\\.?$`, 'i');
/** A unit without a number, beside figures per 100 g. */
const UNIT_ALONE = new RegExp(`^(?:${GRAM}|ml)$`, 'iu');

export function amountColumns(headings: readonly string[]): AmountColumn[] {
  const find = (names: ReadonlySet<string>) =>
    headings.flatMap((heading, index) => (isOfWords(parseHeading(heading), names) ? [index] : []));
  const [units, amounts] = [find(unitNames()), find(amountNames())];
  return (amounts.length > 0 ? amounts : units).map((index) => {
    const heading = headings[index] ?? '';
    const unit = unitOf(heading);
    const unitIndex = unit === '' ? units.find((each) => each !== index) : undefined;
    const rank = unit === 'g' ? 0 : unit !== '' ? 1 : unitIndex !== undefined ? 2 : 3;
    return { index, heading, unit, unitIndex, rank };
  });
}

export const isUnitHeading = (heading: string): boolean => isOfWords(parseHeading(heading), unitNames());

export function chosenAmount(heading: string, index: number): AmountColumn {
  return { index, heading, unit: unitOf(heading) || 'g', unitIndex: undefined, rank: 0 };
}

/** The heading of dates, and of meals, which may be the same; without one of meals, only foods that occur again show a diary. */
export function datesOf(headings: readonly string[]) {
  const keys = headings.map((heading) => parseHeading(heading).key.replace(/ type$/, ''));
  const find = (names: ReadonlySet<string>) => headings.find((_, i) => names.has(keys[i] ?? ''));
  const ofMeals = find(mealDates());
  const heading = ofMeals ?? find(dateNames());
  return heading === undefined ? undefined : { heading, meals: ofMeals ?? find(mealNames()) };
}

/** Whether a heading has only words of these, of amounts, and of servings: `serving_size_unit`. */
function isOfWords({ key, unit, basis }: Heading, names: ReadonlySet<string>): boolean {
  if (basis !== undefined && basis !== 'serving') return false;
  const words = key.split(' ').filter((word) => word !== '' && !WHICH.has(word) && !(word in GRAMS_OF));
  if (unit !== undefined && unit !== 'g') return false;
  // A name may have several words: `net weight`.
  const phrases = names.has(key) || amountNames().has(key) ? [key] : words;
  if (names === unitNames() && !phrases.some((phrase) => names.has(phrase))) return false;
  const isStated = words.length > 0 || basis !== undefined || unit === 'g';
  return isStated && phrases.every((phrase) => names.has(phrase) || amountNames().has(phrase));
}

function unitOf(heading: string): string {
  const { key, unit } = parseHeading(heading);
  return unit === 'g' ? 'g' : (key.split(' ').find((word) => word in GRAMS_OF) ?? '');
}

/** The grams in the row, a canonical decimal; null if there is no amount, undefined if its weight is not known. */
export function gramsIn(row: TableRow, { index, unit, unitIndex }: AmountColumn): string | null | undefined {
  const text = cellText(row.cell(index));
  if (isUnknown(text) || /^[0.,]+$/.test(text)) return null;
  const rowUnit = unitIndex === undefined ? unit : cellText(row.cell(unitIndex));
  return gramsOf(PLAIN_NUMBER.test(text) ? `${text} ${rowUnit}`.trim() : text);
}

/** The amount as the row states it, with the unit that only the heading may have. */
export function amountIn(row: TableRow, { index, unit, unitIndex }: AmountColumn): string {
  const text = cellText(row.cell(index));
  const ownUnit = unitIndex === undefined ? unit : cellText(row.cell(unitIndex));
  return PLAIN_NUMBER.test(text) || unitIndex !== undefined ? `${text} ${ownUnit}`.trim() : text;
}

const cellText = (cell: Cell): string =>
  String(cell ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** The grams that a text states: `30 g (1 slice)`, `1 cup (240 g)`, `1.5 oz`; of numbers alone, only 100 does. */
export function gramsOf(written: string): string | undefined {
  const text = written.replace(MILLILITRE, 'ml');
  if (text === '100' || UNIT_ALONE.test(text)) return '100';
  if (/\beach\b|\bapiece\b|\bje\b/i.test(text)) return undefined;
  const found = new Set([...text.matchAll(GRAMS)].map(([, number = '']) => number));
  const [number] = found;
  if (number !== undefined) return found.size === 1 ? decimalIn(number) : undefined;
  const [, amount = '', unit = ''] = OTHER_UNIT.exec(text) ?? [];
  const grams = GRAMS_OF[unit.toLowerCase()];
  const decimal = grams && decimalIn(amount);
  return decimal && scaleDecimal(decimal, ...grams, 9);
}
