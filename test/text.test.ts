/** Which texts are equal, how long they are in UTF-8, and which characters may reach a terminal. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fold, printable, printableLines, shown, utf8Length } from '#core';

describe('printable escapes', () => {
  it.each([
    ['C0', '\u0000\u0007\u001b[2J', '\\u0000\\u0007\\u001b[2J'],
    ['line breaks and tabs', 'a\nb\r\tc', 'a\\u000ab\\u000d\\u0009c'],
    ['DEL and C1', '\u007f\u0080\u009b31m\u009f', '\\u007f\\u0080\\u009b31m\\u009f'],
    ['bidirectional marks', '\u061c\u200e\u200f\u202a\u202e', '\\u061c\\u200e\\u200f\\u202a\\u202e'],
    ['bidirectional isolates', '\u2066\u2069', '\\u2066\\u2069'],
    ['line separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['invisible characters', '\u200b\u2060\ufeff\ufff9', '\\u200b\\u2060\\ufeff\\ufff9'],
    ['tags, as two code units', '\u{e0041}', '\\udb40\\udc41'],
    ['lone surrogates', 'a\ud800b\udc00', 'a\\ud800b\\udc00'],
  ])('%s', (_what, text, escaped) => expect(printable(text)).toBe(escaped));

  test('all control characters of Unicode, and no visible ones', () => {
    const escaped: number[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      if (printable(String.fromCharCode(code)) !== String.fromCharCode(code)) escaped.push(code);
    }
    const isIn = (from: number, to: number) => (code: number) => code >= from && code <= to;
    expect(escaped.filter(isIn(0, 0x24f))).toEqual(
      Array.from({ length: 0x250 }, (_, code) => code).filter((code) => code < 32 || isIn(127, 159)(code)),
    );
    expect(escaped.filter(isIn(0xd800, 0xdfff))).toHaveLength(0x800);
    expect(escaped.filter((code) => code > 0x24f && !isIn(0xd800, 0xdfff)(code)).length).toBeLessThan(40);
  });
});

test.each(['Crème brûlée', '豆腐', '👩‍🍳 🧑🏽‍🌾 ☕️ 🇨🇭', 'می‌خواهم', 'זית', 'a\\b "c"', 'soft\u00adhyphen'])(
  '%s is unchanged',
  (text) => expect(printable(text)).toBe(text),
);

test('printableLines keeps line breaks', () => expect(printableLines('a\u0007\nb\n')).toBe('a\\u0007\nb\n'));

test('JSON has the same data after escaping', () => {
  const data = { 'k\u202e': 'a\u0000\u001b\u007f\u009b\n\u2028\u{e0041}\\u009b' };
  expect(JSON.parse(printable(JSON.stringify(data)))).toEqual(data);
  expect(JSON.parse(printableLines(JSON.stringify(data, null, 2)))).toEqual(data);
});

test('a value in a message is escaped', () =>
  expect(shown('a\u001b\u009b\u202e"')).toBe('"a\\u001b\\u009b\\u202e\\""'));

test('folding is done code point by code point', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const expected = Array.from(text.normalize('NFC'), (point) => point.toLowerCase()).join('');
      expect(fold(text)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test('the length of any text in UTF-8, even with half a pair of surrogates, is as Node.js counts it', () => {
  const part = fc.constantFrom('a', '\u0080', '\u07ff', '\u0800', '卵', '😀', '\ud83d', '\ude00', '\uffff');
  const text = fc.array(part).map((parts) => parts.join(''));
  fc.assert(fc.property(text, (some) => utf8Length(some) === Buffer.byteLength(some)));
});
