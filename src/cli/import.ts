/**
 * `food-lookup import`: sources of all kinds in, one index out, in a file or a database, which the service opens at once.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readIndex } from '../catalogs/memory.ts';
import { shown, UserError } from '../errors.ts';
import { ImportReport } from '../readers/report.ts';
import { openSources } from '../readers/sources.ts';
import { type BuildPhase, IndexBuilder } from '../search/index-builder.ts';
import { openTarget } from './import-target.ts';
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
  const { to, name, report: reportFile, strict, ...readOptions } = flags;
  if (sources.some((source) => resolve(source) === resolve(to))) {
    throw new UserError(`--to ${shown(to)} is a source itself. Name another file.`);
  }
  const started = Date.now();
  const report = new ImportReport();
  const display = new ProgressDisplay();
  const target = await openTarget(to);
  let reportHandle: FileHandle | undefined;
  const steps = {
    update: display.update.bind(display),
    phase: (title: string): void => {
      display.phase(title);
      report.phase(title);
    },
  };
  try {
    if (reportFile !== undefined) reportHandle = await openReport(reportFile);
    const builder = new IndexBuilder();
    const options = { ...readOptions, readIndex, progress: steps.update };
    for await (const food of openSources(sources, options, report)) builder.add(food);
    if (strict && report.anyDropped) {
      print(report.lines(), process.stderr);
      throw new UserError(
        '--strict: rows were dropped or figures left out, as the report above says. Nothing was written.',
      );
    }
    const foods = builder.size;
    const index = builder.finish((name) => steps.phase(PHASES[name]));
    const label = {
      ...report.label,
      name: name ?? report.label.name,
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
  } finally {
    display.stop();
    await target.close();
    // Also where the import fails: what was counted until then may tell why.
    if (reportFile !== undefined && reportHandle !== undefined)
      await writeReport(reportFile, reportHandle, report);
  }
}

const NO_DESCRIPTION = 'no description';

function leftOutOf(report: ImportReport): number {
  const tallies = report.sources.flatMap(({ dropped }) => dropped.entries());
  return tallies.reduce((sum, [reason, { count }]) => (reason === NO_DESCRIPTION ? sum + count : sum), 0);
}

/** Opened before the import begins: an hour later would be late to say that it cannot be written. */
async function openReport(file: string): Promise<FileHandle> {
  return open(file, 'w').catch((error: Error) => {
    throw reportError(file, error);
  });
}

async function writeReport(file: string, handle: FileHandle, report: ImportReport): Promise<void> {
  try {
    await handle.writeFile(`${JSON.stringify(report, null, 2)}\n`);
    await handle.close();
  } catch (error) {
    throw reportError(file, error as Error);
  }
}

const reportError = (file: string, { message }: Error): UserError =>
  new UserError(`--report ${shown(file)}: the file cannot be written (${message}). Name another one.`);
