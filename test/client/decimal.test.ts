/** The arithmetic of the plate, compared with integers and with the oracle's sum. */
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foodOf } from '../../client/foods/food.ts';
import { figureOf, percentages, sum } from '../../client/foods/plate.ts';
import { fatOf } from '../oracle.ts';

const decimalTexts = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    const point = digits.length - scale;
    return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
  });

const places = (text: string): number => text.split('.')[1]?.length ?? 0;
const integer = (text: string): bigint => BigInt(text.replace('.', ''));

test('a figure is the shortest decimal of a number, without an exponent', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const { kcal } = foodOf({
        description: 'A',
        kcal: value,
        protein_g: null,
        fat_g: '0.00',
        carbohydrate_g: 0,
      });
      expect(Number(kcal)).toBe(value || 0);
      expect(kcal).toMatch(/^-?\d+(\.\d+)?$/);
    }),
  );
});

test('sums are exact, in any order', () => {
  fc.assert(
    fc.property(fc.array(decimalTexts, { maxLength: 20 }), (texts) => {
      const parts = texts.map((text) => new Big(text));
      expect(sum(parts).eq(sum(parts.toReversed()))).toBe(true);
      expect(sum(parts).round(2).eq(fatOf(texts))).toBe(true);
    }),
  );
});

test('the figure of an amount is exact: the product divided by 100', () => {
  fc.assert(
    fc.property(decimalTexts, decimalTexts, decimalTexts, (kcal, count, grams) => {
      const food = { description: 'A', kcal, protein: null, fat: '0', carbohydrate: '0' };
      const figure = figureOf({ food, count, unit: { portion: '1 cup', grams } }, 'kcal');
      const scale = places(kcal) + places(count) + places(grams) + 2;
      expect(integer(figure?.toFixed(scale) ?? '')).toBe(integer(kcal) * integer(count) * integer(grams));
    }),
  );
});

describe('percentages', () => {
  test('add up to 100, and differ from the exact share by less than one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 8 }), (parts) => {
        const whole = parts.reduce((all, part) => all + part, 0);
        const result = percentages(parts.map((part) => new Big(part).times('0.01')));
        if (whole === 0) {
          expect(result).toBeUndefined();
          return;
        }
        expect(result?.reduce((all, part) => all + part, 0)).toBe(100);
        for (const [index, part] of parts.entries()) {
          expect(Math.abs((result?.[index] ?? 0) - (100 * part) / whole)).toBeLessThan(1);
        }
      }),
    );
  });

  test('round the sums of the parts so far', () => {
    const parts = ['1', '1', '1'].map((part) => new Big(part));
    expect(percentages(parts)).toEqual([33, 34, 33]);
    expect(percentages(['1', '4', '1'].map((part) => new Big(part)))).toEqual([17, 66, 17]);
  });

  test('are undefined for a sum of zero', () =>
    expect(percentages([new Big(0), new Big(0)])).toBeUndefined());

  test('count negative parts as zero', () =>
    expect(percentages(['-5', '1', '3'].map((part) => new Big(part)))).toEqual([0, 25, 75]));
});
