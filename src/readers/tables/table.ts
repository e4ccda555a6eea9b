/**
 * One table of an archive: its columns by name, its rows by callback.
 */
import { shown, UserError } from '../../errors.ts';
import type { FoodRecord } from '../../food.ts';
import type { Bytes } from '../bytes/streams.ts';
import type { SourceReport } from '../report/report.ts';
import { type Dialect, type Row, RowSplitter } from './rows.ts';

/** The position of each column by its name in lower case. */
export class Header {
  readonly width: number;
  readonly #names: readonly string[];
  readonly #where: string;

  constructor(names: readonly string[], where: string) {
    this.#names = names.map((name) => name.trim().toLowerCase());
    this.width = names.length;
    this.#where = where;
  }

  /** -1 where there is no such column. */
  find(column: string): number {
    return this.#names.indexOf(column);
  }

  /** The same columns under the names that `rename` makes of theirs. */
  renamed(rename: (name: string) => string): Header {
    return new Header(this.#names.map(rename), this.#where);
  }

  /** @throws UserError where there is none */
  need(column: string): number {
    const at = this.find(column);
    if (at >= 0) return at;
    throw new UserError(
      `${this.#where}, line 1: there is no column ${column}; the header names ${shown(this.#names.join(','))}. Is this another format, or a newer one?`,
    );
  }
}

export interface TableReader {
  /** Called once, before any row, with the row that the header is. */
  header(header: Header, row: Row): void;
  row(row: Row): void;
}

/** What is wrong with the shape of a row, or undefined. */
export function faultOf(row: Row, width: number): string | undefined {
  if (row.broken) return 'a quote is not closed, or closed in the middle of a cell';
  return row.count === width
    ? undefined
    : 'the number of cells is not that of the header: shifted or cut off';
}

/** Drops a row whose cells do not stand under their columns, and counts it; true where the row is whole. */
export function isWhole(row: Row, width: number, report: SourceReport, place: () => string): boolean {
  const fault = faultOf(row, width);
  if (fault !== undefined) report.dropped.add(fault, place);
  return fault === undefined;
}

/** Pushes all bytes through the splitter; between two chunks the caller may take away what the rows have made. */
export async function* split(bytes: Bytes, splitter: RowSplitter): AsyncGenerator<void> {
  for await (const chunk of bytes) {
    splitter.push(chunk);
    yield;
  }
  splitter.end();
  yield;
}

/** Reads a table chunk by chunk, as {@link split}. @throws UserError where it is empty */
export async function* readTable(
  bytes: Bytes,
  dialect: Dialect,
  where: string,
  reader: TableReader,
): AsyncGenerator<void> {
  let begun = false;
  yield* split(
    bytes,
    new RowSplitter(dialect, where, (row) => {
      if (begun) return reader.row(row);
      begun = true;
      reader.header(
        new Header(
          Array.from({ length: row.count }, (_, cell) => row.text(cell)),
          where,
        ),
        row,
      );
    }),
  );
  if (!begun) throw new UserError(`${where} is empty. Download or unpack it again.`);
}

/** Reads a table whose rows leave nothing to take away. */
export async function scanTable(
  bytes: Bytes,
  dialect: Dialect,
  where: string,
  reader: TableReader,
): Promise<void> {
  for await (const _ of readTable(bytes, dialect, where, reader));
}

/** What is told of the progress: bytes of the source and rows since the last call. */
export type Advance = (bytes: number, rows: number) => void;

/** Hands on the foods that each step has put into `foods`. */
export async function* inBatches(
  steps: AsyncIterable<void>,
  foods: FoodRecord[],
  report: SourceReport,
  advance: Advance,
): AsyncGenerator<FoodRecord[]> {
  let rows = report.rows;
  for await (const _ of steps) {
    advance(0, report.rows - rows);
    rows = report.rows;
    if (foods.length > 0) yield foods.splice(0);
  }
}
