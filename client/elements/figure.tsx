/**
 * Numbers in the format of the browser's locale, aligned at the decimal point.
 */
import { type Decimal, decimalText, rounded } from '../foods/decimal.ts';

const formats = new Map<number, Intl.NumberFormat>();

function formatOf(digits: number): Intl.NumberFormat {
  let format = formats.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat(undefined, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(digits, format);
  }
  return format;
}

/** Older versions of Intl allow no more fraction digits. */
const MAX_DIGITS = 20;

const fractionDigits = (text: string): number =>
  Math.min(MAX_DIGITS, text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);

/** Formats a decimal with all its digits. Intl formats a string exactly, but a number only to double precision. */
export function localText(text: string): string {
  return formatOf(fractionDigits(text)).format(text as Intl.StringNumericLiteral);
}

export const localCount = (count: number): string => formatOf(0).format(count);

export const foodCount = (count: number): string => `${localCount(count)} ${count === 1 ? 'food' : 'foods'}`;

/** Fraction digits of computed figures, which are rounded once, from the exact value. */
const COMPUTED_DIGITS = 2;

export const computedText = (figure: Decimal): string => decimalText(rounded(figure, COMPUTED_DIGITS));

/** The largest number of fraction digits in a column of figures. */
export function columnDigits(column: readonly (string | null)[]): number {
  return Math.max(0, ...column.map((text) => (text === null ? 0 : fractionDigits(text))));
}

/** The widest fraction for which the style sheet has a class. */
const MAX_FRACTION_WIDTH = 6;

/** Searches show the same figures again and again, and Intl is slow. */
const cachedParts = new Map<string, readonly [string, string]>();
const MAX_CACHED = 20_000;

/** The digits before the decimal point, and the point with the digits after it. */
function partsOf(text: string): readonly [string, string] {
  let result = cachedParts.get(text);
  if (result === undefined) {
    const parts = formatOf(fractionDigits(text)).formatToParts(text as Intl.StringNumericLiteral);
    const point = parts.findIndex(({ type }) => type === 'decimal');
    const values = parts.map(({ value }) => value);
    const end = point < 0 ? values.length : point;
    result = [values.slice(0, end).join(''), values.slice(end).join('')];
    if (cachedParts.size >= MAX_CACHED) cachedParts.clear();
    cachedParts.set(text, result);
  }
  return result;
}

/** @param digits the largest number of fraction digits in the column, so that its decimal points align */
export function Figure({ text, digits }: { readonly text: string | null; readonly digits: number }) {
  const fractionClass = `fraction digits-${Math.min(MAX_FRACTION_WIDTH, digits)}`;
  if (text === null) {
    return (
      <span className="figure unknown">
        <span aria-hidden="true">–</span>
        <span className="unseen">not known</span>
        <span className={fractionClass} />
      </span>
    );
  }
  const [whole, fraction] = partsOf(text);
  return (
    <span className="figure">
      {whole}
      <span className={fractionClass}>{fraction}</span>
    </span>
  );
}
