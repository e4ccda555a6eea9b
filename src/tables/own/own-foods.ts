/**
 * The foods of a user's own table: the container finds rows and cells, and this decides what they mean. The map of the room:
 *
 * 1. A container finds rows: `csv-foods.ts`, `json-foods.ts`, `parquet-foods.ts`, `workbook-foods.ts`, `sqlite-foods.ts`.
 * 2. `table-header.ts` finds the header among the first of them.
 * 3. `plan.ts` decides which column is which field, among the `candidates.ts` that `../words/` know, by `name-languages.ts` which names are in which language, and finds the columns of `amounts.ts` that
 *    the figures of a row may be for.
 * 4. `row-weights.ts` decides by the first rows whether they are, and refuses diaries.
 * 5. `row-reader.ts` reads the figures of a row, each cell by `../words/cells.ts`, and converts them to 100 g.
 * 6. `suspicions.ts` reports what is probably wrong, and stops an import of which too much is.
 */
import {
  amount,
  asTotalFat,
  FATTY_ACIDS,
  type FoodRecord,
  MAX_DESCRIPTION,
  subtractDecimals,
  UserError,
} from '#core';
import { ProductTable } from '../public/product-table.ts';
import { isProduct } from '../public/products.ts';
import { OPEN_FOOD_FACTS_CREDIT, withNational } from '../report/labels.ts';
import { NO_DESCRIPTION } from '../report/source-report.ts';
import { nameIn, type TableRow } from '../words/cells.ts';
import { type AmountColumn, unknownAmount } from './amounts.ts';
import type { ColumnOptions } from './candidates.ts';
import type { Faults } from './faults.ts';
import { refuseLong } from './long-table.ts';
import { AllNames } from './name-columns.ts';
import { planNutrients } from './nutrient-plan.ts';
import { isOfFoods, type Plan, planColumns } from './plan.ts';
import { RowNutrients } from './row-nutrients.ts';
import { RowPortions } from './row-portions.ts';
import { RowReader, type RowSource } from './row-reader.ts';
import { refuseDiary, refuseUnknownWeights, rowWeights } from './row-weights.ts';
import { Suspicions } from './suspicions.ts';
import { TableHeader } from './table-header.ts';

export interface OwnSource extends Pick<RowSource, 'where' | 'report'> {
  readonly options: ColumnOptions;
  /** Whether nobody can mend it: rows that are cut off are dropped, and names trimmed. */
  readonly isPublic?: boolean | undefined;
}

export interface OwnTable extends OwnSource, RowSource {
  readonly title?: string;
}

type Sample = () => readonly (readonly string[])[];

/** Foods between two turns of the event loop. */
export const BATCH = 512;
/** Rows that show what figures are for, if the headings do not. */
const HELD_ROWS = 5000;

type Draft = { -readonly [Field in keyof FoodRecord]: FoodRecord[Field] };

export class OwnFoods {
  readonly faults: Faults;
  readonly #table: OwnTable;
  readonly #reader: RowReader;
  readonly #header: TableHeader;
  #plan: Plan | undefined;
  /** Undefined unless the table is one of Open Food Facts. */
  #products: ProductTable | undefined;
  #used: ReadonlySet<number> = new Set();
  /** Columns whose headings are not known, which may have the weights that the figures are for. */
  #unknown: readonly AmountColumn[] = [];
  #portions: RowPortions | undefined;
  #names: AllNames;
  readonly #nutrients: RowNutrients;
  /** The first rows, until they have shown what their figures are for. */
  #held: TableRow[] | undefined;
  #foods: FoodRecord[] = [];
  #suspicions: Suspicions | undefined;
  #at = '';

  constructor(table: OwnTable) {
    this.#table = table;
    this.#reader = new RowReader(table);
    this.faults = this.#reader.faults;
    this.#header = new TableHeader(table.options, table.where);
    this.#names = new AllNames(table.report);
    this.#nutrients = new RowNutrients(table, this.#reader);
  }

  get width(): number | undefined {
    return this.#header.width;
  }

  /** Whether a column is read. */
  reads(index: number): boolean {
    return this.#isUsed(index) || this.#looked.includes(index);
  }

  #isUsed(index: number): boolean {
    return this.#used.has(index) || this.#nutrients.used.has(index);
  }

  /** Columns that only show what the others are. */
  get #looked(): readonly number[] {
    return [
      ...this.#unknown.map(({ index }) => index),
      ...(this.#plan?.dates ? [this.#plan.dates.index] : []),
    ];
  }

  /** Whether a column is read that no food can do without. */
  needs(index: number): boolean {
    return this.#used.has(index);
  }

  names(index: number): boolean {
    return this.#reader.columns.get('description')?.index === index;
  }

  get isBatch(): boolean {
    return this.#foods.length >= BATCH;
  }

  take(): FoodRecord[] {
    const foods = this.#foods;
    this.#foods = [];
    return foods;
  }

  /** Takes a row. @throws UserError if no row is a header, or the header is faulty */
  row(row: TableRow): void {
    if (this.#plan === undefined && this.#products === undefined) {
      const texts = Array.from({ length: row.width }, (_, index) => String(row.cell(index) ?? ''));
      if (isProduct(texts)) {
        this.header(texts);
        return;
      }
      const header = this.#header.take(texts, `${this.#table.where}, ${row.place()}`);
      if (header === undefined) return;
      this.header(header.headings, header.place);
    }
    if (this.#held === undefined) {
      this.#food(row);
      return;
    }
    // The container may use the same object for the next row.
    const read = [...this.#used, ...this.#nutrients.used, ...this.#looked];
    const cells = new Map(read.map((index) => [index, row.cell(index)]));
    const place = row.place();
    this.#held.push({ width: row.width, cell: (index) => cells.get(index), place: () => place });
    if (this.#held.length === HELD_ROWS) this.#release();
  }

  end(): FoodRecord[] {
    if (this.#plan === undefined && this.#products === undefined) {
      const { headings, place } = this.#header.end();
      this.header(headings, place);
    }
    this.#release();
    this.faults.refuse();
    const doubt = this.#reader.doubt();
    if (doubt !== undefined) throw new UserError(`${this.#table.where}, ${doubt}`);
    this.#suspicions?.refuseMistakes(this.#table.options, this.#at);
    this.#nutrients.end();
    return this.take();
  }

  /** @param sample the first rows, which show what a table is that lacks columns */
  header(headings: readonly string[], place = this.#table.where, sample: Sample = () => []): void {
    const { options, report, title = '' } = this.#table;
    this.#products = ProductTable.of(headings, this.#table);
    if (this.#products !== undefined) {
      this.#used = this.#products.used;
      report.kind = `Open Food Facts, ${report.kind}`;
      if (report.label !== undefined)
        report.label = { ...report.label, name: 'Open Food Facts', ...OPEN_FOOD_FACTS_CREDIT };
      return;
    }
    if (!isOfFoods(headings, options)) refuseLong(headings, sample(), place);
    const plan = planColumns(headings, options, place, [...this.#header.titles, title]);
    const { columns, amounts, dates, language, languages } = plan;
    this.#plan = plan;
    this.#at = place;
    this.#reader.columns = columns;
    this.#used = new Set([
      ...[...columns.values()].flatMap((column) => [column, ...column.instead]).map(({ index }) => index),
      ...amounts.flatMap(({ index, unitIndex }) => [index, unitIndex ?? index]),
      ...languages.flatMap(({ name, others }) => [name, ...others]).map(({ index }) => index),
    ]);
    this.#names = new AllNames(report, columns.get('names'), languages);
    const nutrients = planNutrients(headings, plan);
    if (options.nutrients !== false) this.#nutrients.plan(nutrients);
    this.#unknown = plan.isSilent
      ? nutrients.unknownHeadings.map((index) => unknownAmount(headings[index] ?? '', index))
      : [];
    const hasNames = columns.has('names') || languages.some(({ others }) => others.length > 0);
    const isShownByRows = amounts.length + this.#unknown.length > 0 || dates !== undefined || hasNames;
    this.#held = isShownByRows || this.#nutrients.hasDoubt ? [] : undefined;
    this.#suspicions = new Suspicions(report, plan.isOwnForm ? undefined : columns.get('kcal'));
    this.#portions = new RowPortions(this.#table, this.#reader, columns);
    report.columns = plan.taken;
    if (languages.length > 0) report.languages = languages.map(({ taken }) => taken);
    report.unused = headings.filter((heading, index) => heading.trim() !== '' && !this.#isUsed(index));
    if (report.label !== undefined) report.label = withNational(report.label, headings, language);
  }

  /** Decides what figures are for, and makes foods of the rows that were held. */
  #release(): void {
    const rows = this.#held;
    if (rows === undefined) return;
    this.#held = undefined;
    if (this.#plan !== undefined) {
      const { amount, isRefuted, taken = [] } = rowWeights(this.#plan, rows, this.#table, this.#at) ?? {};
      this.#reader.amount = amount;
      if (amount === undefined && isRefuted !== true)
        refuseUnknownWeights(this.#plan, this.#unknown, rows, this.#table, this.#at);
      refuseDiary(this.#plan, amount, rows, this.#at);
      const hasNames = this.#names.decide(rows, this.#plan.columns.get('description'));
      const used = this.#plan.taken.filter(({ field }) => hasNames || field !== 'names');
      this.#table.report.columns = used.concat(taken);
      this.#nutrients.decide(rows);
    }
    for (const row of rows) this.#food(row);
  }

  #food(row: TableRow): void {
    if (this.#products !== undefined) {
      const food = this.#products.food(row);
      if (food !== undefined) this.#foods.push(food);
      return;
    }
    const { report } = this.#table;
    const reader = this.#reader;
    report.place = row.place;
    if (this.#header.repeats(row, this.#used))
      return void report.repaired.add('row of headings repeated, left out');
    reader.row = row;
    const description = this.#description();
    reader.weigh(description !== '');
    reader.requireAlike(this.#at);
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
    const portions = this.#portions?.ofRow();
    if (portions !== undefined) food.portions = portions;
    Object.assign(food, this.#names.ofRow(row, description), this.#nutrients.ofRow(description !== ''));
    if (this.faults.any) return;
    report.rows++;
    if (description === '') return void report.dropped.add(NO_DESCRIPTION);
    const { grams } = reader;
    if (grams === null) return void report.dropped.add(...reader.whyDropped);
    this.#suspicions?.check(food, total !== null);
    if (grams !== undefined)
      report.repaired.add(
        'figures converted to 100 g from the amount in their row',
        () => `${reader.example} are ${food.kcal} kcal`,
      );
    this.#foods.push(food);
  }

  #description(): string {
    const column = this.#reader.columns.get('description');
    if (column === undefined) return '';
    const cell = nameIn(this.#reader.cell(column));
    const { isPublic } = this.#table;
    if (typeof cell !== 'string') this.#reader.refuse(column, 'a text', 'Store it as text.');
    else if (cell.length > MAX_DESCRIPTION && !isPublic)
      this.faults.add(
        `${this.#reader.placeOf(column)}: the description has ${amount(cell.length)} characters, more than ${amount(MAX_DESCRIPTION)}`,
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
