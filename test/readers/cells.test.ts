import { describe, expect, it, test } from 'vitest';
import { FigureCells, type Mark, usualMark } from '../../src/readers/own/cells.ts';
import { ImportReport } from '../../src/readers/report/report.ts';

/** The figures read from the texts of a table, and the doubt at its end. */
function read(texts: readonly string[], commas: boolean, usual?: Mark) {
  const report = new ImportReport().source('table');
  const cells = new FigureCells(report, commas, usual);
  const figures = texts.map((text, i) => cells.read(text, () => `line ${i + 2}`));
  return { figures, doubt: cells.doubt(), report };
}

describe('with any separator of cells, a figure is read from', () => {
  it.each([
    ['12.5', '12.5'],
    [' +12.50 ', '12.5'],
    ['\u00a07\u202f', '7'],
    ['\u22120.5', '-0.5'],
    ['1e-05', '0.00001'],
    ['1,234.5', '1234.5'],
    ['1,234,567', '1234567'],
    ['1.234,5', '1234.5'],
    ['1.234.567', '1234567'],
    ['1 234.5', '1234.5'],
    ['1\u202f234\u202f567', '1234567'],
    ["1'234.5", '1234.5'],
    ['1’234', '1234'],
  ])('%j', (text, figure) => {
    for (const commas of [true, false]) {
      expect(read([text], commas)).toMatchObject({ figures: [figure], doubt: undefined });
    }
  });
});

describe('a decimal comma', () => {
  it.each([
    ['12,5', '12.5'],
    ['0,123', '0.123'],
    [',5', '0.5'],
    ['1 234,5', '1234.5'],
    ["1'234,5", '1234.5'],
    ['1,5e-3', '0.0015'],
    ['1,234', '1.234'],
  ])('is read in %j if commas do not separate cells', (text, figure) =>
    expect(read([text], true)).toMatchObject({ figures: [figure], doubt: undefined }),
  );

  it.each(['12,5', ',5', '1 234,5', '1,5e-3'])('is not read in %j if they do', (text) =>
    expect(read([text], false).figures).toEqual([undefined]),
  );
});

describe('a figure is unknown', () => {
  it.each([
    '',
    ' ',
    'NA',
    'n/a',
    '#N/A',
    '<NA>',
    'nan',
    'NULL',
    'None',
    '-',
    '–',
    '\\N',
    'k.A.',
    'n.d.',
    'N',
  ])('if the cell is %j', (text) => expect(read([text], true).figures).toEqual([null]));

  it.each(['< 0,5', '<0.1', '<LOQ', '< LOD'])(
    'if it is below a limit, as in %j, which is reported',
    (text) => {
      const { figures, report } = read(['1', text], true);
      expect(figures).toEqual(['1', null]);
      expect(report.leftEmpty.entries()).toEqual([
        ['figure below a limit ("<")', { count: 1, first: ['line 3'] }],
      ]);
    },
  );
});

it.each(['Tr', 'tr.', 'traces', 'TR', 'Spuren', 'sp.'])('%s is read as 0, which is reported', (text) => {
  const { figures, report } = read([text], false);
  expect(figures).toEqual(['0']);
  expect(report.repaired.entries()).toEqual([['traces, read as 0', { count: 1, first: ['line 2'] }]]);
});

it.each([
  'x',
  '12g',
  '1.2.3',
  '1,2,3',
  '12,34,567',
  '1 2',
  '0x1F',
  'Infinity',
  '1e',
  '#REF!',
  '<',
  '< x',
  '١',
  '1.234,567,8',
])('%j is not a figure', (text) => {
  for (const commas of [true, false]) expect(read([text], commas).figures).toEqual([undefined]);
});

describe('ambiguous separators of thousands and decimals', () => {
  test.each<[string, readonly string[], boolean, Mark | undefined, readonly string[]]>([
    ['are decimal points', ['1.234', '12'], true, undefined, ['1.234', '12']],
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
  ])('are refused if %s', (_what, texts, commas, usual) =>
    expect(read(texts, commas, usual).doubt).toMatch(/^line \d: "1.234" may mean thousands or decimals\. /),
  );

  test('are read by the mark of most decimals', () => {
    expect(usualMark(['1.234', '12', 'Egg', ''])).toBeUndefined();
    expect(usualMark(['1.234', '12,5', '0,5', '0.5'])).toBe(',');
    expect(usualMark(['0.5', '1,234'])).toBe('.');
  });
});

test('numbers that are not texts keep their digits', () => {
  const cells = new FigureCells(new ImportReport().source('table'), false);
  const place = () => '';
  expect(
    [0.1, 1e-7, 9007199254740993n, null, undefined, Number.NaN, true, Infinity].map((cell) =>
      cells.read(cell, place),
    ),
  ).toEqual(['0.1', '0.0000001', '9007199254740993', null, null, null, undefined, undefined]);
});
