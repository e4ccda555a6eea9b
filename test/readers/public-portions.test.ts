/** Household portions of FoodData Central and Open Food Facts, with their peculiarities. */
import { describe, expect, it, test } from 'vitest';
import type { FoodRecord } from '#core';
import { pairsOf } from '../support/cases.ts';
import { temporaryFolder } from '../support/files.ts';
import { counts, importSources } from '../support/import.ts';
import { type Cells, type Tables, table, writeFolder } from '../support/usda.ts';

const folder = temporaryFolder();
let archives = 0;

const UNITS: readonly Cells[] = Object.entries({
  ...{ 1000: 'cup', 1001: 'tablespoon', 1011: 'paired raw w' },
  ...{ 1049: 'slice', 1120: 'RACC', 9999: 'undetermined' },
}).map(([id, name]) => ({ id, name }));
const TYPES = ['sr_legacy_food', 'foundation_food', 'survey_fndds_food', 'branded_food'];

/** An archive with a food of each kind, with the ids 1 to 4. */
function archiveOf(portions: readonly Cells[], more: Tables = {}): Tables {
  const foods = TYPES.map((data_type, i) => ({ fdc_id: i + 1, data_type, description: `Food ${i + 1}` }));
  const amounts = foods.map(({ fdc_id }) => ({ fdc_id, nutrient_id: 1008, amount: 100 + fdc_id }));
  return {
    'food.csv': table('food.csv', foods),
    'food_nutrient.csv': table('food_nutrient.csv', amounts),
    'measure_unit.csv': table('measure_unit.csv', UNITS),
    'food_portion.csv': table('food_portion.csv', portions),
    ...more,
  };
}

const importArchive = async (tables: Tables) =>
  importSources([await writeFolder(folder.path(`archive ${++archives}`), tables)]);

/** "1 large: 50; 1 cup: 243" */
const textOf = ({ portions = [] }: Pick<FoodRecord, 'portions'>): string =>
  portions.map(({ portion, grams }) => `${portion}: ${grams}`).join('; ');

describe('food_portion.csv', () => {
  const sr = { fdc_id: 1, amount: '1.0', measure_unit_id: 9999, gram_weight: '100.0' };
  const foundation = { ...sr, fdc_id: 2, measure_unit_id: 1000 };
  const survey = { ...sr, fdc_id: 3, amount: '', modifier: '10205' };

  it.each<[string, Cells, string]>([
    ['SR Legacy: the modifier has the unit', { ...sr, modifier: 'cup, diced' }, '1 cup, diced: 100'],
    ['SR Legacy: quotes', { ...sr, modifier: 'medium (3" dia)' }, '1 medium (3" dia): 100'],
    ['SR Legacy: a fraction', { ...sr, amount: '0.5', modifier: 'fillet' }, '1/2 fillet: 100'],
    ['SR Legacy: several', { ...sr, amount: '2.000', modifier: 'tbsp' }, '2 tbsp: 100'],
    ['Foundation: a unit', foundation, '1 cup: 100'],
    ['Foundation: a unit and how', { ...foundation, modifier: 'chopped' }, '1 cup, chopped: 100'],
    [
      'Foundation: a unit and a comment',
      { ...foundation, measure_unit_id: 1049, portion_description: '1/8 of a 14 inch pizza' },
      '1 slice (1/8 of a 14 inch pizza): 100',
    ],
    ['Foundation: the id of a unit as a decimal', { ...foundation, measure_unit_id: '1000.0' }, '1 cup: 100'],
    ['Foundation: the reference amount', { ...foundation, measure_unit_id: 1120 }, '1 serving: 100'],
    ['Foundation: a pair of weights', { ...foundation, measure_unit_id: 1011 }, ''],
    ['Survey: the description, not its code', { ...survey, portion_description: '1 cup, NFS' }, '1 cup: 100'],
    ['Survey: words alone', { ...survey, portion_description: 'slice' }, 'slice: 100'],
    ['Survey: no quantity', { ...survey, portion_description: 'Quantity not specified' }, ''],
    ['only a code', { ...sr, modifier: '10205' }, ''],
    ['only grams', { ...sr, modifier: 'g' }, ''],
    ['three digits at most', { ...sr, modifier: 'egg', gram_weight: '28.34952' }, '1 egg: 28.35'],
  ])('%s', async (_what, row, expected) => {
    const { foods, report } = await importArchive(archiveOf([row]));
    expect(textOf(foods[Number(row.fdc_id) - 1] ?? {})).toBe(expected);
    expect(counts(report.sources[0]?.portionsLeftOut)).toEqual({});
    expect(foods).toHaveLength(4);
  });

  it.each<[string, Cells]>([
    ['portion whose amount is not known', { ...sr, amount: '', modifier: 'cup' }],
    ['portion whose amount is not known', { ...foundation, amount: 0 }],
    ['portion whose unit is not known', { ...foundation, measure_unit_id: 1234 }],
    ['portion of 0 g or less', { ...sr, modifier: 'cup', gram_weight: 0 }],
    ['portion of 0 g or less', { ...sr, modifier: 'cup', gram_weight: -5 }],
    ['portion of more than 10,000 g', { ...sr, modifier: 'cup', gram_weight: 10_000.5 }],
    ['portion of more than 10,000 g', { ...sr, modifier: 'cup', gram_weight: '99999999999' }],
    ['portion whose weight is not known', { ...sr, modifier: 'cup', gram_weight: '' }],
    ['portion whose weight is not a number', { ...sr, modifier: 'cup', gram_weight: 'heavy' }],
    ['portion of more than 120 characters', { ...sr, modifier: 'x'.repeat(130) }],
  ])('%s is left out and counted, and the food stays: %j', async (reason, row) => {
    const { foods, report } = await importArchive(archiveOf([row]));
    expect(foods.map(textOf)).toEqual(['', '', '', '']);
    expect(counts(report.sources[0]?.portionsLeftOut)).toEqual({ [reason]: 1 });
    expect(report.anyDropped).toBe(false);
  });

  test('portions are in order, without repetition, at most twenty', async () => {
    const numbers = Array.from({ length: 25 }, (_, i) => 25 - i);
    const rows = numbers.map((n) => ({ ...sr, seq_num: n, modifier: `size ${n}`, gram_weight: n }));
    const again = [
      { ...sr, seq_num: 30, modifier: 'SIZE 1', gram_weight: '1.00' },
      { ...sr, seq_num: 31, modifier: 'size 2', gram_weight: 3 },
    ];
    const { foods, report } = await importArchive(archiveOf([...again, ...rows]));
    expect(foods[0]?.portions).toEqual(
      Array.from({ length: 20 }, (_, i) => ({ portion: `1 size ${i + 1}`, grams: String(i + 1) })),
    );
    expect(report.sources[0]?.portions).toBe(20);
    expect(report.sources[0]?.portionsLeftOut.count('portion beyond the 20th of a food')).toBe(7);
  });

  test('without measure_unit.csv, portions with a unit are left out', async () => {
    const { 'measure_unit.csv': _, ...tables } = archiveOf([{ ...sr, modifier: 'cup' }, foundation]);
    const { foods, report } = await importArchive(tables);
    expect(foods.map(textOf)).toEqual(['1 cup: 100', '', '', '']);
    expect(counts(report.sources[0]?.portionsLeftOut)).toEqual({ 'portion whose unit is not known': 1 });
  });
});

describe('a serving in branded_food.csv:', () => {
  it.each([
    ['30.0', 'g', '2 cookies', '2 cookies: 30'],
    [30, 'GRM', '', '1 serving: 30'],
    [28, 'g', '1 ONZ', '1 oz: 28'],
    [28, 'g', '28 g', '1 serving: 28'],
    [55, 'g', '0.25 cup (55 g)', '1/4 cup: 55'],
    [240, 'ml', '1 cup', ''],
    [240, 'MLT', '', ''],
    [240, 'ml', '1 cup (246 g)', '1 cup: 246'],
    [500, 'MG', '1 tablet', ''],
    [0, 'g', '1 bar', ''],
    ['', '', '', ''],
    [20_000, 'g', '1 bar', ''],
  ])('%s %s, “%s”: “%s”', async (size, unit, household, expected) => {
    const serving = { serving_size: size, serving_size_unit: unit, household_serving_fulltext: household };
    const branded = table('branded_food.csv', [{ fdc_id: 4, gtin_upc: 123, ...serving }]);
    const { foods, report } = await importArchive(archiveOf([], { 'branded_food.csv': branded }));
    expect(textOf(foods[3] ?? {})).toBe(expected);
    expect(report.anyDropped).toBe(false);
    const isStated = `${size}${household}` !== '';
    const leftOut = Object.values(counts(report.sources[0]?.portionsLeftOut));
    expect(leftOut).toEqual(expected === '' && isStated && unit !== 'MLT' ? [1] : []);
  });

  test('an archive without these columns has no servings', async () => {
    const branded = 'fdc_id,gtin_upc\n4,123\n';
    const { foods } = await importArchive(archiveOf([], { 'branded_food.csv': branded }));
    expect(foods[3]).not.toHaveProperty('portions');
  });
});

describe('a serving of Open Food Facts', () => {
  type Serving = Partial<Record<'size' | 'quantity' | 'unit', string>>;
  const names =
    'code product_name serving_size serving_quantity serving_quantity_unit energy-kcal_100g proteins_100g';
  const csvOf = (servings: readonly Serving[]): string => {
    const head = (i: number) => [i, `Food ${i}`];
    const rows = servings.map(({ size, quantity, unit }, i) => [...head(i), size, quantity, unit, 100, 5]);
    return [names.split(' '), ...rows].map((cells) => `${cells.join('\t')}\n`).join('');
  };
  const jsonOf = (servings: readonly Serving[]): string =>
    servings
      .map(({ size, quantity, unit }, i) =>
        JSON.stringify({
          code: `${i + 1}`,
          product_name: `Food ${i}`,
          serving_size: size,
          serving_quantity: quantity && Number(quantity),
          serving_quantity_unit: unit,
          nutriments: { 'energy-kcal_100g': 100, proteins_100g: 5 },
        }),
      )
      .join('\n');

  const read = (text: string): Serving => {
    const [size = '', quantity, unit] = text.split(' ~ ');
    return { size, ...(quantity && { quantity }), ...(unit && { unit }) };
  };
  it.each<[Serving, string]>([
    ...pairsOf(`
      2 cookies (30 g) ~ 30 → 2 cookies: 30 | 2 cookies (30 g) → 2 cookies: 30 | 30g ~ 30 → 1 serving: 30
      30 g (2 biscuits) ~ 0.0 → 2 biscuits: 30 | 1 grilled link (82g) ~ 1 → 1 grilled link: 82
      1 barre = 25 g → 1 barre: 25 | 1 Portion (ca. 12,5 g) ~ 12.5 → 1 Portion: 12.5
      1 Portion (12,5 g) ~ 1 → 1 Portion: 12.5 | 1 bar (50 g / 1.76 oz) ~ 50 → 1 bar (1.76 oz): 50
      1 bar (1.76 oz/50 g) ~ 50 → 1 bar (1.76 oz): 50
      1 cup (240 ml) (246 g) ~ 240 ~ ml → 1 cup (240 ml): 246 | 2 x 15 g ~ 30 → 1 serving: 30
      1 oz ~ 28.349523125 → 1 oz: 28.35 | 1 biscuit ~ 8 ~ g → 1 biscuit: 8
      2 cookies &quot;large&quot; (30 g) → 2 cookies "large": 30 | 1 порция (30 г) → 1 порция: 30
      serving (30 g) → 1 serving: 30 | 2 x 15 g → – | 12 fl oz ~ 354.88 → – | 8 oz (237 ml) ~ 237 → –
      250 ml ~ 250 → – | 1 glass ~ 250 ~ ml → – | 33 cl ~ 330 → – | 1 biscuit ~ 8 → – | 1 pot ~ 0 ~ g → –
      1 pot (0 g) → – | 1 pot (1,234 g) → – | 1 pallet (25000 g) → –
    `).map(([text, portion]): [Serving, string] => [read(text), portion.replace('–', '')]),
    [{ quantity: '30', unit: 'g' }, '1 serving: 30'],
    [{ quantity: '30' }, ''],
    [{ size: ' 1  slice ,(20 g)' }, '1 slice: 20'],
    [{}, ''],
  ])('%j', async (serving, expected) => {
    for (const content of [csvOf([serving]), jsonOf([serving])]) {
      const { foods, report } = await importSources([await folder.save(content)]);
      expect(foods.map(textOf)).toEqual([expected]);
      const leftOut = Object.values(counts(report.sources[0]?.portionsLeftOut));
      expect(leftOut).toEqual(expected === '' && serving.size !== undefined ? [1] : []);
      expect(report.anyDropped).toBe(false);
    }
  });
});
