/**
 * How fast sources are read, without an index: a branded download of FoodData Central and a CSV export of Open
 * Food Facts, generated from a seed in the size of the real ones (or a part of it), read once each.
 *
 *   npm run bench:import                 both, in full size: 3 GB on the disk
 *   npm run bench:import -- branded 0.1  one of them, at a tenth
 *   npm run bench:import -- csv-parse 0.1  the general parser over the nutrient table, to compare
 *
 * The files stay in tmp/bench/ and are used again.
 */
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { basename } from 'node:path';
import { createGzip } from 'node:zlib';
import { parse } from 'csv-parse';
import yazl from 'yazl';
import { ImportReport } from '../src/readers/report.ts';
import { openSources } from '../src/readers/sources.ts';

const FOLDER = 'tmp/bench';
const FOODS = 2_000_000;
const NUTRIENTS_EACH = 13;
const PRODUCTS = 3_500_000;
const PRODUCT_COLUMNS = 200;

/** Seeded random numbers (xorshift). */
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

async function branded(scale: number): Promise<string> {
  const foods = Math.round(FOODS * scale);
  const folder = `${FOLDER}/FoodData_Central_branded_food_csv_2026-04-30-${foods}`;
  mkdirSync(folder, { recursive: true });
  const random = seeded(28);
  const quote = (cells: readonly (string | number)[]) => `"${cells.join('","')}"\r\n`;
  const id = (i: number) => 344_604 + i;
  const ids = [1003, 1004, 1005, 1008, 1258, 1257, 2000, 1079, 1087, 1089, 1093, 1253, 1292];
  await write(
    `${folder}/food.csv`,
    (function* () {
      yield quote(['fdc_id', 'data_type', 'description', 'food_category_id', 'publication_date']);
      for (let i = 0; i < foods; i++) {
        yield quote([id(i), 'branded_food', nameOf(random).toUpperCase(), 'Snacks', '2019-04-01']);
      }
    })(),
  );
  await write(
    `${folder}/branded_food.csv`,
    (function* () {
      yield 'fdc_id,brand_owner,brand_name,gtin_upc,ingredients,serving_size,data_source,modified_date,available_date,discontinued_date\r\n';
      for (let i = 0; i < foods; i++) {
        const ingredients = Array.from({ length: 20 }, () => WORDS[random(WORDS.length)]).join(', ');
        // A fifth are further versions of a product.
        const gtin = String(random(5) === 0 ? random(i + 1) : i).padStart(14, '0');
        yield quote([
          id(i),
          `Owner ${random(30_000)}`,
          '',
          gtin,
          ingredients,
          30,
          'LI',
          '2019-04-01',
          '2019-04-01',
          '',
        ]);
      }
    })(),
  );
  await write(
    `${folder}/food_nutrient.csv`,
    (function* () {
      yield quote([
        'id',
        'fdc_id',
        'nutrient_id',
        'amount',
        'data_points',
        'derivation_id',
        'min',
        'max',
        'median',
        'loq',
        'footnote',
        'min_year_acquired',
        'percent_daily_value',
      ]);
      for (let i = 0; i < foods; i++) {
        for (let n = 0; n < NUTRIENTS_EACH; n++) {
          const amount = n === 3 ? random(600) : (random(3000) / 100).toFixed(2);
          yield quote([
            13_706_913 + i * NUTRIENTS_EACH + n,
            id(i),
            ids[n] ?? 0,
            amount,
            '',
            70,
            '',
            '',
            '',
            '',
            '',
            '',
            '',
          ]);
        }
      }
    })(),
  );
  await write(
    `${folder}/nutrient.csv`,
    (function* () {
      yield quote(['id', 'name', 'unit_name', 'nutrient_nbr', 'rank']);
      const rows: [number, string, string, number][] = [
        [1003, 'Protein', 'G', 203],
        [1004, 'Total lipid (fat)', 'G', 204],
        [1005, 'Carbohydrate, by difference', 'G', 205],
        [1008, 'Energy', 'KCAL', 208],
        [1258, 'Fatty acids, total saturated', 'G', 606],
        [1292, 'Fatty acids, total monounsaturated', 'G', 645],
      ];
      for (const [number, ...row] of rows) yield quote([number, ...row, 1]);
    })(),
  );
  return folder;
}

async function products(scale: number): Promise<string> {
  const count = Math.round(PRODUCTS * scale);
  mkdirSync(FOLDER, { recursive: true });
  const file = `${FOLDER}/products-${count}.csv.gz`;
  const random = seeded(28);
  const named = [
    'energy-kj_100g',
    'energy-kcal_100g',
    'energy_100g',
    'fat_100g',
    'saturated-fat_100g',
    'carbohydrates_100g',
    'sugars_100g',
    'fiber_100g',
    'proteins_100g',
    'salt_100g',
    'sodium_100g',
  ];
  const texts = [
    'code',
    'url',
    'creator',
    'created_t',
    'product_name',
    'brands',
    'categories',
    'countries_tags',
    'ingredients_text',
    'image_url',
    'image_small_url',
  ];
  const empty = Array.from(
    { length: PRODUCT_COLUMNS - named.length - texts.length },
    (_, i) => `nutrient${i}_100g`,
  );
  await write(
    file,
    (function* () {
      yield `${[...texts, ...named, ...empty].join('\t')}\n`;
      const tail = '\t'.repeat(empty.length);
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
        const text = [
          code,
          url,
          'kiliweb',
          1_529_059_080 + i,
          nameOf(random),
          `Brand ${random(50_000)}`,
          'Snacks, Sweet snacks',
          'en:france',
          ingredients,
          image,
          image,
        ];
        const figures = [
          kilojoules,
          kcal,
          kilojoules,
          fat,
          fat / 2,
          carbohydrate,
          carbohydrate / 3,
          '',
          protein,
          0.5,
          0.2,
        ];
        yield `${[...text, ...figures].join('\t')}${tail}\n`;
      }
    })(),
    true,
  );
  return file;
}

/** The folder as the zip that is downloaded. */
async function zipped(folder: string): Promise<string> {
  const file = `${folder}.zip`;
  if (existsSync(file)) return file;
  const zip = new yazl.ZipFile();
  for (const name of readdirSync(folder)) zip.addFile(`${folder}/${name}`, `${basename(folder)}/${name}`);
  zip.end();
  await once(zip.outputStream.pipe(createWriteStream(`${file}.part`)), 'close');
  renameSync(`${file}.part`, file);
  return file;
}

/** The bytes inside a gzip file of less than 4 GiB, as its last four bytes say; otherwise those of the file. */
function unpackedSize(file: string): number {
  const size = statSync(file).size;
  if (!file.endsWith('.gz')) return size;
  const last = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, last, 0, 4, size - 4);
  closeSync(descriptor);
  return last.readUInt32LE();
}

async function measure(source: string): Promise<void> {
  const report = new ImportReport();
  const started = performance.now();
  let foods = 0;
  for await (const _ of openSources([source], {}, report)) foods++;
  const seconds = (performance.now() - started) / 1000;
  const rows = report.sources[0]?.rows ?? 0;
  console.log(report.lines().join('\n'));
  console.log(
    `  ${foods} foods in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} rows/s, ` +
      `${(unpackedSize(source) / seconds / 1e6).toFixed(0)} MB/s ${source.endsWith('.gz') ? 'unpacked' : 'as stored'}, peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`,
  );
}

async function general(file: string): Promise<void> {
  const started = performance.now();
  let rows = 0;
  for await (const _ of createReadStream(file).pipe(parse())) rows++;
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `csv-parse: ${rows} rows in ${seconds.toFixed(1)} s, ${(statSync(file).size / seconds / 1e6).toFixed(0)} MB/s`,
  );
}

const [which = 'both', scaleText = '1'] = process.argv.slice(2);
const scale = Number(scaleText);
if (which === 'branded' || which === 'both') await measure(await zipped(await branded(scale)));
if (which === 'off' || which === 'both') await measure(await products(scale));
if (which === 'csv-parse') await general(`${await branded(scale)}/food_nutrient.csv`);
