/** Decimals, stored digit for digit: most take two or three bytes. A text that is not a decimal is stored as it is. */
import { textOfUtf8, utf8 } from '#core';
import type { VarintReader, VarintWriter } from './varints.ts';

/** Digits of an amount after the point, and in all, that are stored as a number. */
const MOST_DIGITS = 14;
const SCALES = 16;
/** Instead of a scale: the text follows, and the number is its length. */
const AS_TEXT = SCALES - 1;

export function writeAmount(to: VarintWriter, amount: string): void {
  const number = numberOf(amount);
  if (number === undefined) writeText(to, utf8(amount));
  else to.number(number);
}

export function writeText(to: VarintWriter, text: Uint8Array): void {
  to.number(text.length * SCALES + AS_TEXT);
  to.bytes(text);
}

/** The digits of `2.40` as a number, and how many of them are after the point, in its lowest bits; undefined if `readAmount` has another text. */
function numberOf(amount: string): number | undefined {
  const { length } = amount;
  const point = amount.indexOf('.');
  const digits = point < 0 ? length : length - 1;
  // A point is between digits, and the first one is 0 only by itself.
  const isPlain = point !== 0 && point !== length - 1 && (amount[0] !== '0' || point === 1 || length === 1);
  if (digits === 0 || digits > MOST_DIGITS || !isPlain) return undefined;
  let number = 0;
  for (let i = 0; i < length; i++) {
    if (i === point) continue;
    const digit = amount.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return undefined;
    number = 10 * number + digit;
  }
  return number * SCALES + (length - digits === 0 ? 0 : length - point - 1);
}

export function readAmount(from: VarintReader): string {
  const number = from.number();
  const scale = number % SCALES;
  const rest = Math.floor(number / SCALES);
  return scale === AS_TEXT ? textOfUtf8(from.bytes(rest)) : decimalOf(rest, scale);
}

function decimalOf(number: number, scale: number): string {
  if (scale === 0) return String(number);
  const digits = String(number).padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
