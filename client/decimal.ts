/**
 * Exact decimals for what is added up on the plate. Binary floating point makes 0.1 + 0.2 another number than 0.3;
 * here a decimal is an integer and the place of its point.
 */

/** The number `units / 10^scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { units: 0n, scale: 0 };

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i;

/** Reads `12`, `-0.50` or `1e-7`, the forms in which JSON and JavaScript write a number; undefined for any other text. */
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

export function times(a: Decimal, b: Decimal): Decimal {
  return shortest({ units: a.units * b.units, scale: a.scale + b.scale });
}

export function hundredth(a: Decimal): Decimal {
  return shortest({ units: a.units, scale: a.scale + 2 });
}

/** Rounded half away from zero to at most so many digits after the point. */
export function rounded(a: Decimal, digits: number): Decimal {
  if (a.scale <= digits) return a;
  const step = 10n ** BigInt(a.scale - digits);
  const magnitude = (abs(a.units) + step / 2n) / step;
  return shortest({ units: a.units < 0n ? -magnitude : magnitude, scale: digits });
}

/** As text, without superfluous zeros: `0.5`, `-3`, `717`. */
export function decimalText({ units, scale }: Decimal): string {
  const digits = String(abs(units)).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const magnitude = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return units < 0n ? `-${magnitude}` : magnitude;
}

export function isPositive(a: Decimal): boolean {
  return a.units > 0n;
}

/**
 * Whole per cents of the sum of all parts, which add up to 100: what rounding down leaves over goes to the parts that
 * lost most. Parts below zero count as nothing; undefined where there is nothing to share.
 */
export function percentages(parts: readonly Decimal[]): readonly number[] | undefined {
  const scale = Math.max(0, ...parts.map((part) => part.scale));
  const units = parts.map((part) => (isPositive(part) ? unitsAt(part, scale) : 0n));
  const whole = units.reduce((sum, part) => sum + part, 0n);
  if (whole === 0n) return undefined;
  const result = units.map((part) => Number((part * 100n) / whole));
  const lost = units.map((part, index) => ({ index, rest: (part * 100n) % whole }));
  lost.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  const left = 100 - result.reduce((sum, part) => sum + part, 0);
  for (const { index } of lost.slice(0, left)) result[index] = (result[index] ?? 0) + 1;
  return result;
}

const abs = (units: bigint): bigint => (units < 0n ? -units : units);

function unitsAt(a: Decimal, scale: number): bigint {
  return a.units * 10n ** BigInt(scale - a.scale);
}

/** Without zeros at the end of the fraction, so that equal numbers are equal objects. */
function shortest({ units, scale }: Decimal): Decimal {
  let [rest, places] = [units, scale];
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n;
    places--;
  }
  return { units: rest, scale: places };
}
