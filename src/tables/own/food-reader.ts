/** Reads the foods of the rows of a table, once its first rows have shown what their figures are for. */
import {
  amount as amountText,
  asTotalFat,
  FATTY_ACIDS,
  type FoodRecord,
  MAX_DESCRIPTION,
  subtractDecimals,
  UserError,
} from '#core';
import { NO_DESCRIPTION } from '../report/source-report.ts';
import { nameIn, type TableRow } from '../words/cells.ts';
import type { Faults } from './faults.ts';
import { nameReader, withTextNames } from './name-columns.ts';
import type { PlannedColumn } from './plan.ts';
import { nutrientReader } from './row-nutrients.ts';
import { portionReader } from './row-portions.ts';
import { type OwnTable, RowReader } from './row-reader.ts';
import { refuseDiary, refuseUnknownWeights, rowWeights } from './row-weights.ts';
import { Suspicions } from './suspicions.ts';
import type { TableHeader } from './table-header.ts';
import type { TablePlan } from './table-plan.ts';

export type FoodReader = ReturnType<typeof foodReader>;

/**
 * Reads the foods of a table.
 * @param rows the first ones, which decide what columns mean @throws UserError if they may mean two things
 */
export function foodReader(
  table: OwnTable,
  header: TableHeader,
  { plan, nutrients, unknown, place, needs }: TablePlan,
  rows: readonly TableRow[],
  faults: Faults,
) {
  const { report, where, options } = table;
  const { columns, taken: used } = withTextNames(plan, rows);
  const { amount, isRefuted, taken = [] } = rowWeights(plan, rows, table, place) ?? {};
  if (amount === undefined && isRefuted !== true) refuseUnknownWeights(plan, unknown, rows, table, place);
  refuseDiary(plan, amount, rows, place);
  const reader = new RowReader(table, faults, columns, amount);
  const names = nameReader(report, columns, plan.languages, rows);
  const rowNutrients = nutrientReader(table, reader, nutrients, rows);
  const portionsOfRow = portionReader(table, reader, columns);
  const suspicions = new Suspicions(report, plan.isOwnForm ? undefined : columns.get('kcal'));
  // The last columns first: most have figures, which are told from a heading sooner than a name is.
  const compared = [...needs].reverse();
  report.columns = used.filter(({ field }) => field !== 'names' || names.hasOwn).concat(taken);
  return {
    /** The food of a row; undefined if it has none, or a fault, which is counted. */
    food: (row: TableRow): FoodRecord | undefined => {
      report.place = row.place;
      if (header.repeats(row, compared))
        return void report.repaired.add('row of repeated headings, left out');
      reader.begin(row);
      const description = descriptionIn(reader, columns.get('description'), table, header.isPadded);
      reader.weigh(description !== '');
      reader.requireAlike(place);
      const { food, hasTotal } = figuresOf(reader, description, report);
      Object.assign(food, portionsOfRow(), names.ofRow(row, description));
      Object.assign(food, rowNutrients.ofRow(row, description !== ''));
      if (faults.any) return undefined;
      report.rows++;
      if (description === '') return void report.dropped.add(NO_DESCRIPTION);
      const { grams } = reader;
      if (grams === null) return void report.dropped.add(...reader.whyDropped);
      suspicions.check(food, hasTotal);
      if (grams !== undefined)
        report.repaired.add(
          'figures converted to 100 g from the amount in their row',
          () => `${reader.example} are ${food.kcal} kcal`,
        );
      return food;
    },
    /** @throws UserError if all rows together show that figures are not what they were read as */
    end: (): void => {
      faults.refuse();
      const doubt = reader.figures.doubt();
      if (doubt !== undefined) throw new UserError(`${where}, ${doubt}`);
      suspicions.refuseMistakes(options, place);
      rowNutrients.end();
    },
  };
}

/** The food with its figures, and whether total fat is known, which replaces the kinds of fatty acids: labels name the saturated ones alone. */
function figuresOf(reader: RowReader, description: string, { suspicious }: OwnTable['report']) {
  const food: FoodRecord = {
    carbohydrate_g: reader.figure('carbohydrate_g'),
    protein_g: reader.figure('protein_g'),
    fa_sat_g: reader.figure('fa_sat_g'),
    fa_mono_g: reader.figure('fa_mono_g'),
    fa_poly_g: reader.figure('fa_poly_g'),
    kcal: reader.figure('kcal'),
    description,
  };
  const total = reader.figure('fat_g');
  const kinds = total === null ? [] : FATTY_ACIDS.flatMap((kind) => food[kind] ?? []);
  if (kinds.length > 0 && subtractDecimals(total ?? '', kinds).startsWith('-'))
    suspicious.add('fatty acids above total fat');
  const popularity = reader.popularity();
  Object.assign(food, total !== null && asTotalFat(total), popularity !== undefined && { popularity });
  return { food, hasTotal: total !== null };
}

/** The name of the food in a row; "" if it has none, or a fault, which is counted. */
function descriptionIn(
  reader: RowReader,
  column: PlannedColumn | undefined,
  { isPublic }: OwnTable,
  isPadded: boolean,
): string {
  if (column === undefined) return '';
  const cell = nameIn(reader.cell(column));
  if (typeof cell !== 'string') reader.refuse(column, 'a text', 'Store it as text.');
  else if (cell.length > MAX_DESCRIPTION && !isPublic)
    reader.faults.add(
      `${reader.placeOf(column)}: the description has ${amountText(cell.length)} characters, more than ${amountText(MAX_DESCRIPTION)}`,
      'Shorten it, or choose the column that names the food: --column description=HEADING',
    );
  else return isPadded || isPublic ? cell.trim() : cell;
  return '';
}
