/** Household portions in users' tables of every kind. */
import { describe, expect, it, test } from 'vitest';
import type { Portion } from '#core';
import { columnOptions } from '#tables';
import { portionText } from '../../src/tables/food/portions.ts';
import { columnText } from '../../src/tables/report/source-report.ts';
import { pairsOf } from '../support/cases.ts';
import { temporaryFolder } from '../support/files.ts';
import { counts, importSources, refusalOf } from '../support/import.ts';

const folder = temporaryFolder();
const FOOD = 'description,kcal,protein,carbs,fat';

const csv = (header: string, ...rows: string[]): Promise<string> =>
  folder.save([`${FOOD},${header}`, ...rows.map((row) => `Egg,143,12.56,0.72,9.51,${row}`)].join('\n'));
const portionsOf = async (file: string): Promise<(readonly Portion[] | undefined)[]> =>
  (await importSources([file])).foods.map(({ portions }) => portions);

const LARGE = { portion: '1 large', grams: '50' };
const CUP = { portion: '1 cup, chopped', grams: '136.25' };

describe("a user's table has portions in numbered columns:", () => {
  it('up to as many as there are', async () => {
    const rows = ['1 large,50,"1 cup, chopped",136.250', ',,,', ',,-,'];
    const file = await csv('portion_1,portion_1_g,portion_2,portion_2_g', ...rows);
    const { foods, report } = await importSources([file]);
    expect(foods.map(({ portions }) => portions)).toEqual([[LARGE, CUP], undefined]);
    expect(report.sources[0]).toMatchObject({ portions: 2, unused: [] });
    expect(counts(report.sources[0]?.portionsLeftOut)).toEqual({});
  });

  it.each([
    ...['Portion 1,Portion 1 (g)', 'portion1,Portion1 Grams', 'GmWt_Desc1,GmWt_1', 'gmwt_desc1,gmwt_1'],
    ...['Measure 1,Measure 1 g', 'porción 1,Porción 1 (g)', 'PORTION_01,portion_01_G'],
    'portion_20,portion_20_g',
  ])('with other headings: %s', async (headings) => {
    const file = await csv(headings, '1 large,50');
    expect(await portionsOf(file)).toEqual([[LARGE]]);
  });

  test('chosen by flags, with weights in mg divided', async () => {
    const options = columnOptions(['portion_1=Haushaltsmaß', 'portion_1_g=Weight (mg)'], '50g');
    const file = await csv('Haushaltsmaß,Weight (mg)', '1 large,50000');
    const { foods, report } = await importSources([file], options);
    expect(foods[0]).toMatchObject({ kcal: '286', portions: [LARGE] });
    expect(report.sources[0]?.columns.slice(-2).map(columnText)).toEqual([
      'portion_1: column 6, "Haushaltsmaß"',
      'portion_1_g: column 7, "Weight (mg)", divided by 1,000',
    ]);
  });

  it.each([
    ['portion_1', 'portion_1: column 6, "portion_1", not used: there is no column portion_1_g'],
    ['Portion 3 (g)', 'portion_3_g: column 6, "Portion 3 (g)", not used: there is no column portion_3'],
  ])('but not in a single column, %s, which is reported', async (heading, note) => {
    const { foods, report } = await importSources([await csv(heading, '50')]);
    expect(foods[0]).not.toHaveProperty('portions');
    expect(report.sources[0]?.columns.map(columnText)).toContain(note);
    expect(report.sources[0]?.unused).toEqual([heading]);
  });

  it.each(['Portion', 'serving_size', 'Portion 30 g', 'portion_21', '1'])(
    'but not under a heading without the number of a portion: %s',
    async (heading) => {
      const { report } = await importSources([await csv(heading, '50')], { per: '100' });
      expect(report.sources[0]?.columns.map(({ field }) => field)).not.toContain('portion_1');
    },
  );
});

describe("in users' tables", () => {
  const header = 'portion_1,portion_1_g,portion_2,portion_2_g';
  it.each([
    ['1 large,much,,', '"much" is not a plain decimal number such as 1.5'],
    ['1 large,0,,', '"0" is not a weight above 0 and up to 1,000,000 g'],
    ['1 large,-50,,', '"-50" is not a weight above 0 and up to 1,000,000 g'],
    ['1 large,0.0004,,', '"0.0004" is not a weight above 0 and up to 1,000,000 g'],
    ['1 large,1000000.1,,', '"1000000.1" is not a weight above 0 and up to 1,000,000 g'],
  ])('an impossible weight is refused, with line and column: %s', async (row, fault) => {
    expect(await refusalOf([await csv(header, row)])).toContain(`line 2, column portion_1_g: ${fault}`);
  });

  test('a suspicious weight is kept, and reported with line and column', async () => {
    const { foods, report } = await importSources([await csv(header, '1 pot,25000,1 large,50')]);
    expect(foods[0]?.portions).toEqual([{ portion: '1 pot', grams: '25000' }, LARGE]);
    expect(report.sources[0]?.suspicious.entries()).toEqual([
      ['portion of more than 10,000 g', { count: 1, first: ['line 2, column portion_1_g'] }],
    ]);
  });

  test('invalid portions are left out, and counted with line and column', async () => {
    const long = `${'x'.repeat(121)},1,100 g,100`;
    const file = await csv(header, '1 large,,,50', '1 cup,100,1 CUP,100', '1 cup,100,1 cup,120', long);
    const { foods, report } = await importSources([file]);
    expect(foods[0]?.portions).toBeUndefined();
    expect(report.sources[0]?.portionsLeftOut.entries()).toEqual([
      ['portion whose weight is not known', { count: 1, first: ['line 2, column portion_1_g'] }],
      ['weight without a portion', { count: 1, first: ['line 2, column portion_2_g'] }],
      ['portion that the food has with another weight', { count: 1, first: ['line 4, column portion_2_g'] }],
      ['portion of more than 120 characters', { count: 1, first: ['line 5, column portion_1_g'] }],
    ]);
    expect(report.anyDropped).toBe(false);
  });

  test('weights have at most three digits after the point', async () => {
    const { foods, report } = await importSources([await csv(header, '1 a,0.0005,1 b,28.34952')]);
    expect(foods[0]?.portions?.map(({ grams }) => grams)).toEqual(['0.001', '28.35']);
    const reason = 'weight of a portion rounded to three digits after the point';
    expect(counts(report.sources[0]?.repaired)).toEqual({ [reason]: 2 });
  });
});

describe('a portion is written as people would:', () => {
  it.each([
    ['  1\tcup ,diced , ', '1 cup,diced'],
    ...pairsOf(`
      .5 cup → 1/2 cup | 0.25 cup → 1/4 cup | .2 pizza → 1/5 pizza | .67 cup → 2/3 cup | .35 oz → 0.35 oz
      1.0 cup → 1 cup | 1.5 cups → 1.5 cups | 1 large → 1 large | 1 cup,  (1 NLEA serving) → 1 cup (1 serving)
      1 cup,  (not packed) → 1 cup (not packed) | 1 pat,  (1" sq, 1/3" high) → 1 pat (1" sq, 1/3" high)
      1 link, , little (2" long) → 1 link, little (2" long) | 1 serving,  ( 3 oz ) → 1 serving (3 oz)
      1 jar,  NFS → 1 jar | 1 package,  (10 oz) yields → 1 package (10 oz) | 56 grams,  1 serving → 1 serving`),
    ['1 cre\u0300me\u00a0br\u00fbl\u00e9e', '1 crème brûlée'],
    ['1\u2028slice\u0007', '1 slice'],
  ])('%j is %j', (source, text) => {
    expect(portionText(source)).toBe(text);
    expect(portionText(text)).toBe(text);
  });

  it.each(['1 g', '100 g', '30g', '28,5 grams', '1 Gramm', ' , '])('%j is not one', async (text) => {
    const rows = [{ name: 'Egg', kcal: 1, protein: 1, carbs: 1, fat: 1, portion_1: text, portion_1_g: 30 }];
    expect(await portionsOf(await folder.save(JSON.stringify(rows)))).toEqual([undefined]);
  });
});
