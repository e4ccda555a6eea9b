/**
 * Splits tables of gigabytes into rows without making a text of any cell that nobody asks for: positions in the
 * bytes as they came, and only the wanted cells decoded. Comma separated with quotes (RFC 4180), or separated by
 * tabs without any quoting. A general parser makes a string of every cell, which is most of its time.
 */
import { isUtf8 } from 'node:buffer';
import { billionthsOf, canonicalDecimal, decimalOfNumber } from '../../decimal.ts';
import { UserError } from '../../errors.ts';

export interface Dialect {
  readonly separator: ',' | '\t';
  /** Whether a cell may stand in quotes. */
  readonly quotes: boolean;
}

export const COMMAS: Dialect = { separator: ',', quotes: true };
export const TABS: Dialect = { separator: '\t', quotes: false };

/** Bytes of a row at most: a quote left open, or no line break at all, may not fill the memory. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** Cells of a row whose place is known; further ones are only counted. */
const MAX_CELLS = 1024;

const QUOTE = 34;
const LF = 10;
const CR = 13;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** The row that is being looked at; valid until the next one. */
export class Row {
  bytes: Buffer = Buffer.alloc(0);
  /** The line on which it begins, counted from 1. */
  line = 0;
  /** The number of cells. */
  count = 0;
  /** A quote never closes, or text stands behind a closed one. */
  broken = false;
  readonly starts = new Int32Array(MAX_CELLS);
  readonly ends = new Int32Array(MAX_CELLS);
  /** Cells that hold doubled quotes. */
  readonly doubled = new Uint8Array(MAX_CELLS);

  /** The text of a cell; a column that the table lacks (-1) is empty. Invalid UTF-8 becomes U+FFFD. */
  text(cell: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
    if (cell < 0 || cell >= this.count) return '';
    const text = this.bytes.toString(encoding, this.starts[cell], this.ends[cell]);
    return this.doubled[cell] === 1 ? text.replaceAll('""', '"') : text;
  }

  /** Whether the bytes of the cell are UTF-8. */
  isUtf8(cell: number): boolean {
    return cell < 0 || cell >= this.count || isUtf8(this.bytes.subarray(this.starts[cell], this.ends[cell]));
  }

  isEmpty(cell: number): boolean {
    return cell < 0 || cell >= this.count || this.starts[cell] === this.ends[cell];
  }

  /** A whole number from 0 to 2^31 - 1; -1 for anything else. */
  integer(cell: number): number {
    if (this.isEmpty(cell)) return -1;
    const { bytes } = this;
    const end = this.ends[cell] ?? 0;
    let value = 0;
    for (let at = this.starts[cell] ?? 0; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte < ZERO || byte > NINE) return -1;
      value = value * 10 + byte - ZERO;
      if (value > 0x7fffffff) return -1;
    }
    return value;
  }

  /** A whole number that may have blanks around it, or be written as `1.0`, as programs do; -1 for anything else. */
  id(cell: number): number {
    const id = this.integer(cell);
    if (id >= 0 || this.isEmpty(cell)) return id;
    const plain = canonicalDecimal(this.text(cell).trim()) ?? '';
    return /^\d{1,10}$/.test(plain) && Number(plain) <= 0x7fffffff ? Number(plain) : -1;
  }

  /** A figure in billionths; NaN where the cell is empty, undefined where it is no number. */
  figure(cell: number): number | undefined {
    if (this.isEmpty(cell)) return Number.NaN;
    const { bytes } = this;
    const start = this.starts[cell] ?? 0;
    const end = this.ends[cell] ?? 0;
    let at = start;
    const negative = bytes[at] === MINUS;
    if (negative) at++;
    let digits = 0;
    let value = 0;
    let scale = 1;
    let seenPoint = false;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) {
        value = value * 10 + byte - ZERO;
        digits++;
        if (seenPoint) scale *= 10;
      } else if (byte === POINT && !seenPoint) seenPoint = true;
      else return this.#unusualFigure(cell);
    }
    // Up to 15 digits and nine behind the point every step above and below is exact.
    if (digits === 0 || digits > 15 || scale > 1e9 || value / scale >= 1e6) return this.#unusualFigure(cell);
    value *= 1e9 / scale;
    return negative ? -value : value;
  }

  /** Blanks around it, an exponent, many digits; or no number at all. */
  #unusualFigure(cell: number): number | undefined {
    const text = this.text(cell).trim();
    if (text === '') return Number.NaN;
    const decimal =
      canonicalDecimal(text) ??
      (/^[+-]?\d+(\.\d*)?e[+-]?\d{1,2}$/i.test(text) ? decimalOfNumber(Number(text)) : undefined);
    return decimal === undefined ? undefined : billionthsOf(decimal);
  }
}

/** Takes chunks of bytes and calls back for each row. Blank lines are left out. */
export class RowSplitter {
  readonly #separator: number;
  readonly #quotes: boolean;
  readonly #where: string;
  readonly #onRow: (row: Row) => void;
  readonly #row = new Row();
  #line = 1;
  #started = false;
  /** The beginning of a row whose end has not come yet, in pieces. */
  #pieces: Buffer[] = [];
  #pending = 0;
  #scanned = 0;

  /** @param where the file, for the one error there is: a row without end */
  constructor(dialect: Dialect, where: string, onRow: (row: Row) => void) {
    this.#separator = dialect.separator.charCodeAt(0);
    this.#quotes = dialect.quotes;
    this.#where = where;
    this.#onRow = onRow;
  }

  /** @throws UserError where a row is longer than {@link MAX_ROW_BYTES} */
  push(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#pending += chunk.length;
    // A long row is looked at again only when it has doubled, so that its cost stays linear.
    if (this.#pending < 2 * this.#scanned) return;
    this.#consume(false);
    if (this.#pending > MAX_ROW_BYTES) {
      throw new UserError(
        `${this.#where}, line ${this.#line}: the row is longer than 16 MiB. Is a quote left open, or is the file damaged?`,
      );
    }
  }

  /** The end of the table: what is left is its last row. */
  end(): void {
    this.#consume(true);
  }

  #consume(last: boolean): void {
    const bytes =
      this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const start = this.#started || bytes.length < 3 ? 0 : byteOrderMark(bytes);
    if (bytes.length >= 3) this.#started = true;
    const used = this.#scan(bytes, start, last);
    const rest = bytes.subarray(used);
    // A copy, since a stream may use the memory of its chunk again.
    this.#pieces = rest.length === 0 ? [] : [Buffer.from(rest)];
    this.#pending = rest.length;
    this.#scanned = rest.length;
  }

  /** Calls back for each whole row; the position behind the last one. */
  #scan(bytes: Buffer, from: number, last: boolean): number {
    const row = this.#row;
    const { starts, ends, doubled } = row;
    const separator = this.#separator;
    const length = bytes.length;
    row.bytes = bytes;
    let at = from;
    while (at < length) {
      const begin = at;
      let cell = 0;
      let lines = 1;
      let broken = false;
      for (;;) {
        let start = at;
        let end = at;
        let pairs = 0;
        let byte = at < length ? (bytes[at] as number) : LF;
        if (byte === QUOTE && this.#quotes) {
          start = ++at;
          for (;;) {
            for (; at < length; at++) {
              byte = bytes[at] as number;
              if (byte === QUOTE) break;
              if (byte === LF) lines++;
            }
            if (!last && at + 1 >= length) return begin;
            if (bytes[at + 1] !== QUOTE) break;
            pairs = 1;
            at += 2;
          }
          end = at;
          if (at >= length) broken = true;
          else at++;
          byte = at < length ? (bytes[at] as number) : LF;
          if (byte === CR && (at + 1 >= length || bytes[at + 1] === LF)) {
            if (!last && at + 1 >= length) return begin;
            byte = at + 1 < length ? (bytes[++at] as number) : LF;
          }
          if (byte !== separator && byte !== LF) {
            broken = true;
            for (; at < length; at++) {
              byte = bytes[at] as number;
              if (byte === separator || byte === LF) break;
            }
            if (at >= length) byte = LF;
          }
        } else {
          for (; at < length; at++) {
            byte = bytes[at] as number;
            if (byte === separator || byte === LF) break;
          }
          end = at;
          if (at >= length) byte = LF;
          if (byte === LF && end > start && bytes[end - 1] === CR) end--;
        }
        if (at >= length && !last) return begin;
        if (cell < MAX_CELLS) {
          starts[cell] = start;
          ends[cell] = end;
          doubled[cell] = pairs;
        }
        cell++;
        at++;
        if (byte === LF) break;
      }
      row.line = this.#line;
      row.count = cell;
      row.broken = broken;
      this.#line += lines;
      if (cell > 1 || starts[0] !== ends[0]) this.#onRow(row);
    }
    return length;
  }
}

function byteOrderMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
