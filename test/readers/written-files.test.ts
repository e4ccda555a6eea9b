/** Workbooks and Parquet files as other programs have written them; `test/files` holds them. */
import { readFile } from 'node:fs/promises';
import zlib from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import type { FoodRecord } from '../../src/food.ts';
import { temporaryFolder } from '../support/files.ts';
import { counts, foodOf, importSources, refusalOf } from '../support/import.ts';
import { zipOf } from '../support/packing.ts';
import { seeded } from '../support/random.ts';

const folder = temporaryFolder();
const HAS_ZSTD = 'createZstdDecompress' in zlib;

/** The four foods of all these files. Total fat is in the first missing kind of fatty acids. */
const FOODS: readonly FoodRecord[] = [
  foodOf('Egg, whole, raw, fresh', {
    kcal: '143',
    protein_g: '12.56',
    carbohydrate_g: '0.72',
    fa_mono_g: '9.51',
  }),
  foodOf('Bread, rye', { kcal: '259', protein_g: '8.5', carbohydrate_g: '48.3', fa_mono_g: '3.3' }),
  foodOf('Crème fraîche', { kcal: '292', protein_g: '2.4', carbohydrate_g: '2.7', fa_mono_g: '30' }),
  foodOf('Tea, "green", brewed', { kcal: '1', protein_g: '0.22', fa_mono_g: '0' }),
];

describe('the foods of', () => {
  it.each<[string, string]>([
    ['workbooks/pandas-openpyxl.xlsx', 'Excel workbook, sheet "Sheet1"'],
    ['workbooks/pandas-xlsxwriter-index.xlsx', 'Excel workbook, sheet "Sheet1"'],
    ['workbooks/openpyxl-german-sheets.xlsx', 'Excel workbook, sheet "Lebensmittel" rather than "alt"'],
    ['workbooks/sheetjs-notes.xlsx', 'Excel workbook, sheet "Foods"'],
    ['workbooks/exceljs-formula.xlsx', 'Excel workbook, sheet "Foods"'],
    ['parquet/pandas.parquet', 'Parquet'],
    ['parquet/pandas-float32-gzip.parquet', 'Parquet'],
    ['parquet/pandas-brotli.parquet', 'Parquet'],
    ['parquet/duckdb.parquet', 'Parquet'],
  ])('%s', async (file, kind) => {
    const { foods, report } = await importSources([`test/files/${file}`]);
    expect(foods).toEqual(FOODS);
    expect(report.lines()[0]).toBe(`test/files/${file} (${kind})`);
  });

  test('a Parquet file packed by Zstandard, where Node.js can; otherwise it is named with what to do', async () => {
    const file = 'test/files/parquet/pandas-zstd.parquet';
    if (HAS_ZSTD) expect((await importSources([file])).foods).toEqual(FOODS);
    else {
      expect(await refusalOf([file])).toMatch(
        /its columns are packed by Zstandard, which Node\.js reads from version 22\.15 on \(this is v[\d.]+\)\. Write it with snappy\.$/,
      );
    }
  });

  test('a Parquet file in a zip', async () => {
    const zip = await zipOf({
      LICENSE: 'x',
      'foods.parquet': await readFile('test/files/parquet/pandas.parquet'),
    });
    expect((await importSources([await folder.write('parquet.zip', zip)])).foods).toEqual(FOODS);
  });
});

test('the Parquet export of Open Food Facts is read by the rules of the other exports', async () => {
  const { foods, report } = await importSources(['test/files/parquet/open-food-facts.parquet']);
  expect(foods).toEqual([
    foodOf('Nutella, Ferrero', {
      name: 'Nutella',
      popularity: 1234,
      kcal: '539',
      protein_g: '6.3',
      carbohydrate_g: '57.5',
      fa_sat_g: '10.6',
    }),
    foodOf('Haferflocken', { kcal: '372.61', protein_g: '13.5', carbohydrate_g: '58.7', fa_sat_g: '1.3' }),
    foodOf('Water, Spring', { name: 'Water', popularity: 7, kcal: '0', protein_g: '0', carbohydrate_g: '0' }),
  ]);
  const [source] = report.sources;
  expect(source?.kind).toBe('Open Food Facts, Parquet export');
  expect(source?.label).toMatchObject({ name: 'Open Food Facts', licence: expect.stringContaining('ODbL') });
  expect(counts(source?.dropped)).toEqual({ 'no description': 1 });
});

test('lists and dates in columns of figures are faults with their places', async () => {
  await expect(importSources(['test/files/parquet/lists.parquet'])).rejects.toMatchObject({
    name: 'UserError',
    details: expect.arrayContaining([
      expect.stringMatching(/row 1, column kcal: .* is not a plain decimal/),
      expect.stringMatching(/row 1, column "protein": .*2026-01-01.* is not a plain decimal/),
    ]),
  });
});

describe('a Parquet file with bytes that are wrong gives foods or one sentence:', () => {
  it.each(['pandas.parquet', 'duckdb.parquet', 'open-food-facts.parquet'])('%s', async (name) => {
    const content = await readFile(`test/files/parquet/${name}`);
    const random = seeded(11);
    let refused = 0;
    for (let i = 0; i < 400; i++) {
      const changed = Buffer.from(content);
      // The ends and the heads of pages matter most: one, two or four bytes of them.
      for (let j = 0; j < 1 << random(3); j++) changed[4 + random(changed.length - 8)] = random(256);
      const file = await folder.write(`changed-${i}.parquet`, changed);
      const outcome = await importSources([file]).catch((error: Error) => error);
      if (!(outcome instanceof Error)) continue;
      expect(`${outcome.name}: ${outcome.message}`).toMatch(/^UserError: Data file [^\n]+$/);
      refused++;
    }
    expect(refused).toBeGreaterThan(50);
  });

  test('cut anywhere', async () => {
    const content = await readFile('test/files/parquet/pandas.parquet');
    for (let length = 4; length < content.length; length += 97) {
      const file = await folder.write('cut.parquet', content.subarray(0, length));
      expect(await refusalOf([file])).toMatch(
        /the Parquet file cannot be read \(.*\)\. Download or write it again\.$/,
      );
    }
  });
});
