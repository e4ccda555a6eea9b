/**
 * Splits tables of gigabytes into rows: cells separated by commas or another character, with quotes (RFC 4180) or without. A
 * general parser makes a string of every cell, which takes most of its time.
 */
import { UserError } from '../../system/errors.ts';
import { MAX_CELLS, Row } from './row.ts';

export interface Dialect {
  /** One ASCII character. */
  readonly separator: string;
  /** Whether a cell may be in quotes. */
  readonly quotes: boolean;
}

export const COMMAS: Dialect = { separator: ',', quotes: true };
export const TABS: Dialect = { separator: '\t', quotes: false };

/** Bytes of a row, at most: an unclosed quote, or a file without line breaks, must not fill the memory. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** Takes chunks of bytes and calls back for each row. Skips blank lines. */
export class RowSplitter {
  readonly #separator: number;
  readonly #quotes: boolean;
  readonly #where: string;
  readonly #onRow: (row: Row) => void;
  readonly #row = new Row();
  #line = 1;
  #started = false;
  /** The beginning of a row whose end has not arrived yet, in pieces. */
  #pieces: Buffer[] = [];
  #pending = 0;
  #scanned = 0;

  /** @param where the file, for the error about a row without end */
  constructor(dialect: Dialect, where: string, onRow: (row: Row) => void) {
    this.#separator = dialect.separator.charCodeAt(0);
    this.#quotes = dialect.quotes;
    this.#where = where;
    this.#onRow = onRow;
  }

  /** @throws UserError if a row is longer than {@link MAX_ROW_BYTES} */
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

  /** Ends the table: the remaining bytes are its last row. */
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
    // A copy, because a stream may reuse the memory of its chunk.
    this.#pieces = rest.length === 0 ? [] : [Buffer.from(rest)];
    this.#pending = rest.length;
    this.#scanned = rest.length;
  }

  /**
   * Calls back for each complete row; returns the position after the last one. Longer than a screen, because each byte of
   * gigabytes passes here: the state of a row stays in local variables.
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

function byteOrderMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
