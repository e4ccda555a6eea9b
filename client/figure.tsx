/**
 * Numbers as the browser's locale writes them, aligned at the decimal point.
 */
import { type Decimal, decimalText, rounded } from './decimal.ts';

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

/** Intl knows no more digits after the point than this. */
const MOST_DIGITS = 20;

const fractionDigits = (text: string): number =>
  Math.min(MOST_DIGITS, text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);

/** A decimal text in the browser's locale, with just the digits it has. A text, unlike a number, loses none. */
export function localText(text: string): string {
  return formatOf(fractionDigits(text)).format(text as Intl.StringNumericLiteral);
}

export const localCount = (count: number): string => formatOf(0).format(count);

/** Digits after the point of figures that are computed; they are rounded once, from the exact figure. */
const COMPUTED_DIGITS = 2;

export const computedText = (figure: Decimal): string => decimalText(rounded(figure, COMPUTED_DIGITS));

/** The most digits after the point in a column of figures. */
export function columnDigits(column: readonly (string | null)[]): number {
  return Math.max(0, ...column.map((text) => (text === null ? 0 : fractionDigits(text))));
}

/** Widths for the fraction that the style sheet knows. */
const WIDEST = 6;

/** Searches come back to the same figures all the time, and Intl is slow. */
const known = new Map<string, readonly [string, string]>();
const MOST_KNOWN = 20_000;

/** What stands before the point, and the point with what stands after it. */
function partsOf(text: string): readonly [string, string] {
  let result = known.get(text);
  if (result === undefined) {
    const parts = formatOf(fractionDigits(text)).formatToParts(text as Intl.StringNumericLiteral);
    const point = parts.findIndex(({ type }) => type === 'decimal');
    const values = parts.map(({ value }) => value);
    result =
      point < 0 ? [values.join(''), ''] : [values.slice(0, point).join(''), values.slice(point).join('')];
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, result);
  }
  return result;
}

/** @param digits the most digits after the point in the column, so that all its points stand in line */
export function Figure({ text, digits }: { readonly text: string | null; readonly digits: number }) {
  const room = `fraction digits-${Math.min(WIDEST, digits)}`;
  if (text === null) {
    return (
      <span className="figure unknown">
        <span aria-hidden="true">–</span>
        <span className="unseen">not known</span>
        <span className={room} />
      </span>
    );
  }
  const [whole, fraction] = partsOf(text);
  return (
    <span className="figure">
      {whole}
      <span className={room}>{fraction}</span>
    </span>
  );
}
