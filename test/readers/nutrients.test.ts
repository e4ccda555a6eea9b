/** Nutrients and codes, from every kind of source, and a known source in other dresses. */
import { readFile } from 'node:fs/promises';
import xlsx from '@e965/xlsx';
import { describe, expect, it, test } from 'vitest';
import { type FoodRecord, foodCodeOf, type Nutrient } from '#core';
import { columnOptions } from '#tables';
import { withoutNoise } from '../../src/tables/food/nutrients.ts';
import { pairsOf } from '../support/cases.ts';
import { temporaryFolder } from '../support/files.ts';
import { type Imported, importSources, refusalOf } from '../support/import.ts';
import { NUTRIENT_ROWS, table, writeFolder } from '../support/usda.ts';

const folder = temporaryFolder();
const WITH = { nutrients: true };
const importText = async (text: string): Promise<Imported> => importSources([await folder.save(text)], WITH);
const listOf = (food: FoodRecord | undefined): string[] =>
  (food?.nutrients ?? []).map(({ nutrient, amount, unit }) => `${nutrient} ${amount} ${unit}`);

const OWN = new URL('../nutrients/', import.meta.url);
type Wanted = Readonly<Record<string, string>> & {
  readonly no?: readonly string[];
  readonly codes?: readonly string[];
  readonly 'not codes'?: readonly string[];
};
const tables = Object.entries(
  JSON.parse(await readFile(new URL('expected.json', OWN), 'utf8')) as Record<string, Record<string, Wanted>>,
);

/** Names with a capital stand as they are; others may be worded otherwise, and have several spellings. */
function isNamed({ nutrient }: Nutrient, name: string): boolean {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (/^\p{Lu}/u.test(name)) return nutrient === name;
  return name
    .split('|')
    .some(
      (each) => letters(nutrient) === each || (each.length > 3 && letters(nutrient).includes(letters(each))),
    );
}

describe('own tables keep nutrients and codes', () => {
  it.each(tables)('as expected of %s', async (file, wanted) => {
    const { foods } = await importSources([new URL(file, OWN).pathname], WITH);
    for (const [description, expected] of Object.entries(wanted)) {
      const { no = [], codes = [], 'not codes': notCodes = [], ...amounts } = expected;
      const same = foods.filter((food) => food.description === description);
      const nutrients = same[0]?.nutrients ?? [];
      for (const [name, amount] of Object.entries(amounts)) {
        const found = nutrients.filter((each) => isNamed(each, name));
        expect(
          found.map((each) => [Number(each.amount), each.unit].join(' ')),
          name,
        ).toContain(amount.replace(/^[\d.]+/, (digits) => String(Number(digits))));
      }
      for (const name of no)
        expect(
          nutrients.filter((each) => isNamed(each, name)),
          name,
        ).toEqual([]);
      const known = same.flatMap((food) => food.codes ?? []);
      for (const code of codes) expect(known).toContain(foodCodeOf(code));
      for (const code of notCodes) expect(known).not.toContain(foodCodeOf(code) ?? code);
    }
  });

  it.each<[string, string, string, string[]]>([
    ['the fibre of a label', 'Fibre (g);fiber crude (g)', '2;3', ['Fibre 2 g', 'Fiber crude 3 g']],
    ['per 100 g rather than per serving', 'Fibre per 100 g;Fibre per serving', '2;3', ['Fibre 2 g']],
    ['units of names in snake case', 'vit_a_iu;vit_c_mg', '5;6', ['Vit a 5 IU', 'Vit c 6 mg']],
    ['no share of a need', 'Zink (% RDA);Zink (mg)', '5;1', ['Zink 1 mg']],
    ['a name that programs have, too', '__proto__ (mg);Fibre', '1;2', ['Proto 1 mg', 'Fibre 2 g']],
    ['no amount that is impossible', 'Sugars (g);Salt (g);Fibre (g)', '101;-1;2', ['Fibre 2 g']],
    ['no unit of energy', 'Fibre;Sodium', '2;5 kcal', ['Fibre 2 g']],
  ])('%s', async (_what, headings, cells, expected) => {
    const table = `name;kcal;protein;carbs;fat;${headings}\nEgg;143;12.6;0.7;9.5;${cells}\n`;
    const { foods } = await importText(table);
    const five = ['Protein 12.6 g', 'Carbohydrate 0.7 g', 'Fat 9.5 g'];
    expect(listOf(foods[0]).map((each) => each.replace('__proto__', 'Proto'))).toEqual([
      ...five,
      ...expected,
    ]);
  });

  test.each([
    ['Carbohydrate, available (g)', ['Carbohydrate, by difference 59.98 g', 'Carbohydrate 56.71 g', 'X 3 g']],
    ['X', ['Carbohydrate, by difference 59.98 g', 'Carbohydrate, available 56.71 g', 'Carbohydrate 3 g']],
  ])('the name of a figure is that of the column chosen for it: %s', async (heading, expected) => {
    const header =
      'name;kcal;Carbohydrate, by difference (g);Carbohydrate, available (g);X;protein;fat;fibre';
    const file = await folder.save(
      `${header.replace('X', heading === 'X' ? 'X' : 'X (g)')}\nBar;400;59.98;56.71;3;5;12.5;2\n`,
    );
    const options = { ...WITH, ...columnOptions([`carbohydrate_g=${heading}`], '100g') };
    const { foods } = await importSources([file], options);
    expect(listOf(foods[0]).slice(0, 3)).toEqual(expected);
  });

  test('a table of 10,000 nutrients, and a code of 5,000 digits, end soon', async () => {
    const columns = Array.from({ length: 10_000 }, (_, i) => `Vitamin ${i} (mg)`).join(',');
    const cells = Array.from({ length: 10_000 }, () => '1').join(',');
    const { foods, report } = await importText(
      `name,kcal,protein,carbs,fat,EAN,${columns}\nEgg,143,12.6,0.7,9.5,${'1'.repeat(5000)},${cells}\n`,
    );
    expect(foods[0]?.nutrients).toHaveLength(500);
    expect(foods[0]?.codes).toBeUndefined();
    expect(report.sources[0]?.nutrientsLeftOut.total).toBe(10_000 + 3 - 500);
  });
});

test.each(
  pairsOf(`0.899999976158142 → 0.9 | 0.026041666666668 → 0.0260417 | 12.34567 → 12.34567
    0.00000038 → 0.00000038 | 1234567.8 → 1234568 | 20000000 → 20000000`),
)('of %s, what is not the noise of a float is %s', (decimal, expected) => {
  expect(withoutNoise(decimal)).toBe(expected);
});

/** Products as the export has them; the third is in kJ, as its macronutrients show. */
const NAMES =
  'code product_name brands energy-kcal_100g proteins_100g fat_100g carbohydrates_100g fiber_100g sodium_100g alcohol_100g ph_100g nutrition-score-fr_100g'.split(
    ' ',
  );
const PRODUCTS = [
  ['0000000001236', 'Muesli', 'Mill', '380', '10', '8', '62', '9', '0.142', '', '6', '4'],
  ['5010029000023', 'Beer', '', '43', '0.5', '0', '3.6', '', '', '5', '', ''],
  ['96385074', 'Crisps', 'Mill', '2176', '6', '31', '52', '', '0.48', '', '', ''],
  ['4006381333931', 'Butter', '', '717', '0.9', '222', '0.1', '', '', '', '', ''],
];
const text = (rows: readonly (readonly string[])[], separator: string): string =>
  rows.map((cells) => `${cells.join(separator)}\n`).join('');
const rowsOf = (names: readonly string[]) => [
  names,
  ...PRODUCTS.map((cells) => names.map((name) => cells[NAMES.indexOf(name)] ?? '7')),
];
const objects = (isNested: boolean) =>
  PRODUCTS.map((cells) => {
    const pairs = NAMES.map((name, i) => [name, cells[i]] as const).filter(([, cell]) => cell !== '');
    const figures = pairs.filter(([name]) => name.endsWith('_100g'));
    const texts = pairs.filter(([name]) => !name.endsWith('_100g'));
    return Object.fromEntries(isNested ? [...texts, ['nutriments', Object.fromEntries(figures)]] : pairs);
  });

describe('Open Food Facts gives the same foods', () => {
  it.each<[string, string]>([
    ['as it is downloaded', text(rowsOf(NAMES), '\t')],
    ['with commas, and a column of numbers in front', text(rowsOf(['', ...NAMES]), ',')],
    ['with semicolons and decimal commas', text(rowsOf(NAMES), ';').replace(/(\d)\.(\d)/g, '$1,$2')],
    ['in another order, with a lost heading', text(rowsOf(['#NAME?', ...NAMES.toReversed()]), ',')],
    ['as a list in JSON', JSON.stringify(objects(false))],
    ['as a list of the API', JSON.stringify({ products: objects(true) })],
  ])('%s', async (_how, content) => {
    const { foods, report } = await importText(content);
    expect(report.label.name).toBe('Open Food Facts');
    const shown = foods.map((food) =>
      [food.description, food.kcal, ...(food.codes ?? []), ...listOf(food).toSorted()].join('; '),
    );
    expect(shown).toEqual([
      'Muesli, Mill; 380; 1236; Carbohydrate 62 g; Fat 8 g; Fibre 9 g; Protein 10 g; Sodium 0.142 g',
      'Beer; 43; 5010029000023; Alcohol 5 % vol; Carbohydrate 3.6 g; Fat 0 g; Protein 0.5 g',
      'Crisps, Mill; 520.08; 96385074; Carbohydrate 52 g; Fat 31 g; Protein 6 g; Sodium 0.48 g',
    ]);
  });
});

describe('FoodData Central', () => {
  const rows = [
    ...NUTRIENT_ROWS,
    { id: 1079, name: 'Fiber, total dietary', unit_name: 'G', nutrient_nbr: 291 },
    { id: 2033, name: 'Total dietary fiber (AOAC 2011.25)', unit_name: 'G', nutrient_nbr: 293 },
    { id: 1110, name: 'Vitamin D (D2 + D3), International Units', unit_name: 'IU', nutrient_nbr: 324 },
  ];
  const IDS = [1003, 1008, 2033, 1079, 1110] as const;
  const amounts = { 1003: 10, 1008: 100, 2033: 5, 1079: 4.5, 1110: 40 };
  const expected = [
    'Protein 10 g',
    'Total dietary fiber (AOAC 2011.25) 5 g',
    'Fibre 4.5 g',
    'Vitamin D (D2 + D3), International Units 40 IU',
  ];

  test('keeps all nutrients and the code of its CSV form', async () => {
    const files = {
      'food.csv': table('food.csv', [{ fdc_id: 7, data_type: 'branded_food', description: 'Bran' }]),
      'branded_food.csv': table('branded_food.csv', [
        { fdc_id: 7, gtin_upc: '00012345678905', data_source: 'LI' },
      ]),
      'nutrient.csv': table('nutrient.csv', rows),
      'food_nutrient.csv': table('food_nutrient.csv', [
        ...IDS.map((nutrient_id) => ({ fdc_id: 7, nutrient_id, amount: amounts[nutrient_id] })),
      ]),
    };
    const { foods } = await importSources([await writeFolder(folder.path('fdc'), files)], WITH);
    expect(foods[0]?.codes).toEqual(['12345678905']);
    expect(listOf(foods[0])).toEqual(expected);
  });

  test('is read in its JSON form', async () => {
    const food = {
      ...{ description: 'Bran', fdcId: 7, gtinUpc: '00012345678905' },
      ...{ brandOwner: 'Mill', dataType: 'Branded' },
      ...{ servingSize: 30, servingSizeUnit: 'g', householdServingFullText: '1 cup' },
      foodNutrients: IDS.map((id) => {
        const { name, unit_name: unitName, nutrient_nbr: number } = rows.find((row) => row.id === id) ?? {};
        return { nutrient: { id, number: String(number), name, unitName }, amount: amounts[id] };
      }),
    };
    const again = { ...food, description: 'Again' };
    const { foods } = await importText(JSON.stringify({ BrandedFoods: [food, again] }));
    expect(foods).toHaveLength(1);
    expect(foods[0]).toMatchObject({
      ...{ description: 'Bran, Mill', kcal: '100', protein_g: '10', codes: ['12345678905'] },
      portions: [{ portion: '1 cup', grams: '30' }],
    });
    expect(listOf(foods[0])).toEqual(expected);
  });
});

describe('workbooks of other formats are read', () => {
  const DAMAGED =
    /is no workbook, or a damaged one|takes more time or memory than a table|no sheet has columns of foods/;
  /** Headings over three rows, with a word that is divided, and repeated below. */
  const HEADER = [
    ['', '', '', 'Carbo-', ''],
    ['Número do', '', 'Energia', 'idrato', 'Proteína', 'Lipídeos'],
    ['Alimento', 'Descrição dos alimentos', '(kcal)', '(g)', '(g)', '(g)'],
  ];
  const ROWS = [...HEADER, [1, 'Arroz', 128, 28.1, 2.5, 0.2], ...HEADER, [2, 'Feijão', 76, 13.6, 4.8, 'Tr']];
  const saved = (bookType: 'biff8' | 'ods') => {
    const book = xlsx.utils.book_new();
    const short = xlsx.utils.json_to_sheet([{ food: 'Rice', kcal: 1, protein: 2 }]);
    xlsx.utils.book_append_sheet(book, short, 'Short');
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(ROWS), 'Whole');
    return folder.save(Buffer.from(xlsx.write(book, { type: 'buffer', bookType }) as Buffer));
  };

  it.each(['biff8', 'ods'] as const)('%s, of its sheets the one with all figures', async (format) => {
    const { foods, report } = await importSources([await saved(format)]);
    expect(foods.map(({ description, kcal, fa_sat_g }) => [description, kcal, fa_sat_g])).toEqual([
      ['Arroz', '128', '0.2'],
      ['Feijão', '76', '0'],
    ]);
    expect(report.sources[0]?.part).toBe('sheet "Whole" rather than "Short"');
  });

  it('unless they are cut off', async () => {
    const whole = await readFile(await saved('biff8'));
    const sentence = await refusalOf([await folder.save(whole.subarray(0, 3000))]);
    expect(sentence).toMatch(DAMAGED);
  });

  it('unless their sectors are a loop', async () => {
    const looped = await readFile(await saved('biff8'));
    const table = 512 * (1 + looped.readUInt32LE(76));
    // Every chain of sectors goes round between the first two.
    for (let sector = 0; sector < 128; sector++)
      looped.writeUInt32LE(sector === 0 ? 1 : 0, table + 4 * sector);
    expect(await refusalOf([await folder.save(looped)])).toMatch(DAMAGED);
  });

  it.each([
    ['a row of a million cells', 'table:number-columns-repeated="1000000"'],
    // A thread that reads so many ends the whole process, whatever its own limit.
    ['a row of 1.4 million cells', 'table:number-columns-repeated="1400000"'],
    ['a million rows', 'table:number-rows-repeated="1000000"'],
  ])('unless they have %s', async (_what, repeated) => {
    const place = repeated.includes('rows') ? '<table:table-row' : '<table:table-cell';
    const zip = xlsx.CFB.read(await readFile(await saved('ods')), { type: 'buffer' });
    const content = xlsx.CFB.find(zip, '/content.xml');
    if (content === null) throw new Error('the workbook has no content');
    const hostile = Buffer.from(content.content as Uint8Array)
      .toString()
      .replaceAll(new RegExp(`${place}(?= )|${place}(?=>)`, 'g'), `${place} ${repeated}`);
    content.content = Buffer.from(hostile);
    const file = await folder.save(xlsx.CFB.write(zip, { type: 'buffer', fileType: 'zip' }) as Buffer);
    expect(await refusalOf([file])).toMatch(DAMAGED);
  });
});
