import { describe, expect, it, test } from 'vitest';
import { fatOf } from '#core';
import { casesOf, fieldsOf } from '../support/cases.ts';
import { temporaryFolder } from '../support/files.ts';
import { counts, foodOf, type Imported, importSources, refusalOf } from '../support/import.ts';
import {
  type AmountsById,
  type Cells,
  HEADERS,
  NUTRIENT_ROWS,
  nutrientRows,
  type Tables,
  table,
  tablesOf,
  writeFolder,
  writeZip,
} from '../support/usda.ts';

const folder = temporaryFolder();
let sets = 0;

const importTables = async (tables: Tables, fatFromAcids = false): Promise<Imported> =>
  importSources([await writeFolder(folder.path(`set ${++sets}`), tables)], { fatFromAcids });

const oneFood = (amounts: AmountsById, more: Cells = {}): Tables =>
  tablesOf([{ fdc_id: 7, description: 'Food', ...more }], { 7: amounts });

const BUTTER = { 1003: 0.85, 1004: 81.11, 1005: 0.06, 1008: 717, 1258: 51.368, 1292: 21.021, 1293: 3.043 };
const FIGURES = { carbohydrate_g: '0.06', protein_g: '0.85', fa_sat_g: '81.11', kcal: '717' };
const BUTTER_FOOD = foodOf('Butter, salted', FIGURES);
const SALTED = { fdc_id: 173410, description: 'Butter, salted' };
const ONE = tablesOf([SALTED], { 173410: BUTTER });

const AMONG_OTHERS = {
  'branded_food.csv': table('branded_food.csv', []),
  'sample_food.csv': '"fdc_id"\n"173410"\n',
  'input_food.csv': 'nothing of it is read',
  ...ONE,
  'sr_legacy_food.csv': table('sr_legacy_food.csv', [{ fdc_id: 173410, NDB_number: 1001 }]),
  'all_downloaded_table_record_counts.csv': 'Table,Number of Records\n',
};

test.each<[string, (path: string) => Promise<string>]>([
  ['a flat folder', (path) => writeFolder(path, ONE)],
  ['a folder in a folder', (path) => writeFolder(`${path}/FoodData_Central_csv`, ONE).then(() => path)],
  ['a flat zip', (path) => writeZip(`${path}.zip`, ONE)],
  [
    'a zip with one folder, its name with a space',
    (path) => writeZip(`${path} 2019-04-02.zip`, ONE, 'FoodData_Central_sr_legacy_food_csv_ 2019-04-02/'),
  ],
  ['a zip with another extension', (path) => writeZip(`${path}.data`, ONE)],
  ['a zip with similarly named tables and other files', (path) => writeZip(`${path}.zip`, AMONG_OTHERS)],
])('a download is read as %s', async (_what, write) => {
  const { foods, report } = await importSources([await write(folder.path(`layout ${++sets}`))]);
  expect(foods).toEqual([BUTTER_FOOD]);
  expect(report.anyDropped).toBe(false);
});

describe('a table may', () => {
  const foods = (options?: Parameters<typeof table>[2]) =>
    table('food.csv', [{ ...SALTED, data_type: 'sr_legacy_food' }], options);
  const of2018 = HEADERS['food_nutrient.csv'].filter((name) => !/^(?:loq|percent_daily_value)$/.test(name));
  const old = table('food_nutrient.csv', nutrientRows({ 173410: BUTTER }), { columns: of2018 });
  const reversed = nutrientRows({ 5: { 1003: 9 }, 173410: BUTTER }).toReversed();
  it.each<[string, keyof typeof HEADERS, string]>([
    ['end its lines with CRLF, after a mark', 'food.csv', foods({ end: '\r\n', mark: true })],
    ['have more columns', 'food.csv', foods({ columns: [...HEADERS['food.csv'], 'trade_channel'] })],
    ['have other columns first', 'food.csv', foods({ columns: ['description', 'data_type', 'fdc_id'] })],
    ['have no quotes', 'food.csv', 'fdc_id,data_type,description\n173410,sr_legacy_food,"Butter, salted"'],
    ['have the columns of 2018', 'food_nutrient.csv', old],
    ['have its rows in any order', 'food_nutrient.csv', table('food_nutrient.csv', reversed)],
  ])('%s: %s', async (_what, name, content) => {
    expect((await importTables({ ...ONE, [name]: content })).foods).toEqual([BUTTER_FOOD]);
  });
});

describe('nutrients are read as in the archive:', () => {
  const survey = [{ fdc_id: 1, data_type: 'survey_fndds_food', description: 'Milk, NFS' }];
  const milk = { 203: '3.33', 204: '2.14', 205: '4.83', 208: '51', 606: '1.25', 645: '0.54', 646: '0.08' };
  const figures = { carbohydrate_g: '4.83', protein_g: '3.33', fa_sat_g: '2.14', kcal: '51' };
  const milkFood = foodOf('Milk, NFS', figures);

  test('the survey download has numbers instead of ids', async () => {
    expect((await importTables(tablesOf(survey, { 1: milk }))).foods).toEqual([milkFood]);
  });

  test('a full download mixes both, even if a number is the id of another nutrient', async () => {
    const foods = [...survey, SALTED];
    const nutrients = [...NUTRIENT_ROWS, { id: 208, name: 'Another', unit_name: 'G', nutrient_nbr: 999 }];
    const tables = tablesOf(foods, { 1: milk, 173410: { ...BUTTER, 208: 12 } });
    const mixed = { ...tables, 'nutrient.csv': table('nutrient.csv', nutrients) };
    expect((await importTables(mixed)).foods).toEqual([milkFood, BUTTER_FOOD]);
  });

  test('other ids are found in nutrient.csv', async () => {
    const renumbered = NUTRIENT_ROWS.map((row) => ({ ...row, id: Number(row.id) + 5000 }));
    const amounts = Object.entries(BUTTER).map(([id, amount]) => [Number(id) + 5000, amount]);
    const tables = tablesOf([SALTED], { 173410: Object.fromEntries(amounts) });
    const { foods } = await importTables({ ...tables, 'nutrient.csv': table('nutrient.csv', renumbered) });
    expect(foods).toEqual([BUTTER_FOOD]);
  });

  test('an old archive without nutrient.csv has the usual ids, and a note says so', async () => {
    const { 'nutrient.csv': _, ...tables } = ONE;
    const { foods, report } = await importTables(tables);
    expect(foods).toEqual([BUTTER_FOOD]);
    expect(report.notes).toEqual([expect.stringContaining('no nutrient.csv')]);
  });

  test('a nutrient in another unit is not used, and a note says so', async () => {
    const inMilligrams = NUTRIENT_ROWS.map((row) => (row.id === 1003 ? { ...row, unit_name: 'MG' } : row));
    const changed = { ...ONE, 'nutrient.csv': table('nutrient.csv', inMilligrams) };
    const { foods, report } = await importTables(changed);
    expect(foods).toEqual([{ ...BUTTER_FOOD, protein_g: null }]);
    expect(report.notes).toEqual(['nutrient 1003 is in MG where G is expected: not used']);
  });
});

describe('energy is taken', () => {
  const all = { 1003: 10, 1004: 10.5, 1005: -0.2, 1008: 101, 1062: 418, 2047: 103, 2048: 102.25 };
  const without = (...ids: number[]) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => !ids.includes(Number(id))));
  it.each<[string, AmountsById, string | null]>([
    ['1008', all, '101'],
    ['2048', without(1008), '102.25'],
    ['2047', without(1008, 2048), '103'],
    ['kJ', without(1008, 2048, 2047), '99.9'],
    ['4/9/4', without(1008, 2048, 2047, 1062), '134.5'],
    ['1008', { ...all, 1008: '902' }, '902'],
    ['2048', { ...all, 1008: '1008.5' }, '102.25'],
    ['1008', { 1008: 0, 1062: 500 }, '0'],
  ])('from %s of %j', async (rule, amounts, kcal) => {
    const { foods, report } = await importTables(oneFood(amounts));
    expect(foods[0]?.kcal).toBe(kcal);
    expect([...(report.sources[0]?.energy ?? [])]).toEqual([[rule, 1]]);
  });

  test('from nothing if protein, carbohydrate or total fat is unknown', async () => {
    const { foods } = await importTables(oneFood({ 1003: '10', 1005: 1, 1004: '' }));
    expect(foods).toEqual([foodOf('Food', { protein_g: '10', carbohydrate_g: '1' })]);
  });
});

test('impossible figures are left empty or repaired, and counted', async () => {
  const { foods, report } = await importTables(
    tablesOf(
      ['Negative', 'Too much', 'All together', 'Nothing', '', 'Not a number', 'By summation'].map(
        (description, i) => ({ fdc_id: i + 1, description }),
      ),
      {
        1: { 1003: 1, 1005: '-0.713', 1008: 20 },
        2: { 1003: '100.01', 1258: '-1', 1008: '950.1', 1005: 100 },
        3: { 1003: 40, 1005: 40, 1004: 26 },
        4: { 1003: '' },
        5: BUTTER,
        6: { 1003: '12g', 1005: '1e-1', 1008: 'NaN' },
        7: { 1050: '12.5' },
      },
    ),
  );
  expect(foods).toEqual([
    foodOf('Negative', { protein_g: '1', carbohydrate_g: '0', kcal: '20' }),
    foodOf('Too much', { carbohydrate_g: '100' }),
    foodOf('Not a number', { carbohydrate_g: '0.1' }),
    foodOf('By summation', { carbohydrate_g: '12.5' }),
  ]);
  const source = report.sources[0];
  expect(counts(source?.dropped)).toEqual({
    'protein, carbohydrate and fat are more than 105 g together': 1,
    'no figure is known': 1,
    'no description': 1,
  });
  expect(counts(source?.leftEmpty)).toEqual({
    'amount whose text is not a number': 2,
    'protein below 0 or over 100 g': 1,
    'saturated fat below 0 or over 100 g': 1,
    'energy below 0 or over 950 kcal': 1,
  });
  expect(counts(source?.repaired)).toEqual({
    'carbohydrate by difference below 0, set to 0': 1,
    'carbohydrate by summation, because that by difference is missing': 1,
  });
  expect(report.anyDropped).toBe(true);
});

test('only current foods are taken, and the other rows counted', async () => {
  const { foods, report } = await importTables(
    tablesOf(
      [
        { fdc_id: 1, data_type: 'foundation_food', description: 'Hummus, old' },
        { fdc_id: 2, data_type: 'sample_food', description: 'Hummus, sample' },
        { fdc_id: 3, data_type: 'market_acquisition', description: 'HUMMUS, SABRA' },
        { fdc_id: 4, data_type: 'sub_sample_food', description: 'Hummus, sample' },
        { fdc_id: 5, data_type: 'foundation_food', description: 'Hummus' },
      ],
      { 1: BUTTER, 2: BUTTER, 3: BUTTER, 4: BUTTER, 5: BUTTER },
      { 'foundation_food.csv': table('foundation_food.csv', [{ fdc_id: 5, NDB_number: 16158 }]) },
    ),
  );
  expect(foods).toEqual([{ ...BUTTER_FOOD, description: 'Hummus' }]);
  expect(report.anyDropped).toBe(false);
  expect(report.sources[0]?.passedOver.entries().map(([reason, { first }]) => [reason, ...first])).toEqual([
    ['superseded: foundation_food.csv does not list it', 'food.csv, line 2'],
    ['not a food: "sample_food"', 'food.csv, line 3'],
    ['not a food: "market_acquisition"', 'food.csv, line 4'],
    ['not a food: "sub_sample_food"', 'food.csv, line 5'],
  ]);
});

describe('of a branded product', () => {
  const branded = (rows: readonly Cells[]) => ({ 'branded_food.csv': table('branded_food.csv', rows) });
  const foods = (...names: string[]) =>
    names.map((description, i) => ({ fdc_id: i + 1, data_type: 'branded_food', description }));
  const kcal = (...values: number[]) =>
    Object.fromEntries(values.map((value, i) => [i + 1, { 1008: value }]));

  it.each(
    casesOf(`
      the newest version by available_date is kept | B | available_date=2020-01-01 modified_date=2021-01-01
        | available_date=2020-02-01 modified_date=2020-01-01 | available_date=2019-12-31 modified_date=2022-01-01
      the newest by modified_date of those available since the same day | B
        | modified_date=2020-01-01 | modified_date=2020-01-02 | modified_date=2019-01-02
      the newest with nutrients | A | available_date=1/2/2020 | available_date=12/1/2019 | available_date=2020-01-31 kcal=
      one per data source is kept | B,C | data_source=LI | data_source=GDSN | data_source=LI
      nothing is kept once it is discontinued |  |  |  | discontinued_date=2026-11-20
      all is kept until it is discontinued | C |  |  | discontinued_date=2026-11-22
      rows without a GTIN are separate products | A,B,C | gtin_upc= | gtin_upc= | gtin_upc=00012
      leading zeros of a GTIN do not make another product | B,C | gtin_upc=12 | gtin_upc=0000000000012 | gtin_upc=120
      a GTIN of zeros counts as missing | A,B,C | gtin_upc=000 | gtin_upc=0000 | gtin_upc=00012
    `),
  )('%s', async (_what, expected = '', ...versions) => {
    const rows = versions.map(
      (version, i): Cells => ({
        ...{ fdc_id: i + 1, gtin_upc: '00012', data_source: 'LI', kcal: i + 1 },
        ...fieldsOf(version),
      }),
    );
    const amounts = Object.fromEntries(rows.map(({ fdc_id, kcal }) => [fdc_id, { 1008: kcal ?? '' }]));
    const { foods: found } = await importTables(tablesOf(foods('A', 'B', 'C'), amounts, branded(rows)));
    expect(found.map(({ description }) => description)).toEqual(expected.match(/\w/g) ?? []);
  });

  test('the brand is appended unless the name contains it, and the name is also kept without it', async () => {
    const rows = [
      { fdc_id: 1, brand_name: "KELLOGG'S", brand_owner: 'Kellogg Company US' },
      { fdc_id: 2, brand_owner: 'GENERAL MILLS' },
      { fdc_id: 3, brand_name: 'Sabra' },
      { fdc_id: 4, brand_name: 'M&amp;M&#39;S' },
    ];
    const { foods: found } = await importTables(
      tablesOf(
        foods('CORN FLAKES', 'CHEERIOS', 'SABRA HUMMUS', 'PEANUT &quot;XL&quot;', 'LOOSE'),
        kcal(1, 2, 3, 4, 5),
        branded(rows),
      ),
    );
    expect(found.map(({ description, name }) => [description, name])).toEqual([
      ["CORN FLAKES, KELLOGG'S", 'CORN FLAKES'],
      ['CHEERIOS, GENERAL MILLS', 'CHEERIOS'],
      ['SABRA HUMMUS', undefined],
      [`PEANUT "XL", M&M'S`, 'PEANUT "XL"'],
      ['LOOSE', undefined],
    ]);
  });
});

test.each([
  ['branded_food', 'no branded_food.csv: every version of a branded product is kept'],
  ['foundation_food', 'no foundation_food.csv: superseded versions of foundation foods are kept'],
])('without the table of versions of a %s, a note says what that means', async (data_type, note) => {
  const foods = [1, 2].map((fdc_id) => ({ fdc_id, data_type, description: 'Cola' }));
  const { foods: found, report } = await importTables(tablesOf(foods, { 1: { 1008: 41 }, 2: { 1008: 42 } }));
  expect(found).toHaveLength(2);
  expect(report.notes).toEqual([expect.stringContaining(note)]);
  expect((await importTables(ONE)).report.notes).toEqual([]);
});

describe('an fdc_id', () => {
  /** The same tables with the ids written differently. */
  const rewritten = (tables: Tables, id: (id: string) => string): Tables =>
    Object.fromEntries(
      Object.entries(tables).map(([name, text]) => {
        return [name, String(text).replace(/"(1003|1008|7)"/g, (_, old) => `"${id(old)}"`)];
      }),
    );
  const foods = [
    { fdc_id: 7, data_type: 'foundation_food', description: 'Egg' },
    { fdc_id: 8, data_type: 'branded_food', description: 'Cola' },
  ];
  const tables = tablesOf(
    foods,
    { 7: { 1003: 12, 1008: 143 }, 8: { 1008: 42 } },
    {
      'foundation_food.csv': table('foundation_food.csv', [{ fdc_id: 7 }]),
      'branded_food.csv': table('branded_food.csv', [{ fdc_id: 8, brand_name: 'Fizz' }]),
    },
  );
  const cola = foodOf('Cola, Fizz', { name: 'Cola', kcal: '42' });
  const expected = [foodOf('Egg', { kcal: '143', protein_g: '12' }), cola];

  it.each<[string, (id: string) => string]>([
    ['7.0', (id) => `${id}.0`],
    [' 7', (id) => ` ${id}`],
    ['0', (id) => (id === '7' ? '0' : id)],
  ])('written as "%s" is read, and so is that of a nutrient', async (_what, id) => {
    const { foods: found, report } = await importTables(rewritten(tables, id));
    expect(found).toEqual(expected);
    expect(report.anyDropped).toBe(false);
  });

  test('that is invalid drops its row, which is counted in every table', async () => {
    const none = { fdc_id: '7.5', data_type: 'branded_food', description: 'x', nutrient_id: 1008, amount: 1 };
    const names = ['food.csv', 'food_nutrient.csv', 'foundation_food.csv', 'branded_food.csv'] as const;
    const withNone = names.map((name) => [name, `${tables[name]}${table(name, [none]).split('\n')[1]}\n`]);
    const broken: Tables = { ...tables, ...Object.fromEntries(withNone) };
    const { foods: found, report } = await importTables(broken);
    expect(found).toEqual(expected);
    const [source] = report.sources;
    expect(counts(source?.dropped)).toEqual({ 'fdc_id is not a whole number': 1 });
    expect(counts(source?.leftEmpty)).toEqual({
      'foundation_food.csv: fdc_id is not a whole number': 1,
      'brand: fdc_id is not a whole number': 1,
      'amount: fdc_id is not a whole number': 1,
    });
  });
});

describe('fat', () => {
  const LABEL = { 1004: '10.5', 1258: '3.2' };
  it.each<[string, AmountsById, string, string]>([
    ['the total, where a label states saturated fat alone', LABEL, '10.50', '3.20'],
    ['the total, where all three kinds are stated', { ...LABEL, 1292: 3, 1293: '0.31' }, '10.50', '6.51'],
    ['the total, where no kind is stated', { 1004: '10.5' }, '10.50', '0.00'],
    ['the total, where the kinds exceed it', { 1004: 0, 1258: '10.6' }, '0.00', '10.60'],
    ['the total of a label (NLEA)', { 1085: '4.005', 1258: '3' }, '4.01', '3.00'],
    ['that of the laboratory rather than of a label', { 1004: '4', 1085: '5', 1258: '3' }, '4.00', '3.00'],
    ['the sum, where no total is stated', { 1004: '', 1258: '3', 1293: '0.005' }, '3.01', '3.01'],
    ['the sum, where the total is impossible', { 1004: '105', 1258: '3' }, '3.00', '3.00'],
  ])('is %s', async (_what, fatty, expected, sum) => {
    const bar = oneFood({ 1008: 50, ...fatty });
    expect((await importTables(bar)).foods.map(fatOf)).toEqual([expected]);
    expect((await importTables(bar, true)).foods.map(fatOf)).toEqual([sum]);
  });

  test('is the total of the survey download, which has nutrient numbers', async () => {
    for (const number of [204, 298]) {
      const survey = oneFood({ 208: 50, [number]: '10.5', 606: 3 }, { data_type: 'survey_fndds_food' });
      expect((await importTables(survey)).foods.map(fatOf)).toEqual(['10.50']);
    }
  });
});

test('a name in Latin-1 is read as such, and counted', async () => {
  const food = Buffer.from(String(ONE['food.csv']).replace('Butter, salted', 'Gruyère'), 'latin1');
  const { foods, report } = await importTables({ ...ONE, 'food.csv': food });
  expect(foods).toEqual([{ ...BUTTER_FOOD, description: 'Gruyère' }]);
  expect(counts(report.sources[0]?.repaired)).toEqual({ 'Latin-1 in the name': 1 });
});

describe('a damaged table', () => {
  test('that ends in the middle of a row loses that row, with a report', async () => {
    const whole = ONE['food_nutrient.csv'] as string;
    const cut = whole.slice(0, whole.lastIndexOf('3.043') + 3);
    const { foods, report } = await importTables({ ...ONE, 'food_nutrient.csv': cut });
    expect(foods).toEqual([{ ...BUTTER_FOOD, fa_poly_g: null }]);
    const reason = 'amount: a quote is not closed, or closed in the middle of a cell';
    const found = { count: 1, first: ['food_nutrient.csv, line 8'] };
    expect(report.sources[0]?.leftEmpty.entries()).toEqual([[reason, found]]);
  });

  test('with shifted and broken rows loses those, with a report', async () => {
    const rows = [
      '"173410","sr_legacy_food","Butter, salted","1","2019-04-01"',
      '173411,sr_legacy_food,Cheese, blue,1,2019-04-01',
      '"173412","sr_legacy_food","Cheese "brick"","1","2019-04-01"',
      'x,sr_legacy_food,Cheese,1,2019-04-01',
      '"173410","sr_legacy_food","Butter again","1","2019-04-01"',
    ];
    const food = `${HEADERS['food.csv'].join(',')}\r\n\r\n${rows.join('\r\n')}`;
    const { foods, report } = await importTables({ ...ONE, 'food.csv': food });
    expect(foods).toEqual([BUTTER_FOOD]);
    expect(report.sources[0]?.dropped.entries().map(([reason, { first }]) => [reason, first])).toEqual([
      ['the number of cells is not that of the header: shifted or cut off', ['food.csv, line 4']],
      ['a quote is not closed, or closed in the middle of a cell', ['food.csv, line 5']],
      ['fdc_id is not a whole number', ['food.csv, line 6']],
      ['fdc_id occurs twice in food.csv', ['food.csv, line 7']],
    ]);
  });

  const none = table('food.csv', [{ fdc_id: 1, data_type: 'sample_food' }]);
  it.each([
    ['lacks a column', 'food.csv', '"fdc_id"\n"1"\n', 'food.csv, line 1: there is no column "data_type"'],
    ['is empty', 'food_nutrient.csv', '', 'food_nutrient.csv is empty. Download or unpack it again.'],
    ['has no food', 'food.csv', none, 'no row has a data_type that is a food'],
  ])('is refused if it %s', async (_what, name, content, message) => {
    const path = await writeFolder(folder.path(`set ${++sets}`), { ...ONE, [name]: content });
    expect(await refusalOf([path])).toContain(message);
  });

  test('is refused if it is missing', async () => {
    const { 'food_nutrient.csv': _, ...tables } = ONE;
    expect(await refusalOf([await writeZip(folder.path('part.zip'), tables)])).toContain('food_nutrient.csv');
    const path = await writeFolder(folder.path('part'), tables);
    expect(await refusalOf([path])).toContain('there is no such file');
  });
});

test('the label describes the data, and the report the time of each step', async () => {
  const file = await writeZip(folder.path('FoodData_Central_sr_legacy_food_csv_2018-04.zip'), ONE);
  const { report } = await importSources([file]);
  expect(report.label).toEqual({
    name: 'USDA SR Legacy',
    date: '2018-04',
    source: expect.stringContaining('FoodData Central'),
    licence: 'public domain (CC0 1.0)',
    language: 'en',
  });
  const phases = Object.keys(report.sources[0]?.seconds ?? {}).join(', ');
  expect(phases).toBe('read, food.csv, nutrient.csv, food_nutrient.csv, index');
  expect(report.lines().join('\n')).toContain('1 by 1008');
});
