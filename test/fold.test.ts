import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../src/text/fold.ts';

test('folding is done code point by code point', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const expected = Array.from(text.normalize('NFC'), (point) => point.toLowerCase()).join('');
      expect(fold(text)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});
