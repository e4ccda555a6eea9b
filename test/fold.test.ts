import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../src/text/fold.ts';

test('case is ignored in all of Unicode', () => {
  expect(fold('ÄPFEL')).toBe(fold('äpfel'));
  expect(fold('Straße')).not.toBe(fold('STRASSE'));
});

test('composed and decomposed letters are equal', () => {
  expect(fold('cre\u0300me')).toBe(fold('CR\u00c8ME'));
});

test('accents matter', () => {
  expect(fold('crème')).not.toContain(fold('creme'));
});

test('a final sigma equals any other', () => {
  expect(fold('ΟΔΟΣ')).toContain(fold('δοσ'));
  expect(fold('ΟΔΟΣ ΣΑΣ')).toBe(fold('οδοσ σασ'));
});

test('folding is done code point by code point', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const expected = Array.from(text.normalize('NFC'), (point) => point.toLowerCase()).join('');
      expect(fold(text)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});
