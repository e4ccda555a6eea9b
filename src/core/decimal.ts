/**
 * Exact decimals. Binary floating point rounds 1.005 down and loses the last digit of 9007199254740993, so figures stay text,
 * and are added as integers. A canonical decimal is a number of JSON without exponent and superfluous zeros: `0.5`, `-3`, `717`.
 */

const PLAIN_DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const EXPONENT_FORM = /^([+-]?)(\d*)(?:\.(\d*))?e([+-]?\d{1,3})$/i;
/** A little more than floats have; beyond it, a short text would become a very long one. */
const MAX_EXPONENT = 330;

/** Whether a text is canonical already, as most figures are: a regular expression would take several times as long. */
function isCanonical(text: string): boolean {
  const { length } = text;
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  let end = length;
  for (let at = start; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT && end === length) end = at;
    else if (code < ZERO || code > NINE) return false;
  }
  const isWhole = end === length;
  const begins0 = text.charCodeAt(start) === ZERO;
  if (end === start || (begins0 && (end > start + 1 || (isWhole && start > 0)))) return false;
  return isWhole || (end < length - 1 && text.charCodeAt(length - 1) !== ZERO);
}

/** The canonical form of a plain decimal such as `+1.50` or `.5`; undefined for any other text (`1e3`, `1,5`, `NaN`). */
export function canonicalDecimal(text: string): string | undefined {
  if (isCanonical(text)) return text;
  const [, sign = '', whole = '', fraction = ''] = PLAIN_DECIMAL.exec(text) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  const decimals = fraction.replace(/0+$/, '');
  const magnitude = decimals === '' ? integer : `${integer}.${decimals}`;
  return sign === '-' && magnitude !== '0' ? `-${magnitude}` : magnitude;
}

/** The same for a decimal with an exponent, such as `1e-05`; undefined for any other text. */
export function decimalOfExponent(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent] = EXPONENT_FORM.exec(text) ?? [];
  const digits = whole + fraction;
  if (exponent === undefined || digits === '' || Math.abs(Number(exponent)) > MAX_EXPONENT) return undefined;
  const point = whole.length + Number(exponent);
  const plain =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : `${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}`;
  return canonicalDecimal(sign + plain);
}

/** The canonical decimal of a number, digit for digit as JavaScript writes it; undefined for NaN and infinities. */
export function decimalOfNumber(value: number | bigint): string | undefined {
  const text = String(value);
  return canonicalDecimal(text) ?? decimalOfExponent(text);
}

/** The exact sum of canonical decimals, rounded once, half away from zero. Null counts as 0; the sum of nothing is `0.00`. */
export function sumToTwoDigits(parts: readonly (string | null)[]): string {
  let sum = 0;
  for (const part of parts) if (part !== null) sum += exactBillionths(part);
  if (Number.isNaN(sum)) return sumOfLong(parts);
  const unit = BILLION / 100;
  const hundredths = Math.floor((Math.abs(sum) + unit / 2) / unit);
  return plainDecimal(sum < 0 ? -hundredths : hundredths, 2);
}

function sumOfLong(parts: readonly (string | null)[]): string {
  const known = parts.filter((part) => part !== null);
  const scale = Math.max(2, ...known.map(fractionDigits));
  const sum = known.reduce((total, part) => total + scaled(part, scale), 0n);
  return plainDecimal(quotientOf(sum, 10n ** BigInt(scale - 2)), 2);
}

/** `units / 10^scale`, with that many digits after the point. */
function plainDecimal(units: number | bigint, scale: number): string {
  const digits = String(units < 0 ? -units : units).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${units < 0 ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The canonical decimal of `units / 10^scale`. */
const fromScaled = (units: number | bigint, scale: number): string =>
  canonicalDecimal(plainDecimal(units, scale)) ?? '0';

/** Rounded half away from zero. @param divisor above 0 */
function quotientOf(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}

/** Length of typical decimals in food data; longer ones take several times as long. So three have an exact sum. */
const SHORT_LENGTH = 10;
const POWERS = Array.from({ length: 10 }, (_, exponent) => 10 ** exponent);

const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57];

/** The billionths of a short decimal below a million; NaN for any other. */
function exactBillionths(decimal: string): number {
  const { length } = decimal;
  if (length > SHORT_LENGTH) return Number.NaN;
  const isNegative = decimal.charCodeAt(0) === MINUS;
  let units = 0;
  let point = length;
  for (let at = isNegative ? 1 : 0; at < length; at++) {
    const code = decimal.charCodeAt(at);
    if (code === POINT) point = at + 1;
    else units = 10 * units + code - ZERO;
  }
  const billionths = units * (POWERS[9 - length + point] ?? 0);
  if (billionths >= 1e15) return Number.NaN;
  return isNegative ? -billionths : billionths;
}

export function floatOf(decimal: string): number {
  const billionths = exactBillionths(decimal);
  return Number.isNaN(billionths) ? Number(decimal) : billionths / BILLION;
}

export function subtractDecimals(from: string, others: readonly string[]): string {
  const scale = Math.max(...[from, ...others].map(fractionDigits));
  const rest = others.reduce((left, part) => left - scaled(part, scale), scaled(from, scale));
  return fromScaled(rest, scale);
}

/** `decimal * times / by`, rounded half away from zero to that many digits after the point. */
export function scaleDecimal(decimal: string, times: bigint, by: bigint, digits: number): string {
  const scale = Math.max(digits, fractionDigits(decimal));
  const quotient = quotientOf(scaled(decimal, scale) * times, by * 10n ** BigInt(scale - digits));
  return fromScaled(quotient, digits);
}

/** The exact product. */
export function multiplyDecimals(a: string, b: string): string {
  const [left, right] = [a.replace('.', ''), b.replace('.', '')];
  const isExact = a.length + b.length < 16;
  const units = isExact ? Number(left) * Number(right) : BigInt(left) * BigInt(right);
  return fromScaled(units, fractionDigits(a) + fractionDigits(b));
}

function fractionDigits(decimal: string): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

/** The integer `decimal * 10^scale`. */
function scaled(decimal: string, scale: number): bigint {
  return BigInt(decimal.replace('.', '') + '0'.repeat(scale - fractionDigits(decimal)));
}

/** The tens of millions of figures of large data sets are counted in billionths, to save memory. NaN is unknown. */
export const BILLION = 1e9;

/** Beyond it billionths are no longer exact; far more than any figure of a food. */
const MAX_WHOLE = 9_000_000;

/** Digits past the ninth are rounded half away from zero; what exceeds nine million is infinite. */
export function billionthsOf(decimal: string): number {
  const exact = exactBillionths(decimal);
  if (!Number.isNaN(exact)) return exact;
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const rounded = Number(fraction.slice(0, 9).padEnd(9, '0')) + (fraction.charAt(9) >= '5' ? 1 : 0);
  const magnitude = Number(whole) < MAX_WHOLE ? Number(whole) * BILLION + rounded : Number.POSITIVE_INFINITY;
  return decimal.startsWith('-') ? -magnitude : magnitude;
}

/** The canonical decimal of a known, finite number of billionths, exactly. */
export function decimalOfBillionths(billionths: number): string {
  const magnitude = Math.abs(billionths);
  // At most 15 digits: the nearest float of the quotient has this decimal, and no other, as its shortest text.
  if (magnitude < 1e15 && (magnitude >= 1000 || magnitude === 0)) return String(billionths / BILLION || 0);
  return fromScaled(billionths, 9);
}

/** The whole number nearest to `dividend / divisor`, halves away from zero; exact for whole numbers up to 2^52. */
export function divideRounded(dividend: number, divisor: number): number {
  const magnitude = Math.abs(dividend);
  const remainder = magnitude % divisor;
  const quotient = (magnitude - remainder) / divisor + (2 * remainder >= divisor ? 1 : 0);
  return dividend < 0 ? -quotient : quotient;
}
