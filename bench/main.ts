/**
 * npm run bench                          everything, at 2,000,000 foods (about 20 minutes)
 * npm run bench -- engine --foods 8790   one part (engine, long-foods, http, service, swap, postgres), at another size
 * npm run bench -- report                the newest record as docs/benchmarks.md, with its charts
 *
 * Results go to bench/record/DATE-COMMIT.json; a part that is measured again replaces that of the same commit.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureEngine, measureLongFoods } from './engine.ts';
import { measureHttp } from './http.ts';
import { measurePostgres } from './postgres.ts';
import { newestRecord, type Record, writeReport } from './report.ts';
import { measureSwaps } from './swap.ts';
import { memoryOf } from './tools/measure.ts';
import { measureImport, startService, stop } from './tools/process.ts';
import { descriptionsOf, SR28, writeCsv } from './tools/workload.ts';

const PORT = 4700;
const REAL_FOODS = 8790;

const { values, positionals } = parseArgs({
  options: { foods: { type: 'string', default: '2000000' } },
  allowPositionals: true,
});
const foods = Number(values.foods);
const parts =
  positionals.length > 0
    ? positionals
    : ['engine', 'long-foods', 'service', 'http', 'swap', 'postgres', 'report'];
for (const part of parts) {
  if (part === 'report') writeReport(newestRecord());
  else if (part === 'engine') save({ engine: await engine() });
  else if (part === 'long-foods') save({ longFoods: measureLongFoods() });
  else if (part === 'service') save({ service: await service() });
  else if (part === 'http') save({ http: await measureHttp() });
  else if (part === 'swap') save({ swap: await swap() });
  else if (part === 'postgres') save({ postgres: await postgres() });
  else
    throw new Error(
      `There is no part ${part}; there are engine, long-foods, service, http, swap, postgres and report.`,
    );
}

async function engine(): Promise<NonNullable<Record['engine']>> {
  const figures = [];
  for (const size of new Set([REAL_FOODS, foods])) {
    const { index, descriptions } = await indexOf(size);
    figures.push({ foods: size, peers: await measureEngine(index, descriptions, size === foods) });
  }
  return figures;
}

/** Import, start and memory; the memory of a service without foods is taken off. */
async function service(): Promise<NonNullable<Record['service']>> {
  const { csv, index, descriptions } = await indexOf(foods);
  const imported = await measureImport(csv, index);
  const empty = 'build/bench-data/empty.csv';
  await writeCsv(empty, []);
  const withoutFoods = await rest(empty);
  const withFoods = await rest(index);
  const starter = await startService('data/starter-foods.csv', PORT);
  await stop(starter);
  return {
    foods,
    characters: descriptions.reduce((sum, description) => sum + description.length, 0) / foods,
    importSeconds: imported.seconds,
    importPeak: imported.peak,
    openSeconds: withFoods.seconds,
    bytesPerFood: (withFoods.memory - withoutFoods.memory) / foods,
    startSeconds: starter.seconds,
  };
}

async function swap(): Promise<NonNullable<Record['swap']>> {
  const { csv, index, descriptions } = await indexOf(foods);
  // A copy by another name is another data set.
  const copy = `build/bench-data/${foods}-copy.csv`;
  copyFileSync(csv, copy);
  const other = `build/bench-data/${foods}-copy.idx`;
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
  mkdirSync('build/bench-data', { recursive: true });
  const descriptions = await descriptionsOf(size);
  const csv = size === REAL_FOODS ? SR28 : `build/bench-data/${size}.csv`;
  if (size !== REAL_FOODS) await writeCsv(csv, descriptions);
  const index = `build/bench-data/${size}.idx`;
  await measureImport(csv, index);
  return { csv, index, descriptions };
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
