/**
 * Which cells of an Excel workbook are dates or percentages (ECMA-376, part 1, 18.8.30): a date is stored as the number of its
 * days, and 12.6% as 0.126; only the format of the cell tells them from figures.
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

/** The built-in formats of percentages. */
const BUILT_IN_PERCENT = ['9', '10'];

/** Collects from the part of the styles which of them show dates, or percentages. */
export class Dates implements XmlHandler {
  /** As the attribute `s` of a cell has them. */
  readonly #styles = new Set<string>();
  readonly #percentStyles = new Set<string>();
  readonly #epoch: number;
  readonly #formats = new Set<string>();
  readonly #percentFormats = new Set(BUILT_IN_PERCENT);
  #isInCells = false;
  #count = 0;

  /** @param is1904 whether days count from 1904 */
  constructor(is1904: boolean) {
    this.#epoch = is1904 ? EPOCH_1904 : EPOCH;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { numFmtId = '', formatCode = '' } = attributes;
    if (name === 'numFmt') {
      const format = formatCode.replace(LITERALS, '');
      if (/[dmyhs]/i.test(format)) this.#formats.add(numFmtId);
      if (format.includes('%')) this.#percentFormats.add(numFmtId);
    } else if (name === 'cellXfs') this.#isInCells = true;
    else if (name === 'xf' && this.#isInCells) {
      if (this.#isDate(numFmtId)) this.#styles.add(String(this.#count));
      if (this.#percentFormats.has(numFmtId)) this.#percentStyles.add(String(this.#count));
      this.#count++;
    }
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isInCells = false;
  }

  /** A stored number as a cell of this style shows it. */
  value(style: string, text: string): string | number {
    if (this.#styles.has(style)) return this.#shown(Number(text));
    if (this.#percentStyles.has(style)) return `${rounded(Number(text) * 100)}%`;
    return Number.isFinite(Number(text)) ? rounded(Number(text)) : text;
  }

  /** A number of days as a date, or as a time if it is less than one. */
  #shown(days: number): string {
    const date = new Date(this.#epoch + days * DAY);
    if (Number.isNaN(date.getTime())) return String(days);
    return days < 1 ? date.toISOString().slice(11, 16) : date.toISOString().slice(0, 10);
  }

  #isDate(format: string): boolean {
    const number = Number(format);
    return this.#formats.has(format) || BUILT_IN.some(([from, to]) => number >= from && number <= to);
  }
}

/** Excel shows 15 digits of a binary number, and stores 17: 12.3 may be stored as 12.300000000000001. */
const rounded = (number: number): number => Number(number.toPrecision(15));
