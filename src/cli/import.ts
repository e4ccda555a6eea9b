/**
 * `food-lookup import`: sources of all kinds in, one index out, in a file or a database, which the service opens at once.
 */

import { readIndex } from '../catalogs/index/memory.ts';
import { isSameFile } from '../catalogs/index/replaceable-file.ts';
import { shown, UserError } from '../errors.ts';
import { openSources, type Progress } from '../readers/open-sources.ts';
import { ImportReport } from '../readers/report/report.ts';
import { type BuildPhase, IndexBuilder } from '../search/index-builder.ts';
import { reportFileAt, writeReport } from './import-report.ts';
import { openTarget } from './import-target.ts';
import { MemoryGuard } from './memory-guard.ts';
import { print } from './print.ts';
import { duration, ProgressDisplay } from './progress.ts';

export interface ImportFlags {
  readonly to: string;
  readonly name?: string;
  readonly table?: string;
  readonly url?: string;
  readonly sha256?: string;
  readonly completeFat?: boolean;
  readonly cacheFolder?: string;
  readonly report?: string;
  readonly strict?: boolean;
}

const PHASES: Readonly<Record<BuildPhase, string>> = {
  scoring: 'scoring the foods',
  'sorting foods': 'putting the foods in order',
  'sorting suffixes': 'sorting all parts of their descriptions',
  'filling the index': 'filling the index',
};

/** @throws UserError for what the user can mend; what was at the target stays as it was */
export async function importFoods(sources: readonly string[], flags: ImportFlags): Promise<void> {
  const started = Date.now();
  await refuseSameFiles(sources, flags);
  const reportFile = flags.report === undefined ? undefined : await reportFileAt(flags.report);
  const target = await openTarget(flags.to);
  const report = new ImportReport();
  const display = new ProgressDisplay();
  const memory = new MemoryGuard();
  const steps = {
    update: display.update.bind(display),
    phase: (title: string): void => {
      display.phase(title);
      report.phase(title);
    },
  };
  try {
    const progress = (read: Progress): void => {
      memory.update(read);
      display.update(read);
    };
    const options = { ...flags, readIndex, progress, signal: memory.signal };
    const builder = new IndexBuilder();
    for await (const food of openSources(sources, options, report)) {
      builder.add(food);
      const pause = memory.added();
      if (pause !== undefined) await pause;
    }
    refuseLoss(report, flags.strict === true);
    const foods = builder.size;
    const index = builder.finish((name) => steps.phase(PHASES[name]));
    const label = {
      ...report.label,
      name: flags.name ?? report.label.name,
      leftOut: leftOutOf(report),
      notes: report.notes,
    };
    const size = await target.write(index, label, steps);
    report.phase(undefined);
    print([
      ...report.lines(),
      `${target.name}: ${foods.toLocaleString('en')} foods, ${(size / 1e6).toFixed(1)} MB, in ${duration(Date.now() - started)}`,
      `To serve it: FOOD_DATA=${target.foodData} food-lookup serve`,
    ]);
  } catch (error) {
    throw memory.explain(error);
  } finally {
    memory.stop();
    display.stop();
    await target.close();
    // Also where the import fails: what was counted until then may tell why. Before the first row there is nothing to tell.
    if (reportFile !== undefined && report.sources.some(({ rows }) => rows > 0))
      await writeReport(reportFile, report);
  }
}

/** @throws UserError where one file would be read and written, or written twice */
async function refuseSameFiles(sources: readonly string[], { to, report }: ImportFlags): Promise<void> {
  for (const source of sources.filter((name) => name !== '-')) {
    for (const [flag, path] of [
      ['--to', to],
      ['--report', report],
    ] as const) {
      if (path !== undefined && (await isSameFile(source, path)))
        throw new UserError(`${flag} ${shown(path)} is a source itself. Name another file.`);
    }
  }
  if (report !== undefined && (await isSameFile(report, to)))
    throw new UserError(`--report ${shown(report)} is the target of --to as well. Name another file.`);
}

/** @throws UserError where a source holds nothing, or, if `strict`, where anything of it was dropped */
function refuseLoss(report: ImportReport, strict: boolean): void {
  const empty = report.sources.find(({ kept, duplicates }) => kept + duplicates.total === 0);
  const reason =
    empty !== undefined
      ? `Source ${shown(empty.name)}: it holds not a single food. Check that it is whole, or leave it out.`
      : '--strict: rows were dropped or figures left out, as the report above says.';
  if (empty === undefined && !(strict && report.anyDropped)) return;
  print(report.lines(), process.stderr);
  throw new UserError(`${reason} Nothing was written.`);
}

const NO_DESCRIPTION = 'no description';

function leftOutOf(report: ImportReport): number {
  const tallies = report.sources.flatMap(({ dropped }) => dropped.entries());
  return tallies.reduce((sum, [reason, { count }]) => (reason === NO_DESCRIPTION ? sum + count : sum), 0);
}
