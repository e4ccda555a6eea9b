/**
 * The portions in the rows of users' tables: two cells each, the portion and its weight.
 */
import { billionthsOf } from '../../foods/decimal.ts';
import type { FoodRecord } from '../../foods/food.ts';
import { shown } from '../../system/errors.ts';
import type { SourceReport } from '../report/source-report.ts';
import { MAX_PORTION_GRAMS, Portions } from '../rules/portions.ts';
import { nameOf } from './candidates.ts';
import { type Cell, isUnknown, type TableRow } from './cells.ts';
import type { Faults } from './faults.ts';
import { type Field, PORTION_FIELDS } from './headings.ts';
import type { PlannedColumn } from './plan.ts';

/** g; a weight is the user's own, but no portion of a food weighs more than a tonne. */
const MOST_GRAMS = 1_000_000;
/** g; anything less is rounded to 0. */
const LEAST_GRAMS = 0.0005;

const REMEDY = 'Leave both cells empty where there is no portion.';

export class PortionCells {
  readonly #columns: readonly { readonly text: PlannedColumn; readonly weight: PlannedColumn }[];
  readonly #report: SourceReport;
  readonly #faults: Faults;
  readonly #portions: Portions;

  constructor(planned: ReadonlyMap<Field, PlannedColumn>, report: SourceReport, faults: Faults) {
    this.#columns = PORTION_FIELDS.flatMap(([textField, weightField]) => {
      const [text, weight] = [planned.get(textField), planned.get(weightField)];
      return text === undefined || weight === undefined ? [] : [{ text, weight }];
    });
    this.#report = report;
    this.#faults = faults;
    this.#portions = new Portions(report, MOST_GRAMS);
  }

  get any(): boolean {
    return this.#columns.length > 0;
  }

  /** @param figure reads a figure, or counts a fault and returns null */
  read(row: TableRow, figure: (column: PlannedColumn) => string | null): Pick<FoodRecord, 'portions'> {
    for (const { text, weight } of this.#columns) {
      const placeOf = ({ heading }: PlannedColumn) => `${row.place()}, column ${nameOf(heading)}`;
      const portion = this.#text(row.cell(text.index), () => placeOf(text));
      const grams = figure(weight);
      if (portion !== '') this.#add(portion, grams, () => placeOf(weight));
      else if (grams !== null && grams !== '0') {
        this.#report.portionsLeftOut.add('weight without a portion', () => placeOf(weight));
      }
    }
    return this.#portions.take();
  }

  #add(portion: string, grams: string | null, place: () => string): void {
    const weight = grams === null ? Number.NaN : Number(grams);
    if (weight < LEAST_GRAMS || weight > MOST_GRAMS) {
      const fault = `${shown(String(grams))} is not a weight above 0 and up to ${MOST_GRAMS.toLocaleString('en')} g`;
      return void this.#faults.add(`${place()}: ${fault}`, REMEDY);
    }
    if (weight > MAX_PORTION_GRAMS) {
      const most = MAX_PORTION_GRAMS.toLocaleString('en');
      this.#report.suspicious.add(`portion of more than ${most} g`, place);
    }
    this.#portions.add(portion, grams === null ? Number.NaN : billionthsOf(grams), place);
  }

  #text(cell: Cell, place: () => string): string {
    if (cell === null || cell === undefined) return '';
    if (typeof cell === 'string') return isUnknown(cell) ? '' : cell;
    if (typeof cell === 'number' || typeof cell === 'bigint') return String(cell);
    this.#faults.add(`${place()}: ${shown(String(cell))} is not a text`, 'Store it as text.');
    return '';
  }
}
