/**
 * Measures how fast full-size public downloads are imported: first only read, in this process, then imported by the command,
 * which reports its phases.
 *
 *   npm run bench:import                   both sources in full size (3 GB on disk)
 *   npm run bench:import -- branded 0.1    one of them (branded, off), a tenth of its size
 */
import { openSources } from '../src/readers/read-foods.ts';
import { ImportReport } from '../src/readers/report/report.ts';
import { branded, products, zipped } from './bench/import-corpus.ts';
import { measureImport } from './tools/process.ts';

const INDEX = 'tmp/bench/imported.idx';

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
  for await (const batch of openSources([source], {}, report)) foods += batch.length;
  const seconds = (performance.now() - started) / 1000;
  const rows = report.sources[0]?.rows ?? 0;
  console.log(
    `${source}, read alone: ${foods} foods in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} rows/s, ` +
      `peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`,
  );
}

const [which = 'both', shareText = '1'] = process.argv.slice(2);
const share = Number(shareText);
if (which === 'branded' || which === 'both') await measure(await zipped(await branded(share)));
if (which === 'off' || which === 'both') await measure(await products(share));
