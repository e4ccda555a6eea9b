/** Reads the foods of the rows of a table, once its first rows have shown what their figures are for. */
import { asTotalFat, FATTY_ACIDS, type FoodRecord, subtractDecimals, UserError } from '#core';
import { NO_DESCRIPTION } from '../report/source-report.ts';
import type { TableRow } from '../words/cells.ts';
import type { Faults } from './faults.ts';
import { nameReader, withTextNames } from './name-columns.ts';
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
  const decided = { table, faults, columns, amount, isPadded: header.isPadded };
  const reader = new RowReader(decided);
  const names = nameReader(report, columns, plan.languages, rows);
  const rowNutrients = nutrientReader(table, reader, nutrients, rows);
  const portionsOfRow = portionReader(decided, reader);
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
      const description = reader.begin(row);
      reader.requireAlike(place);
      const { food, hasTotal } = figuresOf(reader, description, report);
      Object.assign(food, portionsOfRow(), names.ofRow(row, description));
      if (description !== '') Object.assign(food, rowNutrients.ofRow(row));
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
