/**
 * Recognizes how a text separates cells and lines: in the way in which its header makes sense.
 */
import type { Bytes } from '../bytes/streams.ts';
import { MAX_CELLS, type Row } from '../tables/row.ts';
import { type Dialect, RowSplitter } from '../tables/row-splitter.ts';
import { type ColumnOptions, countFields, isFigure } from './candidates.ts';
import { type Mark, usualMark } from './cells.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/** Rows among which the header may be. */
const ROWS = 20;

/** Bytes that are enough for a header and the rows above it. */
const DIALECT_BYTES = 64 * 1024;

/** `sep=;` in the first line, a convention of Excel. */
const STATED = /^(?:\xef\xbb\xbf)?"?sep=([^"\r\n])"?[\r\n]/i;

/** How a text is to be read. */
interface TextDialect extends Dialect {
  /** The decimal mark, if the first rows show it. */
  readonly mark: Mark | undefined;
}

export function dialectOf(head: Buffer, options: ColumnOptions): TextDialect {
  const stated = STATED.exec(head.toString('latin1', 0, 16))?.[1];
  const [best] = (stated === undefined ? SEPARATORS : [stated])
    .map((separator) => readHead(head.subarray(0, DIALECT_BYTES), { separator, quotes: true }, options))
    .toSorted((a, b) => b.fields - a.fields || b.width - a.width);
  if (best === undefined) throw new TypeError('there is always a separator to try');
  const ofFigures = best.header.map(isFigure);
  const figures = best.rows.flatMap((cells) => cells.filter((_, i) => ofFigures[i]));
  return { ...best.dialect, mark: usualMark(figures) };
}

/** What the first rows are if they are in this dialect. */
function readHead(head: Buffer, dialect: Dialect, options: ColumnOptions) {
  const rows: string[][] = [];
  const splitter = new RowSplitter(dialect, '', (row) => rows.push(textsOf(row)));
  splitter.push(head);
  // The last row of a long text may be cut.
  if (rows.length < ROWS) splitter.end();
  const counts = rows.slice(0, ROWS).map((cells) => countFields(cells, options));
  const fields = Math.max(0, ...counts);
  const header = fields === 0 ? [] : (rows[counts.indexOf(fields)] ?? []);
  return { dialect, rows, fields, width: rows[0]?.length ?? 0, header };
}

const textsOf = (row: Row): string[] =>
  Array.from({ length: Math.min(row.count, MAX_CELLS) }, (_, cell) => row.text(cell));

/** Swaps CR and LF, so that lines that end with only CR end with LF, which the splitter knows. */
export async function* withLines(source: Bytes): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield exchangeLineBreaks(chunk);
}

export function exchangeLineBreaks(text: Buffer): Buffer {
  return Buffer.from(text.map((byte) => (byte === CR ? LF : byte === LF ? CR : byte)));
}

const LF = 10;
const CR = 13;

/** Whether the first line ends with only CR; line breaks in quoted cells do not count. */
export function endsWithCr(head: Buffer): boolean {
  const text = head.toString('latin1');
  const [, end] = /^(?:[^"\r\n]|"[^"]*")*(\r?\n|\r)/.exec(text) ?? [];
  return end === '\r';
}
