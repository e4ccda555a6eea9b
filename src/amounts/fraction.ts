/** Exact numbers: a third of a cup is neither 0.33 nor 0.333333. */
import { canonicalDecimal, scaleDecimal } from '#core';

/** `above / below`, in lowest terms; `below` is positive. */
export interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));

export function fraction(above: bigint, below = 1n): Fraction {
  if (below === 1n) return { above, below };
  const common = divisor(above, below) || 1n;
  return { above: above / common, below: below / common };
}

export const ONE = fraction(1n);

/** @param decimal a canonical decimal that is not negative */
export function ofDecimal(decimal: string): Fraction {
  if (!decimal.includes('.')) return fraction(BigInt(decimal));
  const [whole = '', digits = ''] = decimal.split('.');
  return fraction(BigInt(whole + digits), 10n ** BigInt(digits.length));
}

export const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.above * b.below + b.above * a.below, a.below * b.below);

export const times = (a: Fraction, b: Fraction): Fraction => fraction(a.above * b.above, a.below * b.below);

export const over = (a: Fraction, b: Fraction): Fraction => fraction(a.above * b.below, a.below * b.above);

export const isEqual = (a: Fraction, b: Fraction): boolean => a.above === b.above && a.below === b.below;

export const isLess = (a: Fraction, b: Fraction): boolean => a.above * b.below < b.above * a.below;

/** The decimal, rounded half up to that many digits. */
export const decimalOf = ({ above, below }: Fraction, digits: number): string =>
  scaleDecimal('1', above, below, digits);

/** The fractions of cookery, as one character. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{
    '1/2': '½',
    '1/3': '⅓',
    '2/3': '⅔',
    '1/4': '¼',
    '3/4': '¾',
    '1/8': '⅛',
    '3/8': '⅜',
    '5/8': '⅝',
    '7/8': '⅞',
  },
};

/** Whether it is written as people do: a decimal, or with a small number below. */
export const isCommon = ({ below }: Fraction): boolean =>
  [3n, 6n, 7n, 12n].includes(below) || 1_000_000n % below === 0n;

/** "2", "3½", "12.5", "1/7": a decimal where it is one, of three digits at most. */
export function fractionText({ above, below }: Fraction): string {
  const [whole, rest] = [above / below, above % below];
  const sign = SIGNS[`${rest}/${below}`];
  if (sign !== undefined) return `${whole || ''}${sign}`;
  if (1_000_000n % below === 0n) return canonicalDecimal(decimalOf({ above, below }, 6)) ?? '0';
  return `${whole === 0n ? '' : `${whole} `}${rest}/${below}`;
}
