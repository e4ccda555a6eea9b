/**
 * The archive of a FoodData Central download, as its readers share it.
 */
import type { Archive } from '../bytes/archive.ts';
import type { SourceReport } from '../report/source-report.ts';
import type { FigureOptions } from '../rules/figures.ts';
import { COMMAS } from '../tables/row-splitter.ts';
import { scanTable, type TableReader } from '../tables/table.ts';

export interface UsdaSource {
  readonly archive: Archive;
  readonly report: SourceReport;
  /** With today as YYYY-MM-DD: a product to be discontinued later is kept. */
  readonly options: FigureOptions & { readonly today: string };
}

/** Reads a table whose rows only have side effects. */
export function scanEntry(
  { archive, report }: UsdaSource,
  table: string,
  reader: TableReader,
): Promise<void> {
  report.phase(table);
  return scanTable(archive.read(table), COMMAS, `${archive.where}, ${table}`, reader);
}
