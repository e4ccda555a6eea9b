/**
 * Generates downloads with the layout and size of the real ones from a seed: a branded download of FoodData Central, and a CSV
 * export of Open Food Facts. They stay in tmp/bench/ for the next run.
 */
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { createGzip } from 'node:zlib';
import yazl from 'yazl';
import { type Cells, HEADERS, NUTRIENT_ROWS, type TableName } from '../test/support/usda.ts';

const FOLDER = 'tmp/bench';
const FOODS = 2_000_000;
const NUTRIENTS_EACH = 13;
const PRODUCTS = 3_500_000;
const PRODUCT_COLUMNS = 200;

function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

async function write(file: string, lines: Iterable<string>, gzip = false): Promise<void> {
  if (existsSync(file)) return;
  const output = createWriteStream(`${file}.part`);
  const stream = gzip ? createGzip({ level: 1, chunkSize: 1024 * 1024 }) : output;
  if (gzip) stream.pipe(output);
  let block: string[] = [];
  let length = 0;
  const flush = async () => {
    if (!stream.write(block.join(''))) await once(stream, 'drain');
    block = [];
    length = 0;
  };
  for (const line of lines) {
    block.push(line);
    length += line.length;
    if (length > 1_000_000) await flush();
  }
  await flush();
  stream.end();
  await once(output, 'close');
  renameSync(`${file}.part`, file);
}

const WORDS =
  'organic whole milk chocolate roasted almond butter crunchy cheddar chicken tomato soup basil spicy black bean rice vanilla yogurt frozen blueberry cookie sea salt olive oil green tea honey oat'.split(
    ' ',
  );

function nameOf(random: (below: number) => number): string {
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
    await write(`${folder}/${name}`, linesOf(name as TableName, rows()));
  return folder;
}

/** An export with 3,500,000 lines of 200 columns, or a share of them. */
export async function products(share: number): Promise<string> {
  const count = Math.round(PRODUCTS * share);
  mkdirSync(FOLDER, { recursive: true });
  const file = `${FOLDER}/products-${count}.csv.gz`;
  const random = seeded(28);
  await write(
    file,
    (function* () {
      for (let i = 0; i < count; i++) {
        const code = String(3_000_000_000_000 + i * 7);
        const url = `https://world.openfoodfacts.example/product/${code}/some-name`;
        const ingredients = Array.from({ length: 40 }, () => WORDS[random(WORDS.length)]).join(', ');
        const fat = random(400) / 10;
        const carbohydrate = random(500) / 10;
        const protein = random(100) / 10;
        const kcal = Math.round(9 * fat + 4 * (carbohydrate + protein));
        const kilojoules = Math.round(kcal * 4.184);
        const image = `https://images.openfoodfacts.example/${code.slice(0, 3)}/${code.slice(3)}/front_en.3.400.jpg`;
        const product = {
          code,
          url,
          creator: 'kiliweb',
          created_t: 1_529_059_080 + i,
          product_name: nameOf(random),
          brands: `Brand ${random(50_000)}`,
          categories: 'Snacks, Sweet snacks',
          countries_tags: 'en:france',
          ingredients_text: ingredients,
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
        const names = Object.keys(product);
        const empty = PRODUCT_COLUMNS - names.length;
        if (i === 0)
          yield `${[...names, ...Array.from({ length: empty }, (_, n) => `nutrient${n}_100g`)].join('\t')}\n`;
        yield `${Object.values(product).join('\t')}${'\t'.repeat(empty)}\n`;
      }
    })(),
    true,
  );
  return file;
}

/** A user's own CSV: 2,000,000 foods, or a share of them. */
export async function ownTable(share: number): Promise<string> {
  const count = Math.round(FOODS * share);
  mkdirSync(FOLDER, { recursive: true });
  const file = `${FOLDER}/own-${count}.csv`;
  const random = seeded(28);
  const grams = (most: number): string => (random(most * 100) / 100).toFixed(2);
  await write(
    file,
    (function* () {
      yield 'Food,Calories (kcal),Protein (g),Carbs (g),Saturated fat (g),Mono fat (g),Poly fat (g)\n';
      for (let i = 0; i < count; i++) {
        const [protein, carbs, ...fat] = [30, 50, 10, 10, 10].map(grams).map(Number);
        const kcal = Math.round(
          4 * ((protein ?? 0) + (carbs ?? 0)) + 9 * fat.reduce((sum, each) => sum + each, 0),
        );
        yield `"${nameOf(random)}, ${i}",${[kcal, protein, carbs, ...fat].join(',')}\n`;
      }
    })(),
  );
  return file;
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
