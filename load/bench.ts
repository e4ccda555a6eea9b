/**
 * npm run bench                          everything, with 2,000,000 foods (about 25 minutes)
 * npm run bench -- engine --foods 8790   one part (PARTS below), another size of the generated data set
 * npm run bench -- http --against ../old  prints answers a second relative to another built checkout, and records nothing
 * npm run bench -- report                writes docs/benchmarks.md from the newest record
 *
 * Results go to load/record/DATE-COMMIT.json; a part measured again replaces its earlier result of the same commit.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { USDA_PHRASES } from '../test/relevance/judged-sets.ts';
import { serve } from '../test/support/command.ts';
import { PRODUCTS, SHARED, SR28_CSV } from '../test/support/shared.ts';
import { measureAmounts } from './bench/amounts.ts';
import { measureBundle, measureEngine, measureWords } from './bench/engine.ts';
import { compareWith, measureHttp } from './bench/http.ts';
import { measurePage } from './bench/page.ts';
import { measurePostgres } from './bench/postgres.ts';
import { newestRecord, RECORDS, type Record, reportOf } from './bench/report.ts';
import { measureSwaps } from './bench/swap.ts';
import { requireWrk } from './bench/wrk.ts';
import { FOLDER, imported, indexOf, productIndex } from './tools/data-sets.ts';
import { memoryOf } from './tools/measure.ts';
import { descriptionsIn, writeCsv } from './tools/workload.ts';

/** What each part adds to the record. */
const PARTS: { readonly [Part in keyof Record]?: () => Promise<Record[Part]> } = {
  engine: () => measureEngine(foods),
  words,
  amounts: measureAmounts,
  bundle: measureBundle,
  service: measureService,
  http: measureHttp,
  swap: async () => measureSwaps(await indexOf(foods)),
  postgres: async () => measurePostgres(await indexOf(foods)),
  page: measureKeys,
};

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: { foods: { type: 'string', default: '2000000' }, against: { type: 'string' } },
  allowPositionals: true,
});
const foods = Number(values.foods);
const parts = positionals.length > 0 ? positionals : [...Object.keys(PARTS), 'report'];
// Other parts take minutes until it is needed.
if (parts.includes('http') || parts.includes('swap')) requireWrk();
for (const part of parts) {
  const measure = PARTS[part as keyof Record];
  if (part === 'report') writeFileSync('docs/benchmarks.md', reportOf(newestRecord()));
  else if (measure === undefined)
    throw new Error(`There is no part ${part}; there are ${Object.keys(PARTS).join(', ')} and report.`);
  else if (!existsSync(SHARED))
    process.stderr.write(`skipped ${part}: the folder ${SHARED} with the real data is missing.\n`);
  else if (values.against !== undefined && part === 'http') await compareWith(values.against);
  else save({ [part]: await measure() });
}
// A record of everything replaces the older ones.
if (positionals.length === 0)
  for (const file of readdirSync(RECORDS).map((name) => `${RECORDS}/${name}`))
    if (file !== newestRecord().file) rmSync(file);

/** Import, start and memory, less the memory of a service with one food. */
async function measureService(): Promise<Record['service']> {
  const { index, seconds, peak } = await indexOf(foods);
  const single = `${FOLDER}/1.csv`;
  await writeCsv(single, ['egg']);
  const withoutFoods = await rest(single);
  const withFoods = await rest(index);
  const starter = await rest();
  return {
    foods,
    importSeconds: seconds,
    importPeak: peak,
    openSeconds: withFoods.seconds,
    bytesPerFood: (withFoods.memory - withoutFoods.memory) / foods,
    startSeconds: starter.seconds,
  };
}

/** Of real products, three times as many with the same descriptions, and the generated data set. */
async function words(): Promise<Record['words']> {
  const descriptions = await descriptionsIn(PRODUCTS);
  const products = { ...(await productIndex()), descriptions };
  const csv = `${FOLDER}/products-3.csv`;
  await writeCsv(csv, Array.from({ length: 3 }, () => descriptions).flat());
  const three = { ...(await imported(csv, 'products-3')), descriptions };
  const judged = JSON.parse(readFileSync(USDA_PHRASES.file, 'utf8')) as readonly { readonly q: string }[];
  const phrases = judged.map(({ q }) => q);
  const measured: Record['words'] = [];
  for (const set of [products, three]) measured.push(...(await measureWords(set, phrases)));
  return [...measured, ...(await measureWords(await indexOf(foods)))];
}

async function measureKeys(): Promise<Record['page']> {
  const { index, descriptions } = await indexOf(foods);
  const real = { data: SR28_CSV, descriptions: await descriptionsIn(SR28_CSV) };
  return measurePage([real, { ...real, offlineFoods: 10_000 }, { data: index, descriptions }]);
}

/** The time until the first answer, and the memory after it. */
async function rest(foodData = ''): Promise<{ seconds: number; memory: number }> {
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
