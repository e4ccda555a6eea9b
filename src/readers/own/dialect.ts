/**
 * Recognises how a text separates cells and lines: as it makes sense of the header.
 */
import type { Row } from '../tables/row.ts';
import { type Dialect, RowSplitter } from '../tables/row-splitter.ts';
import { type ColumnOptions, countFields } from './candidates.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/** Rows in which the header is looked for. */
const ROWS = 20;

/** Bytes that are enough for a header and what may stand above it. */
export const DIALECT_BYTES = 64 * 1024;

/** `sep=;` in the first line, which Excel reads. */
const STATED = /^\ufeff?"?sep=([^"\r\n])"?\s*?[\r\n]/i;

export function dialectOf(head: Buffer, options: ColumnOptions): Dialect {
  const cr = endsWithCr(head);
  const stated = STATED.exec(head.toString('latin1', 0, 16))?.[1];
  if (stated !== undefined) return { separator: stated, quotes: true, cr };
  const [best] = SEPARATORS.map((separator) => {
    const dialect = { separator, quotes: true, cr };
    const rows = rowsOf(head, dialect);
    const fields = Math.max(0, ...rows.map((cells) => countFields(cells, options)));
    return { dialect, fields, width: rows[0]?.length ?? 0 };
  }).toSorted((a, b) => b.fields - a.fields || b.width - a.width);
  return best?.dialect ?? { separator: ',', quotes: true, cr };
}

function rowsOf(head: Buffer, dialect: Dialect): string[][] {
  const rows: string[][] = [];
  const splitter = new RowSplitter(dialect, '', (row) => {
    if (rows.length < ROWS) rows.push(textsOf(row));
  });
  splitter.push(head);
  if (rows.length < ROWS) splitter.end();
  return rows;
}

export const textsOf = (row: Row): string[] => Array.from({ length: row.count }, (_, cell) => row.text(cell));

/** Whether the first line ends with CR alone; those of quoted cells do not count. */
function endsWithCr(head: Buffer): boolean {
  const text = head.toString('latin1');
  const [, end] = /^(?:[^"\r\n]|"[^"]*")*(\r?\n|\r)/.exec(text) ?? [];
  return end === '\r';
}
