/**
 * Generates downloads with the layout and size of the real ones from a seed: a branded download of FoodData Central, and a CSV
 * export of Open Food Facts. They stay in tmp/bench/ for the next run.
 */
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import yazl from 'yazl';
import { type Random, seeded } from '../../test/support/random.ts';
import { type Cells, HEADERS, NUTRIENT_ROWS, type TableName } from '../../test/support/usda.ts';
import { writeLines } from '../tools/workload.ts';

const FOLDER = 'tmp/bench';
const FOODS = 2_000_000;
const NUTRIENTS_EACH = 13;
const PRODUCTS = 3_500_000;
const PRODUCT_COLUMNS = 200;

const WORDS =
  'organic whole milk chocolate roasted almond butter crunchy cheddar chicken tomato soup basil spicy black bean rice vanilla yogurt frozen blueberry cookie sea salt olive oil green tea honey oat'.split(
    ' ',
  );

function nameOf(random: Random): string {
  return Array.from({ length: 3 + random(4) }, () => WORDS[random(WORDS.length)]).join(' ');
}

/** The lines of a FoodData Central table, with every cell in quotes. */
function* linesOf(name: TableName, rows: Iterable<Cells>): Generator<string> {
  const columns: readonly string[] = HEADERS[name];
  const quote = (cells: readonly (string | number)[]): string => `"${cells.join('","')}"\r\n`;
  yield quote(columns);
  for (const row of rows) yield quote(columns.map((column) => row[column] ?? ''));
}

/** The branded download as a folder: 2,000,000 foods with 13 nutrients each, or a share of them. */
export async function branded(share: number): Promise<string> {
  const foods = Math.round(FOODS * share);
  const folder = `${FOLDER}/FoodData_Central_branded_food_csv_2026-04-30-${foods}`;
  mkdirSync(folder, { recursive: true });
  const random = seeded(28);
  const id = (i: number) => 344_604 + i;
  const nutrients = [1003, 1004, 1005, 1008, 1258, 1257, 2000, 1079, 1087, 1089, 1093, 1253, 1292];
  const tables: { readonly [Name in TableName]?: () => Iterable<Cells> } = {
    'food.csv': function* () {
      for (let i = 0; i < foods; i++) {
        const description = nameOf(random).toUpperCase();
        yield { fdc_id: id(i), data_type: 'branded_food', description, publication_date: '2019-04-01' };
      }
    },
    'branded_food.csv': function* () {
      for (let i = 0; i < foods; i++) {
        yield {
          fdc_id: id(i),
          brand_owner: `Owner ${random(30_000)}`,
          // A fifth of the foods are newer versions of an earlier product.
          gtin_upc: String(random(5) === 0 ? random(i + 1) : i).padStart(14, '0'),
          ingredients: Array.from({ length: 20 }, () => WORDS[random(WORDS.length)]).join(', '),
          serving_size: 30,
          data_source: 'LI',
          modified_date: '2019-04-01',
          available_date: '2019-04-01',
        };
      }
    },
    'food_nutrient.csv': function* () {
      for (let row = 0; row < foods * NUTRIENTS_EACH; row++) {
        const nutrient_id = nutrients[row % NUTRIENTS_EACH] ?? 0;
        const amount = nutrient_id === 1008 ? random(600) : (random(3000) / 100).toFixed(2);
        const fdc_id = id(Math.floor(row / NUTRIENTS_EACH));
        yield { id: 13_706_913 + row, fdc_id, nutrient_id, amount, derivation_id: 70 };
      }
    },
    'nutrient.csv': () => NUTRIENT_ROWS,
  };
  for (const [name, rows] of Object.entries(tables))
    await writeLines(`${folder}/${name}`, linesOf(name as TableName, rows()));
  return folder;
}

/** An export with 3,500,000 lines of 200 columns, or a share of them. */
export async function products(share: number): Promise<string> {
  const count = Math.round(PRODUCTS * share);
  mkdirSync(FOLDER, { recursive: true });
  const file = `${FOLDER}/products-${count}.csv.gz`;
  await writeLines(file, productLines(count));
  return file;
}

function* productLines(count: number): Generator<string> {
  const random = seeded(28);
  for (let i = 0; i < count; i++) {
    const product = productOf(i, random);
    const names = Object.keys(product);
    const empty = PRODUCT_COLUMNS - names.length;
    const others = Array.from({ length: empty }, (_, n) => `nutrient${n}_100g`);
    if (i === 0) yield `${[...names, ...others].join('\t')}\n`;
    yield `${Object.values(product).join('\t')}${'\t'.repeat(empty)}\n`;
  }
}

/** The cells of a product, by column. */
function productOf(i: number, random: Random): Readonly<Record<string, string | number>> {
  const code = String(3_000_000_000_000 + i * 7);
  const [fat, carbohydrate, protein] = [random(400) / 10, random(500) / 10, random(100) / 10];
  const kcal = Math.round(9 * fat + 4 * (carbohydrate + protein));
  const kilojoules = Math.round(kcal * 4.184);
  const image = `https://images.openfoodfacts.example/${code.slice(0, 3)}/${code.slice(3)}/front_en.3.400.jpg`;
  return {
    code,
    url: `https://world.openfoodfacts.example/product/${code}/some-name`,
    creator: 'kiliweb',
    created_t: 1_529_059_080 + i,
    product_name: nameOf(random),
    brands: `Brand ${random(50_000)}`,
    categories: 'Snacks, Sweet snacks',
    countries_tags: 'en:france',
    ingredients_text: Array.from({ length: 40 }, () => WORDS[random(WORDS.length)]).join(', '),
    image_url: image,
    image_small_url: image,
    'energy-kj_100g': kilojoules,
    'energy-kcal_100g': kcal,
    energy_100g: kilojoules,
    fat_100g: fat,
    'saturated-fat_100g': fat / 2,
    carbohydrates_100g: carbohydrate,
    sugars_100g: carbohydrate / 3,
    fiber_100g: '',
    proteins_100g: protein,
    salt_100g: 0.5,
    sodium_100g: 0.2,
  };
}

/** Packs the folder as the zip of the download. */
export async function zipped(folder: string): Promise<string> {
  const file = `${folder}.zip`;
  if (existsSync(file)) return file;
  const zip = new yazl.ZipFile();
  for (const name of readdirSync(folder)) zip.addFile(`${folder}/${name}`, `${basename(folder)}/${name}`);
  zip.end();
  await once(zip.outputStream.pipe(createWriteStream(`${file}.part`)), 'close');
  renameSync(`${file}.part`, file);
  return file;
}
