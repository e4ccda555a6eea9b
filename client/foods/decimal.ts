/**
 * Exact decimals for the sums of the plate. In binary floating point 0.1 + 0.2 is not 0.3; here a decimal is an integer
 * and a scale.
 */

/** The number `units / 10^scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { units: 0n, scale: 0 };

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i;

/** Parses `12`, `-0.50` or `1e-7`, as JSON and JavaScript write numbers; undefined for any other text. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const units = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return shortest(scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale });
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return shortest({ units: unitsAt(a, scale) + unitsAt(b, scale), scale });
}

export function minus(a: Decimal, b: Decimal): Decimal {
  return plus(a, { units: -b.units, scale: b.scale });
}

export function times(a: Decimal, b: Decimal): Decimal {
  return shortest({ units: a.units * b.units, scale: a.scale + b.scale });
}

export function hundredth(a: Decimal): Decimal {
  return shortest({ units: a.units, scale: a.scale + 2 });
}

/** Rounds half away from zero to at most `digits` fraction digits. */
export function rounded(a: Decimal, digits: number): Decimal {
  if (a.scale <= digits) return a;
  const step = 10n ** BigInt(a.scale - digits);
  const magnitude = (abs(a.units) + step / 2n) / step;
  return shortest({ units: a.units < 0n ? -magnitude : magnitude, scale: digits });
}

/** The shortest text: `0.5`, `-3`, `717`. */
export function decimalText({ units, scale }: Decimal): string {
  const digits = String(abs(units)).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const magnitude = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return units < 0n ? `-${magnitude}` : magnitude;
}

/**
 * The share of each part in whole per cents that add up to 100, by the largest-remainder method. Negative parts count as
 * zero; undefined if the sum is zero.
 */
export function percentages(parts: readonly Decimal[]): readonly number[] | undefined {
  const scale = Math.max(0, ...parts.map((part) => part.scale));
  const units = parts.map((part) => (part.units > 0n ? unitsAt(part, scale) : 0n));
  const whole = units.reduce((sum, part) => sum + part, 0n);
  if (whole === 0n) return undefined;
  const result = units.map((part) => Number((part * 100n) / whole));
  const remainders = units.map((part, index) => ({ index, remainder: (part * 100n) % whole }));
  // The sort is stable: of equal remainders the first part comes first.
  remainders.sort((a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder));
  const missing = 100 - result.reduce((sum, part) => sum + part, 0);
  for (const { index } of remainders.slice(0, missing)) result[index] = (result[index] ?? 0) + 1;
  return result;
}

const abs = (units: bigint): bigint => (units < 0n ? -units : units);

function unitsAt(a: Decimal, scale: number): bigint {
  return a.units * 10n ** BigInt(scale - a.scale);
}

/** Drops trailing zeros of the fraction, so that equal numbers are equal objects. */
function shortest({ units, scale }: Decimal): Decimal {
  let [rest, places] = [units, scale];
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n;
    places--;
  }
  return { units: rest, scale: places };
}
