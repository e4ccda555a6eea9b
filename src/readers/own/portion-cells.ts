/** The portions in the rows of users' tables: two cells each, the portion and its weight. */
import { billionthsOf } from '../../foods/decimal.ts';
import type { Portion } from '../../foods/food.ts';
import { shown } from '../../system/errors.ts';
import type { SourceReport } from '../report/source-report.ts';
import { MAX_PORTION_GRAMS, Portions } from '../rules/portions.ts';
import { nameOf } from './candidates.ts';
import { type Faults, isUnknown, type TableRow } from './cells.ts';
import { type Field, PORTION_FIELDS } from './headings.ts';
import type { PlannedColumn } from './plan.ts';

/** g; a weight is the user's own, but no portion of a food weighs more than a tonne. */
const MOST_GRAMS = 1_000_000;
/** g; anything less is rounded to 0. */
const LEAST_GRAMS = 0.0005;
const REMEDY = 'Leave both cells empty where there is no portion.';

/** Returns what reads the portions of a row. @param figure reads a figure, or counts a fault and returns null */
export function portionReader(
  planned: ReadonlyMap<Field, PlannedColumn>,
  report: SourceReport,
  faults: Faults,
  figure: (column: PlannedColumn) => string | null,
): ((row: TableRow) => readonly Portion[] | undefined) | undefined {
  const columns = PORTION_FIELDS.map((fields) => fields.flatMap((field) => planned.get(field) ?? []));
  const pairs = columns.filter(({ length }) => length === 2) as [PlannedColumn, PlannedColumn][];
  if (pairs.length === 0) return undefined;
  const portions = new Portions(report, MOST_GRAMS);
  const add = (portion: string, grams: string, place: () => string): void => {
    const weight = Number(grams);
    if (weight < LEAST_GRAMS || weight > MOST_GRAMS) {
      const fault = `${shown(grams)} is not a weight above 0 and up to ${MOST_GRAMS.toLocaleString('en')} g`;
      faults.add(`${place()}: ${fault}`, REMEDY);
      return;
    }
    if (weight > MAX_PORTION_GRAMS)
      report.suspicious.add(`portion of more than ${MAX_PORTION_GRAMS.toLocaleString('en')} g`, place);
    portions.add(portion, billionthsOf(grams), place);
  };
  return (row) => {
    for (const [text, weight] of pairs) {
      const placeOf = ({ heading }: PlannedColumn) => `${row.place()}, column ${nameOf(heading)}`;
      const place = () => placeOf(weight);
      const cell = row.cell(text.index) ?? '';
      const isText = ['string', 'number', 'bigint'].includes(typeof cell);
      if (!isText) faults.add(`${placeOf(text)}: ${shown(String(cell))} is not a text`, 'Store it as text.');
      const isGiven = isText && !isUnknown(String(cell));
      const grams = figure(weight);
      if (isGiven && grams !== null) add(String(cell), grams, place);
      else if (isGiven) portions.add(String(cell), Number.NaN, place);
      else if (grams !== null && grams !== '0') report.portionsLeftOut.add('weight without a portion', place);
    }
    return portions.take().portions;
  };
}
