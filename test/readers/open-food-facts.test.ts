import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { fatOf } from '#core';
import { casesOf, fieldsOf } from '../support/cases.ts';
import { temporaryFolder } from '../support/files.ts';
import { counts, foodOf, type Imported, importSources } from '../support/import.ts';

/** The relevant columns of the export, and some between them, in order. */
const COLUMNS = [
  'code url creator created_t product_name generic_name quantity brands brands_tags countries_tags',
  'ingredients_text serving_size no_nutrition_data unique_scans_n completeness energy-kj_100g',
  'energy-kcal_100g energy_100g energy-from-fat_100g fat_100g saturated-fat_100g butyric-acid_100g',
  'unsaturated-fat_100g monounsaturated-fat_100g polyunsaturated-fat_100g trans-fat_100g',
  'carbohydrates_100g sugars_100g polyols_100g fiber_100g proteins_100g salt_100g alcohol_100g',
  'carbohydrates-total_100g water_100g',
].flatMap((names) => names.split(' '));
const FEW_COLUMNS = COLUMNS.filter((name) => !/^(energy-kj|energy|fiber|polyols)_/.test(name));
/** Figures by their names without `_100g`. */
type Product = Readonly<Record<string, string>>;

const folder = temporaryFolder();

function exported(products: readonly Product[], columns = COLUMNS): string {
  const rows = products.map((product, i) => {
    const cells: Product = { code: `${i + 1}`, ...product };
    return columns.map((column) => cells[column.replace('_100g', '')] ?? '');
  });
  return [columns, ...rows].map((cells) => `${cells.join('\t')}\n`).join('');
}

const importText = async (text: string | Uint8Array, fatFromAcids = false): Promise<Imported> =>
  importSources([await folder.save(text)], { fatFromAcids });

const SPREAD: Product = {
  ...{ product_name: 'Nutella', brands: 'Ferrero, Nutella' },
  ...{ 'energy-kj': '2252', 'energy-kcal': '539', energy: '2252' },
  ...{ fat: '30.9', 'saturated-fat': '10.6', carbohydrates: '57.5', proteins: '6.3' },
};
const SPREAD_FIGURES = { carbohydrate_g: '57.5', protein_g: '6.3', fa_sat_g: '30.9', kcal: '539' };
const SPREAD_FOOD = foodOf('Nutella, Ferrero', { name: 'Nutella', ...SPREAD_FIGURES });
const ONE = exported([SPREAD]);

describe('the CSV export may', () => {
  it.each<[string, string | Uint8Array]>([
    ['be plain', ONE],
    ['be packed with gzip', gzipSync(ONE)],
    ['be packed in parts', Buffer.concat([gzipSync(exported([])), gzipSync(ONE.replace(/.*\n/, ''))])],
    ['end its lines with CRLF and begin with a byte order mark', `\ufeff${ONE.replaceAll('\n', '\r\n')}`],
    ['have its columns in another order', exported([SPREAD], COLUMNS.toReversed())],
    ['lack columns', exported([SPREAD], FEW_COLUMNS)],
    ['have other columns', exported([SPREAD], [...COLUMNS, 'new_100g'])],
    ['end without a line break', ONE.slice(0, -1)],
  ])('%s', async (_what, content) => {
    const { foods, report } = await importText(content);
    expect(foods).toEqual([SPREAD_FOOD]);
    expect(report.sources[0]?.kind).toBe('Open Food Facts, CSV export');
  });

  test('have quotes, single and doubled, which are part of the name', async () => {
    const quoted = { ...SPREAD, product_name: '"Nut"ella', brands: 'The "Best"' };
    const { foods } = await importText(exported([quoted]));
    expect(foods[0]?.description).toBe('"Nut"ella, The "Best"');
  });
});

test('rows shifted by a tab or truncated are dropped and counted', async () => {
  const [header, row] = ONE.split('\n');
  const shifted = row?.replace('Nutella', 'Nut\tella');
  const { foods, report } = await importText([header, shifted, row, row?.slice(0, 40)].join('\n'));
  expect(foods).toEqual([SPREAD_FOOD]);
  const reason = 'the number of cells is not that of the header: shifted or cut off';
  const found = { count: 2, first: ['line 2, code "1"', 'line 4, code "1"'] };
  expect(report.sources[0]?.dropped.entries()).toEqual([[reason, found]]);
});

describe('a name', () => {
  const ENTITIES = 'HTML entities in the name';
  const CONTROLS = 'control characters or line breaks in the name';
  it.each<[string, string, string | undefined, string?]>([
    ['is unescaped', 'M&amp;M&#39;s &quot;a&quot; &eacute;t&eacute;', `M&M's "a" été`, ENTITIES],
    ['is unescaped twice', 'Ben &amp;amp; Jerry', 'Ben & Jerry', ENTITIES],
    ['keeps what is not an entity', 'Salt&nothing & pepper', 'Salt&nothing & pepper'],
    ['loses control characters and line breaks', ' Jam\u2028 of\u0007 figs ', 'Jam of figs', CONTROLS],
    ['that is empty drops its row', '', undefined],
    ['of one character drops its row', 'x', undefined],
    ['of two characters is kept', 'Œx', 'Œx'],
    ['of 250 characters is kept', 'x'.repeat(250), 'x'.repeat(250)],
    ['of 251 characters drops its row', 'x'.repeat(251), undefined],
  ])('%s', async (_what, product_name, name, repair) => {
    const { foods, report } = await importText(exported([{ ...SPREAD, product_name, brands: '' }]));
    expect(foods[0]?.description).toBe(name);
    expect(counts(report.sources[0]?.repaired)).toEqual(repair === undefined ? {} : { [repair]: 1 });
    expect(report.anyDropped).toBe(name === undefined);
  });

  test('is also kept without the appended brand', async () => {
    const products = [
      { product_name: 'Jam &amp; figs', brands: 'Bonne &amp; Maman,Other' },
      { product_name: 'FERRERO rocher' },
      { product_name: 'Milk, whole', brands: '' },
    ];
    const { foods } = await importText(exported(products.map((product) => ({ ...SPREAD, ...product }))));
    expect(foods.map(({ description, name }) => [description, name])).toEqual([
      ['Jam & figs, Bonne & Maman', 'Jam & figs'],
      ['FERRERO rocher', undefined],
      ['Milk, whole', undefined],
    ]);
  });

  test('with invalid UTF-8 has a replacement character, and is counted', async () => {
    const bytes = Buffer.from(exported([{ ...SPREAD, product_name: 'Cr~me', brands: '' }]));
    bytes[bytes.indexOf('~')] = 0xe8;
    const { foods, report } = await importText(bytes);
    expect(foods[0]?.description).toBe('Cr\ufffdme');
    const repaired = { 'invalid UTF-8 in the name, replaced by U+FFFD': 1 };
    expect(counts(report.sources[0]?.repaired)).toEqual(repaired);
  });
});

describe('energy', () => {
  const macros = { product_name: 'Food', fat: '10', carbohydrates: '50', proteins: '10' };
  const IN_KJ = 'kJ in the column of kcal';
  it.each(
    casesOf(`
      is that in kcal | energy-kcal=330 energy-kj=1400 | 330 by kcal
      is computed from kJ | energy-kj=1381 | 330.07 by kJ
      is computed from the column without a unit, which has kJ | energy=1381 | 330.07 by kJ
      is computed from the macronutrients |  | 330 by 4/9/4
      in kJ is recognized | energy-kcal=1381 energy-kj=5778 | 330.07 by kJ | ${IN_KJ}
      swapped with kJ is recognized | energy-kcal=1381 energy-kj=330 | 330.07 by kJ | ${IN_KJ}
      that is impossible is replaced | energy-kcal=3000000 energy-kj=1381 | 330.07 by kJ
        | kcal contradicts the macronutrients, kJ does not: kJ used
      that contradicts everything else drops its row | energy-kcal=700 | dropped
      cannot be checked without a macronutrient | energy-kcal=700 fat= | 700 by kcal
      that is impossible and cannot be checked is left empty | energy-kcal=1381 fat= | unknown
      of a sweetener | fat=0 carbohydrates=100 proteins=0 polyols=100 energy-kcal=0 | 0 by kcal
      of fibre | fat=0 carbohydrates=8 proteins=0 fiber=89 energy-kcal=210 | 210 by kcal
      of a spirit | fat=0 carbohydrates=0 proteins=0 alcohol=40 energy-kcal=222 | 222 by kcal
      without figures stays unknown | fat= | unknown
    `),
  )('%s', async (_what, text = '', expected, repair) => {
    const product = { ...macros, ...fieldsOf(text) };
    const { foods, report } = await importText(exported([product]));
    const rules = Array.from(report.sources[0]?.energy ?? [], ([rule, count]) => (count === 1 ? rule : ''));
    const kcal = foods[0] && [foods[0].kcal ?? 'unknown', ...rules].join(' by ');
    expect(kcal ?? ['dropped', ...rules].join()).toBe(expected);
    expect(counts(report.sources[0]?.repaired)).toEqual(repair === undefined ? {} : { [repair]: 1 });
  });
});

test('long figures are rounded to four digits, and invalid ones left empty', async () => {
  const long = { proteins: '20.8333333333333', 'energy-kcal': '90' };
  const { foods, report } = await importText(
    exported([
      { ...long, product_name: 'Long', carbohydrates: '1.00005', fat: '5e-05' },
      { product_name: 'Wrong', proteins: '<1', 'energy-kcal': '50', fat: '1,5', 'saturated-fat': '-0.1' },
      { product_name: 'Impossible', proteins: '90', carbohydrates: '90', fat: '0', 'energy-kcal': '720' },
      { product_name: 'Nothing at all' },
    ]),
  );
  expect(foods).toEqual([
    foodOf('Long', { protein_g: '20.8333', carbohydrate_g: '1.0001', fa_sat_g: '0.0001', kcal: '90' }),
    foodOf('Wrong', { kcal: '50' }),
  ]);
  const source = report.sources[0];
  expect(counts(source?.repaired)).toEqual({ 'figure rounded to four digits after the point': 3 });
  expect(counts(source?.leftEmpty)).toEqual({
    'figure of fat whose text is not a number': 1,
    'figure of proteins whose text is not a number': 1,
    'saturated fat below 0 or over 100 g': 1,
  });
  expect(counts(source?.dropped)).toEqual({
    'protein, carbohydrate and fat are more than 105 g together': 1,
    'no figure is known': 1,
  });
});

test.each([
  ['the same', '1', '1'],
  ['the same but for leading zeros, as of the same barcode,', '3017620422003', '03017620422003'],
])('a code that is %s is passed over', async (_what, code, again) => {
  const second = { ...SPREAD, code: again, proteins: '6' };
  const { foods, report } = await importText(exported([{ ...SPREAD, code }, second]));
  expect(foods).toEqual([SPREAD_FOOD]);
  expect(counts(report.sources[0]?.passedOver)).toEqual({ 'the same code again': 1 });
});

test('fat is the stated total, or on request the sum of what is stated of the kinds', async () => {
  const unsaturated = { 'monounsaturated-fat': '5', 'polyunsaturated-fat': '5.25' };
  const products = [SPREAD, { product_name: 'Other', ...unsaturated }, { product_name: 'Third', fat: '' }];
  const text = exported(products.map((product) => ({ ...SPREAD, ...product })));
  expect((await importText(text)).foods.map(fatOf)).toEqual(['30.90', '30.90', '10.60']);
  expect((await importText(text, true)).foods.map(fatOf)).toEqual(['10.60', '20.85', '10.60']);
});

describe('the JSONL dump', () => {
  const old = {
    code: '3017620422003',
    product_name: 'Nutella',
    brands: 'Ferrero,Nutella',
    nutriments: {
      ...{ 'energy-kcal_100g': 539, 'energy-kj_100g': 2252, proteins_100g: 6.3, proteins_unit: 'g' },
      ...{ fat_100g: 30.9, 'saturated-fat_100g': '10.6', carbohydrates_100g: 57.5 },
    },
  };
  const nutrient = (value: number, unit: string, source = 'packaging') => ({ value, unit, source });
  const aggregated = {
    code: 3017620422003,
    lang: 'fr',
    product_name_fr: 'Nutella',
    brands: ['Ferrero', 'Nutella'],
    nutrition: {
      aggregated_set: {
        per: '100g',
        preparation: 'as_sold',
        nutrients: {
          'energy-kcal': nutrient(539, 'kcal'),
          fat: nutrient(30.9, 'g'),
          'saturated-fat': nutrient(10_600, 'mg'),
          'monounsaturated-fat': nutrient(12, 'g', 'estimate'),
          carbohydrates: nutrient(57.5, 'g'),
          proteins: nutrient(6.3, 'g'),
        },
      },
    },
  };
  it.each<[string, object]>([
    ['has figures under nutriments', old],
    ['has figures under nutrition.aggregated_set', aggregated],
  ])('%s', async (_what, product) => {
    for (const pack of [(text: string) => text, gzipSync]) {
      const { foods, report } = await importText(pack(`${JSON.stringify(product)}\n`));
      expect(foods).toEqual([SPREAD_FOOD]);
      expect(report.sources[0]?.kind).toBe('Open Food Facts, JSONL dump');
    }
  });

  test('may have figures as prepared or per serving, which are not used', async () => {
    const { aggregated_set: set } = aggregated.nutrition;
    const lines = [{ per: 'serving' }, { preparation: 'prepared' }].map((other, code) =>
      JSON.stringify({ ...aggregated, code, nutrition: { aggregated_set: { ...set, ...other } } }),
    );
    const { report } = await importText(lines.join('\n'));
    expect(counts(report.sources[0]?.dropped)).toEqual({ 'no figure is known': 2 });
  });

  test('may end in the middle of a line, which is dropped', async () => {
    const cut = JSON.stringify({ ...old, code: 2 }).slice(0, 90);
    const { foods, report } = await importText(`${JSON.stringify(old)}\n${cut}`);
    expect(foods).toEqual([SPREAD_FOOD]);
    const found = { count: 1, first: ['line 2'] };
    expect(report.sources[0]?.dropped.entries()).toEqual([['not a JSON object: damaged or cut off', found]]);
  });
});

describe('the popularity is the number of people who have scanned the product', () => {
  const CASES: [scans: string | number, popularity: number | undefined][] = [
    ['1234', 1234],
    [' 12.0 ', 12],
    ['0', 0],
    ['', undefined],
    ['many', undefined],
    ['-3', undefined],
  ];

  test('in the CSV export, where the column may be missing', async () => {
    const scans = CASES.map(([unique_scans_n]) => `${unique_scans_n}`);
    const named = scans.map((unique_scans_n, i) => ({
      ...SPREAD,
      product_name: `Food ${i}`,
      unique_scans_n,
    }));
    const { foods, report } = await importText(exported(named));
    expect(foods.map(({ popularity }) => popularity)).toEqual(CASES.map(([, popularity]) => popularity));
    expect(report.anyDropped).toBe(false);
    const without = COLUMNS.filter((column) => column !== 'unique_scans_n');
    expect((await importText(exported([SPREAD], without))).foods).toEqual([SPREAD_FOOD]);
  });

  test('and the first of several equal products keeps its own', async () => {
    const products = ['3', '500'].map((unique_scans_n) => ({ ...SPREAD, unique_scans_n }));
    const { foods, report } = await importText(exported(products));
    expect(foods).toEqual([{ ...SPREAD_FOOD, popularity: 3 }]);
    expect(report.sources[0]?.duplicates.total).toBe(1);
  });

  test('in the JSONL dump, as a number or a string', async () => {
    const cases: typeof CASES = [...CASES, [56, 56], [7.5, 7.5], [-1, undefined]];
    const nutriments = { 'energy-kcal_100g': 1 };
    const lines = [...cases.map(([scans]) => scans), null, {}].map((unique_scans_n, code) =>
      JSON.stringify({ code, product_name: `Food ${code}`, nutriments, unique_scans_n }),
    );
    const { foods } = await importText(lines.join('\n'));
    const expected = [...cases.map(([, popularity]) => popularity), undefined, undefined];
    expect(foods.map(({ popularity }) => popularity)).toEqual(expected);
  });
});
