/**
 * `food-lookup import`: sources of all kinds in, one index out, in a file or a database, which the service opens at once.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MemoryCatalog } from '../catalogs/memory.ts';
import { shown, UserError } from '../errors.ts';
import type { FoodRecord } from '../food.ts';
import { ImportReport } from '../readers/report.ts';
import { openSources } from '../readers/sources.ts';
import { type BuildPhase, IndexBuilder } from '../search/index-builder.ts';
import { openTarget } from './import-target.ts';
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
  try {
    const builder = new IndexBuilder();
    const options = { ...readOptions, readIndex, progress: display.update.bind(display) };
    for await (const food of openSources(sources, options, report)) builder.add(food);
    if (reportFile !== undefined) await writeReport(reportFile, report);
    if (strict && report.anyDropped) {
      process.stderr.write(`${report.lines().join('\n')}\n`);
      throw new UserError(
        '--strict: rows were dropped or figures left out, as the report above says. Nothing was written.',
      );
    }
    const foods = builder.size;
    const index = builder.finish((phase) => display.phase(PHASES[phase]));
    const label = {
      ...report.label,
      name: name ?? report.label.name,
      leftOut: leftOutOf(report),
      notes: report.notes,
    };
    const size = await target.write(index, label, display);
    process.stdout.write(
      `${report.lines().join('\n')}\n` +
        `${target.name}: ${foods.toLocaleString('en')} foods, ${(size / 1e6).toFixed(1)} MB, in ${duration(Date.now() - started)}\n` +
        `To serve it: FOOD_DATA=${target.foodData} food-lookup serve\n`,
    );
  } finally {
    display.stop();
    await target.close();
  }
}

const NO_DESCRIPTION = 'no description';

function leftOutOf(report: ImportReport): number {
  const tallies = report.sources.flatMap(({ dropped }) => dropped.entries());
  return tallies.reduce((sum, [reason, { count }]) => (reason === NO_DESCRIPTION ? sum + count : sum), 0);
}

async function* readIndex(file: string): AsyncGenerator<FoodRecord> {
  yield* (await MemoryCatalog.fromIndexFile(file)).records();
}

async function writeReport(file: string, report: ImportReport): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw new UserError(
      `--report ${shown(file)}: the file cannot be written (${(error as Error).message}). Name another one.`,
    );
  }
}
