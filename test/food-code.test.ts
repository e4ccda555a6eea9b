/** The code on a packet in all its spellings: examples of GS1's tables of UPC-E, and the check digits of a library-free oracle. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foodCodeOf } from '#core';
import { pairsOf } from './support/cases.ts';

test.each<[string, string]>([
  // UPC-E for each rule of its last digit.
  ...pairsOf(`04252614 → 42100005264 | 0425261 4 → 42100005264 | 01234505 → 12000003455 | 01234531 → 12300000451
    01234543 → 12340000053 | 01234565 → 12345000065 | 1234565 → 12345000065`),
  // Not one: its check digit is wrong, or it is an EAN-8.
  ...pairsOf(`01234566 → 1234566 | 96385074 → 96385074 | 0000096385074 → 96385074
    5-010029-000023 → 5010029000023 | 0 12345 67890 5 → 12345678905 | 12345678906 → 12345678906 | 17 → 17`),
  // Six digits are one with its check digit, two zeros before it, and none without.
  ...pairsOf('425261 → 4252000061 | 425262 → 425262 | 900719925474099318 → 900719925474099318'),
  ['0'.repeat(50) + 5, '5'],
])('%s is %s', (text, code) => expect(foodCodeOf(text)).toBe(code));

test.each([
  ...['', ' ', '-', '0', '000', 'egg', '12a', '5.01E+12', '+1', '１２３４５６７８', '1234567890123456789'],
  ...['1'.repeat(5000), '0'.repeat(5000) + 5],
])('%j is no code', (text) => expect(foodCodeOf(text)).toBeUndefined());

test('blanks, hyphens and leading zeros do not count, and the one form stays as it is', () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,17}$/);
  const spelled = fc.tuple(digits, fc.nat(9), fc.constantFrom('', ' ', '-', '\u00a0', '‑'));
  fc.assert(
    fc.property(spelled, ([code, zeros, separator]) => {
      const one = foodCodeOf(code);
      expect(foodCodeOf([...'0'.repeat(zeros), ...code].join(separator))).toBe(one);
      expect(foodCodeOf(one ?? '')).toBe(one);
    }),
  );
});
