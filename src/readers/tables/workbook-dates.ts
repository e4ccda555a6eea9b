/**
 * Which cells of an Excel workbook are dates or percentages (ECMA-376, part 1, 18.8.30): a date is stored as the number of its
 * days, and 12.6% as 0.126; only the format of the cell tells them from figures.
 */
import type { XmlHandler } from '../bytes/xml.ts';

type Kind = 'date' | 'percentage';

/** The built-in formats, also those of East Asian languages. */
const BUILT_IN: readonly (readonly [from: number, to: number, Kind])[] = [
  [9, 10, 'percentage'],
  [14, 22, 'date'],
  [27, 36, 'date'],
  [45, 47, 'date'],
  [50, 58, 'date'],
];

/** Parts of a format that are shown as they are, and conditions, colours and currencies. */
const LITERALS = /"[^"]*"|\\.|[_*].|\[[^\]]*\]/g;

/** ms of the day before the first that Excel knows, as it counts 1900-02-29, and of the first that it knew on the Macintosh. */
const EPOCH = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const DAY = 86_400_000;

/** Collects from the part of the styles which of them show dates, or percentages. */
export class Dates implements XmlHandler {
  /** As the attribute `s` of a cell has them. */
  readonly #styles = new Map<string, Kind>();
  readonly #formats = new Map<string, Kind>();
  readonly #epoch: number;
  #count = 0;

  constructor(is1904: boolean) {
    this.#epoch = is1904 ? EPOCH_1904 : EPOCH;
  }

  open(
    name: string,
    { numFmtId = '', formatCode = '' }: Readonly<Record<string, string>>,
    path: readonly string[],
  ): void {
    if (name === 'numFmt') {
      const format = formatCode.replace(LITERALS, '');
      if (/[dmyhs]/i.test(format)) this.#formats.set(numFmtId, 'date');
      else if (format.includes('%')) this.#formats.set(numFmtId, 'percentage');
    } else if (name === 'xf' && path.at(-2) === 'cellXfs') {
      const isBuiltIn = ([from, to]: (typeof BUILT_IN)[number]) => +numFmtId >= from && +numFmtId <= to;
      const kind = this.#formats.get(numFmtId) ?? BUILT_IN.find(isBuiltIn)?.[2];
      if (kind !== undefined) this.#styles.set(String(this.#count), kind);
      this.#count++;
    }
  }

  value(style: string, text: string): string | number {
    const number = Number(text);
    const kind = this.#styles.get(style);
    if (kind === 'date') return this.#shown(number);
    if (kind === 'percentage') return `${rounded(number * 100)}%`;
    return Number.isFinite(number) ? rounded(number) : text;
  }

  /** A number of days as a date, or as a time if it is less than one. */
  #shown(days: number): string {
    const date = new Date(this.#epoch + days * DAY);
    if (Number.isNaN(date.getTime())) return String(days);
    return days < 1 ? date.toISOString().slice(11, 16) : date.toISOString().slice(0, 10);
  }
}

/** Excel shows 15 digits of a binary number, and stores 17: 12.3 may be stored as 12.300000000000001. */
const rounded = (number: number): number => Number(number.toPrecision(15));
