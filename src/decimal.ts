/**
 * Exact decimals. Binary floating point rounds 1.005 down and loses the last digit of 9007199254740993,
 * so figures are kept as text and added as integers.
 *
 * A canonical decimal is what JSON calls a number, without exponent and without superfluous zeros:
 * `0.5`, `-3`, `717`.
 */

const PLAIN_DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const EXPONENT_FORM = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** The canonical form of a plain decimal such as `+1.50` or `.5`; undefined for any other text (`1e3`, `1,5`, `NaN`). */
export function canonicalDecimal(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = PLAIN_DECIMAL.exec(text) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  const decimals = fraction.replace(/0+$/, '');
  const magnitude = decimals === '' ? integer : `${integer}.${decimals}`;
  return sign === '-' && magnitude !== '0' ? `-${magnitude}` : magnitude;
}

/** The canonical decimal of a number, digit for digit as JavaScript writes it; undefined for NaN and infinities. */
export function decimalOfNumber(value: number | bigint): string | undefined {
  const text = String(value);
  const [, sign = '', lead = '', rest = '', exponent] = EXPONENT_FORM.exec(text) ?? [];
  if (exponent === undefined) return canonicalDecimal(text);
  const digits = lead + rest;
  const point = 1 + Number(exponent);
  const plain =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : `${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}`;
  return canonicalDecimal(sign + plain);
}

/**
 * The exact sum of canonical decimals, rounded once, half away from zero, to two digits after the point.
 * Null counts as 0; the sum of nothing is `0.00`.
 */
export function sumToTwoDigits(parts: readonly (string | null)[]): string {
  const known = parts.filter((part) => part !== null);
  const scale = Math.max(2, ...known.map(fractionDigits));
  const sum = known.reduce((total, part) => total + scaled(part, scale), 0n);
  const magnitude = sum < 0n ? -sum : sum;
  const unit = 10n ** BigInt(scale - 2);
  const hundredths = (magnitude + unit / 2n) / unit;
  const digits = String(hundredths).padStart(3, '0');
  const sign = sum < 0n && hundredths > 0n ? '-' : '';
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function fractionDigits(decimal: string): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

/** The integer `decimal * 10^scale`. */
function scaled(decimal: string, scale: number): bigint {
  return BigInt(decimal.replace('.', '') + '0'.repeat(scale - fractionDigits(decimal)));
}
