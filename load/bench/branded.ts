/** Generates a branded download of FoodData Central from a seed, in the layout of the real one, for the next runs, too. */
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import yazl from 'yazl';
import { seeded } from '../../test/support/random.ts';
import { type Cells, HEADERS, NUTRIENT_ROWS, type TableName } from '../../test/support/usda.ts';
import { FOLDER } from '../tools/data-sets.ts';
import { writeLines } from '../tools/workload.ts';

const NUTRIENTS = [1003, 1004, 1005, 1008, 1258, 1257, 2000, 1079, 1087, 1089, 1093, 1253, 1292];

const WORDS =
  'organic whole milk chocolate roasted almond butter crunchy cheddar chicken tomato soup basil spicy black bean rice vanilla yogurt frozen blueberry cookie sea salt olive oil green tea honey oat'.split(
    ' ',
  );

type Tables = { readonly [Name in TableName]?: Iterable<Cells> };

function tablesOf(foods: number): Tables {
  const random = seeded(28);
  const words = (count: number) => Array.from({ length: count }, () => WORDS[random(WORDS.length)]);
  const each = function* (count: number, row: (i: number) => Cells): Generator<Cells> {
    for (let i = 0; i < count; i++) yield row(i);
  };
  const id = (i: number): number => 344_604 + i;
  return {
    'food.csv': each(foods, (i) => ({
      fdc_id: id(i),
      data_type: 'branded_food',
      description: words(3 + random(4))
        .join(' ')
        .toUpperCase(),
      publication_date: '2019-04-01',
    })),
    'branded_food.csv': each(foods, (i) => ({
      fdc_id: id(i),
      brand_owner: `Owner ${random(30_000)}`,
      // A fifth of the foods are newer versions of an earlier product.
      gtin_upc: String(random(5) === 0 ? random(i + 1) : i).padStart(14, '0'),
      ingredients: words(20).join(', '),
      serving_size: 30,
      data_source: 'LI',
      modified_date: '2019-04-01',
      available_date: '2019-04-01',
    })),
    'food_nutrient.csv': each(foods * NUTRIENTS.length, (row) => {
      const nutrient_id = NUTRIENTS[row % NUTRIENTS.length] ?? 0;
      const amount = nutrient_id === 1008 ? random(600) : (random(3000) / 100).toFixed(2);
      const fdc_id = id(Math.floor(row / NUTRIENTS.length));
      return { id: 13_706_913 + row, fdc_id, nutrient_id, amount, derivation_id: 70 };
    }),
    'nutrient.csv': NUTRIENT_ROWS,
  };
}

/** Lines with every cell in quotes. */
function* linesOf(columns: readonly string[], rows: Iterable<Cells>): Generator<string> {
  const quote = (cells: readonly (string | number)[]): string => `"${cells.join('","')}"\r\n`;
  yield quote(columns);
  for (const row of rows) yield quote(columns.map((column) => row[column] ?? ''));
}

/** The zip of that many foods with 13 nutrients each. */
export async function branded(foods: number): Promise<string> {
  const file = `${FOLDER}/FoodData_Central_branded_food_csv_2026-04-30-${foods}.zip`;
  if (existsSync(file)) return file;
  const folder = `${file}.part`;
  mkdirSync(folder, { recursive: true });
  const zip = new yazl.ZipFile();
  for (const [name, rows] of Object.entries(tablesOf(foods)) as [TableName, Iterable<Cells>][]) {
    await writeLines(`${folder}/${name}`, linesOf(HEADERS[name], rows));
    zip.addFile(`${folder}/${name}`, name);
  }
  zip.end();
  await once(zip.outputStream.pipe(createWriteStream(`${folder}/all.zip`)), 'close');
  renameSync(`${folder}/all.zip`, file);
  rmSync(folder, { recursive: true });
  return file;
}
