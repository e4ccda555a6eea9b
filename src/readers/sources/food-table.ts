/** What the readers of public tables share: their input, and how its rows become batches of foods. */
import type { FoodRecord } from '../../foods/food.ts';
import type { Archive } from '../bytes/archive.ts';
import type { Bytes } from '../bytes/streams.ts';
import type { SourceReport } from '../report/source-report.ts';
import type { FigureOptions } from '../rules/figures.ts';
import { COMMAS, type Dialect, type Row } from '../tables/row-splitter.ts';
import { type Header, readTable, scanTable, type TableReader } from '../tables/table.ts';

export interface Input {
  readonly bytes: Bytes;
  readonly where: string;
  readonly report: SourceReport;
  readonly options: FigureOptions;
}

/** The archive of a FoodData Central download. */
export interface UsdaSource {
  readonly archive: Archive;
  readonly report: SourceReport;
  /** With today as YYYY-MM-DD: a product to be discontinued later is kept. */
  readonly options: FigureOptions & { readonly today: string };
}

/** Reads a table of the archive whose rows only have side effects. */
export function scanEntry(
  { archive, report }: UsdaSource,
  table: string,
  reader: TableReader,
): Promise<void> {
  report.phase(table);
  return scanTable(archive.read(table), COMMAS, `${archive.where}, ${table}`, reader);
}

interface FoodReader {
  place(row: Row): string;
  /** The food of a row; undefined if the row is dropped or passed over, which is counted. */
  food(row: Row): FoodRecord | undefined;
}

/** The foods of a table, in batches. @throws UserError */
export async function* readFoods(
  { bytes, where, report }: Omit<Input, 'options'>,
  dialect: Dialect,
  readerOf: (header: Header) => FoodReader,
): AsyncGenerator<FoodRecord[]> {
  const foods: FoodRecord[] = [];
  const steps = readTable(bytes, dialect, where, (header) => {
    const reader = readerOf(header);
    return (row, fault) => {
      report.rows++;
      report.place = () => reader.place(row);
      if (fault !== undefined) return report.dropped.add(fault);
      const food = reader.food(row);
      if (food !== undefined) foods.push(food);
    };
  });
  yield* batchesOf(steps, foods);
}

/** The foods that each step has added, which are taken out of the array. */
export async function* batchesOf(
  steps: AsyncIterable<void>,
  foods: FoodRecord[],
): AsyncGenerator<FoodRecord[]> {
  for await (const _ of steps) if (foods.length > 0) yield foods.splice(0);
}
