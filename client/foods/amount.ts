/**
 * Amounts in grams, as people type them.
 */
import { decimalText, parseDecimal } from './decimal.ts';

export type DecimalMark = '.' | ',';

export const MAX_GRAMS = 100_000;

/** Groups of three digits, separated by the mark. A first group of 0 is none: `0,125` is a fraction. */
const GROUPED: Readonly<Record<DecimalMark, RegExp>> = {
  ',': /^[1-9]\d{0,2}(,\d{3})+$/,
  '.': /^[1-9]\d{0,2}(\.\d{3})+$/,
};

/**
 * The grams of a typed text as decimal text; undefined if it is no amount. People type either mark in any country, so a
 * mark is decimal wherever it cannot separate groups of three digits. Where it can be either, the mark of the locale decides.
 */
export function readAmount(typed: string, localMark: DecimalMark): string | undefined {
  const text = typed
    .normalize('NFKC')
    .trim()
    .replace(/\s*g$/i, '')
    .replaceAll(/(?<=\d)[\s'’](?=\d{3})/g, '');
  for (const mark of [localMark, localMark === '.' ? ',' : '.'] as const) {
    const groupMark = mark === '.' ? ',' : '.';
    const [whole = '', fraction = '', ...more] = text.split(mark);
    const digits = GROUPED[groupMark].test(whole) ? whole.replaceAll(groupMark, '') : whole;
    const decimal = more.length > 0 ? undefined : parseDecimal(`${digits || '0'}.${fraction || '0'}`);
    if (decimal === undefined || digits + fraction === '') continue;
    const grams = decimalText(decimal);
    if (isGrams(grams)) return grams;
  }
  return undefined;
}

/** Whether a text is an amount in the form that the page stores. */
export function isGrams(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,6}(\.\d{1,6})?$/.test(value) && Number(value) <= MAX_GRAMS;
}
