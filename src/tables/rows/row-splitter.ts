/** Splits tables of gigabytes into rows: a general parser makes a string of every cell, which takes most of its time. */
import { isAscii, isUtf8 } from 'node:buffer';
import { billionthsOf, canonicalDecimal, decimalOfExponent, UserError } from '#core';
import { encodingByMark, UTF8 } from '../bytes/encoding.ts';

/** Cells of a row whose positions are kept, as many as a spreadsheet has columns; further ones are only counted. */
export const MAX_CELLS = 16_384;

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** Longest text whose copy keeps nothing of a longer one, from which V8 copies it. */
const SHORT = 12;

/** Valid until the next one. */
export class Row {
  bytes: Buffer = Buffer.alloc(0);
  /** The line on which it begins, counted from 1. */
  line = 0;
  count = 0;
  /** A quote never closes (`open`), or text follows a closed one (`inside`). */
  broken: 'open' | 'inside' | undefined;
  readonly starts = new Int32Array(MAX_CELLS);
  readonly ends = new Int32Array(MAX_CELLS);
  readonly doubled = new Uint8Array(MAX_CELLS);
  /** The bytes of which `#ascii` is the text, if all are ASCII: parts of a text are copied in a fraction of the time. */
  #read: Buffer | undefined;
  #ascii: string | undefined;

  /** Without a position, a cell would be the whole chunk of bytes: 20,000 of them took gigabytes. */
  #has(cell: number): boolean {
    return cell >= 0 && cell < this.count && cell < MAX_CELLS;
  }

  /** The text of a cell; a column that the table lacks (-1) is empty. Invalid UTF-8 becomes U+FFFD. */
  text(cell: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
    if (!this.#has(cell)) return '';
    const start = this.starts[cell] ?? 0;
    const end = this.ends[cell] ?? 0;
    const short = end - start <= SHORT ? this.#asciiText() : undefined;
    const text = short?.slice(start, end) ?? this.bytes.toString(encoding, start, end);
    return this.doubled[cell] === 1 ? text.replaceAll('""', '"') : text;
  }

  #asciiText(): string | undefined {
    if (this.#read !== this.bytes) {
      this.#read = this.bytes;
      this.#ascii = isAscii(this.bytes) ? this.bytes.toString('latin1') : undefined;
    }
    return this.#ascii;
  }

  /** The texts of all cells that are kept. */
  get texts(): string[] {
    return Array.from({ length: Math.min(this.count, MAX_CELLS) }, (_, cell) => this.text(cell));
  }

  isUtf8(cell: number): boolean {
    return !this.#has(cell) || isUtf8(this.bytes.subarray(this.starts[cell], this.ends[cell]));
  }

  isEmpty(cell: number): boolean {
    return !this.#has(cell) || this.starts[cell] === this.ends[cell];
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

  /** A whole number that may have spaces around it, or be written as `1.0`, as programs do; -1 for anything else. */
  id(cell: number): number {
    const id = this.integer(cell);
    if (id >= 0 || this.isEmpty(cell)) return id;
    const plain = canonicalDecimal(this.text(cell).trim()) ?? '';
    return /^\d{1,10}$/.test(plain) && Number(plain) <= 0x7fffffff ? Number(plain) : -1;
  }

  /** A figure in billionths; NaN if the cell is empty, undefined if it is not a number. */
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
    // With up to 15 digits, and nine after the point, every step above and below is exact.
    if (digits === 0 || digits > 15 || scale > 1e9 || value / scale >= 1e6) return this.#unusualFigure(cell);
    value *= 1e9 / scale;
    return negative ? -value : value;
  }

  /** Blanks around it, an exponent, many digits; or no number at all. */
  #unusualFigure(cell: number): number | undefined {
    const text = this.text(cell).trim();
    if (text === '') return Number.NaN;
    const decimal = canonicalDecimal(text) ?? decimalOfExponent(text);
    return decimal === undefined ? undefined : billionthsOf(decimal);
  }
}

export interface Dialect {
  /** One ASCII character. */
  readonly separator: string;
  readonly quotes: boolean;
}

export const COMMAS: Dialect = { separator: ',', quotes: true };
export const TABS: Dialect = { separator: '\t', quotes: false };

/** Bytes of a row, at most: an unclosed quote, or a file without line breaks, must not fill the memory. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;

const QUOTE = 34;
const LF = 10;
const CR = 13;

export class RowSplitter {
  readonly #separator: number;
  readonly #quotes: boolean;
  readonly #where: string;
  readonly #onRow: (row: Row) => void;
  readonly #row = new Row();
  #line = 1;
  #started = false;
  #pieces: Buffer[] = [];
  #pending = 0;
  #scanned = 0;

  constructor(dialect: Dialect, where: string, onRow: (row: Row) => void) {
    this.#separator = dialect.separator.charCodeAt(0);
    this.#quotes = dialect.quotes;
    this.#where = where;
    this.#onRow = onRow;
  }

  push(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#pending += chunk.length;
    // A long row is scanned again only when it has doubled, so that its cost stays linear.
    if (this.#pending < 2 * this.#scanned) return;
    this.#consume(false);
    if (this.#pending > MAX_ROW_BYTES) {
      throw new UserError(
        `${this.#where}, line ${this.#line}: the row is longer than 16 MiB. Is a quote left open, or is the file damaged?`,
      );
    }
  }

  end(): void {
    this.#consume(true);
  }

  #consume(last: boolean): void {
    const bytes =
      this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const start = !this.#started && encodingByMark(bytes) === UTF8 ? 3 : 0;
    if (bytes.length >= 3) this.#started = true;
    const used = this.#scan(bytes, start, last);
    const rest = bytes.subarray(used);
    // A copy, because a stream may reuse the memory of its chunk.
    this.#pieces = rest.length === 0 ? [] : [Buffer.from(rest)];
    this.#pending = rest.length;
    this.#scanned = rest.length;
  }

  /**
   * Calls back for each complete row that is not blank; returns the position after the last one. Longer than a screen: each
   * byte of gigabytes passes here, so the state of a row stays in local variables.
   */
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
      let broken: Row['broken'];
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
          if (at >= length) broken = 'open';
          else at++;
          byte = at < length ? (bytes[at] as number) : LF;
          if (byte === CR && (at + 1 >= length || bytes[at + 1] === LF)) {
            if (!last && at + 1 >= length) return begin;
            byte = at + 1 < length ? (bytes[++at] as number) : LF;
          }
          if (byte !== separator && byte !== LF) {
            broken ??= 'inside';
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
