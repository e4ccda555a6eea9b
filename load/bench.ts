/**
 * npm run bench                          everything, with 2,000,000 foods (about 25 minutes)
 * npm run bench -- engine --foods 8790   one part (engine, words, worst-words, service, http, swap, postgres, scale), another size
 * npm run bench -- http --against ../old  prints answers a second relative to another built checkout, and records nothing
 * npm run bench -- report                writes docs/benchmarks.md, and the figures in other documents, from the newest record
 *
 * `--foods` is the size of the generated data set; `engine` also measures two real ones.
 * Results go to load/record/DATE-COMMIT.json; a part measured again replaces its earlier result of the same commit.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { serve } from '../test/support/command.ts';
import { writeClaims } from './bench/claims.ts';
import { measureEngine } from './bench/engine.ts';
import { compareWith, measureHttp } from './bench/http.ts';
import { buildTrigrams } from './bench/peers.ts';
import { measurePostgres } from './bench/postgres.ts';
import { newestRecord, RECORDS, type Record, reportOf } from './bench/report.ts';
import { measureScale } from './bench/scale.ts';
import { writeScale } from './bench/scale-report.ts';
import { measureSwaps } from './bench/swap.ts';
import { measureWords } from './bench/words.ts';
import { measureWorstWords } from './bench/worst-words.ts';
import { FOLDER, imported, indexOf, REAL_FOODS } from './tools/data-sets.ts';
import { memoryOf } from './tools/measure.ts';
import { PRODUCTS, productDescriptions, SHARED, writeCsv } from './tools/workload.ts';

/** What each part adds to the record. */
const PARTS: { readonly [part: string]: () => Promise<Partial<Record>> } = {
  engine: async () => ({ engine: await engine() }),
  words: async () => ({ words: await measureWords(await indexOf(foods)) }),
  'worst-words': async () => ({ worstWords: await worstWords() }),
  service: async () => ({ service: await service() }),
  http: async () => ({ http: await measureHttp() }),
  swap: async () => ({ swap: await swap() }),
  postgres: async () => ({ postgres: await measurePostgres(await indexOf(foods)) }),
  scale: async () => ({ scale: await measureScale() }),
};

const { values, positionals } = parseArgs({
  options: { foods: { type: 'string', default: '2000000' }, against: { type: 'string' } },
  allowPositionals: true,
});
const foods = Number(values.foods);
mkdirSync(FOLDER, { recursive: true });
for (const part of positionals.length > 0 ? positionals : [...Object.keys(PARTS), 'report']) {
  const measure = PARTS[part];
  if (part === 'report') report();
  else if (measure === undefined)
    throw new Error(`There is no part ${part}; there are ${Object.keys(PARTS).join(', ')} and report.`);
  else if (!existsSync(SHARED))
    process.stderr.write(`skipped ${part}: the folder ${SHARED} with the real data is missing.\n`);
  else if (values.against !== undefined && part === 'http') await compareWith(values.against);
  else save(await measure());
}
// A record of everything replaces the older ones.
if (positionals.length === 0)
  for (const file of readdirSync(RECORDS).map((name) => `${RECORDS}/${name}`))
    if (file !== newestRecord().file) rmSync(file);

function report(): void {
  const record = newestRecord();
  writeFileSync('docs/benchmarks.md', reportOf(record));
  writeClaims(record);
  writeScale(record);
}

async function engine(): Promise<NonNullable<Record['engine']>> {
  const figures = [];
  for (const size of new Set([REAL_FOODS, foods])) {
    const set = await indexOf(size);
    const corpus = size === REAL_FOODS ? 'The foods of SR28' : 'Descriptions made of parts of those of SR28';
    const peers = await measureEngine(set, size === foods);
    figures.push({ corpus, foods: size, importSeconds: set.seconds, peers });
  }
  const products = {
    ...(await imported(PRODUCTS, 'products')),
    csv: PRODUCTS,
    descriptions: await productDescriptions(),
  };
  const corpus = 'Real products of Open Food Facts, June 2019 (Open Database License 1.0)';
  const peers = await measureEngine(products, true);
  figures.push({ corpus, foods: products.descriptions.length, importSeconds: products.seconds, peers });
  return figures;
}

async function worstWords(): Promise<NonNullable<Record['worstWords']>> {
  const real = await indexOf(REAL_FOODS);
  const products = await imported(PRODUCTS, 'products');
  const generated = await indexOf(foods);
  return [
    await measureWorstWords(real.index, 'SR28'),
    await measureWorstWords(products.index, 'Open Food Facts'),
    await measureWorstWords(generated.index, 'generated'),
  ];
}

/** Import, start and memory, less the memory of a service with one food. */
async function service(): Promise<NonNullable<Record['service']>> {
  const { index, descriptions, seconds, peak } = await indexOf(foods);
  const single = `${FOLDER}/1.csv`;
  await writeCsv(single, ['egg']);
  const withoutFoods = await rest(single);
  const withFoods = await rest(index);
  const starter = await rest('data/starter-foods.csv');
  return {
    foods,
    characters: descriptions.reduce((sum, description) => sum + description.length, 0) / foods,
    importSeconds: seconds,
    importPeak: peak,
    trigramSeconds: buildTrigrams(descriptions).seconds,
    openSeconds: withFoods.seconds,
    bytesPerFood: (withFoods.memory - withoutFoods.memory) / foods,
    startSeconds: starter.seconds,
  };
}

async function swap(): Promise<NonNullable<Record['swap']>> {
  const { csv, index, descriptions } = await indexOf(foods);
  // A copy under another name is another data set.
  const copy = csv.replace('.csv', '-copy.csv');
  copyFileSync(csv, copy);
  const other = await imported(copy, `${foods}-copy`);
  return measureSwaps([index, other.index], descriptions);
}

/** The time until the first answer, and the memory after it. */
async function rest(foodData: string): Promise<{ seconds: number; memory: number }> {
  const started = performance.now();
  const service = await serve([], { FOOD_DATA: foodData });
  await fetch(`${service.url}/api/food?q=egg`);
  const seconds = (performance.now() - started) / 1000;
  const memory = memoryOf(service.pid, 'VmRSS');
  await service.stop();
  return { seconds, memory };
}

function save(part: Partial<Record>): void {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--short', 'HEAD');
  const date = new Date().toISOString();
  // Of the day on which its first part was measured.
  const begun = readdirSync(RECORDS).find((name) => name.endsWith(`-${commit}.json`));
  const file = `${RECORDS}/${begun ?? `${date.slice(0, 10)}-${commit}.json`}`;
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record) : {};
  const cpu = `${cpus()[0]?.model.trim()}, ${cpus().length} cores`;
  const record: Record = { ...known, date, commit, node: process.version, cpu, ...part };
  writeFileSync(file, printed(record));
  process.stdout.write(`${JSON.stringify(part, null, 2)}\n${file}\n`);
}

/** The record as JSON, with a line for each row of a part. */
function printed(record: Record): string {
  const parts = Object.entries(record).map(([part, figures]: [string, unknown]) => {
    const rows = Array.isArray(figures) ? figures.map((row) => `    ${JSON.stringify(row)}`) : undefined;
    return `  "${part}": ${rows ? `[\n${rows.join(',\n')}\n  ]` : JSON.stringify(figures)}`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}
