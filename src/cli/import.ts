/**
 * `food-lookup import`: reads sources of all kinds and writes one index, to a file or a database, which the service opens.
 */
import { availableParallelism } from 'node:os';
import { poolStarter } from '../catalogs/index/build-threads.ts';
import { isSameFile } from '../catalogs/index/replaceable-file.ts';
import { openSources } from '../readers/read-foods.ts';
import { ImportReport } from '../readers/report/report.ts';
import { IndexBuilder } from '../search/index-builder.ts';
import { shown, UserError, WrongUse } from '../system/errors.ts';
import { print, printJson } from '../system/process.ts';
import { counted } from '../text/printable.ts';
import { type ImportFlags, lossOf, readOptionsOf } from './import-checks.ts';
import { openTarget } from './import-target.ts';
import { MemoryGuard } from './memory-guard.ts';
import { readEverydayFoods } from './open-catalog.ts';
import { duration, ProgressDisplay } from './progress.ts';

/** @throws UserError for anything that the user can fix; the target stays unchanged */
export async function importFoods(sources: readonly string[], to: string, flags: ImportFlags): Promise<void> {
  const started = Date.now();
  await refuseSameFiles(sources, to);
  const reading = readOptionsOf(flags);
  const threads = threadsOf(flags);
  const target = await openTarget(to);
  const display = new ProgressDisplay();
  const memory = new MemoryGuard();
  const report = new ImportReport((progress) => {
    memory.update(progress);
    display.update(progress);
  });
  const startPool = poolStarter(threads, await readEverydayFoods(), memory.signal);
  const builder = new IndexBuilder({ startPool });
  try {
    const options = { ...reading, signal: memory.signal };
    for await (const batch of openSources(sources, options, report)) {
      for (const food of batch) {
        const isRead = builder.add(food);
        if (isRead !== undefined) await isRead;
        const pause = memory.added();
        if (pause !== undefined) await pause;
      }
    }
    refuseLoss(report, flags);
    const { label, leftOut, notes } = report;
    const size = await target.write(
      (sink) => builder.finishInto(sink, (phase) => report.phase(phase)),
      { ...label, name: flags.name ?? label.name, leftOut, notes },
      report,
    );
    report.phase('');
    if (flags.json) return;
    print([
      ...report.lines(),
      `${target.name}: ${counted(builder.size, 'food')}, ${(size / 1e6).toFixed(1)} MB, in ${duration(Date.now() - started)}`,
      `To serve it: ${target.serveCommand}`,
    ]);
  } catch (error) {
    throw memory.explain(error);
  } finally {
    memory.stop();
    display.stop();
    await builder.close();
    await target.close();
    // Even if the import fails: the counts may show why. Before the first row there are none.
    if (flags.json && report.sources.some(({ rows }) => rows > 0)) printJson(report);
  }
}

/** More threads than this take memory and gain nothing. */
const MOST_THREADS = 32;

/** The threads of an import: as many as there are cores, unless the flag says otherwise. @throws WrongUse */
function threadsOf({ threads }: ImportFlags): number {
  if (threads === undefined) return Math.min(availableParallelism(), MOST_THREADS);
  if (/^\d+$/.test(threads) && Number(threads) >= 1 && Number(threads) <= MOST_THREADS)
    return Number(threads);
  throw new WrongUse(`--threads ${shown(threads)}: expected a whole number from 1 to ${MOST_THREADS}.`);
}

async function refuseSameFiles(sources: readonly string[], to: string): Promise<void> {
  for (const source of sources) {
    if (source !== '-' && (await isSameFile(source, to)))
      throw new UserError(`--to ${shown(to)} is also a source. Name another file.`);
  }
}

function refuseLoss(report: ImportReport, flags: ImportFlags): void {
  const loss = lossOf(report, flags);
  if (loss === undefined) return;
  if (!flags.json) print(report.lines(), process.stderr);
  throw new UserError(`${loss} Nothing was written.`);
}
