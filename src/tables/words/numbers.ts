/** Numbers as people write them: which mark is that of decimals, and which that of thousands. */
import { canonicalDecimal } from '#core';

export type Mark = '.' | ',';

/** Thousands in one convention, decimals in the other. */
export const DOUBTFUL = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;
export const DECIMAL_COMMA = /^[+-]?\d*,\d+$/;

/** The decimal of an amount with a point or a comma; undefined if it may be read in two ways. */
export const decimalIn = (amount: string): string | undefined =>
  DOUBTFUL.test(amount) ? undefined : canonicalDecimal(amount.replace(',', '.'));

/** The decimal of a number that may have separators of thousands; undefined if nothing shows whether it has. */
export function decimalWith(mark: Mark | undefined, text: string): string | undefined {
  const number = text.replace(/['’]/g, '');
  const [first, ...others] = (number.match(/[.,]/g) ?? []) as Mark[];
  const last = others.at(-1);
  const shown = last === undefined ? mark : first === last ? other(last) : last;
  if (shown === undefined || (last === undefined && !DOUBTFUL.test(number))) return decimalIn(number);
  return canonicalDecimal(number.replaceAll(other(shown), '').replace(shown, '.'));
}

export const other = (mark: Mark): Mark => (mark === '.' ? ',' : '.');

/** The decimal mark that most of these texts certainly have; undefined if none has one, or both are as frequent. */
export function usualMark(texts: readonly string[]): Mark | undefined {
  const certain = texts.map((text) => text.trim()).filter((text) => !DOUBTFUL.test(text));
  const points = certain.filter((text) => /^[+-]?\d*\.\d+$/.test(text)).length;
  const commas = certain.filter((text) => DECIMAL_COMMA.test(text)).length;
  return points === commas ? undefined : points > commas ? '.' : ',';
}
