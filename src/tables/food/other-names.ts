/** The other names of foods: out of cells with one or several, without those that say nothing. */
import { amount, type FoodRecord, fold } from '#core';
import type { SourceReport } from '../report/source-report.ts';
import { cleanName } from './descriptions.ts';

/** Other names of a food; the surveys of USDA have up to 60. */
const MAX_NAMES = 100;
/** Characters of a name; longer ones are descriptions. */
const MAX_NAME = 250;

/** What separates names wherever it stands. */
const SEPARATORS = /[;|、；\n\r\u2028\u2029]/;
/** A comma of a decimal, or of thousands, is none. */
const COMMAS = /[,，](?!\d)|(?<!\d),/;
const WITH_COMMAS = new RegExp(`${SEPARATORS.source}|${COMMAS.source}`);

export const hasSeparator = (cell: string): boolean => SEPARATORS.test(cell) || listIn(cell) !== undefined;
export const hasComma = (cell: string): boolean => COMMAS.test(cell);

/** The names in a cell. @param hasCommas whether commas separate them in its column */
export const namesInCell = (cell: string, hasCommas: boolean): readonly string[] =>
  listIn(cell) ?? cell.split(hasCommas ? WITH_COMMAS : SEPARATORS);

/** The texts of a JSON array. */
function listIn(cell: string): readonly string[] | undefined {
  if (!/^\s*\[/.test(cell)) return undefined;
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : undefined;
  } catch {
    return undefined;
  }
}

/** Collects the names of foods, one food at a time, and counts what is left out. */
export class FoodNames {
  readonly #report: SourceReport;
  /** By the folded name. */
  readonly #names = new Map<string, string>();

  constructor(report: SourceReport) {
    this.#report = report;
  }

  add(source: string): void {
    const name = cleanName(source.trim(), this.#report);
    if (!/[\p{L}\p{N}]/u.test(name)) return;
    const key = fold(name);
    if (this.#names.has(key)) return;
    const fault =
      name.length > MAX_NAME
        ? `name of more than ${amount(MAX_NAME)} characters`
        : this.#names.size >= MAX_NAMES && `name beyond the ${MAX_NAMES}th of a food`;
    if (fault !== false) this.#report.namesLeftOut.add(fault);
    else this.#names.set(key, name);
  }

  /** A single name; empty if it says nothing. */
  only(source: string): string {
    this.add(source);
    return this.take('').names?.[0] ?? '';
  }

  /** The names since the last call, as a food has them, without its description; without any, it has no such field. */
  take(description: string): Pick<FoodRecord, 'names'> {
    if (this.#names.size === 0) return {};
    this.#names.delete(fold(description));
    const names = [...this.#names.values()];
    this.#names.clear();
    return names.length === 0 ? {} : { names };
  }
}
