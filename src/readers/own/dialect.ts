/**
 * Recognises how a text separates cells and lines: as it makes sense of the header.
 */
import { MAX_CELLS, type Row } from '../tables/row.ts';
import { type Dialect, RowSplitter } from '../tables/row-splitter.ts';
import { type ColumnOptions, countFields, isFigure } from './candidates.ts';
import { type Mark, usualMark } from './cells.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/** Rows in which the header is looked for. */
const ROWS = 20;

/** Bytes that are enough for a header and what may stand above it. */
export const DIALECT_BYTES = 64 * 1024;

/** `sep=;` in the first line, which Excel reads. */
const STATED = /^(?:\xef\xbb\xbf)?"?sep=([^"\r\n])"?[\r\n]/i;

/** How a text is to be read. */
export interface TextDialect extends Dialect {
  /** Whether lines end with CR alone, as old programs of the Macintosh wrote them. */
  readonly cr: boolean;
  /** The mark of decimals, where the first rows show it. */
  readonly mark: Mark | undefined;
}

export function dialectOf(head: Buffer, options: ColumnOptions): TextDialect {
  const cr = endsWithCr(head);
  const lines = cr ? exchangeLineBreaks(head) : head;
  const stated = STATED.exec(head.toString('latin1', 0, 16))?.[1];
  const [best] = (stated === undefined ? SEPARATORS : [stated])
    .map((separator) => readHead(lines, { separator, quotes: true }, options))
    .toSorted((a, b) => b.fields - a.fields || b.width - a.width);
  if (best === undefined) throw new TypeError('there is always a separator to try');
  return { ...best.dialect, cr, mark: usualMark(best.figures) };
}

/** What the first rows are if they are in this dialect. */
function readHead(head: Buffer, dialect: Dialect, options: ColumnOptions) {
  const rows: string[][] = [];
  const splitter = new RowSplitter(dialect, '', (row) => rows.push(textsOf(row)));
  splitter.push(head);
  if (rows.length < ROWS) splitter.end();
  const counts = rows.slice(0, ROWS).map((cells) => countFields(cells, options));
  const fields = Math.max(0, ...counts);
  const header = fields === 0 ? [] : (rows[counts.indexOf(fields)] ?? []);
  const ofFigures = header.map(isFigure);
  const figures = rows.flatMap((cells) => cells.filter((_, i) => ofFigures[i]));
  return { dialect, fields, width: rows[0]?.length ?? 0, figures };
}

const textsOf = (row: Row): string[] =>
  Array.from({ length: Math.min(row.count, MAX_CELLS) }, (_, cell) => row.text(cell));

/** The text with LF for CR and CR for LF: where lines end with CR alone, they then end with LF, which the splitter knows. */
export function exchangeLineBreaks(text: Buffer): Buffer {
  return Buffer.from(text.map((byte) => (byte === CR ? LF : byte === LF ? CR : byte)));
}

const LF = 10;
const CR = 13;

/** Whether the first line ends with CR alone; those of quoted cells do not count. */
function endsWithCr(head: Buffer): boolean {
  const text = head.toString('latin1');
  const [, end] = /^(?:[^"\r\n]|"[^"]*")*(\r?\n|\r)/.exec(text) ?? [];
  return end === '\r';
}
