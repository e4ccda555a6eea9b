/**
 * A row of a table as positions in the bytes of the file: only the cells that are used are decoded.
 */
import { isUtf8 } from 'node:buffer';
import { billionthsOf, canonicalDecimal, decimalOfExponent } from '../../foods/decimal.ts';

/** Cells of a row whose positions are kept, as many as a spreadsheet has columns; further ones are only counted. */
export const MAX_CELLS = 16_384;

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** The current row; valid until the next one. */
export class Row {
  bytes: Buffer = Buffer.alloc(0);
  /** The line on which it begins, counted from 1. */
  line = 0;
  /** The number of cells. */
  count = 0;
  /** A quote never closes (`open`), or text follows a closed one (`inside`). */
  broken: 'open' | 'inside' | undefined;
  readonly starts = new Int32Array(MAX_CELLS);
  readonly ends = new Int32Array(MAX_CELLS);
  /** Cells with doubled quotes. */
  readonly doubled = new Uint8Array(MAX_CELLS);

  /** Without a position, a cell would be the whole chunk of bytes: 20,000 of them took gigabytes. */
  #has(cell: number): boolean {
    return cell >= 0 && cell < this.count && cell < MAX_CELLS;
  }

  /** The text of a cell; a column that the table lacks (-1) is empty. Invalid UTF-8 becomes U+FFFD. */
  text(cell: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
    if (!this.#has(cell)) return '';
    const text = this.bytes.toString(encoding, this.starts[cell], this.ends[cell]);
    return this.doubled[cell] === 1 ? text.replaceAll('""', '"') : text;
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
