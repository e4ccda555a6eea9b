/**
 * Which cells of an Excel workbook are dates (ECMA-376, part 1, 18.8.30): a date is stored as the number of its days, and only the
 * format of the cell tells it from a figure.
 */
import type { XmlHandler } from '../bytes/xml.ts';

/** The built-in formats of dates and times, also those of East Asian languages. */
const BUILT_IN: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Parts of a format that are shown as they are, and conditions, colours and currencies. */
const LITERALS = /"[^"]*"|\\.|[_*].|\[[^\]]*\]/g;

/** ms of the day before the first that Excel knows, as it counts 1900-02-29, and of the first that it knew on the Macintosh. */
const EPOCH = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const DAY = 86_400_000;

/** Collects from the part of the styles which of them show dates. */
export class Dates implements XmlHandler {
  /** As the attribute `s` of a cell has them. */
  readonly #styles = new Set<string>();
  readonly #epoch: number;
  readonly #formats = new Set<string>();
  #isInCells = false;
  #count = 0;

  /** @param is1904 whether days count from 1904 */
  constructor(is1904: boolean) {
    this.#epoch = is1904 ? EPOCH_1904 : EPOCH;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { numFmtId = '', formatCode = '' } = attributes;
    if (name === 'numFmt') {
      if (/[dmyhs]/i.test(formatCode.replace(LITERALS, ''))) this.#formats.add(numFmtId);
    } else if (name === 'cellXfs') this.#isInCells = true;
    else if (name === 'xf' && this.#isInCells) {
      if (this.#isDate(numFmtId)) this.#styles.add(String(this.#count));
      this.#count++;
    }
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isInCells = false;
  }

  has(style: string): boolean {
    return this.#styles.has(style);
  }

  /** A number of days as a date, or as a time if it is less than one. */
  shown(days: number): string {
    const date = new Date(this.#epoch + days * DAY);
    if (Number.isNaN(date.getTime())) return String(days);
    return days < 1 ? date.toISOString().slice(11, 16) : date.toISOString().slice(0, 10);
  }

  #isDate(format: string): boolean {
    const number = Number(format);
    return this.#formats.has(format) || BUILT_IN.some(([from, to]) => number >= from && number <= to);
  }
}
