/**
 * Reads foods from a CSV file: RFC 4180, UTF-8 with or without byte order mark, LF or CRLF. The header line
 * names at least the seven columns, in any order, and perhaps the popularity; other columns are ignored.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { shown, UserError } from '../../errors.ts';
import { FOOD_COLUMNS, type FoodRecord } from '../../food.ts';
import { unreadable } from '../bytes/data-file.ts';
import { COLUMNS, type Column, foodOf } from './record.ts';

/** A row and the line on which it begins, counted from 1. */
interface Row {
  readonly cells: string[];
  readonly line: number;
}

/** Bytes of a row, at most, so that an unclosed quote cannot fill the memory. */
const MAX_ROW_LENGTH = 1024 * 1024;

/** The position of each column; -1 where the file lacks it. */
type Columns = Readonly<Record<Column, number>>;

/**
 * The foods of the file, row by row, including those without a description.
 * @throws UserError that names the file, the line and the column.
 */
export function readCsv(file: string): AsyncGenerator<FoodRecord> {
  return readCsvBytes(createReadStream(file), file);
}

/**
 * The same for bytes from anywhere; errors call them `file`. With a tab as the separator, too, cells may be in quotes,
 * as spreadsheets write them.
 * @throws UserError that names the file, the line and the column.
 */
export async function* readCsvBytes(
  bytes: AsyncIterable<Buffer>,
  file: string,
  separator: ',' | '\t' = ',',
): AsyncGenerator<FoodRecord> {
  let nextLine = 1;
  let columns: Columns | undefined;
  let width = 0;
  const parser = parse({
    bom: true,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record: (cells: string[], { lines }) => {
      const row: Row = { cells, line: nextLine };
      nextLine = lines + 1;
      if (columns === undefined) {
        // Here, and not below, where a fault in a later row could come first.
        columns = findColumns(cells, file);
        width = cells.length;
        return null;
      }
      return row as unknown as string[]; // The types of csv-parse know other rows only together with `columns`.
    },
  });
  // The parser is destroyed with the error of an earlier step, so reading it below meets every error.
  pipeline(
    bytes,
    (source: AsyncIterable<Buffer>) => checkUtf8(source, file),
    parser,
    () => {},
  );
  try {
    for await (const { cells, line } of parser as AsyncIterable<Row>) {
      if (isBlankLine(cells)) continue;
      if (cells.length !== width) throw wrongWidth(file, line, cells.length, width);
      yield foodOf(
        (column) => cells[columns?.[column] ?? -1],
        () => `Data file ${shown(file)}, line ${line}`,
      );
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(file, nextLine, error) : unreadable(file, error);
  }
  if (columns === undefined) {
    throw new UserError(
      `Data file ${shown(file)} is empty. The first line names the columns: ${FOOD_COLUMNS.join(',')}.`,
    );
  }
}

const isBlankLine = (cells: readonly string[]) => cells.length === 1 && cells[0] === '';

function wrongWidth(file: string, line: number, found: number, expected: number): UserError {
  return new UserError(
    `Data file ${shown(file)}, line ${line}: ${found} cells where the header names ${expected}. ` +
      'Quote cells that contain commas, quotes or line breaks.',
  );
}

function findColumns(header: readonly string[], file: string): Columns {
  const names = header.map((name) => name.trim());
  const at = `Data file ${shown(file)}, line 1`;
  const missing = FOOD_COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    const hint = names.length === 1 && /[;\t]/.test(names[0] ?? '') ? ' Separate the cells by commas.' : '';
    throw new UserError(
      `${at}: the header lacks ${missing.join(', ')}; it names ${shown(names.join(','))}.${hint || ' Add what is missing; cells may be empty.'}`,
    );
  }
  const twice = COLUMNS.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined)
    throw new UserError(`${at}: the header names ${twice} twice. Rename one of the two.`);
  return Object.fromEntries(COLUMNS.map((column) => [column, names.indexOf(column)])) as Columns;
}

function malformed(file: string, line: number, error: CsvError): UserError {
  const at = `Data file ${shown(file)}, line ${line}`;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new UserError(
        `${at}: a quote opens here and never closes. Close it, or double quotes inside a cell.`,
      );
    case 'CSV_MAX_RECORD_SIZE':
      return new UserError(
        `${at}: the row is longer than 1 MiB. Is a quote left open, or is this not a CSV file?`,
      );
    default:
      return new UserError(
        `${at}: a quote stands inside a cell. Quote the whole cell and double the quotes inside it.`,
      );
  }
}

/** Passes the bytes on unchanged, and throws at the first that is not UTF-8. */
async function* checkUtf8(source: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let lines = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.subarray(0, wholeCharacters(bytes));
    if (!isUtf8(whole)) throw notUtf8(file, lines + lineOfFault(whole));
    for (let at = whole.indexOf(10); at >= 0; at = whole.indexOf(10, at + 1)) lines++;
    rest = Buffer.from(bytes.subarray(whole.length));
    yield whole;
  }
  if (rest.length > 0) throw notUtf8(file, lines + 1);
}

function notUtf8(file: string, line: number): UserError {
  return new UserError(
    `Data file ${shown(file)}, line ${line}: the text is not UTF-8. Save the file as CSV in UTF-8.`,
  );
}

/** The length without a character that is cut by the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The line, counted from 1, of the first byte that is not UTF-8. */
function lineOfFault(bytes: Buffer): number {
  let line = 1;
  let start = 0;
  for (
    let end = bytes.indexOf(10);
    end >= 0 && isUtf8(bytes.subarray(start, end));
    end = bytes.indexOf(10, start)
  ) {
    line++;
    start = end + 1;
  }
  return line;
}
