/** The arithmetic of the plate, against integers and against the oracle's own sum. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type Decimal,
  decimalText,
  hundredth,
  parseDecimal,
  percentages,
  plus,
  rounded,
  times,
  ZERO,
} from '../../client/foods/decimal.ts';
import { fatOf } from '../oracle.ts';

const decimalTexts = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    const point = digits.length - scale;
    return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
  });

const read = (text: string): Decimal => {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new Error(`not a decimal: ${text}`);
  return decimal;
};

describe('a decimal', () => {
  it.each([
    ['0.50', '0.5'],
    ['-0', '0'],
    ['717', '717'],
    ['1e-7', '0.0000001'],
    ['1.5e+21', '1500000000000000000000'],
    ['100', '100'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is %s', (text, expected) => expect(decimalText(read(text))).toBe(expected));

  it.each(['', '.', '1,5', 'NaN', 'Infinity', '1.', '.5', '0x1', '1e99999'])('is not %j', (text) =>
    expect(parseDecimal(text)).toBeUndefined(),
  );

  test('keeps the shortest text of every number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(decimalText(read(String(value))))).toBe(value || 0);
      }),
    );
  });

  test('sums exactly, in any order, and rounds once', () => {
    fc.assert(
      fc.property(fc.array(decimalTexts, { maxLength: 20 }), (texts) => {
        const sum = texts.map(read).reduce(plus, ZERO);
        expect(texts.map(read).reduceRight(plus, ZERO)).toEqual(sum);
        expect(decimalText(rounded(sum, 2))).toBe(decimalText(read(fatOf(texts))));
      }),
    );
  });

  test('multiplies exactly', () => {
    fc.assert(
      fc.property(decimalTexts, decimalTexts, (a, b) => {
        const [integerA, integerB] = [a, b].map((text) => BigInt(text.replace('.', '')));
        const scale = [a, b].reduce((places, text) => places + (text.split('.')[1]?.length ?? 0), 0);
        const product = times(read(a), read(b));
        expect(product.units * 10n ** BigInt(scale - product.scale)).toBe(
          (integerA ?? 0n) * (integerB ?? 0n),
        );
      }),
    );
  });

  it.each([
    ['1.005', '1.01'],
    ['-1.005', '-1.01'],
    ['0.004', '0'],
    ['-0.004', '0'],
    ['99.995', '100'],
    ['16.7048', '16.7'],
  ])('%s rounds to %s', (text, expected) => expect(decimalText(rounded(read(text), 2))).toBe(expected));

  test('a hundredth keeps all digits', () => expect(decimalText(hundredth(read('1670.48')))).toBe('16.7048'));
});

describe('per cents', () => {
  test('add up to 100 and differ from the exact part by less than one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 8 }), (parts) => {
        const whole = parts.reduce((sum, part) => sum + part, 0);
        const result = percentages(parts.map((units) => ({ units: BigInt(units), scale: 2 })));
        if (whole === 0) {
          expect(result).toBeUndefined();
          return;
        }
        expect(result?.reduce((sum, part) => sum + part, 0)).toBe(100);
        for (const [index, part] of parts.entries()) {
          expect(Math.abs((result?.[index] ?? 0) - (100 * part) / whole)).toBeLessThan(1);
        }
      }),
    );
  });

  test('are undefined for a sum of zero', () => expect(percentages([read('0'), read('0')])).toBeUndefined());

  test('count negative parts as zero', () =>
    expect(percentages([read('-5'), read('1'), read('3')])).toEqual([0, 25, 75]));
});
