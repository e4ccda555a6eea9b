/**
 * npm run bench                          everything, with 2,000,000 foods (about 20 minutes)
 * npm run bench -- engine --foods 8790   one part (engine, words, worst-words, long-foods, service, http, threads, swap, postgres), another size
 * npm run bench -- report                writes docs/benchmarks.md and its charts from the newest record
 *
 * `--foods` is the size of the generated data set; `engine` also measures two real ones.
 * Results go to bench/record/DATE-COMMIT.json; a part measured again replaces its earlier result of the same commit.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureEngine, measureLongFoods } from './engine.ts';
import { measureHttp } from './http.ts';
import { buildTrigrams } from './peers.ts';
import { measurePostgres } from './postgres.ts';
import { newestRecord, type Record, writeReport } from './report.ts';
import { measureSwaps } from './swap.ts';
import { measureThreads } from './threads.ts';
import { memoryOf } from './tools/measure.ts';
import { measureImport, startService, stop } from './tools/process.ts';
import { descriptionsOf, PRODUCTS, productDescriptions, SHARED, SR28, writeCsv } from './tools/workload.ts';
import { measureWords } from './words.ts';
import { measureWorstWords } from './worst-words.ts';

const PORT = 4700;
const FOLDER = 'build/bench-data';
const REAL_FOODS = 8790;

/** What each part adds to the record. All but `long-foods` need the real data. */
const PARTS: { readonly [part: string]: () => Partial<Record> | Promise<Partial<Record>> } = {
  engine: async () => ({ engine: await engine() }),
  words: async () => ({ words: await words() }),
  'worst-words': async () => ({ worstWords: await worstWords() }),
  'long-foods': () => ({ longFoods: measureLongFoods() }),
  service: async () => ({ service: await service() }),
  http: async () => ({ http: await measureHttp() }),
  threads: async () => ({ threads: await threads() }),
  swap: async () => ({ swap: await swap() }),
  postgres: async () => ({ postgres: await postgres() }),
};

const { values, positionals } = parseArgs({
  options: { foods: { type: 'string', default: '2000000' } },
  allowPositionals: true,
});
const foods = Number(values.foods);
mkdirSync(FOLDER, { recursive: true });
for (const part of positionals.length > 0 ? positionals : [...Object.keys(PARTS), 'report']) {
  const measure = PARTS[part];
  if (part === 'report') writeReport(newestRecord());
  else if (measure === undefined)
    throw new Error(`There is no part ${part}; there are ${Object.keys(PARTS).join(', ')} and report.`);
  else if (part !== 'long-foods' && !existsSync(SHARED))
    process.stderr.write(`skipped ${part}: the folder ${SHARED} with the real data is missing.\n`);
  else save(await measure());
}

async function engine(): Promise<NonNullable<Record['engine']>> {
  const figures = [];
  for (const size of new Set([REAL_FOODS, foods])) {
    const { index, descriptions, seconds } = await indexOf(size);
    const corpus = size === REAL_FOODS ? 'The foods of SR28' : 'Descriptions made of parts of those of SR28';
    const peers = await measureEngine(index, descriptions, size === foods);
    figures.push({ corpus, foods: size, importSeconds: seconds, peers });
  }
  const { index, seconds } = await imported(PRODUCTS, 'products');
  const descriptions = await productDescriptions();
  const corpus = 'Real products of Open Food Facts, June 2019 (Open Database License 1.0)';
  const peers = await measureEngine(index, descriptions, true);
  figures.push({ corpus, foods: descriptions.length, importSeconds: seconds, peers });
  return figures;
}

async function words(): Promise<NonNullable<Record['words']>> {
  const { index, descriptions } = await indexOf(foods);
  return measureWords(index, descriptions);
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
  const starter = await startService('data/starter-foods.csv', PORT);
  await stop(starter);
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

async function threads(): Promise<NonNullable<Record['threads']>> {
  const { index, descriptions } = await indexOf(foods);
  return measureThreads(index, descriptions);
}

async function swap(): Promise<NonNullable<Record['swap']>> {
  const { csv, index, descriptions } = await indexOf(foods);
  // A copy under another name is another data set.
  const copy = `${FOLDER}/${foods}-copy.csv`;
  copyFileSync(csv, copy);
  const other = `${FOLDER}/${foods}-copy.idx`;
  await measureImport(copy, other);
  return measureSwaps([index, other], descriptions);
}

async function postgres(): Promise<NonNullable<Record['postgres']>> {
  const { csv, index, descriptions } = await indexOf(foods);
  return measurePostgres(csv, index, descriptions);
}

async function rest(foodData: string): Promise<{ seconds: number; memory: number }> {
  const served = await startService(foodData, PORT);
  const memory = memoryOf(served.child.pid ?? 0, 'VmRSS');
  await stop(served);
  return { seconds: served.seconds, memory };
}

async function indexOf(size: number) {
  const descriptions = await descriptionsOf(size);
  const csv = size === REAL_FOODS ? SR28 : `${FOLDER}/${size}.csv`;
  if (size !== REAL_FOODS) await writeCsv(csv, descriptions);
  return { csv, descriptions, ...(await imported(csv, String(size))) };
}

async function imported(source: string, name: string) {
  const index = `${FOLDER}/${name}.idx`;
  return { index, ...(await measureImport(source, index)) };
}

function save(part: Partial<Record>): void {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--short', 'HEAD');
  const date = new Date().toISOString();
  const file = `bench/record/${date.slice(0, 10)}-${commit}.json`;
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record) : {};
  const cpu = `${cpus()[0]?.model.trim()}, ${cpus().length} cores`;
  const record: Record = { ...known, date, commit, node: process.version, cpu, ...part };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(part, null, 2)}\n${file}\n`);
}
