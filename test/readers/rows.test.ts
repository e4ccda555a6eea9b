import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decimalOfBillionths } from '#core';
import { COMMAS, type Dialect, type Row, RowSplitter, TABS } from '../../src/tables/rows/row-splitter.ts';
import { pairsOf } from '../support/cases.ts';
import { seeded } from '../support/random.ts';

/** Splits the bytes in chunks of these sizes, repeatedly. */
function split<Item>(
  bytes: Buffer,
  dialect: Dialect,
  sizes: readonly number[],
  take: (row: Row) => Item,
): Item[] {
  const found: Item[] = [];
  const splitter = new RowSplitter(dialect, 'the table', (row) => found.push(take(row)));
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const end = at + (sizes[i % sizes.length] ?? 1);
    // The owner of a chunk reuses its memory.
    const chunk = Buffer.from(bytes.subarray(at, end));
    splitter.push(chunk);
    at = end;
  }
  splitter.end();
  return found;
}

const textsOf = (row: Row) => Array.from({ length: row.count }, (_, cell) => row.text(cell));

const unit = fc.constantFrom('a', 'é', '🧀', ',', '"', '\n', '\r\n', '\t', ' ', '');
const cell = fc.string({ unit, maxLength: 6 });
const chunks = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });

test('rows are the same as by another parser, however the bytes are split', () => {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(rows, fc.constantFrom('\n', '\r\n'), fc.boolean(), chunks, (table, end, ended, sizes) => {
      const text = table.map((cells) => cells.map(quoted).join(',')).join(end) + (ended ? end : '');
      const options = { relax_column_count: true, record_delimiter: ['\r\n', '\n'] };
      const expected: string[][] = parse(text, options);
      const filled = expected.filter((cells) => cells.length > 1 || cells[0] !== '');
      expect(split(Buffer.from(text), COMMAS, sizes, textsOf)).toEqual(filled);
    }),
    { numRuns: 2000 },
  );
});

test('quotes have no meaning in rows with tabs, however the bytes are split', () => {
  const text = cell.map((each) => each.replace(/[\t\r\n]/g, ''));
  const plain = fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(plain, chunks, (table, sizes) => {
      const text = table.map((cells) => `${cells.join('\t')}\n`).join('');
      expect(split(Buffer.from(text), TABS, sizes, textsOf)).toEqual(table);
    }),
    { numRuns: 1000 },
  );
});

describe('a figure', () => {
  const figureOf = (text: string) =>
    split(Buffer.from(`x,"${text}"`), COMMAS, [100], (row) => row.figure(1))[0];
  it.each<[string, string | number]>([
    ...pairsOf(`
      0 → 0 | 51.368 → 51368000000 | -0.713 → -713000000 | .5 → 500000000 | 5. → 5000000000 | +1.50 → 1500000000
      1e-05 → 10000 | 2.5E2 → 250000000000 | 20.8333333333333 → 20833333333 | 0.0000000005 → 1
      -0.0000000005 → -1 | 0.00000000049 → 0 | 8999999 → 8999999000000000`),
    [' 7 ', 7_000_000_000],
    ['9000000', Number.POSITIVE_INFINITY],
    ['-123456789012345678901234567890', Number.NEGATIVE_INFINITY],
    ['', Number.NaN],
    ['  ', Number.NaN],
  ])('of %j is %d billionths', (text, billionths) => expect(figureOf(text)).toBe(Number(billionths)));

  it.each(['x', '1,5', '12g', '-', '.', '1.2.3', 'NaN', 'Infinity', '0x1F', '<1', '1e', '1e999', '١'])(
    'is not %j',
    (text) => expect(figureOf(text)).toBeUndefined(),
  );

  test('is exact for every decimal in food data', () => {
    const random = seeded(9);
    for (let i = 0; i < 20_000; i++) {
      const digits = random(10);
      const text = `${random(1000)}${digits === 0 ? '' : `.${String(random(1e9)).padStart(9, '0').slice(0, digits)}`}`;
      const canonical = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
      expect(decimalOfBillionths(figureOf(text) ?? Number.NaN)).toBe(canonical);
    }
  });
});

test.each([
  ['integer', 'has 31 bits, without a point', '0,2147483647,2147483648,-1,1.0,,x', [0, 2_147_483_647]],
  [
    'id',
    'may have a point and zeros, or blanks',
    '1.0, 17 ,2147483647.000,2147483648.0,1.5,-1.0,,x',
    [1, 17, 2_147_483_647],
  ],
] as const)('an %s %s', (kind, _what, text, ids) => {
  const [found] = split(Buffer.from(text), COMMAS, [100], (row) =>
    Array.from({ length: row.count + 1 }, (_, i) => row[kind](i)),
  );
  expect(found?.slice(0, ids.length)).toEqual(ids);
  expect(new Set(found?.slice(ids.length))).toEqual(new Set([-1]));
});
