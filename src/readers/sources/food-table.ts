/** What the readers of public tables share: their input, and how its rows become foods. */
import type { FoodRecord } from '../../foods/food.ts';
import type { Bytes } from '../bytes/streams.ts';
import type { SourceReport } from '../report/source-report.ts';
import type { FigureOptions } from '../rules/figures.ts';
import type { Dialect, Row } from '../tables/row-splitter.ts';
import { type Header, readTable } from '../tables/table.ts';

export interface Input {
  readonly bytes: Bytes;
  readonly where: string;
  readonly report: SourceReport;
  readonly options: FigureOptions;
}

interface FoodReader {
  place(row: Row): string;
  /** The food of a row; undefined if the row is dropped or passed over, which is counted. */
  food(row: Row): FoodRecord | undefined;
}

/** The foods of a table, in batches. @throws UserError */
export const readFoods = (
  { bytes, where, report }: Omit<Input, 'options'>,
  dialect: Dialect,
  readerOf: (header: Header) => FoodReader,
): AsyncGenerator<FoodRecord[]> =>
  readTable(bytes, dialect, where, (header) => {
    const reader = readerOf(header);
    return (row, fault) => {
      report.rows++;
      report.place = () => reader.place(row);
      return fault === undefined ? reader.food(row) : void report.dropped.add(fault);
    };
  });
