/**
 * Numbers in the format of the browser's locale: rounded for the eye, with every digit in the tooltip.
 */
import type { DecimalMark } from '../foods/amount.ts';
import { type Decimal, decimalText, parseDecimal, rounded } from '../foods/decimal.ts';
import type { Nutrient } from '../foods/food.ts';
import type { Share } from '../foods/plate.ts';
import { CELL } from './table.tsx';

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

/** Formats a decimal with all its digits. Intl formats a string exactly, but a number only to double precision. */
function localText(text: string): string {
  const digits = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  return formatOf(Math.min(MAX_DIGITS, digits)).format(text as Intl.StringNumericLiteral);
}

export const localCount = (count: number): string => formatOf(0).format(count);

export const foodCount = (count: number): string => `${localCount(count)} ${count === 1 ? 'food' : 'foods'}`;

export const LOCAL_MARK: DecimalMark = formatOf(1).format(0.5).includes(',') ? ',' : '.';

/** Grams as they are typed: with the decimal mark of the locale, without groups. */
export const typedText = (grams: string): string => grams.replace('.', LOCAL_MARK);

/** Searches show the same figures again and again, and Intl is slow. */
const cachedTexts = new Map<string, string>();
const MAX_CACHED = 20_000;

/** The figure with as many fraction digits as are shown, rounded once, from the exact value. */
function shownText(text: string, { digits }: Nutrient): string {
  const key = `${digits} ${text}`;
  let result = cachedTexts.get(key);
  if (result === undefined) {
    const figure = rounded(parseDecimal(text) ?? { units: 0n, scale: 0 }, digits);
    result = formatOf(digits).format(decimalText(figure) as Intl.StringNumericLiteral);
    if (cachedTexts.size >= MAX_CACHED) cachedTexts.clear();
    cachedTexts.set(key, result);
  }
  return result;
}

export const shownFigure = (figure: Decimal, nutrient: Nutrient): string =>
  shownText(decimalText(figure), nutrient);

export const exactText = (text: string, { unit }: Nutrient): string => `${localText(text)} ${unit}`;

/** A part that rounds to nothing is not nothing. */
export const percentText = ({ kcal, percent }: Share): string =>
  percent === 0 && kcal.units > 0n ? '<1 %' : `${localCount(percent)} %`;

interface Props {
  readonly text: string | null;
  readonly nutrient: Nutrient;
}

/** The cell of a figure. The style sheet shows the letter where there is no column head. */
export function FigureCell({ text, nutrient }: Props) {
  if (text === null) {
    return (
      <td className="figure unknown" data-letter={nutrient.letter} {...CELL}>
        <span aria-hidden="true">–</span>
        <span className="unseen">not known</span>
      </td>
    );
  }
  return (
    <td className="figure" data-letter={nutrient.letter} title={exactText(text, nutrient)} {...CELL}>
      {shownText(text, nutrient)}
    </td>
  );
}
