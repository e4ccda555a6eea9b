import { describe, expect, it, test } from 'vitest';
import { ImportReport } from '#tables';
import { type CellColumn, FigureCells } from '../../src/tables/words/cells.ts';
import { type Mark, usualMark } from '../../src/tables/words/numbers.ts';
import { pairsOf } from '../support/cases.ts';

const ANY: CellColumn = { field: 'popularity', unit: undefined };

/** The figures read from the texts of a table, and the doubt at its end. */
function read(texts: readonly string[], commas: boolean, usual?: Mark, column = ANY) {
  const report = new ImportReport().source('table');
  const cells = new FigureCells({ report, commas, mark: usual });
  const figures = texts.map((text, i) => {
    report.place = () => `line ${i + 2}`;
    return cells.read(text, column);
  });
  return { figures, doubt: cells.doubt(), report };
}

test.each<[string, string]>([
  ...pairsOf(`
    12.5 → 12.5 | 1e-05 → 0.00001 | 1,234.5 → 1234.5 | 1,234,567 → 1234567 | 1.234,5 → 1234.5 | 1.234.567 → 1234567
    1 234.5 → 1234.5 | 1'234.5 → 1234.5 | 1’234 → 1234`),
  [' +12.50 ', '12.5'],
  ['\u00a07\u202f', '7'],
  ['\u22120.5', '-0.5'],
  ['1\u202f234\u202f567', '1234567'],
])('with any separator of cells, a figure is read from %j', (text, figure) => {
  for (const commas of [true, false])
    expect(read([text], commas)).toMatchObject({ figures: [figure], doubt: undefined });
});

test.each(['61.46±0.60', '61.46 (0.6)', '61.46 +/- 0.6 g', '61.46 (±20)'])('the mean is read: %j', (text) => {
  const { figures, report } = read([text], false, undefined, { field: 'protein_g', unit: 'g' });
  const isMean = text !== '61.46 (±20)';
  expect(figures).toEqual([isMean ? '61.46' : undefined]);
  expect(report.repaired.total).toBe(isMean ? 1 : 0);
});

describe('a decimal comma', () => {
  it.each(
    pairsOf(`
      12,5 → 12.5 | 0,123 → 0.123 | ,5 → 0.5 | 1 234,5 → 1234.5 | 1'234,5 → 1234.5 | 1,5e-3 → 0.0015`),
  )('is read in %j if commas do not separate cells', (text, figure) =>
    expect(read([text], true)).toMatchObject({ figures: [figure], doubt: undefined }),
  );

  it.each(['12,5', ',5', '1 234,5', '1,5e-3'])('is not read in %j if they do', (text) =>
    expect(read([text], false).figures).toEqual([undefined]),
  );
});

describe('a figure is unknown', () => {
  it.each([
    ...['', ' ', '\\N', 'k. A.'],
    ...'NA n/a #N/A <NA> nan NULL None - – k.A. n.d. N * . … s/d －'.split(' '),
  ])('if the cell is %j', (text) => expect(read([text], true).figures).toEqual([null]));

  it.each(['< 0,5', '<0.1', '<LOQ', '< LOD'])('if it is below a limit: %j, which is reported', (text) => {
    const { figures, report } = read(['1', text], true);
    expect(figures).toEqual(['1', null]);
    const found = { count: 1, first: ['line 3'] };
    expect(report.leftEmpty.entries()).toEqual([['figure below a limit ("<")', found]]);
  });
});

it.each(['Tr', 'tr.', 'traces', 'TR', 'Spuren', 'sp.', 't', 'traço', '微量'])(
  '%s is read as 0, which is reported',
  (text) => {
    const { figures, report } = read([text], false);
    expect(figures).toEqual(['0']);
    expect(report.repaired.entries()).toEqual([['traces, read as 0', { count: 1, first: ['line 2'] }]]);
  },
);

it.each([
  ...['1 2', '< x'],
  ...'x 12g 1.2.3 1,2,3 12,34,567 0x1F Infinity 1e #REF! < ١ 1.234,567,8'.split(' '),
])('%j is not a figure', (text) => {
  for (const commas of [true, false]) expect(read([text], commas).figures).toEqual([undefined]);
});

describe('ambiguous separators of thousands and decimals', () => {
  test.each<[string, readonly string[], boolean, Mark | undefined, readonly string[]]>([
    ['are decimal points beside others', ['1.234', '0.5'], true, '.', ['1.234', '0.5']],
    ['separate thousands if others have decimal commas', ['1.234', '0,5'], true, ',', ['1234', '0.5']],
    ['separate thousands if others have decimal points', ['1,234', '0.5'], true, '.', ['1234', '0.5']],
    ['separate thousands if commas separate cells', ['1,234', '0.5'], false, undefined, ['1234', '0.5']],
  ])('%s', (_what, texts, commas, usual, figures) =>
    expect(read(texts, commas, usual)).toMatchObject({ figures, doubt: undefined }),
  );

  test.each<[string, readonly string[], boolean, Mark | undefined]>([
    ['the first rows have no decimals, and a later one has another mark', ['1.234', '0,5'], true, undefined],
    ['both marks occur in decimals', ['0,5', '1.234', '0.5'], true, ','],
    ['nothing shows the mark', ['1,234'], false, undefined],
    ['nothing shows the mark, whatever separates cells', ['1.234', '12'], true, undefined],
    ['nothing shows the mark of the comma', ['1,234', '12'], true, undefined],
  ])('are refused if %s', (_what, texts, commas, usual) =>
    expect(read(texts, commas, usual).doubt).toMatch(/^line \d: "1[.,]234" may mean thousands or decimals\./),
  );

  test('are read by the mark of most decimals', () => {
    expect(usualMark(['1.234', '12', 'Egg', ''])).toBeUndefined();
    expect(usualMark(['1.234', '12,5', '0,5', '0.5'])).toBe(',');
    expect(usualMark(['0.5', '1,234'])).toBe('.');
  });
});

const KCAL: CellColumn = { field: 'kcal', unit: undefined };
const PROTEIN: CellColumn = { field: 'protein_g', unit: undefined };

describe('a figure with a unit is read in that of its column', () => {
  const MILLIGRAMS: CellColumn = { field: 'fa_sat_g', unit: 'mg' };
  const KILOJOULES: CellColumn = { field: 'kcal', unit: 'kJ' };
  test.each<[string, CellColumn]>([
    ['91.27 g → 91.27 | 12g → 12 | 12.6 grams → 12.6 | 12600 mg → 12.6 | 50 µg → 0.00005', PROTEIN],
    ['12 mg → 12 | 1.2 g → 1200', MILLIGRAMS],
    ['100 kkal → 100 | 100 Kcal. → 100 | 418 kJ → 99.9', KCAL],
    ['418.4kJ → 418.4 | 100 kcal → 418.4', KILOJOULES],
  ])('%s, in %j', (pairs, column) => {
    for (const [text, figure] of pairsOf(pairs))
      expect(read([text], false, undefined, column).figures, text).toEqual([figure]);
  });

  test('but not in another', () => {
    expect(read(['< 0.1 g'], false, undefined, PROTEIN).figures).toEqual([null]);
    for (const text of ['12 kcal', '12 oz', '12.6%', '12 g/100 g'])
      expect(read([text], false, undefined, PROTEIN).figures, text).toEqual([undefined]);
    for (const text of ['12 g', '143 kcal / 598 kJ'])
      expect(read([text], false, undefined, KCAL).figures, text).toEqual([undefined]);
  });

  test('a conversion is reported', () =>
    expect(read(['12 g', '1 mg'], false, undefined, PROTEIN).report.repaired.entries()).toEqual([
      ['figure in mg, converted to g', { count: 1, first: ['line 3'] }],
    ]));
});

test.each<[string, string | null | undefined]>([
  ...pairsOf('(12.6) → 12.6 | [12.6] → 12.6 | 12.6* → 12.6 | 12.6 † → 12.6 | (12.6 g) → 12.6'),
  ...pairsOf('(0) → 0 | (Tr) → 0'),
  ['(-)', null],
  ...['(small)', '(12', '12.6a'].map((text): [string, undefined] => [text, undefined]),
])('estimated and noted figures: %j is %j', (text, figure) =>
  expect(read([text], false, undefined, PROTEIN).figures).toEqual([figure]),
);

describe('two figures with a blank between them', () => {
  test.each<[string, CellColumn]>([
    ['54 237', KCAL],
    ['1 234', PROTEIN],
    ['12 600.5', PROTEIN],
    ['54\u00a0237', KCAL],
  ])('are not thousands where %j would be too much of %j', (text, column) =>
    expect(read([text], true, undefined, column).figures).toEqual([undefined]),
  );

  test('are thousands where kcal and kJ would contradict each other: 1 kcal, 234 kJ', () => {
    const { figures, doubt } = read(['1 234', '999', '2 000,5'], true, undefined, KCAL);
    expect([...figures, doubt]).toEqual(['1234', '999', '2000.5', undefined]);
    expect(read(['1 234'], true, undefined, { field: 'portion_1_g', unit: 'g' }).figures).toEqual(['1234']);
  });
});

test('grams that cannot be thousands show the decimal mark', () => {
  const texts = ['1.234', '12'];
  expect(read(texts, true, undefined, PROTEIN)).toMatchObject({ figures: texts, doubt: undefined });
  expect(read(['1.234'], true, undefined, KCAL).doubt).toMatch(/^line 2: "1.234" may mean/);
});
