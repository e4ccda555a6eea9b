/**
 * Defines "correct" as plainly as possible, without any code under test: a description contains a text if the folded description
 * contains the folded text.
 */
import { Big } from 'big.js';

export type Row = Readonly<Record<string, string | null>>;

export interface Entry {
  readonly carbohydrate_g: number | null;
  readonly protein_g: number | null;
  readonly fat_g: string;
  readonly kcal: number | null;
  readonly description: string;
}

export function contains(description: string, text: string): boolean {
  return folded(description).includes(folded(text));
}

const folded = (text: string): string =>
  Array.from(text.normalize('NFC'), (point) => point.toLowerCase()).join('');

/** The entry expected for a row. */
export function entryOf(row: Row): Entry {
  const number = (cell: string | null | undefined) => (cell == null || cell === '' ? null : Number(cell));
  return {
    carbohydrate_g: number(row.carbohydrate_g),
    protein_g: number(row.protein_g),
    fat_g: fatOf([row.fa_sat_g, row.fa_mono_g, row.fa_poly_g]),
    kcal: number(row.kcal),
    description: row.description ?? '',
  };
}

/** The exact sum of decimals, rounded half away from zero to two digits. */
export function fatOf(parts: readonly (string | null | undefined)[]): string {
  const sum = parts.reduce((all, part) => all.plus(part?.replace('+', '') || 0), new Big(0));
  return sum.toFixed(2, Big.roundHalfUp).replace(/^-(?=0\.00$)/, '');
}
