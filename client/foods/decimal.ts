/**
 * Exact decimals for the sums of the plate: in binary floating point 0.1 + 0.2 is not 0.3. Nothing here divides with a
 * remainder, the one operation that a decimal cannot do exactly.
 */
import { Big } from 'big.js';

export const ZERO = new Big(0);

export const sum = (parts: readonly Big[]): Big => parts.reduce((all, part) => all.plus(part), ZERO);

/**
 * The share of each part in whole percent, adding up to 100, by the largest-remainder method. Negative parts count as
 * zero; undefined if the sum is zero.
 */
export function percentages(parts: readonly Big[]): readonly number[] | undefined {
  const hundredfold = parts.map((part) => (part.gt(0) ? part.times(100) : ZERO));
  const whole = sum(hundredfold).times('0.01');
  if (whole.eq(0)) return undefined;
  const remainders = hundredfold.map((part) => part.mod(whole));
  const result = hundredfold.map((part, index) =>
    part
      .minus(remainders[index] ?? ZERO)
      .div(whole)
      .toNumber(),
  );
  const missing = 100 - result.reduce((all, part) => all + part, 0);
  // The sort is stable: of equal remainders the first part comes first.
  const largest = [...remainders.entries()].sort(([, a], [, b]) => b.cmp(a)).slice(0, missing);
  for (const [index] of largest) result[index] = (result[index] ?? 0) + 1;
  return result;
}
