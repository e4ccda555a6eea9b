/** `food-lookup import`: reads sources of all kinds and writes one index, to a file or a database, which the service opens. */
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import {
  amount,
  commandName,
  counted,
  hasScheme,
  quoted,
  serveDatabase,
  shown,
  UserError,
  WrongUse,
} from '#core';
import { type FileLabel, IndexBuilder, type IndexSink, inMemory } from '#engine';
import {
  checkStore,
  isPostgresUrl,
  type LoadPhase,
  loadStore,
  type PostgresUrl,
  shownPostgresUrl,
} from '#postgres';
import { columnOptions, ImportReport, openSources, type ReadOptions } from '#tables';
import { BuildThreads } from '../catalogs/build-threads.ts';
import { writeWhileMade } from '../catalogs/index-file.ts';
import { indexAsSource } from '../catalogs/memory.ts';
import { isSameFile, replaceablePlace } from '../catalogs/replaceable-file.ts';
import { numberOfFlag } from '../settings/settings.ts';
import { readEverydayFoods, readPostgresUrl, requireLanguage } from './open-catalog.ts';
import { print, printJson } from './print.ts';
import { duration, ProgressDisplay } from './progress.ts';

export interface ImportFlags extends Omit<ReadOptions, 'columns' | 'readIndex'> {
  /** A dry run needs no target. */
  readonly to?: string | undefined;
  readonly dryRun?: boolean;
  readonly column: readonly string[];
  readonly name?: string;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly threads?: string;
}

/** @throws UserError for anything that the user can fix; the target stays unchanged */
export async function importFoods(sources: readonly string[], to: string, flags: ImportFlags): Promise<void> {
  const started = Date.now();
  // Thousands of rows wait until it is known what their columns mean. From these, V8 would learn to allocate all later foods
  // where only full collections free them, and they would keep what they refer to alive until then.
  setFlagsFromString('--no-allocation-site-pretenuring');
  await refuseSameFiles(sources, to);
  const reading = readOptionsOf(flags);
  const threads = threadsOf(flags);
  const target = await openTarget(to);
  const display = new ProgressDisplay();
  const report = new ImportReport((progress) => display.update(progress));
  const builder = new IndexBuilder({
    everydayFoods: await readEverydayFoods(),
    startPool: () => new BuildThreads(threads),
  });
  try {
    for await (const batch of openSources(sources, reading, report)) {
      for (const food of batch) {
        const isRead = builder.add(food);
        if (isRead !== undefined) await isRead;
      }
    }
    const loss = lossOf(report, flags);
    if (loss !== undefined) {
      if (!flags.json) print(report.lines(), process.stderr);
      throw new UserError(`${loss} Nothing was written.`);
    }
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
    throw lackOfMemory(error, builder.size) ?? error;
  } finally {
    display.stop();
    await builder.close();
    // Even if the import fails: the counts may show why. Before the first row there are none.
    if (flags.json && report.sources.some(({ rows }) => rows > 0)) printJson(report);
  }
}

/** Instead of what Node.js says of an array, of the copy for a thread, or of a thread. Where this one has no room, Node.js ends it. */
function lackOfMemory(error: unknown, foods: number): UserError | undefined {
  if (!(error instanceof Error && /allocation failed|out of memory/i.test(error.message))) return undefined;
  return new UserError(
    `The system gives this import no more memory: ${amount(foods)} foods were read, and a million takes about 0.5 GB. Leave foods out, or import where there is more. Nothing was written.`,
  );
}

/** How the sources are read. @throws UserError if a flag cannot be used */
export function readOptionsOf(flags: ImportFlags): ReadOptions {
  if (flags.language !== undefined) requireLanguage(flags.language);
  return { ...flags, ...columnOptions(flags.column, flags.per), readIndex: indexAsSource };
}

/** More threads than this take memory and gain nothing. */
const MOST_THREADS = 32;

/** The threads of an import: as many as there are cores, unless the flag says otherwise. @throws WrongUse */
const threadsOf = ({ threads }: ImportFlags): number =>
  threads === undefined
    ? Math.min(availableParallelism(), MOST_THREADS)
    : numberOfFlag('--threads', threads, 1, MOST_THREADS, '2');

async function refuseSameFiles(sources: readonly string[], to: string): Promise<void> {
  for (const source of sources) {
    if (source !== '-' && (await isSameFile(source, to)))
      throw new UserError(`--to ${shown(to)} is also a source. Name another file.`);
  }
}

/** Why nothing is written: a source has no food, a flag has no use, or, with `strict`, something was dropped. */
export function lossOf(report: ImportReport, flags: ImportFlags): string | undefined {
  const empty = report.sources.find(({ kept, duplicates }) => kept + duplicates.total === 0);
  if (empty !== undefined)
    return `Source ${shown(empty.name)}: it has no food. Check that it is complete, or leave it out.`;
  const unused = (['source', 'licence', 'language'] as const).find(
    (part) => flags[part] !== undefined && report.sources.every(({ label }) => label?.[part] !== flags[part]),
  );
  if (unused !== undefined)
    return `--${unused} ${shown(flags[unused] ?? '')}: it is for your own foods, and every source here has its own. Leave it out.`;
  return flags.strict === true && report.anyDropped
    ? '--strict: rows were dropped or figures left empty, as the report above says.'
    : undefined;
}

/** Makes an index, and passes it on in pieces as they are finished. */
type MakeIndex = (sink: IndexSink) => Promise<void>;

/** An index file, or a database. */
interface ImportTarget {
  /** Without credentials. */
  readonly name: string;
  /** To be copied into a shell. */
  readonly serveCommand: string;
  /** Writes the index in one step, with its phases to the report; returns the bytes that it takes. @param make makes it */
  write(make: MakeIndex, label: FileLabel, report: ImportReport): Promise<number>;
}

const PHASES: Readonly<Record<LoadPhase, string>> = {
  foods: 'sending the foods',
  patterns: 'sending the texts that find them',
  words: 'sending their words',
  portions: 'sending their portions',
  names: 'sending their other names',
  nutrients: 'sending their nutrients',
  codes: 'sending their codes',
  indexes: 'making the indexes',
  checks: 'comparing answers',
  'removing the old data set': 'switched; removing the old data set',
};

async function openTarget(to: string): Promise<ImportTarget> {
  if (isPostgresUrl(to)) return databaseTarget(readPostgresUrl('--to', to));
  if (to === '-')
    throw new WrongUse('--to -: an index is not written to standard output. Name a file, such as foods.idx.');
  if (!hasScheme(to)) return fileTarget(to);
  throw new WrongUse(
    `--to ${shown(to)}: expected the path of an index file, or postgres://user:password@host/database.`,
  );
}

async function fileTarget(to: string): Promise<ImportTarget> {
  // Writing checks the file again: an import may take an hour.
  await replaceablePlace(to, `--to ${shown(to)}`);
  return {
    name: to,
    serveCommand: `${commandName()} serve --food-data ${quoted(to)}`,
    write: async (make, label, report) => {
      const { size, isDurable } = await writeWhileMade(to, label, async (sink) => {
        await make(sink);
        report.phase('writing the file');
      });
      if (!isDurable) {
        process.stderr.write(
          `Index file ${shown(to)}: it is in place, but its folder cannot be synced here: a power failure in the next minute may undo the change.\n`,
        );
      }
      return size;
    },
  };
}

async function databaseTarget(url: PostgresUrl): Promise<ImportTarget> {
  // Reading the sources may take an hour, so what would refuse them is checked before.
  await checkStore(url);
  const name = shownPostgresUrl(url);
  return {
    name,
    serveCommand: serveDatabase(name.replace('//', '//USER:PASSWORD@')),
    write: async (make, label, report) => {
      const index = await inMemory(make);
      const languages = Object.keys(index.languages);
      if (languages.length > 0)
        process.stderr.write(
          `PostgreSQL keeps names in the language of the descriptions: those in ${languages.join(', ')} are left out. An index file keeps all.\n`,
        );
      return loadStore(url, index, label, (phase, rows, share) => {
        report.phase(PHASES[phase]);
        if (rows > 0) report.progress(name, share, rows);
      });
    },
  };
}
