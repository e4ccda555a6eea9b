/**
 * The flags of an import, and what the import refuses to do.
 */
import { availableParallelism } from 'node:os';
import { readIndex } from '../catalogs/index/memory.ts';
import { isSameFile } from '../catalogs/index/replaceable-file.ts';
import { shown, UserError, WrongUse } from '../errors.ts';
import type { ReadOptions } from '../readers/open-sources.ts';
import { columnOptions } from '../readers/own-options.ts';
import type { ImportReport } from '../readers/report/report.ts';
import { print } from './print.ts';

/** The flags that say what to read. */
export interface ReadFlags {
  readonly table?: string;
  readonly column?: readonly string[];
  readonly per?: string;
  readonly perColumn?: string;
  readonly encoding?: string;
  readonly source?: string;
  readonly licence?: string;
  readonly url?: string;
  readonly sha256?: string;
  readonly fatFromAcids?: boolean;
  readonly forceFigures?: boolean;
  readonly cacheFolder?: string;
}

export interface ImportFlags extends ReadFlags {
  readonly to: string;
  readonly name?: string;
  readonly report?: string;
  readonly strict?: boolean;
  readonly threads?: string;
}

/** A dry run needs no target. */
export type DryRunFlags = Omit<ImportFlags, 'to'> & {
  readonly to?: string | undefined;
  readonly dryRun?: boolean;
};

/** How the sources are read. @throws UserError if a flag cannot be used */
export function readOptionsOf(flags: ReadFlags): ReadOptions {
  return { ...flags, ...columnOptions(flags.column ?? [], flags.per), readIndex };
}

/** More threads than this take memory and gain nothing. */
const MOST_THREADS = 32;

/** The threads of an import: as many as there are cores, unless the flag says otherwise. @throws WrongUse */
export function threadsOf({ threads }: Pick<ImportFlags, 'threads'>): number {
  if (threads === undefined) return Math.min(availableParallelism(), MOST_THREADS);
  if (/^\d+$/.test(threads) && Number(threads) >= 1 && Number(threads) <= MOST_THREADS)
    return Number(threads);
  throw new WrongUse(`--threads ${shown(threads)}: expected a whole number from 1 to ${MOST_THREADS}.`);
}

/** @throws UserError if a file would be both read and written, or written twice */
export async function refuseSameFiles(
  sources: readonly string[],
  { to, report }: ImportFlags,
): Promise<void> {
  for (const source of sources.filter((name) => name !== '-')) {
    for (const [flag, path] of [
      ['--to', to],
      ['--report', report],
    ] as const) {
      if (path !== undefined && (await isSameFile(source, path)))
        throw new UserError(`${flag} ${shown(path)} is also a source. Name another file.`);
    }
  }
  if (report !== undefined && (await isSameFile(report, to)))
    throw new UserError(`--report ${shown(report)} is also the target of --to. Name another file.`);
}

type ImportChecks = Pick<ImportFlags, 'strict' | 'source' | 'licence'>;

/** Why nothing is written: a source has no food, a flag has no use, or, with `strict`, something was dropped. */
export function lossOf(report: ImportReport, flags: ImportChecks): string | undefined {
  const empty = report.sources.find(({ kept, duplicates }) => kept + duplicates.total === 0);
  if (empty !== undefined)
    return `Source ${shown(empty.name)}: it has no food. Check that it is complete, or leave it out.`;
  const unused = (['source', 'licence'] as const).find(
    (part) => flags[part] !== undefined && report.sources.every(({ label }) => label?.[part] !== flags[part]),
  );
  if (unused !== undefined)
    return `--${unused} ${shown(flags[unused] ?? '')}: it is for your own foods, and every source here has a ${unused} already. Leave it out.`;
  return flags.strict === true && report.anyDropped
    ? '--strict: rows were dropped or figures left empty, as the report above says.'
    : undefined;
}

/** @throws UserError if nothing is to be written, after printing the report */
export function refuseLoss(report: ImportReport, flags: ImportChecks): void {
  const loss = lossOf(report, flags);
  if (loss === undefined) return;
  print(report.lines(), process.stderr);
  throw new UserError(`${loss} Nothing was written.`);
}
