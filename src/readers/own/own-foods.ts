/**
 * The foods of a user's own table in any container: the container finds rows and cells, and this decides what they mean.
 */
import { scaleDecimal, subtractDecimals } from '../../decimal.ts';
import { shown, UserError } from '../../errors.ts';
import { FOOD_COLUMNS, type FoodRecord, popularityOf } from '../../food.ts';
import { NATIONAL_TABLES } from '../report/labels.ts';
import { NO_DESCRIPTION, type SourceReport } from '../report/source-report.ts';
import { type ColumnOptions, countFields, isFigure, isRowOfUnits, nameOf } from './candidates.ts';
import { type Cell, FigureCells, type Mark, remedyFor } from './cells.ts';
import { Faults } from './faults.ts';
import type { Field } from './headings.ts';
import { type PlannedColumn, planColumns } from './plan.ts';
import { PortionCells } from './portion-cells.ts';
import { Suspicions } from './suspicions.ts';

export interface OwnSource {
  /** The table in messages: the file, and the sheet or the like in it. */
  readonly where: string;
  readonly report: SourceReport;
  readonly options: ColumnOptions;
}

interface OwnTable extends OwnSource {
  /** Whether texts may have a decimal comma. */
  readonly commas: boolean;
  /** The decimal mark, if the first rows show it. */
  readonly mark?: Mark | undefined;
}

/** A food that is being read. */
type Draft = { -readonly [Field in keyof FoodRecord]: FoodRecord[Field] };

/** A row as in its container. */
export interface TableRow {
  /** The number of its cells. */
  readonly width: number;
  cell(index: number): Cell;
}

/** Rows above the header, such as a title. */
export const HEADER_ROWS = 20;
/** The most rows below the header that may belong to it: units, codes, a line. */
const MORE_HEADER_ROWS = 3;

/**
 * Takes the rows of a table one by one, from the first: titles, header, units, foods. `place` is called only to report
 * something, and names the row within the table: `line 7`, `row 3`.
 */
export class OwnFoods {
  readonly #table: OwnTable;
  readonly #faults: Faults;
  readonly #figures: FigureCells;
  readonly #suspicions: Suspicions;
  #columns: ReadonlyMap<Field, PlannedColumn> | undefined;
  /** Absent if the table has no portions. */
  #portions: PortionCells | undefined;
  /** The rows so far, until one of them is the header. */
  #first: { readonly headings: readonly string[]; readonly place: string }[] = [];
  #headings: readonly string[] = [];
  #headerPlace = '';
  #moreHeaderRows = MORE_HEADER_ROWS;
  /** Whether cells are padded with blanks, as in a Markdown table. */
  #isPadded = false;

  constructor(table: OwnTable) {
    this.#table = table;
    this.#faults = new Faults(table.where);
    this.#figures = new FigureCells(table.report, table.commas, table.mark);
    this.#suspicions = new Suspicions(table.report);
  }

  /** The number of headings; undefined until they are known. */
  get width(): number | undefined {
    return this.#columns === undefined ? undefined : this.#headings.length;
  }

  /** Whether the cells of this column are used. */
  reads(index: number): boolean {
    return [...(this.#columns?.values() ?? [])].some(
      (column) => column.index === index || column.instead?.index === index,
    );
  }

  /** Whether this column names the foods. */
  names(index: number): boolean {
    return this.#columns?.get('description')?.index === index;
  }

  /** Takes headings that are not a row, as in a database. @throws UserError */
  header(headings: readonly string[]): void {
    this.#takeHeader(headings, '');
    this.#moreHeaderRows = 0;
  }

  /**
   * The food of a row, which may lack a description; undefined if the row is not a food, or has a fault.
   * @throws UserError if no row is a header, or the header is faulty
   */
  row(row: TableRow, place: () => string): FoodRecord | undefined {
    if (this.#columns === undefined) return void this.#findHeader(row, place);
    if (this.#moreHeaderRows > 0) {
      if (this.#isHeader(row, this.#columns)) return undefined;
      this.#moreHeaderRows = 0;
    }
    return this.#food(row, this.#columns, place);
  }

  /** Counts a fault of a row as a whole. @param fault begins with the place; @param remedy a sentence */
  fault(fault: string, remedy: string): void {
    this.#faults.add(fault, remedy);
  }

  /** To be called after the last row. @throws UserError for the faults of all rows, or if there is no header */
  end(): void {
    if (this.#columns === undefined) this.#takeBestRow();
    this.#faults.refuse();
    const doubt = this.#figures.doubt();
    if (doubt !== undefined) throw new UserError(`${this.#table.where}, ${doubt}`);
    const isOwnForm = FOOD_COLUMNS.every((field) => this.#columns?.get(field)?.heading.trim() === field);
    const place = [this.#table.where, this.#headerPlace].filter((text) => text !== '').join(', ');
    if (!isOwnForm) this.#suspicions.refuseMistakes(this.#columns?.get('kcal'), this.#table.options, place);
  }

  #takeHeader(headings: readonly string[], place: string): void {
    const { where, options, report } = this.#table;
    const plan = planColumns(headings, options, place === '' ? where : `${where}, ${place}`);
    this.#headings = headings;
    this.#headerPlace = place;
    this.#columns = plan.columns;
    this.#portions = PortionCells.of(plan.columns, report, this.#faults);
    report.columns = plan.taken;
    report.unused = headings.filter((heading, index) => heading.trim() !== '' && !this.reads(index));
    const names = new Set(headings.map((heading) => heading.trim()));
    const table = NATIONAL_TABLES.find((each) => each.headings.every((heading) => names.has(heading)));
    if (table !== undefined && report.label !== undefined) {
      const { name, source, licence } = table;
      report.label = { ...report.label, name, source, licence };
    }
  }

  #findHeader(row: TableRow, place: () => string): void {
    const headings = textsOf(row);
    if (countFields(headings, this.#table.options) >= 2) this.#takeHeader(headings, place());
    else if (this.#first.push({ headings, place: place() }) >= HEADER_ROWS) this.#takeBestRow();
  }

  /** No row is a header: the most similar one shows what is missing. */
  #takeBestRow(): void {
    const { where, options } = this.#table;
    const fields = ({ headings }: { headings: readonly string[] }) =>
      countFields(headings, options) || headings.filter(isFigure).length;
    const [best] = this.#first.toSorted((a, b) => fields(b) - fields(a));
    if (best === undefined) {
      throw new UserError(`${where} is empty. The first line names the columns: ${FOOD_COLUMNS.join(',')}.`);
    }
    const down = this.#first.filter(({ headings: [first = ''] }) => isFigure(first)).length;
    if (down > Math.max(1, fields(best))) {
      throw new UserError(
        `${where}: the first column names the figures, so each food is a column. Transpose the table, so that each food is a row (in a spreadsheet: copy, then Paste Special, Transpose).`,
      );
    }
    this.#takeHeader(best.headings, best.place);
  }

  /** Whether a row below the header still belongs to it: units, codes, the same in another language. */
  #isHeader(row: TableRow, columns: ReadonlyMap<Field, PlannedColumn>): boolean {
    this.#moreHeaderRows--;
    const texts = textsOf(row);
    if (countFields(texts, {}) >= 2) return true;
    if (isLine(texts)) {
      this.#isPadded = true;
      return true;
    }
    const name = texts[columns.get('description')?.index ?? -1] ?? '';
    const cells = [...columns.values()]
      .map(({ index }) => texts[index]?.trim() ?? '')
      .filter((text) => text !== '');
    if (name.trim() !== '' || cells.length === 0 || cells.some((cell) => !/^[([]?\p{L}/u.test(cell))) {
      return false;
    }
    if (isRowOfUnits(texts)) {
      const joined = this.#headings.map((heading, i) => `${heading} ${texts[i] ?? ''}`.trim());
      this.#takeHeader(joined, this.#headerPlace);
    }
    return true;
  }

  #food(
    row: TableRow,
    columns: ReadonlyMap<Field, PlannedColumn>,
    place: () => string,
  ): FoodRecord | undefined {
    const figure = (field: Field): string | null => this.#figure(row, columns.get(field), place);
    const food: Draft = {
      carbohydrate_g: figure('carbohydrate_g'),
      protein_g: figure('protein_g'),
      fa_sat_g: figure('fa_sat_g'),
      fa_mono_g: figure('fa_mono_g'),
      fa_poly_g: figure('fa_poly_g'),
      kcal: figure('kcal'),
      description: '',
    };
    const total = figure('fat_g');
    if (total !== null) this.#completeFat(food, total, place);
    food.description = this.#description(row, columns.get('description'), place);
    const popularity = this.#popularity(row, columns.get('popularity'), place);
    if (popularity !== undefined) food.popularity = popularity;
    const portions = this.#portions?.read(row, place, (column) => this.#figure(row, column, place));
    if (portions !== undefined) Object.assign(food, portions);
    if (this.#faults.any) return undefined;
    if (food.description === '') this.#table.report.dropped.add(NO_DESCRIPTION, place);
    else this.#suspicions.check(food, total, place);
    return food;
  }

  #figure(row: TableRow, column: PlannedColumn | undefined, place: () => string): string | null {
    if (column === undefined) return null;
    const cell = row.cell(column.index);
    const figure = this.#figures.read(cell, place, column);
    if (figure === undefined) {
      this.#refuse(cell, column, place, 'a plain decimal number such as 1.5', remedyFor(cell));
      return null;
    }
    const { factor } = column;
    if (figure === null) return this.#figure(row, column.instead, place);
    if (factor === undefined) return figure;
    return scaleDecimal(figure, factor.times, factor.by, factor.digits);
  }

  /** Fills a missing fatty-acid column from total fat, so that the sum is exactly the total. */
  #completeFat(food: Draft, total: string, place: () => string): void {
    const missing = FILLED.find((column) => food[column] === null);
    if (missing === undefined) return;
    const known = FILLED.flatMap((column) => food[column] ?? []);
    const rest = known.length === 0 ? total : subtractDecimals(total, known);
    if (known.length > 0 && rest.startsWith('-')) {
      this.#table.report.suspicious.add('fatty acids above total fat', place);
      Object.assign(food, { fa_sat_g: null, fa_mono_g: null, fa_poly_g: null });
      food[missing] = total;
    } else food[missing] = rest;
  }

  #description(row: TableRow, column: PlannedColumn | undefined, place: () => string): string {
    if (column === undefined) return '';
    const cell = row.cell(column.index) ?? '';
    if (typeof cell === 'string') return this.#isPadded ? cell.trim() : cell;
    this.#refuse(cell, column, place, 'a text', 'Store it as text.');
    return '';
  }

  #popularity(row: TableRow, column: PlannedColumn | undefined, place: () => string): number | undefined {
    if (column === undefined) return undefined;
    const cell = row.cell(column.index);
    const figure = this.#figures.read(cell, place);
    if (figure === null) return undefined;
    const popularity = figure === undefined ? undefined : popularityOf(figure);
    if (popularity === undefined) {
      const remedy = 'Leave the cell empty where the popularity is not known.';
      this.#refuse(cell, column, place, 'a plain decimal number of 0 or more, such as 12', remedy);
    }
    return popularity;
  }

  /** Counts a cell that is not what its column has. */
  #refuse(cell: Cell, { heading }: PlannedColumn, place: () => string, what: string, remedy: string): void {
    this.#faults.add(`${place()}, column ${nameOf(heading)}: ${shown(String(cell))} is not ${what}`, remedy);
  }
}

/** The order in which a missing kind of fatty acids is filled. */
const FILLED = ['fa_mono_g', 'fa_poly_g', 'fa_sat_g'] as const;

/** Whether a row is the line below the header of a Markdown table. */
const isLine = (texts: readonly string[]): boolean =>
  texts.some((text) => text.trim() !== '') && texts.every((text) => /^\s*(?::?-{2,}:?)?\s*$/.test(text));

function textsOf(row: TableRow): string[] {
  return Array.from({ length: row.width }, (_, index) => String(row.cell(index) ?? ''));
}
