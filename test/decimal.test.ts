import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  billionthsOf,
  canonicalDecimal,
  decimalOfBillionths,
  decimalOfExponent,
  decimalOfNumber,
  divideRounded,
  floatOf,
  multiplyDecimals,
  scaleDecimal,
  subtractDecimals,
  sumToTwoDigits,
} from '../src/core/decimal.ts';
import { fatOf } from './oracle.ts';
import { pairsOf } from './support/cases.ts';

/** Checks this for many values. */
const forAll = <Value>(values: fc.Arbitrary<Value>, check: (value: Value) => void, numRuns = 100): void =>
  fc.assert(fc.property(values, check), { numRuns });

const digits = (least: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: 20 });
const decimal = fc
  .tuple(fc.constantFrom('', '-'), digits(1), digits(0))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`);

describe('a plain decimal', () => {
  it.each(
    pairsOf(`717.0 → 717 | 0.0 → 0 | -0.00 → 0 | +1.50 → 1.5 | .5 → 0.5 | 5. → 5 | 007 → 7
      9007199254740993 → 9007199254740993 | -12.340 → -12.34`),
  )('%s is %s', (text, canonical) => expect(canonicalDecimal(text)).toBe(canonical));

  it.each([
    ...['', '.', '-', 'NaN', 'Infinity', '-Infinity', '0x1F', '1,5', '12g', '1e3', ' 1', '1 ', '1.2.3'],
    ...['--1', '١'],
  ])('is not %j', (text) => expect(canonicalDecimal(text)).toBeUndefined());

  test('has one canonical form, of the same value, which JSON reads', () =>
    forAll(decimal, (text) => {
      const canonical = canonicalDecimal(text) ?? '';
      expect(canonicalDecimal(canonical)).toBe(canonical);
      expect(JSON.parse(canonical)).toBe(Number(text) || 0);
    }));
});

describe('the decimal of a number', () => {
  it.each([
    [1.5e21, '1500000000000000000000'],
    [9007199254740993n, '9007199254740993'],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('of %s is %s', (value, text) => expect(decimalOfNumber(value)).toBe(text));

  test('is canonical, and reads back as the same number', () =>
    forAll(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = decimalOfNumber(value) ?? '';
      expect(canonicalDecimal(text)).toBe(text);
      expect(Number(text)).toBe(value || 0);
    }));
});

/** A whole number of these parts of 1. */
const partsOf = (parts: number, most: number) =>
  fc.integer({ min: -most, max: most }).map((n) => String(n / parts));

test.each([
  ['any decimals', decimal],
  ['decimals as in food data', partsOf(10_000, 9_999_999)],
  ['halves of a hundredth', partsOf(1000, 99_999)],
])('the sum to two digits is exact for %s', (_kind, arbitrary) => {
  const check = (parts: readonly (string | null)[]) => {
    const canonical = parts.map((part) => (part === null ? null : (canonicalDecimal(part) ?? null)));
    expect(sumToTwoDigits(canonical)).toBe(fatOf(canonical));
  };
  forAll(fc.array(fc.option(arbitrary), { maxLength: 3 }), check, 2000);
});

test('a decimal is converted to the nearest float, as in JavaScript', () => {
  const check = (text: string) => {
    const canonical = canonicalDecimal(text) ?? '';
    expect(floatOf(canonical)).toBe(Number(canonical));
  };
  forAll(fc.oneof(partsOf(10_000, 99_999_999), decimal), check, 5000);
});

describe('billionths', () => {
  it.each(
    pairsOf(`0 → 0 | 902 → 902000000000 | -0.000000001 → -1 | 0.0000000015 → 2 | -0.0000000015 → -2
      0.00000000149 → 1 | 8999999.999999999 → 8999999999999999 | 9000000 → Infinity | -90000000 → -Infinity`),
  )('of %s', (decimal, billionths) => expect(billionthsOf(decimal)).toBe(Number(billionths)));

  test('convert back to the same decimal, digit by digit', () => {
    const check = (billionths: number) => {
      const decimal = decimalOfBillionths(billionths);
      expect(canonicalDecimal(decimal)).toBe(decimal);
      expect(billionthsOf(decimal)).toBe(billionths || 0);
    };
    forAll(fc.integer({ min: -8_999_999_999_999_999, max: 8_999_999_999_999_999 }), check, 5000);
  });
});

test('a division is rounded to the nearest whole number, halves away from zero', () => {
  const dividends = fc.integer({ min: -(2 ** 52), max: 2 ** 52 });
  const check = ([dividend, divisor]: [number, number]) => {
    const [a, b] = [BigInt(Math.abs(dividend)), BigInt(divisor)];
    const magnitude = Number((2n * a + b) / (2n * b));
    expect(divideRounded(dividend, divisor) || 0).toBe((dividend < 0 ? -magnitude : magnitude) || 0);
  };
  forAll(fc.tuple(dividends, fc.integer({ min: 1, max: 10 ** 9 })), check, 5000);
});

describe('a decimal with an exponent', () => {
  it.each<[string, string]>([
    ...pairsOf(`1e-05 → 0.00001 | 1.2345E2 → 123.45 | -.5e+1 → -5
      9007199254740993e0 → 9007199254740993 | 120e-1 → 12 | 0e5 → 0`),
    ['5e-324', `0.${'0'.repeat(323)}5`],
  ])('%s is %s', (text, decimal) => expect(decimalOfExponent(text)).toBe(decimal));

  it.each(['1', 'e5', '.e5', '1e', '1e999', '1e-331', '1e1.5', '1 e5'])('is not %j', (text) =>
    expect(decimalOfExponent(text)).toBeUndefined(),
  );
});

const canonical = decimal.map((text) => canonicalDecimal(text) ?? '0');

test('a difference is exact', () =>
  forAll(fc.tuple(canonical, fc.array(canonical, { maxLength: 3 })), ([from, others]) => {
    const difference = subtractDecimals(from, others);
    expect(canonicalDecimal(difference)).toBe(difference);
    const exact = others.reduce((rest, other) => rest.minus(other), new Big(from));
    expect(new Big(difference).eq(exact)).toBe(true);
  }));

test('a product is exact', () =>
  forAll(fc.tuple(canonical, canonical), ([a, b]) => {
    const product = multiplyDecimals(a, b);
    expect(canonicalDecimal(product)).toBe(product);
    expect(new Big(product).eq(new Big(a).times(b))).toBe(true);
  }));

test('a decimal is scaled exactly, and rounded once, halves away from zero', () => {
  const factor = fc.bigInt({ min: 1n, max: 10n ** 9n });
  forAll(fc.tuple(canonical, factor, factor, fc.nat({ max: 9 })), ([text, times, by, places]) => {
    const scaled = scaleDecimal(text, times, by, places);
    expect(canonicalDecimal(scaled)).toBe(scaled);
    // |exact - scaled| <= half a unit of the last place, both multiplied by the divisor.
    const error = new Big(text)
      .times(String(times))
      .minus(new Big(scaled).times(String(by)))
      .abs();
    expect(error.lte(new Big(`0.5e-${places}`).times(String(by)))).toBe(true);
  });
  expect(scaleDecimal('0.005', 1n, 1n, 2)).toBe('0.01');
  expect(scaleDecimal('-0.005', 1n, 1n, 2)).toBe('-0.01');
  expect(scaleDecimal('598', 1000n, 4184n, 2)).toBe('142.93');
});
