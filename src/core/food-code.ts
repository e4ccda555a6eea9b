/** The code on a packet: EAN-13, EAN-8, UPC-A, UPC-E or GTIN-14, or a longer one that a shop or a source made. */

/** Digits of the longest code without leading zeros; a GTIN has 14. */
const MOST_DIGITS = 18;
/** Characters of a text with a code: enough for any way to write one, and for zeros that a program put before it. */
const MOST_CHARACTERS = 64;
const SEPARATORS = /[\s\p{Pd}]+/gu;

/**
 * The one form of a code: its digits without blanks, hyphens and leading zeros, UPC-E as the UPC-A that it stands for. A wrong
 * check digit stays as it is. Undefined for a text that is no code.
 */
export function foodCodeOf(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const digits = /^0*(\d+)$/.exec(text.replace(SEPARATORS, ''))?.[1] ?? '0';
  if (digits === '0' || digits.length > MOST_DIGITS) return undefined;
  return upcAOfUpcE(digits) ?? digits;
}

/** Whether the last digit is the check digit of the others. */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits.at(-1 - i)) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

/** Characters of a UPC-E without a leading zero at least; programs number their foods with fewer. */
const LEAST_DIGITS = 6;

/**
 * Number system 0, whose zero does not count, or 1; six digits; the check digit of the UPC-A. Where that does not fit, or a code of
 * eight digits is an EAN-8, it is no UPC-E.
 */
function upcAOfUpcE(digits: string): string | undefined {
  const [, system, short, check] = /^([01])(\d{6})(\d)$/.exec(digits.padStart(8, '0')) ?? [];
  const isOther = digits.length < LEAST_DIGITS || (system === '1' && hasCheckDigit(digits));
  if (short === undefined || isOther) return undefined;
  const long = short
    .replace(/^(?<a>..)(?<b>...)(?<last>[012])$/, '$<a>$<last>0000$<b>')
    .replace(/^(?<a>...)(?<b>..)3$/, '$<a>00000$<b>')
    .replace(/^(?<a>....)(?<b>.)4$/, '$<a>00000$<b>')
    .replace(/^(?<a>.....)(?<b>[5-9])$/, '$<a>0000$<b>');
  const code = `${system}${long}${check}`;
  return hasCheckDigit(code) ? code.replace(/^0+/, '') : undefined;
}
