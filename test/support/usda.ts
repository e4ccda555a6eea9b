/** Writes foods in the layout of FoodData Central's CSV downloads. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipOf } from './packing.ts';

export type Tables = Readonly<Record<string, string | Buffer>>;

export const HEADERS = {
  'food.csv': columns('fdc_id data_type description food_category_id publication_date'),
  'food_nutrient.csv': columns(
    `id fdc_id nutrient_id amount data_points derivation_id min max median loq footnote
    min_year_acquired percent_daily_value`,
  ),
  'nutrient.csv': columns('id name unit_name nutrient_nbr rank'),
  'foundation_food.csv': columns('fdc_id NDB_number footnote'),
  'sr_legacy_food.csv': columns('fdc_id NDB_number'),
  'food_portion.csv': columns(
    `id fdc_id seq_num amount measure_unit_id portion_description modifier gram_weight
    data_points footnote min_year_acquired`,
  ),
  'measure_unit.csv': columns('id name'),
  'branded_food.csv': columns(
    `fdc_id brand_owner brand_name subbrand_name gtin_upc ingredients
    not_a_significant_source_of serving_size serving_size_unit household_serving_fulltext
    branded_food_category data_source package_weight modified_date available_date
    market_country discontinued_date preparation_state_code trade_channel short_description
    material_code`,
  ),
};

function columns(names: string): string[] {
  return names.split(/\s+/);
}

export type TableName = keyof typeof HEADERS;
export type Cells = Readonly<Record<string, string | number>>;

export interface Layout {
  /** Columns in order; they are empty in rows that lack them. */
  readonly columns?: readonly string[];
  readonly end?: '\n' | '\r\n';
  readonly mark?: boolean;
}

const quoted = (cell: string | number): string => `"${String(cell).replaceAll('"', '""')}"`;

/** A table with every cell in quotes, as in the downloads. */
export function table(name: TableName, rows: readonly Cells[], layout: Layout = {}): string {
  const { columns = HEADERS[name], end = '\n', mark = false } = layout;
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return `${mark ? '\ufeff' : ''}${lines.map((cells) => cells.map(quoted).join(',') + end).join('')}`;
}

/** The rows of `nutrient.csv` in every download, and some that are not used. */
export const NUTRIENT_ROWS: readonly Cells[] = [
  { id: 1002, name: 'Nitrogen', unit_name: 'G', nutrient_nbr: 202, rank: 500 },
  { id: 1003, name: 'Protein', unit_name: 'G', nutrient_nbr: 203, rank: 600 },
  { id: 1004, name: 'Total lipid (fat)', unit_name: 'G', nutrient_nbr: 204, rank: 800 },
  { id: 1005, name: 'Carbohydrate, by difference', unit_name: 'G', nutrient_nbr: 205, rank: 1110 },
  { id: 1008, name: 'Energy', unit_name: 'KCAL', nutrient_nbr: 208, rank: 300 },
  { id: 1050, name: 'Carbohydrate, by summation', unit_name: 'G', nutrient_nbr: 205.2, rank: 1120 },
  { id: 1062, name: 'Energy', unit_name: 'kJ', nutrient_nbr: 268, rank: 400 },
  { id: 1079, name: 'Fiber, total dietary', unit_name: 'G', nutrient_nbr: 291, rank: 1200 },
  { id: 1085, name: 'Total fat (NLEA)', unit_name: 'G', nutrient_nbr: 298, rank: 900 },
  { id: 1258, name: 'Fatty acids, total saturated', unit_name: 'G', nutrient_nbr: 606, rank: 9700 },
  { id: 1292, name: 'Fatty acids, total monounsaturated', unit_name: 'G', nutrient_nbr: 645, rank: 11400 },
  { id: 1293, name: 'Fatty acids, total polyunsaturated', unit_name: 'G', nutrient_nbr: 646, rank: 12900 },
  { id: 2047, name: 'Energy (Atwater General Factors)', unit_name: 'KCAL', nutrient_nbr: 957, rank: 280 },
  { id: 2048, name: 'Energy (Atwater Specific Factors)', unit_name: 'KCAL', nutrient_nbr: 958, rank: 290 },
];

/** Amounts by the id or the number of the nutrient. */
export type AmountsById = Readonly<Record<number, string | number>>;

export function nutrientRows(amounts: Readonly<Record<string, AmountsById>>): Cells[] {
  let id = 1_000_000;
  return Object.entries(amounts).flatMap(([fdc_id, byNutrient]) =>
    Object.entries(byNutrient).map(([nutrient_id, amount]) => ({ id: id++, fdc_id, nutrient_id, amount })),
  );
}

/** Foods, of one kind unless they say another, with their amounts. */
export function tablesOf(
  foods: readonly (Cells & { fdc_id: number })[],
  amounts: Readonly<Record<string, AmountsById>>,
  more: Tables = {},
): Tables {
  const rows = foods.map((food) => ({ data_type: 'sr_legacy_food', ...food }));
  return {
    'food.csv': table('food.csv', rows),
    'nutrient.csv': table('nutrient.csv', NUTRIENT_ROWS),
    'food_nutrient.csv': table('food_nutrient.csv', nutrientRows(amounts)),
    ...more,
  };
}

/** One food, as in an old archive without `nutrient.csv`. */
export const ONE_EGG = {
  'food.csv': table('food.csv', [{ fdc_id: 1, data_type: 'sr_legacy_food', description: 'Egg' }]),
  'food_nutrient.csv': table('food_nutrient.csv', nutrientRows({ 1: { 1008: 143 } })),
};

export async function writeFolder(folder: string, tables: Tables): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(tables)) await writeFile(join(folder, name), content);
  return folder;
}

/** Writes the tables into a zip, below a folder or flat. */
export async function writeZip(file: string, tables: Tables, inside = ''): Promise<string> {
  const files = Object.entries(tables).map(([name, content]) => [inside + name, content] as const);
  await writeFile(file, await zipOf(Object.fromEntries(files)));
  return file;
}
