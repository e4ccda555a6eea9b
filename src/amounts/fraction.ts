/** Exact numbers: a third of a cup is neither 0.33 nor 0.333333. */
import { divideRounded, scaleDecimal } from '#core';

/** Big only where a number would not be exact. */
type Whole = number | bigint;

/** `above / below`, in lowest terms; `below` is positive. */
export interface Fraction {
  readonly above: Whole;
  readonly below: Whole;
}

const MAX = BigInt(Number.MAX_SAFE_INTEGER);

const exact = (result: number, big: () => bigint): Whole => (Number.isSafeInteger(result) ? result : big());
const product = (a: Whole, b: Whole) => exact(Number(a) * Number(b), () => BigInt(a) * BigInt(b));
const sum = (a: Whole, b: Whole) => exact(Number(a) + Number(b), () => BigInt(a) + BigInt(b));

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
const bigDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : bigDivisor(b, a % b));

export function fraction(above: Whole, below: Whole = 1): Fraction {
  if (below === 1) return { above, below };
  if (typeof above === 'number' && typeof below === 'number') {
    const common = divisor(above, below);
    return { above: above / common, below: below / common };
  }
  const [big, bigBelow] = [BigInt(above), BigInt(below)];
  const common = bigDivisor(big, bigBelow);
  return { above: narrow(big / common), below: narrow(bigBelow / common) };
}

const narrow = (whole: bigint): Whole => (whole <= MAX ? Number(whole) : whole);

export const ONE = fraction(1);

const wholeOf = (digits: string): Whole => (digits.length < 16 ? Number(digits) : narrow(BigInt(digits)));

/** @param decimal a canonical decimal that is not negative */
export function ofDecimal(decimal: string): Fraction {
  const [whole = '', digits = ''] = decimal.split('.');
  const [above, below] = [whole + digits, `1${'0'.repeat(digits.length)}`];
  return fraction(wholeOf(above), wholeOf(below));
}

export const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(sum(product(a.above, b.below), product(b.above, a.below)), product(a.below, b.below));

export const times = (a: Fraction, b: Fraction): Fraction =>
  b === ONE ? a : fraction(product(a.above, b.above), product(a.below, b.below));

export const over = (a: Fraction, b: Fraction): Fraction => times(a, { above: b.below, below: b.above });

export const isEqual = (a: Fraction, b: Fraction): boolean => a.above === b.above && a.below === b.below;

export const isLess = (a: Fraction, b: Fraction): boolean =>
  product(a.above, b.below) < product(b.above, a.below);

/** The decimal, rounded half up to six digits after the point: of twelve digits the nearest float has no other text. */
export const decimalOf = ({ above, below }: Fraction): string =>
  above < 1_000_000 && typeof below === 'number'
    ? String(divideRounded(1_000_000 * Number(above), below) / 1_000_000)
    : scaleDecimal('1', BigInt(above), BigInt(below), 6);

/** The fractions of cookery, as one character. */
const SIGNS = new Map(Array.from('½⅓⅔¼¾⅛⅜⅝⅞', (sign) => [sign.normalize('NFKC').replace('⁄', '/'), sign]));

/** Whether six digits after the point suffice. */
const isDecimal = (below: Whole): boolean => 1_000_000 % Number(below) === 0;

/** Whether it is written as people do: a decimal, or with a small number below. */
export const isCommon = ({ below }: Fraction): boolean =>
  [3, 6, 7, 12].includes(Number(below)) || isDecimal(below);

/** "2", "3½", "12.5", "1/7": a decimal where it is one, of three digits at most. */
export function fractionText({ above, below }: Fraction): string {
  const whole = BigInt(above) / BigInt(below);
  const rest = BigInt(above) % BigInt(below);
  const sign = SIGNS.get(`${rest}/${below}`);
  if (sign !== undefined) return `${whole || ''}${sign}`;
  if (isDecimal(below)) return decimalOf({ above, below });
  return `${whole === 0n ? '' : `${whole} `}${rest}/${below}`;
}
