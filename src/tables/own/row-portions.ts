/** Reads the household measures of rows: a text and its weight in grams in two columns each. */
import { billionthsOf, type FoodRecord, shown } from '#core';
import { LEAST_GRAMS, MAX_PORTION_GRAMS, MOST_GRAMS, Portions } from '../food/portions.ts';
import { isUnknown } from '../words/cells.ts';
import { PORTION_FIELDS } from '../words/headings.ts';
import type { DecidedTable, RowReader } from './row-reader.ts';

/** Returns what reads the portions of the row of a reader. */
export function portionReader(
  { table: { report }, faults, columns }: DecidedTable,
  reader: RowReader,
): () => Pick<FoodRecord, 'portions'> {
  const portions = new Portions(report, MOST_GRAMS);
  const pairs = PORTION_FIELDS.flatMap(([text, weight]) => {
    const [column, weights] = [columns.get(text), columns.get(weight)];
    return column === undefined || weights === undefined ? [] : [{ column, weights }];
  });
  const add = (portion: string, weight: string | null, place: () => string): void => {
    const grams = weight === null ? Number.NaN : Number(weight);
    if (grams < LEAST_GRAMS || grams > MOST_GRAMS) {
      const fault = `${shown(weight ?? '')} is not a weight above 0 and up to ${MOST_GRAMS.toLocaleString('en')} g`;
      faults.add(`${place()}: ${fault}`, 'Leave both cells empty where there is no portion.');
      return;
    }
    if (grams > MAX_PORTION_GRAMS)
      report.suspicious.add(`portion of more than ${MAX_PORTION_GRAMS.toLocaleString('en')} g`, place);
    portions.add(portion, weight === null ? grams : billionthsOf(weight), place);
  };
  return () => {
    for (const { column, weights } of pairs) {
      const portion = reader.text(column);
      const place = () => reader.placeOf(weights);
      const weight = reader.figureIn(weights);
      if (!isUnknown(portion)) add(portion, weight, place);
      else if (weight !== null && weight !== '0')
        report.portionsLeftOut.add('weight without a portion', place);
    }
    return portions.take();
  };
}
