/**
 * `food-lookup import`: reads sources of all kinds and writes one index, to a file or a database, which the service opens.
 */
import { BuildCrew } from '../catalogs/index/build-crew.ts';
import { foodCount } from '../food.ts';
import { openBatches } from '../readers/open-sources.ts';
import { ImportReport } from '../readers/report/report.ts';
import type { BuildPhase } from '../search/build-step.ts';
import { IndexBuilder } from '../search/index-builder.ts';
import type { FileLabel } from '../search/index-format.ts';
import { type ImportFlags, readOptionsOf, refuseLoss, refuseSameFiles, threadsOf } from './import-checks.ts';
import { openTarget } from './import-target.ts';
import { MemoryGuard } from './memory-guard.ts';
import { readEverydayFoods } from './open-catalog.ts';
import { print } from './print.ts';
import { duration, ProgressDisplay } from './progress.ts';
import { reportFileAt, writeReport } from './report-file.ts';

const PHASES: Readonly<Record<BuildPhase, string>> = {
  scoring: 'scoring the foods',
  'sorting foods': 'putting the foods in order',
  'sorting suffixes': 'sorting all parts of their descriptions',
  'filling the index': 'filling the index',
};

/** @throws UserError for anything that the user can fix; the target stays unchanged */
export async function importFoods(sources: readonly string[], flags: ImportFlags): Promise<void> {
  const started = Date.now();
  await refuseSameFiles(sources, flags);
  const reportFile = flags.report === undefined ? undefined : await reportFileAt(flags.report);
  const reading = readOptionsOf(flags);
  const threads = threadsOf(flags);
  const target = await openTarget(flags.to);
  const display = new ProgressDisplay();
  const memory = new MemoryGuard();
  const report = new ImportReport((progress) => {
    memory.update(progress);
    display.update(progress);
  });
  const crew = new BuildCrew(threads, await readEverydayFoods(), memory.signal);
  try {
    const builder = new IndexBuilder({ readers: crew });
    const options = { ...reading, signal: memory.signal };
    for await (const batch of openBatches(sources, options, report)) {
      for (const food of batch) {
        const isRead = builder.add(food);
        if (isRead !== undefined) await isRead;
        const pause = memory.added();
        if (pause !== undefined) await pause;
      }
    }
    refuseLoss(report, flags);
    const size = await target.write(
      (sink) => crew.finish(builder, sink, (phase) => report.phase(PHASES[phase])),
      labelOf(report, flags.name),
      report,
    );
    report.phase(undefined);
    print([
      ...report.lines(),
      `${target.name}: ${foodCount(builder.size)}, ${(size / 1e6).toFixed(1)} MB, in ${duration(Date.now() - started)}`,
      `To serve it: ${target.serveCommand}`,
    ]);
  } catch (error) {
    throw memory.explain(error);
  } finally {
    memory.stop();
    display.stop();
    await crew.close();
    await target.close();
    // Even if the import fails: the counts may show why. Before the first row there are none.
    if (reportFile !== undefined && report.sources.some(({ rows }) => rows > 0))
      await writeReport(reportFile, report);
  }
}

function labelOf({ label, leftOut, notes }: ImportReport, name = label.name): FileLabel {
  return { ...label, name, leftOut, notes };
}
