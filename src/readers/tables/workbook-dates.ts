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

/** Collects, from the part of the styles, the numbers of those that show dates. */
export class DateStyles implements XmlHandler {
  /** As the attribute `s` of a cell has them. */
  readonly styles = new Set<string>();
  readonly #formats = new Set<string>();
  #isInCells = false;
  #count = 0;

  open(name: string, { numFmtId = '', formatCode = '' }: Readonly<Record<string, string>>): void {
    if (name === 'numFmt') {
      if (/[dmyhs]/i.test(formatCode.replace(LITERALS, ''))) this.#formats.add(numFmtId);
    } else if (name === 'cellXfs') this.#isInCells = true;
    else if (name === 'xf' && this.#isInCells) {
      if (this.#isDate(numFmtId)) this.styles.add(String(this.#count));
      this.#count++;
    }
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isInCells = false;
  }

  #isDate(format: string): boolean {
    const number = Number(format);
    return this.#formats.has(format) || BUILT_IN.some(([from, to]) => number >= from && number <= to);
  }
}

/** ms of the day before the first that Excel knows, as it counts 1900-02-29. */
const EPOCH = Date.UTC(1899, 11, 30);
const DAY = 86_400_000;

/** A number of days as a date, or as a time if it is less than one. */
export function shownDate(days: number): string {
  const date = new Date(EPOCH + days * DAY);
  if (Number.isNaN(date.getTime())) return String(days);
  return days < 1 ? date.toISOString().slice(11, 16) : date.toISOString().slice(0, 10);
}
