/**
 * The flags of an import, and what the import refuses to do.
 */
import { readIndex } from '../catalogs/index/memory.ts';
import { columnOptions, type ReadOptions } from '../readers/read-foods.ts';
import type { ImportReport } from '../readers/report/report.ts';
import { shown } from '../system/errors.ts';

export interface ImportFlags extends Omit<ReadOptions, 'columns' | 'readIndex' | 'signal'> {
  /** A dry run needs no target. */
  readonly to?: string | undefined;
  readonly dryRun?: boolean;
  readonly column: readonly string[];
  readonly name?: string;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly threads?: string;
}

/** How the sources are read. @throws UserError if a flag cannot be used */
export function readOptionsOf(flags: ImportFlags): ReadOptions {
  return { ...flags, ...columnOptions(flags.column, flags.per), readIndex };
}

/** Why nothing is written: a source has no food, a flag has no use, or, with `strict`, something was dropped. */
export function lossOf(report: ImportReport, flags: ImportFlags): string | undefined {
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
