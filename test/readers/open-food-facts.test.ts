import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { fatOf } from '../../src/foods/food.ts';
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
type Product = Readonly<Record<string, string>>;

const folder = temporaryFolder();
let files = 0;

function exported(products: readonly Product[], columns = COLUMNS): string {
  const rows = products.map((product, i) =>
    columns.map((column) => product[column] ?? (column === 'code' ? `${i + 1}` : '')),
  );
  return [columns, ...rows].map((cells) => `${cells.join('\t')}\n`).join('');
}

const importText = async (text: string | Uint8Array, fatFromAcids = false): Promise<Imported> =>
  importSources([await folder.write(`${++files}.data`, text)], { fatFromAcids });

const SPREAD: Product = {
  product_name: 'Nutella',
  brands: 'Ferrero, Nutella',
  'energy-kj_100g': '2252',
  'energy-kcal_100g': '539',
  energy_100g: '2252',
  fat_100g: '30.9',
  'saturated-fat_100g': '10.6',
  carbohydrates_100g: '57.5',
  proteins_100g: '6.3',
};
const SPREAD_FOOD = foodOf('Nutella, Ferrero', {
  name: 'Nutella',
  carbohydrate_g: '57.5',
  protein_g: '6.3',
  fa_sat_g: '30.9',
  kcal: '539',
});

describe('the CSV export may', () => {
  it.each<[string, string | Uint8Array]>([
    ['be plain', exported([SPREAD])],
    ['be packed with gzip', gzipSync(exported([SPREAD]))],
    [
      'be packed in several parts',
      Buffer.concat([gzipSync(exported([])), gzipSync(exported([SPREAD]).split('\n').slice(1).join('\n'))]),
    ],
    [
      'end its lines with CRLF and begin with a byte order mark',
      `\ufeff${exported([SPREAD]).replaceAll('\n', '\r\n')}`,
    ],
    ['have its columns in another order', exported([SPREAD], COLUMNS.toReversed())],
    [
      'lack columns and have others',
      exported(
        [SPREAD],
        [...COLUMNS.filter((name) => !/^(energy-kj|energy|fiber|polyols)_/.test(name)), 'new_100g'],
      ),
    ],
    [
      'end without a line break',
      exported([SPREAD])
        .trimEnd()
        .padEnd(exported([SPREAD]).length - 1, '\t'),
    ],
  ])('%s', async (_what, content) => {
    const { foods, report } = await importText(content);
    expect(foods).toEqual([SPREAD_FOOD]);
    expect(report.sources[0]?.kind).toBe('Open Food Facts, CSV export');
  });

  test('have quotes, single and doubled, which are part of the name', async () => {
    const { foods } = await importText(
      exported([{ ...SPREAD, product_name: '"Nut"ella', brands: 'The "Best"' }]),
    );
    expect(foods[0]?.description).toBe('"Nut"ella, The "Best"');
  });
});

test('rows shifted by a tab or truncated are dropped and counted', async () => {
  const [header, row] = exported([SPREAD]).split('\n');
  const shifted = row?.replace('Nutella', 'Nut\tella');
  const { foods, report } = await importText([header, shifted, row, row?.slice(0, 40)].join('\n'));
  expect(foods).toEqual([SPREAD_FOOD]);
  expect(report.sources[0]?.dropped.entries()).toEqual([
    [
      'the number of cells is not that of the header: shifted or cut off',
      { count: 2, first: ['line 2, code "1"', 'line 4, code "1"'] },
    ],
  ]);
});

describe('a name', () => {
  it.each<[string, Product, string | undefined, object]>([
    [
      'is unescaped',
      { product_name: 'M&amp;M&#39;s &quot;Crispy&quot; &eacute;t&eacute;', brands: '' },
      `M&M's "Crispy" été`,
      { 'HTML entities in the name': 1 },
    ],
    [
      'is unescaped twice',
      { product_name: 'Ben &amp;amp; Jerry', brands: '' },
      'Ben & Jerry',
      { 'HTML entities in the name': 1 },
    ],
    [
      'keeps what is not an entity',
      { product_name: 'Salt&nothing & pepper', brands: '' },
      'Salt&nothing & pepper',
      {},
    ],
    [
      'loses control characters and Unicode line breaks',
      { product_name: ' Jam\u2028 of\u0007 figs ', brands: '' },
      'Jam of figs',
      { 'control characters or line breaks in the name': 1 },
    ],
    ['does not get a brand that it contains', { product_name: 'FERRERO rocher' }, 'FERRERO rocher', {}],
    ['that is empty drops its row', { product_name: '' }, undefined, {}],
    ['of one character drops its row', { product_name: 'x' }, undefined, {}],
    ['of two characters is kept', { product_name: 'Œx', brands: '' }, 'Œx', {}],
    ['of 250 characters is kept', { product_name: 'x'.repeat(250), brands: '' }, 'x'.repeat(250), {}],
    ['of 251 characters drops its row', { product_name: 'x'.repeat(251) }, undefined, {}],
  ])('%s', async (_what, product, name, repaired) => {
    const { foods, report } = await importText(exported([{ ...SPREAD, ...product }]));
    expect(foods[0]?.description).toBe(name);
    expect(counts(report.sources[0]?.repaired)).toEqual(repaired);
    expect(report.anyDropped).toBe(name === undefined);
  });

  test('is also kept without the appended brand', async () => {
    const { foods } = await importText(
      exported([
        { ...SPREAD, product_name: 'Jam &amp; figs', brands: 'Bonne &amp; Maman,Other' },
        { ...SPREAD, product_name: 'Ferrero rocher' },
        { ...SPREAD, product_name: 'Milk, whole', brands: '' },
      ]),
    );
    expect(foods.map(({ description, name }) => [description, name])).toEqual([
      ['Jam & figs, Bonne & Maman', 'Jam & figs'],
      ['Ferrero rocher', undefined],
      ['Milk, whole', undefined],
    ]);
  });

  test('with invalid UTF-8 has a replacement character, and is counted', async () => {
    const bytes = Buffer.from(exported([{ ...SPREAD, product_name: 'Cr~me', brands: '' }]));
    bytes[bytes.indexOf('~')] = 0xe8;
    const { foods, report } = await importText(bytes);
    expect(foods[0]?.description).toBe('Cr\ufffdme');
    expect(counts(report.sources[0]?.repaired)).toEqual({
      'invalid UTF-8 in the name, replaced by U+FFFD': 1,
    });
  });
});

describe('energy', () => {
  const macros = { product_name: 'Food', fat_100g: '10', carbohydrates_100g: '50', proteins_100g: '10' };
  const none = { fat_100g: '0', carbohydrates_100g: '0', proteins_100g: '0' };
  it.each<[string, Product, string | null | undefined, object?, object?]>([
    ['is that in kcal', { 'energy-kcal_100g': '330', 'energy-kj_100g': '1400' }, '330', { kcal: 1 }],
    ['is computed from kJ', { 'energy-kj_100g': '1381' }, '330.07', { kJ: 1 }],
    [
      'is computed from the column without a unit, which has kJ',
      { energy_100g: '1381' },
      '330.07',
      { kJ: 1 },
    ],
    ['is computed from the macronutrients', {}, '330', { '4/9/4': 1 }],
    [
      'in kJ is recognized by the macronutrients',
      { 'energy-kcal_100g': '1381', 'energy-kj_100g': '5778' },
      '330.07',
      { kJ: 1 },
      { 'kJ in the column of kcal': 1 },
    ],
    [
      'swapped with kJ is recognized, too',
      { 'energy-kcal_100g': '1381', 'energy-kj_100g': '330' },
      '330.07',
      { kJ: 1 },
      { 'kJ in the column of kcal': 1 },
    ],
    [
      'that is impossible is replaced by kJ',
      { 'energy-kcal_100g': '3000000', 'energy-kj_100g': '1381' },
      '330.07',
      { kJ: 1 },
      { 'kcal contradicts the macronutrients, kJ does not: kJ used': 1 },
    ],
    ['that contradicts everything else drops its row', { 'energy-kcal_100g': '700' }, undefined],
    [
      'cannot be checked if a macronutrient is unknown',
      { 'energy-kcal_100g': '700', fat_100g: '' },
      '700',
      { kcal: 1 },
    ],
    [
      'that is impossible and cannot be checked is left empty',
      { 'energy-kcal_100g': '1381', fat_100g: '' },
      null,
    ],
    [
      'of a sweetener is right',
      { ...none, carbohydrates_100g: '100', polyols_100g: '100', 'energy-kcal_100g': '0' },
      '0',
      { kcal: 1 },
    ],
    [
      'of fibre beside the carbohydrate is right',
      { ...none, carbohydrates_100g: '8', fiber_100g: '89', 'energy-kcal_100g': '210' },
      '210',
      { kcal: 1 },
    ],
    ['of a spirit is right', { ...none, alcohol_100g: '40', 'energy-kcal_100g': '222' }, '222', { kcal: 1 }],
    ['without figures stays unknown', { fat_100g: '' }, null],
  ])('%s', async (_what, figures, kcal, energy = {}, repaired = {}) => {
    const { foods, report } = await importText(exported([{ ...macros, ...figures }]));
    expect(foods[0]?.kcal).toBe(kcal);
    expect(Object.fromEntries(report.sources[0]?.energy ?? [])).toEqual(energy);
    expect(counts(report.sources[0]?.repaired)).toEqual(repaired);
  });
});

test('long figures are rounded to four digits, and invalid ones left empty', async () => {
  const { foods, report } = await importText(
    exported([
      {
        product_name: 'Long',
        proteins_100g: '20.8333333333333',
        carbohydrates_100g: '1.00005',
        'energy-kcal_100g': '90',
        fat_100g: '5e-05',
      },
      {
        product_name: 'Wrong',
        proteins_100g: '<1',
        'energy-kcal_100g': '50',
        fat_100g: '1,5',
        'saturated-fat_100g': '-0.1',
      },
      {
        product_name: 'Impossible',
        proteins_100g: '90',
        carbohydrates_100g: '90',
        fat_100g: '0',
        'energy-kcal_100g': '720',
      },
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
    'figure of fat that is not a number': 1,
    'figure of proteins that is not a number': 1,
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
  const { foods, report } = await importText(
    exported([
      { ...SPREAD, code },
      { ...SPREAD, code: again, proteins_100g: '6' },
    ]),
  );
  expect(foods).toEqual([SPREAD_FOOD]);
  expect(counts(report.sources[0]?.passedOver)).toEqual({ 'the same code again': 1 });
});

test('fat is the stated total, or on request the sum of what is stated of the kinds', async () => {
  const unsaturated = { 'monounsaturated-fat_100g': '5', 'polyunsaturated-fat_100g': '5.25' };
  const products = [
    SPREAD,
    { product_name: 'Other', ...unsaturated },
    { product_name: 'Third', fat_100g: '' },
  ];
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
      'energy-kcal_100g': 539,
      'energy-kj_100g': 2252,
      fat_100g: 30.9,
      'saturated-fat_100g': '10.6',
      carbohydrates_100g: 57.5,
      proteins_100g: 6.3,
      proteins_unit: 'g',
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
    const { foods, report } = await importText(
      `${JSON.stringify(old)}\n${JSON.stringify({ ...old, code: 2 }).slice(0, 90)}`,
    );
    expect(foods).toEqual([SPREAD_FOOD]);
    expect(report.sources[0]?.dropped.entries()).toEqual([
      ['not a JSON object: damaged or cut off', { count: 1, first: ['line 2'] }],
    ]);
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
    const products = CASES.map(([scans], i) => ({
      ...SPREAD,
      product_name: `Food ${i}`,
      unique_scans_n: `${scans}`,
    }));
    const { foods, report } = await importText(exported(products));
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
    const line = (unique_scans_n: unknown, code: number) =>
      JSON.stringify({
        code,
        product_name: `Food ${code}`,
        nutriments: { 'energy-kcal_100g': 1 },
        unique_scans_n,
      });
    const lines = [...cases.map(([scans]) => scans), null, {}].map(line);
    const { foods } = await importText(lines.join('\n'));
    expect(foods.map(({ popularity }) => popularity)).toEqual([
      ...cases.map(([, popularity]) => popularity),
      undefined,
      undefined,
    ]);
  });
});

test('the label has the credit that the licence requires', async () => {
  const { report } = await importText(exported([SPREAD]));
  const { name, source, licence } = report.label;
  expect([name, source, licence]).toEqual([
    'Open Food Facts',
    'Open Food Facts contributors, world.openfoodfacts.org',
    expect.stringContaining('Open Database License'),
  ]);
});
