/**
 * Recognizes diaries by their dates and by foods that occur again in other amounts: their figures are for what was eaten.
 */
import { shown, UserError } from '../../errors.ts';
import { type AmountColumn, gramsIn } from './amounts.ts';
import type { Field } from './headings.ts';
import type { HeldRow } from './held-rows.ts';

/** A table of foods may name a few of them twice. */
const REPEATED = 0.05;

export class Diary {
  readonly #heading: string;
  readonly #names = new Set<string>();
  #rows = 0;
  #isPer100 = true;

  /** @param heading of the column of dates */
  constructor(heading: string) {
    this.#heading = heading;
  }

  /** @param grams that the figures of the row are for, if they are known */
  add(description: string, grams: string | null | undefined): void {
    this.#rows++;
    this.#names.add(description);
    this.#isPer100 &&= grams === '100';
  }

  /** @throws UserError if the rows so far are those of a diary */
  refuse(where: string): void {
    const repeated = this.#rows - this.#names.size;
    if (this.#isPer100 || repeated <= REPEATED * this.#rows) return;
    throw new UserError(
      `${where}: this is a diary: it has dates (column ${shown(this.#heading)}), and ${repeated} of ${this.#rows} rows name a food of an earlier row, so that figures are for what was eaten. ` +
        'Import a table of foods instead; if the figures are per 100 g after all, say so: --per 100g; if a column has the weight in grams, name it: --per-column HEADING.',
    );
  }
}

/** @throws UserError if the first rows, with these amounts, are those of a diary */
export function refuseDiary(
  heading: string,
  columns: ReadonlyMap<Field, { readonly index: number }>,
  amount: AmountColumn,
  rows: readonly HeldRow[],
  where: string,
): void {
  const diary = new Diary(heading);
  const name = columns.get('description')?.index ?? -1;
  for (const row of rows) diary.add(String(row.cell(name)), gramsIn(row, amount));
  diary.refuse(where);
}
