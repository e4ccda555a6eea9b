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
import { AllNames } from './name-columns.ts';
import { RowNutrients } from './row-nutrients.ts';
import { RowPortions } from './row-portions.ts';
import { type OwnTable, RowReader } from './row-reader.ts';
import { refuseDiary, refuseUnknownWeights, rowWeights } from './row-weights.ts';
import { Suspicions } from './suspicions.ts';
import type { TableHeader } from './table-header.ts';
import type { TablePlan } from './table-plan.ts';

type Draft = { -readonly [Field in keyof FoodRecord]: FoodRecord[Field] };

export class FoodReader {
  readonly #table: OwnTable;
  readonly #header: TableHeader;
  readonly #plan: TablePlan;
  readonly #faults: Faults;
  readonly #reader: RowReader;
  readonly #portions: RowPortions;
  readonly #names: AllNames;
  readonly #nutrients: RowNutrients;
  readonly #suspicions: Suspicions;

  /** @param rows the first ones, which decide what columns mean @throws UserError if they may mean two things */
  constructor(
    table: OwnTable,
    header: TableHeader,
    planned: TablePlan,
    rows: readonly TableRow[],
    faults: Faults,
  ) {
    const { plan, nutrients, unknown, place } = planned;
    const { columns, languages } = plan;
    const { report } = table;
    this.#table = table;
    this.#header = header;
    this.#plan = planned;
    this.#faults = faults;
    const { amount, isRefuted, taken = [] } = rowWeights(plan, rows, table, place) ?? {};
    if (amount === undefined && isRefuted !== true) refuseUnknownWeights(plan, unknown, rows, table, place);
    refuseDiary(plan, amount, rows, place);
    this.#reader = new RowReader(table, faults, columns, amount);
    this.#names = new AllNames(report, columns, languages, rows);
    this.#nutrients = new RowNutrients(table, this.#reader, nutrients, rows);
    this.#portions = new RowPortions(table, this.#reader, columns);
    this.#suspicions = new Suspicions(report, plan.isOwnForm ? undefined : columns.get('kcal'));
    const used = plan.taken.filter(({ field }) => field !== 'names' || this.#names.hasOwn);
    report.columns = used.concat(taken);
  }

  /** The food of a row; undefined if it has none, or a fault, which is counted. */
  food(row: TableRow): FoodRecord | undefined {
    const { report } = this.#table;
    const reader = this.#reader;
    report.place = row.place;
    if (this.#header.repeats(row, this.#plan.needs))
      return void report.repaired.add('row of repeated headings, left out');
    reader.begin(row);
    const description = this.#description();
    reader.weigh(description !== '');
    reader.requireAlike(this.#plan.place);
    const food: Draft = {
      carbohydrate_g: reader.figure('carbohydrate_g'),
      protein_g: reader.figure('protein_g'),
      fa_sat_g: reader.figure('fa_sat_g'),
      fa_mono_g: reader.figure('fa_mono_g'),
      fa_poly_g: reader.figure('fa_poly_g'),
      kcal: reader.figure('kcal'),
      description,
    };
    const total = reader.figure('fat_g');
    if (total !== null) this.#takeTotal(food, total);
    const popularity = reader.popularity();
    if (popularity !== undefined) food.popularity = popularity;
    const portions = this.#portions.ofRow();
    if (portions !== undefined) food.portions = portions;
    Object.assign(food, this.#names.ofRow(row, description), this.#nutrients.ofRow(row, description !== ''));
    if (this.#faults.any) return undefined;
    report.rows++;
    if (description === '') return void report.dropped.add(NO_DESCRIPTION);
    const { grams } = reader;
    if (grams === null) return void report.dropped.add(...reader.whyDropped);
    this.#suspicions.check(food, total !== null);
    if (grams !== undefined)
      report.repaired.add(
        'figures converted to 100 g from the amount in their row',
        () => `${reader.example} are ${food.kcal} kcal`,
      );
    return food;
  }

  /** @throws UserError if all rows together show that figures are not what they were read as */
  end(): void {
    const { where, options } = this.#table;
    this.#faults.refuse();
    const doubt = this.#reader.doubt();
    if (doubt !== undefined) throw new UserError(`${where}, ${doubt}`);
    this.#suspicions.refuseMistakes(options, this.#plan.place);
    this.#nutrients.end();
  }

  #description(): string {
    const column = this.#plan.plan.columns.get('description');
    if (column === undefined) return '';
    const cell = nameIn(this.#reader.cell(column));
    const { isPublic } = this.#table;
    if (typeof cell !== 'string') this.#reader.refuse(column, 'a text', 'Store it as text.');
    else if (cell.length > MAX_DESCRIPTION && !isPublic)
      this.#faults.add(
        `${this.#reader.placeOf(column)}: the description has ${amountText(cell.length)} characters, more than ${amountText(MAX_DESCRIPTION)}`,
        'Shorten it, or choose the column that names the food: --column description=HEADING',
      );
    else return this.#header.isPadded || isPublic ? cell.trim() : cell;
    return '';
  }

  /** Replaces the kinds of fatty acids by total fat: labels name the saturated ones alone. */
  #takeTotal(food: Draft, total: string): void {
    const kinds = FATTY_ACIDS.flatMap((kind) => food[kind] ?? []);
    if (kinds.length > 0 && subtractDecimals(total, kinds).startsWith('-'))
      this.#table.report.suspicious.add('fatty acids above total fat');
    Object.assign(food, asTotalFat(total));
  }
}
