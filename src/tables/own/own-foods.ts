/**
 * The foods of a user's own table: the container finds rows and cells, and this decides what they mean. The map of the room:
 *
 * 1. A container finds rows: `csv-foods.ts`, `json-foods.ts`, `parquet-foods.ts`, `workbook-foods.ts`, `sqlite-foods.ts`.
 * 2. `table-header.ts` finds the header among the first of them.
 * 3. `table-plan.ts` plans the columns: `plan.ts` which is which field, among the `candidates.ts` that `../words/` know, by
 *    `name-languages.ts` which names are in which language, by `amounts.ts` what figures may be for; `nutrient-columns.ts` the rest.
 * 4. `food-reader.ts` decides by the first rows: by `row-weights.ts` whether figures are for the amounts in their rows, and whether
 *    it is a diary; by `name-columns.ts` what separates names; by `row-nutrients.ts` whether a column has codes.
 * 5. `row-reader.ts` reads the figures of a row, each cell by `../words/cells.ts`, and converts them to 100 g.
 * 6. `suspicions.ts` reports what is probably wrong, and stops an import of which too much is.
 */
import type { FoodRecord } from '#core';
import { productTable } from '../public/product-table.ts';
import { isProduct } from '../public/products.ts';
import type { TableRow } from '../words/cells.ts';
import { Faults } from './faults.ts';
import { type FoodReader, foodReader } from './food-reader.ts';
import type { OwnTable } from './row-reader.ts';
import { type HeaderRow, TableHeader } from './table-header.ts';
import { planTable, type TablePlan } from './table-plan.ts';

/** Foods between two turns of the event loop. */
export const BATCH = 512;

export class OwnFoods {
  readonly faults: Faults;
  readonly #table: OwnTable;
  readonly #header: TableHeader;
  /** The columns that are read, and those of them that no food can do without; undefined above the header. */
  columns: Pick<TablePlan, 'reads' | 'needs'> | undefined;
  #plan: TablePlan | undefined;
  /** Undefined until the first rows, which are held, have shown what their figures are for. */
  #reader: FoodReader | undefined;
  #held: TableRow[] = [];
  #foods: FoodRecord[] = [];

  constructor(table: OwnTable) {
    this.#table = table;
    this.faults = new Faults(table.where);
    this.#header = new TableHeader(table.options, table.where);
  }

  /** The cells of the header, as soon as it is found. */
  get width(): number | undefined {
    return this.#header.width;
  }

  get isBatch(): boolean {
    return this.#foods.length >= BATCH;
  }

  take(): FoodRecord[] {
    const foods = this.#foods;
    this.#foods = [];
    return foods;
  }

  /** Takes the header, at once if the container knows it. @param sample the first rows, as texts */
  header(
    { headings, place }: HeaderRow,
    sample: () => readonly (readonly string[])[] = () => [],
  ): Pick<TablePlan, 'reads' | 'needs'> {
    if (isProduct(headings)) {
      const reads = new Set(headings.keys());
      this.#reader = { food: productTable(headings, this.#table), end: () => this.faults.refuse() };
      this.columns = { reads, needs: reads };
    } else {
      this.#plan = planTable(headings, place, this.#header.titles, sample, this.#table);
      this.columns = this.#plan;
      if (this.#plan.heldRows === 0) this.#decide();
    }
    return this.columns;
  }

  /** Takes a row. @throws UserError if no row is a header, or the header is faulty */
  row(row: TableRow): void {
    if (this.columns === undefined && !this.#isBelowHeader(row)) return;
    if (this.#reader !== undefined) this.#read(row);
    else if (this.#hold(row) === this.#plan?.heldRows) this.#decide();
  }

  end(): FoodRecord[] {
    if (this.columns === undefined) this.header(this.#header.end());
    this.#decide();
    this.#reader?.end();
    return this.take();
  }

  #isBelowHeader(row: TableRow): boolean {
    const headings = Array.from({ length: row.width }, (_, index) => String(row.cell(index) ?? ''));
    const place = `${this.#table.where}, ${row.place()}`;
    const isOfProducts = isProduct(headings);
    const header = isOfProducts ? { headings, place } : this.#header.take(headings, place);
    if (header !== undefined) this.header(header);
    return header !== undefined && !isOfProducts;
  }

  /** Keeps a row, as the container may use the same object for the next. @returns how many it has kept */
  #hold(row: TableRow): number {
    const cells = new Map(Array.from(this.#plan?.reads ?? [], (index) => [index, row.cell(index)]));
    const place = row.place();
    return this.#held.push({ width: row.width, cell: (index) => cells.get(index), place: () => place });
  }

  /** Decides what figures are for, and makes foods of the rows that were held. */
  #decide(): void {
    if (this.#reader !== undefined || this.#plan === undefined) return;
    const rows = this.#held;
    this.#held = [];
    this.#reader = foodReader(this.#table, this.#header, this.#plan, rows, this.faults);
    for (const row of rows) this.#read(row);
  }

  #read(row: TableRow): void {
    const food = this.#reader?.food(row);
    if (food !== undefined) this.#foods.push(food);
  }
}
