/** Foods from a text in UTF-8 whose cells are separated by commas, semicolons, tabs or bars (RFC 4180). */
import { isUtf8 } from 'node:buffer';
import { counted, type FoodRecord } from '#core';
import { notUtf8 } from '../bytes/encoding.ts';
import type { Bytes } from '../bytes/streams.ts';
import { isProduct } from '../public/products.ts';
import { readRows, requireWidth, rowFault } from '../rows/csv-table.ts';
import { type Dialect, type Row, RowSplitter } from '../rows/row-splitter.ts';
import { usualMark } from '../words/numbers.ts';
import { type ColumnOptions, candidateOf, countFields, isFigure, ungrouped } from './candidates.ts';
import { OwnFoods } from './own-foods.ts';
import type { OwnSource, OwnTable } from './row-reader.ts';

export interface OwnText extends OwnSource {
  readonly bytes: Bytes;
  readonly head: Buffer;
}

export async function* readCsv({ head, bytes, ...source }: OwnText): AsyncGenerator<FoodRecord[]> {
  const dialect = dialectOf(head, source.options);
  if (dialect.separator === '\t') source.report.kind = 'TSV';
  const table = {
    ...source,
    // Google Sheets separates by commas in every language, and quotes "36,6".
    commas: dialect.separator !== ',' || dialect.mark === ',',
    mark: dialect.mark,
    isPublic: source.isPublic === true || isProduct(dialect.header),
  };
  const rows = new CsvRows(table, dialect.most);
  for await (const _ of readRows(bytes, dialect, source.where, (row) => rows.take(row)))
    yield rows.foods.take();
  yield rows.end();
}

const QUOTE_FAULTS = {
  open: ['a quote opens here and never closes', 'Close it, or double quotes inside a cell.'],
  inside: ['text follows a closing quote', 'Quote the whole cell and double the quotes inside it.'],
} as const;

/** What a row below the foods begins with, unlike one that is cut off: `* estimated`, `Source: USDA`, `Figures per 100 g`. */
const NOTE = /^[*†‡©(]|:|\.$|^\S+ \S+ \S+/;
const MOST_NOTES = 100;
const FIGURE = /^[+-]?\d+(?:[.,]\d+)?$/;

const END_OF_FILE = '\x1a';

class CsvRows {
  readonly foods: OwnFoods;
  readonly #table: OwnTable;
  /** The cells that a row must have: those of the header up to the last heading, unless the rows have fewer. */
  #least = 0;
  readonly #most: number;
  /** Rows that are notes if no food follows: their lines, and what is wrong with them otherwise. */
  #notes: (readonly [place: string, fault: string, remedy: string])[] = [];
  #row!: Row;
  /** The bytes of the current rows: most are UTF-8 and need no further look. */
  #bytes: Buffer | undefined;
  #isUtf8 = true;
  readonly #cells = {
    width: 0,
    cell: (index: number): string => this.#row.text(index),
    place: (): string => `line ${this.#row.line}`,
  };

  /** @param most cells of the first rows, if the header has more names */
  constructor(table: OwnTable, most = Number.POSITIVE_INFINITY) {
    this.foods = new OwnFoods(table);
    this.#table = table;
    this.#most = most;
  }

  take(row: Row): void {
    this.#row = row;
    const { where, report, isPublic } = this.#table;
    requireWidth(row, where);
    this.#requireUtf8(row);
    this.#cells.width = row.count;
    if (row.count === 1 && isBlank(row.text(0))) return;
    const cut = isPublic && rowFault(row, this.foods.width ?? row.count);
    if (cut) {
      report.rows++;
      report.dropped.add(cut, this.#cells.place);
      return;
    }
    if (row.broken !== undefined) {
      const [fault, remedy] = QUOTE_FAULTS[row.broken];
      this.foods.faults.add(`${this.#cells.place()}: ${fault}`, remedy);
    } else if (this.#fits(row)) {
      this.#refuseNotes();
      this.foods.row(this.#cells);
    }
  }

  /** Whether a row has as many cells as the header; it may lack those without a heading, or end with empty ones. */
  #fits(row: Row): boolean {
    const { width } = this.foods;
    if (row.count === width) return true;
    let filled = row.count;
    while (filled > 0 && row.isEmpty(filled - 1)) filled--;
    // A line of metadata may be no header after all.
    const isHeading = this.foods.columns === undefined && !row.texts.some((text) => FIGURE.test(text.trim()));
    if (width === undefined || (isHeading && filled > width))
      this.#least = Math.max(this.#least, Math.min(filled, this.#most));
    else if (row.count >= this.#least && filled <= width) this.#cells.width = Math.max(row.count, width);
    else {
      this.#addNote(row, width);
      return false;
    }
    return true;
  }

  end(): FoodRecord[] {
    for (const [place] of this.#notes)
      this.#table.report.repaired.add('note below the foods, left out', () => place);
    return this.foods.end();
  }

  /** Takes a row that may be a note, unless it is too long, or has figures. */
  #addNote(row: Row, width: number): void {
    const texts = row.texts.map((text) => text.trim());
    const fault = `${counted(row.count, 'cell')} where the header names ${width}`;
    const remedy =
      row.count < width
        ? 'Give each row a cell for every name, even an empty one.'
        : 'Quote cells that contain separators, quotes or line breaks.';
    this.#notes.push([this.#cells.place(), fault, remedy]);
    const mayBeNote =
      row.count < width && NOTE.test(texts[0] ?? '') && !texts.some((text) => FIGURE.test(text));
    if (!mayBeNote || this.#notes.length > MOST_NOTES) this.#refuseNotes();
  }

  #refuseNotes(): void {
    for (const [place, fault, remedy] of this.#notes) this.foods.faults.add(`${place}: ${fault}`, remedy);
    if (this.#notes.length > 0) this.#notes = [];
  }

  #requireUtf8({ bytes, count, line, starts, ends }: Row): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#isUtf8 = isUtf8(bytes);
    }
    // The end of the bytes may cut a character.
    if (!this.#isUtf8 && !isUtf8(bytes.subarray(starts[0], ends[count - 1])))
      throw notUtf8(bytes.subarray(starts[0]), line, this.#table.where);
  }
}

const isBlank = (line: string): boolean => line.trim() === '' || line === END_OF_FILE;

export const SEPARATORS = [',', ';', '\t', '|'];

const ROWS = 20;

const DIALECT_BYTES = 64 * 1024;

/** `sep=;` in the first line, a convention of Excel. */
const STATED = /^(?:\xef\xbb\xbf)?"?sep=([^"\r\n])"?[\r\n]/i;

function dialectOf(head: Buffer, options: ColumnOptions) {
  const stated = STATED.exec(head.toString('latin1', 0, 16))?.[1];
  const best = (stated === undefined ? SEPARATORS : [stated])
    .map((separator) => readHead(head.subarray(0, DIALECT_BYTES), { separator, quotes: true }, options))
    .reduce((a, b) => ((b.fields - a.fields || b.width - a.width) > 0 ? b : a));
  const ofFigures = ungrouped(best.header).map(isFigure);
  const figures = best.rows.flatMap((cells) => cells.filter((_, i) => ofFigures[i]));
  return { ...best.dialect, header: best.header, mark: usualMark(figures), most: cellsBelow(best) };
}

/** The cells of the rows below a header whose last names have none in any row; undefined if a row is cut off, or perhaps. */
function cellsBelow({ header, rows }: ReturnType<typeof readHead>): number | undefined {
  const below = rows
    .slice(rows.indexOf(header) + 1)
    .filter((cells) => cells.some((text) => FIGURE.test(text.trim())));
  const [most = header.length] = below.map(({ length }) => length);
  const isNeeded = ungrouped(header)
    .slice(most)
    .some((heading) => candidateOf(heading, 0) !== undefined);
  // In `Fat, total (g)` without quotes, a name that is too much stands further left.
  const blanks = header.slice(1).filter((heading) => /^\s+\S/.test(heading)).length;
  const isShifted = blanks > 0 && blanks < header.length - 1;
  return isNeeded || isShifted || below.some(({ length }) => length !== most) ? undefined : most;
}

function readHead(head: Buffer, dialect: Dialect, options: ColumnOptions) {
  const rows: string[][] = [];
  const splitter = new RowSplitter(dialect, '', (row) => rows.push(row.texts));
  splitter.push(head);
  // The last row of a long text may be cut.
  if (rows.length < ROWS) splitter.end();
  const counts = rows.slice(0, ROWS).map((cells) => countFields(cells, options));
  const fields = Math.max(0, ...counts);
  const header = fields === 0 ? [] : (rows[counts.indexOf(fields)] ?? []);
  return { dialect, rows, fields, width: rows[0]?.length ?? 0, header };
}

/** Ends lines with LF, which the splitter knows, instead of only CR. */
export const withLf = (text: Buffer): Buffer => Buffer.from(text.map((byte) => (byte === CR ? LF : byte)));

export async function* linesWithLf(source: Bytes): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield withLf(chunk);
}

const LF = 10;
const CR = 13;

/** Whether the first line ends with only CR; line breaks in quoted cells do not count. */
export function endsWithCr(head: Buffer): boolean {
  return /^(?:[^"\r\n]|"[^"]*")*\r(?!\n)/.test(head.toString('latin1'));
}
