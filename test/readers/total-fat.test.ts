/** Fat of release 28, which states total fat and all kinds of fatty acids, in every form in which it is read. */
import { expect, test } from 'vitest';
import { fatOf } from '../../src/foods/food.ts';
import { readFoods } from '../../src/readers/read-foods.ts';
import type { Row } from '../oracle.ts';
import { collect } from '../support/collect.ts';
import { temporaryFolder } from '../support/files.ts';
import { importSources } from '../support/import.ts';
import { describeWithShared, SR28_SQLITE } from '../support/requirements.ts';
import { rowsOfSqlite } from '../support/rows.ts';
import { NUTRIENT_ROWS, nutrientRows, table, writeZip } from '../support/usda.ts';

const ACIDS = ['fa_sat_g', 'fa_mono_g', 'fa_poly_g'];

/** Two digits of a sum: the release has three, so that thousandths are whole numbers. */
function fatFrom(row: Row, columns: readonly string[]): string {
  const thousandths = columns.reduce((sum, column) => sum + Math.round(1000 * Number(row[column] ?? 0)), 0);
  return (Math.floor((thousandths + 5) / 10) / 100).toFixed(2);
}

const folder = temporaryFolder();

/** Names that nothing has to be repaired in, each once. */
const nameOf = (index: number): string => `Food ${index}`;

async function asFoodData(rows: readonly Row[], totalId: number): Promise<string> {
  const foods = rows.map((_, i) => ({ fdc_id: i + 1, data_type: 'sr_legacy_food', description: nameOf(i) }));
  const amounts = rows.map((row, i): [number, Record<number, string>] => [
    i + 1,
    {
      [totalId]: row.lipid_total_g ?? '',
      1258: row.fa_sat_g ?? '',
      1292: row.fa_mono_g ?? '',
      1293: row.fa_poly_g ?? '',
    },
  ]);
  return writeZip(folder.path(`${totalId}.zip`), {
    'food.csv': table('food.csv', foods),
    'nutrient.csv': table('nutrient.csv', NUTRIENT_ROWS),
    'food_nutrient.csv': table('food_nutrient.csv', nutrientRows(Object.fromEntries(amounts))),
  });
}

async function asTable(rows: readonly Row[], headings: readonly string[], separator: string) {
  const lines = rows.map((row, i) => [
    `${i + 1}`,
    nameOf(i),
    ...['kcal', 'protein_g', 'carbohydrate_g', 'lipid_total_g', ...ACIDS].map((column) => row[column] ?? ''),
  ]);
  const text = [headings, ...lines].map((cells) => cells.join(separator)).join('\n');
  return folder.write(`${headings[0]}.txt`, text);
}

const SR =
  'NDB_No,Shrt_Desc,Energ_Kcal,Protein_(g),Carbohydrt_(g),Lipid_Tot_(g),FA_Sat_(g),FA_Mono_(g),FA_Poly_(g)';
const OFF =
  'code,product_name,energy-kcal_100g,proteins_100g,carbohydrates_100g,fat_100g,saturated-fat_100g,monounsaturated-fat_100g,polyunsaturated-fat_100g';

describeWithShared('the fat of release 28', () => {
  test.each<[string, (rows: readonly Row[]) => Promise<string>]>([
    ['FoodData Central', (rows) => asFoodData(rows, 1004)],
    ['FoodData Central, as on labels (NLEA)', (rows) => asFoodData(rows, 1085)],
    ['the abbreviated table', (rows) => asTable(rows, SR.split(','), ',')],
    ['Open Food Facts', (rows) => asTable(rows, OFF.split(','), '\t')],
  ])('is the total in %s, and the sum on request', async (_what, write) => {
    const rows = await rowsOfSqlite(SR28_SQLITE);
    const file = await write(rows);
    for (const fatFromAcids of [false, true]) {
      const { foods } = await importSources([file], { fatFromAcids });
      const found = new Map(foods.map((food) => [food.description, fatOf(food)]));
      // Open Food Facts' rules drop some hundred rows whose energy does not fit 4, 4 and 9.
      expect(found.size).toBeGreaterThan(8000);
      const columns = fatFromAcids ? ACIDS : ['lipid_total_g'];
      const expected = rows.map((row, i): [string, string] => [nameOf(i), fatFrom(row, columns)]);
      expect([...found]).toEqual(expected.filter(([name]) => found.has(name)));
    }
  });

  test("is their sum in the contract's own form", async () => {
    const rows = await rowsOfSqlite(SR28_SQLITE);
    const foods = await collect(readFoods(SR28_SQLITE));
    expect(foods.map(fatOf)).toEqual(rows.map((row) => fatFrom(row, ACIDS)));
  });
});
