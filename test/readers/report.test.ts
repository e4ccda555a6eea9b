import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ImportReport } from '#tables';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.UTC(2026, 10, 21, 8) });
});
afterEach(() => {
  vi.useRealTimers();
});

test('time is measured by phase, apart from the time of the consumer', () => {
  const source = new ImportReport().source('a');
  const phases = [
    ['download', 2000],
    ['read', 300],
    ['index', 10_000],
    ['read', 200],
    ['download', 1000],
    ['', 99_000],
  ] as const;
  for (const [phase, ms] of phases) {
    source.phase(phase);
    vi.advanceTimersByTime(ms);
  }
  expect(source.seconds).toEqual({ download: 3, index: 10, read: 0.5 });
});

test('each reason is counted, with its first three places, as lines and as JSON', () => {
  const report = new ImportReport();
  const source = report.source('foods.csv');
  source.kind = 'CSV';
  source.phase('read');
  source.rows = 1234;
  source.kept = 1229;
  source.bytes = 98_765;
  for (let line = 2; line < 7; line++) source.dropped.add('no description', () => `line ${line}`);
  source.repaired.add('a rounding', () => 'line 9');
  source.portions = 2345;
  source.portionsLeftOut.add('portion of 0 g or less', () => 'line 8');
  source.countEnergy('1008');
  source.countEnergy('kJ');
  source.countEnergy('1008');
  source.notes.push('something to know');
  vi.advanceTimersByTime(1500);
  source.phase('');
  report.phase('sorting');
  vi.advanceTimersByTime(2500);
  report.phase('writing');
  vi.advanceTimersByTime(300);
  report.phase('');
  expect(report.lines()).toEqual([
    'foods.csv (CSV)',
    '  rows read      1,234, 1,229 foods kept',
    '  portions       2,345',
    '  repaired       1 a rounding: line 9',
    '  dropped        5 no description: line 2; line 3; line 4; …',
    '  left out       1 portion of 0 g or less: line 8',
    '  energy         2 by 1008, 1 by kJ',
    '  note           something to know',
    '  time           read 1.5 s; 98,765 bytes read',
    'index',
    '  time           sorting 2.5 s, writing 0.3 s',
  ]);
  expect(JSON.parse(JSON.stringify(report))).toEqual({
    label: { name: '', date: '2026-11-21', source: null, licence: null },
    notes: ['something to know'],
    anyDropped: true,
    totals: {
      ...{ rows: 1234, kept: 1229, portions: 2345, nutrients: 0, codes: 0, names: 0, duplicates: 0 },
      passedOver: 0,
      ...{ dropped: 5, leftEmpty: 0, repaired: 1, bytes: 98_765 },
    },
    sources: [
      {
        name: 'foods.csv',
        kind: 'CSV',
        part: '',
        label: null,
        columns: [],
        rows: 1234,
        kept: 1229,
        duplicates: { count: 0, first: [] },
        passedOver: {},
        dropped: { 'no description': { count: 5, first: ['line 2', 'line 3', 'line 4'] } },
        leftEmpty: {},
        repaired: { 'a rounding': { count: 1, first: ['line 9'] } },
        suspicious: {},
        ...{ nutrients: 0, codes: 0, nutrientsLeftOut: {} },
        ...{ names: 0, namedFoods: 0, nameExample: '', namesLeftOut: {} },
        nutrientColumns: { nutrients: [], codes: [], leftOut: [] },
        portions: 2345,
        portionsLeftOut: { 'portion of 0 g or less': { count: 1, first: ['line 8'] } },
        energy: { 1008: 2, kJ: 1 },
        bytes: 98_765,
        seconds: { read: 1.5 },
        notes: ['something to know'],
      },
    ],
    seconds: { sorting: 2.5, writing: 0.3 },
  });
});

test('findings are in the plural, where they have one', () => {
  const report = new ImportReport();
  const { leftEmpty } = report.source('a');
  const counts = { 'figure below a limit ("<")': 1, 'portion of 0 g or less': 2, 'no description': 1200 };
  for (const [reason, count] of Object.entries(counts)) for (let i = 0; i < count; i++) leftEmpty.add(reason);
  const text = report.lines().join('\n');
  for (const shown of ['1 figure below', '2 portions of 0 g', '1,200 no description'])
    expect(text).toContain(`left empty     ${shown}`);
});

test('the label of several sources has the newest date, and each credit once', () => {
  const report = new ImportReport();
  const credit = { source: 'USDA', licence: 'public domain' };
  report.source('a').label = { name: 'A', date: '2018-04', ...credit };
  report.source('b').label = { name: 'B', date: '2026-04-30', ...credit };
  report.source('c').label = { name: 'c.csv', date: '2025-01-01', source: null, licence: null };
  expect(report.label).toEqual({ name: 'A + B + c.csv', date: '2026-04-30', ...credit });
});

test('rows that are not foods are no loss, but unusable figures are', () => {
  const report = new ImportReport();
  const source = report.source('a');
  source.passedOver.add('not a food', () => '');
  source.duplicates.add('of an equal food', () => '');
  source.repaired.add('mended', () => '');
  expect(report.anyDropped).toBe(false);
  source.leftEmpty.add('kcal over 950', () => '');
  expect(report.anyDropped).toBe(true);
});
