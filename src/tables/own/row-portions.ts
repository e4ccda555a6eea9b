/** Reads the household measures of rows: a text and its weight in grams in two columns each. */
import { billionthsOf, type Portion, shown } from '#core';
import { LEAST_GRAMS, MAX_PORTION_GRAMS, MOST_GRAMS, Portions } from '../food/portions.ts';
import { isUnknown } from '../words/cells.ts';
import { type Field, PORTION_FIELDS } from '../words/headings.ts';
import type { PlannedColumn } from './plan.ts';
import type { RowReader, RowSource } from './row-reader.ts';

export class RowPortions {
  readonly #report: RowSource['report'];
  readonly #reader: RowReader;
  readonly #portions: Portions;
  readonly #columns: readonly (readonly [portion: PlannedColumn, weight: PlannedColumn])[];

  constructor({ report }: RowSource, reader: RowReader, columns: ReadonlyMap<Field, PlannedColumn>) {
    this.#report = report;
    this.#reader = reader;
    this.#portions = new Portions(report, MOST_GRAMS);
    this.#columns = PORTION_FIELDS.flatMap((fields) => {
      const [portion, weight] = fields.map((field) => columns.get(field));
      return portion === undefined || weight === undefined ? [] : [[portion, weight] as const];
    });
  }

  ofRow(): readonly Portion[] | undefined {
    const { portionsLeftOut } = this.#report;
    for (const [column, weightColumn] of this.#columns) {
      const cell = this.#reader.cell(column) ?? '';
      const isText = ['string', 'number', 'bigint'].includes(typeof cell);
      if (!isText) this.#reader.refuse(column, 'a text', 'Store it as text.');
      const place = () => this.#reader.placeOf(weightColumn);
      const weight = this.#reader.figureIn(weightColumn);
      if (isText && !isUnknown(String(cell))) this.#add(String(cell), weight, place);
      else if (weight !== null && weight !== '0') portionsLeftOut.add('weight without a portion', place);
    }
    return this.#portions.take().portions;
  }

  #add(portion: string, weight: string | null, place: () => string): void {
    const grams = weight === null ? Number.NaN : Number(weight);
    if (grams < LEAST_GRAMS || grams > MOST_GRAMS) {
      const fault = `${shown(weight ?? '')} is not a weight above 0 and up to ${MOST_GRAMS.toLocaleString('en')} g`;
      this.#reader.faults.add(`${place()}: ${fault}`, 'Leave both cells empty where there is no portion.');
      return;
    }
    if (grams > MAX_PORTION_GRAMS)
      this.#report.suspicious.add(`portion of more than ${MAX_PORTION_GRAMS.toLocaleString('en')} g`, place);
    this.#portions.add(portion, weight === null ? grams : billionthsOf(weight), place);
  }
}
