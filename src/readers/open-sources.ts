/**
 * The foods of everything that `food-lookup import` is given, or of one file that is served without an import, as a stream.
 */
import type { FoodRecord } from '../food.ts';
import { checkNames, type FetchOptions, fetchSource } from './downloads/fetch-source.ts';
import { type FileOptions, openFile } from './open-file.ts';
import type { ImportReport } from './report/report.ts';
import { identityOf, TextSet } from './rules/duplicates.ts';

export type ReadOptions = FetchOptions & FileOptions;

/**
 * The foods of all sources in order. Of equal foods (by the folded description and the figures of an answer) the first
 * stays. `report` is complete when the stream ends, and correct at any time before.
 *
 * A source is `-` (standard input), a name such as `usda:foundation`, an `http:` or `https:` address, a folder or
 * a file.
 * @throws UserError before the first food if a source is missing or of no known kind, later if it is damaged
 */
export async function* openSources(
  names: readonly string[],
  options: ReadOptions,
  report: ImportReport,
): AsyncGenerator<FoodRecord> {
  for await (const batch of openBatches(names, options, report)) yield* batch;
}

/** The same in batches, because awaiting each of millions of foods takes as long as reading some of them. */
export async function* openBatches(
  names: readonly string[],
  options: ReadOptions,
  report: ImportReport,
): AsyncGenerator<FoodRecord[]> {
  checkNames(names, options);
  const sources = names.map((name) => report.source(name));
  const files: string[] = [];
  // Fetches all sources first, so that a missing one is reported before hours are spent.
  for (const source of sources) files.push(await fetchSource(source, options));
  const seen = new TextSet();
  for (const [i, source] of sources.entries()) {
    try {
      const { kind, label, batches } = await openFile(files[i] ?? '', options, source, report.today);
      source.kind = kind;
      source.label = label;
      for await (const batch of batches) {
        options.signal?.throwIfAborted();
        const kept = batch.filter((food) => {
          const isNew = seen.add(...identityOf(food));
          if (!isNew) source.duplicates.add('of an equal food', () => food.description);
          return isNew;
        });
        source.kept += kept.length;
        for (const { portions = [] } of kept) source.portions += portions.length;
        source.pause();
        yield kept;
        source.resume();
      }
    } finally {
      source.phase(undefined);
    }
  }
}
