/**
 * Measures how fast full-size public downloads are imported: first only read, in this process, then imported by the command,
 * which reports its phases.
 *
 *   npm run bench:import                   both sources in full size (3 GB on disk)
 *   npm run bench:import -- branded 0.1    one of them (branded, off), a tenth of its size
 *   npm run bench:import -- own            a user's own CSV of 2,000,000 rows, and csv-parse for comparison
 *   npm run bench:import -- csv-parse 0.1  csv-parse on the nutrient table, for comparison
 */
import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { parse } from 'csv-parse';
import { openSources } from '../src/readers/open-sources.ts';
import { ImportReport } from '../src/readers/report/report.ts';
import { branded, ownTable, products, zipped } from './import-corpus.ts';
import { measureImport } from './tools/process.ts';

const INDEX = 'tmp/bench/imported.idx';

/** Bytes of text: of a gzip file (under 4 GiB) from its last four bytes, of a zip from the folder that was packed. */
function unpackedSize(source: string): number {
  if (source.endsWith('.zip')) {
    const folder = source.slice(0, -'.zip'.length);
    return readdirSync(folder).reduce((sum, name) => sum + statSync(`${folder}/${name}`).size, 0);
  }
  if (source.endsWith('.csv')) return statSync(source).size;
  const last = Buffer.alloc(4);
  const descriptor = openSync(source, 'r');
  readSync(descriptor, last, 0, 4, statSync(source).size - 4);
  closeSync(descriptor);
  return last.readUInt32LE();
}

/** Reads the source, then imports it. */
async function measure(source: string): Promise<void> {
  await measureReading(source);
  const { seconds, peak } = await measureImport(source, INDEX, 'inherit');
  console.log(`  imported in ${seconds.toFixed(1)} s, peak RSS ${(peak / 1024 ** 3).toFixed(2)} GiB\n`);
}

async function measureReading(source: string): Promise<void> {
  const report = new ImportReport();
  const started = performance.now();
  let foods = 0;
  for await (const _ of openSources([source], {}, report)) foods++;
  const seconds = (performance.now() - started) / 1000;
  const rows = report.sources[0]?.rows ?? 0;
  console.log(
    `${source}, read alone: ${foods} foods in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} rows/s, ` +
      `${(unpackedSize(source) / seconds / 1e6).toFixed(0)} MB/s of text, peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`,
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

const [which = 'both', shareText = '1'] = process.argv.slice(2);
const share = Number(shareText);
if (which === 'branded' || which === 'both') await measure(await zipped(await branded(share)));
if (which === 'off' || which === 'both') await measure(await products(share));
if (which === 'own') {
  await measure(await ownTable(share));
  await general(await ownTable(share));
}
if (which === 'csv-parse') await general(`${await branded(share)}/food_nutrient.csv`);
