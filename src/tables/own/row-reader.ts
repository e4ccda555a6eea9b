/** Reads the cells of one row after the other: figures of 100 g, whatever amount or unit the columns have. */
import { amount as amountText, MAX_DESCRIPTION, popularityOf, scaleDecimal, shown, UserError } from '#core';
import type { SourceReport } from '../report/source-report.ts';
import {
  type Cell,
  FigureCells,
  type FigureSource,
  nameIn,
  remedyFor,
  type TableRow,
} from '../words/cells.ts';
import type { Field } from '../words/headings.ts';
import {
  type AmountColumn,
  amountIn,
  factorOf,
  gramsIn,
  mayBeThousands,
  quotedUnlessField,
  WAYS_ON,
} from './amounts.ts';
import type { ColumnCandidate, ColumnOptions } from './candidates.ts';
import type { Faults } from './faults.ts';
import type { PlannedColumn } from './plan.ts';

export interface OwnSource {
  readonly report: SourceReport;
  /** The table in messages: the file, and the sheet or the like in it. */
  readonly where: string;
  readonly options: ColumnOptions;
  /** Whether nobody can mend it: rows that are cut off are dropped, and names trimmed. */
  readonly isPublic?: boolean | undefined;
}

export interface OwnTable extends OwnSource, FigureSource {
  readonly report: SourceReport;
  /** Such as the name of the sheet. */
  readonly title?: string;
}

/** What its first rows have shown of a table. */
export interface DecidedTable {
  readonly table: OwnTable;
  readonly faults: Faults;
  readonly columns: ReadonlyMap<Field, PlannedColumn>;
  /** The column with the amount that the figures of a row are for; absent if they are per 100 g. */
  readonly amount: AmountColumn | undefined;
  /** Whether names have blanks around them. */
  readonly isPadded: boolean;
}

export class RowReader {
  readonly figures: FigureCells;
  readonly #decided: DecidedTable;
  readonly #twins: readonly (readonly [PlannedColumn, PlannedColumn])[];
  #row!: TableRow;
  /** The grams that the figures of the row are for; null if it has no amount. */
  grams: string | null | undefined;

  constructor(decided: DecidedTable) {
    this.figures = new FigureCells(decided.table);
    this.#decided = decided;
    this.#twins = [...decided.columns.values()].flatMap((first) =>
      first.twins.map((second) => [first, second] as const),
    );
  }

  /** Goes on to a row. @returns the name of its food; "" if it has none, so that it needs no amount, or a faulty one */
  begin(row: TableRow): string {
    this.#row = row;
    const column = this.#decided.columns.get('description');
    const description = column === undefined ? '' : this.#description(column);
    this.grams = description === '' ? undefined : this.#gramsOfRow();
    return description;
  }

  #description(column: PlannedColumn): string {
    const { table, isPadded } = this.#decided;
    const { isPublic = false } = table;
    const text = this.text(column);
    if (text.length <= MAX_DESCRIPTION || isPublic) return isPadded || isPublic ? text.trim() : text;
    this.#decided.faults.add(
      `${this.placeOf(column)}: the description has ${amountText(text.length)} characters, more than ${amountText(MAX_DESCRIPTION)}`,
      'Shorten it, or choose the column that names the food: --column description=HEADING',
    );
    return '';
  }

  /** The text of a cell; "" if it says none, or has something else, which is counted. */
  text(column: PlannedColumn): string {
    const text = nameIn(this.cell(column));
    if (typeof text === 'string') return text;
    this.refuse(column, 'a text', 'Store it as text.');
    return '';
  }

  /** @param header its place @throws UserError if columns that fit a field equally well differ in the row */
  requireAlike(header: string): void {
    for (const pair of this.#twins) {
      const isText = pair[0].field === 'description' || /^portion_\d+$/.test(pair[0].field);
      const texts = pair.map((each) => String(this.cell(each) ?? '').trim());
      const [value, other] = isText ? texts : pair.map((each) => this.#ownFigureIn(each));
      if (value === null || other === null || value === other || this.#decided.faults.any) continue;
      throw new UserError(
        `${header}: ${unlike(...pair, `${this.#row.place()} has ${texts.map(shown).join(' and ')}`)}`,
      );
    }
  }

  cell({ index }: PlannedColumn): Cell {
    return this.#row.cell(index);
  }

  /** A figure of 100 g; null if it is not known, or faulty, which is counted. */
  figure(field: Field): string | null {
    const column = this.#decided.columns.get(field);
    return column === undefined ? null : this.figureIn(column);
  }

  figureIn(column: PlannedColumn): string | null {
    const figure = this.#ownFigureIn(column);
    if (figure !== null) return figure;
    for (const each of column.instead) {
      const other = this.#ownFigureIn(each);
      if (other === null) continue;
      if (each.basis !== column.basis)
        this.#decided.table.report.repaired.add(
          `figure per ${each.basis}, as none per ${column.basis} is known`,
        );
      return other;
    }
    return null;
  }

  /** Undefined if it is not known, or faulty, which is counted. */
  popularity(): number | undefined {
    const column = this.#decided.columns.get('popularity');
    const figure = column && this.figures.read(this.cell(column), column);
    if (column === undefined || figure === null) return undefined;
    const popularity = popularityOf(figure ?? '');
    const remedy = 'Leave the cell empty where the popularity is not known.';
    if (popularity === undefined)
      this.refuse(column, 'a plain decimal number of 0 or more, such as 12', remedy);
    return popularity;
  }

  /** Why a row without grams is dropped, and what it has instead. */
  get whyDropped(): readonly [reason: string, place: () => string] {
    const { place } = this.#row;
    const { amount } = this.#decided;
    const column = `in column ${quotedUnlessField(amount?.heading ?? '')}`;
    const text = shown(this.#amountText);
    return amount !== undefined && gramsIn(this.#row, amount) === null
      ? [`no amount ${column}`, place]
      : [`amount without a weight ${column}`, () => `${place()}, ${text}`];
  }

  /** The energy and the amount as they stand in the row. */
  get example(): string {
    const kcal = this.#decided.columns.get('kcal');
    const energy = String((kcal && this.cell(kcal)) ?? '').trim();
    return `${this.#row.place()}, ${energy} in ${this.#amountText}`;
  }

  get #amountText(): string {
    const { amount } = this.#decided;
    return amount === undefined ? '' : amountIn(this.#row, amount);
  }

  placeOf({ heading }: Pick<PlannedColumn, 'heading'>): string {
    return `${this.#row.place()}, column ${quotedUnlessField(heading)}`;
  }

  refuse(column: PlannedColumn, what: string, remedy: string): void {
    const cell = shown(String(this.cell(column)));
    this.#decided.faults.add(`${this.placeOf(column)}: ${cell} is not ${what}`, remedy);
  }

  #ownFigureIn(column: PlannedColumn): string | null {
    const figure = this.figures.read(this.cell(column), column);
    if (figure === undefined) {
      this.refuse(column, 'a plain decimal number such as 1.5', remedyFor(this.cell(column), column.field));
      return null;
    }
    return figure === null ? null : this.scaled(column, figure);
  }

  /** A figure as it stands, as that of 100 g. */
  scaled(column: PlannedColumn, figure: string): string {
    const grams = column.isPerRow ? this.grams : undefined;
    const factor = typeof grams === 'string' ? factorOf(column, grams) : column.factor;
    return factor === undefined ? figure : scaleDecimal(figure, factor.times, factor.by, factor.digits);
  }

  #gramsOfRow(): string | null | undefined {
    const { amount } = this.#decided;
    const grams = amount && gramsIn(this.#row, amount);
    if (amount === undefined || grams !== undefined) return grams;
    if (amount.mayLackWeight === true) return null;
    const place = `${this.#decided.table.where}, ${this.placeOf(amount)}`;
    const text = shown(this.#amountText);
    throw new UserError(
      mayBeThousands(this.#row, amount)
        ? `${place}: ${text} may mean thousands or decimals. Write weights without separators of thousands.`
        : `${place}: the figures are for ${text}, whose weight is not known. ${WAYS_ON}`,
    );
  }
}

/** @param found the row in which they differ, and what it has */
function unlike(first: ColumnCandidate, second: ColumnCandidate, found: string): string {
  const [one, other] = [first, second].map(({ index, heading }) => `${letterOf(index)}, ${shown(heading)}`);
  const isSameName = first.heading.trim() === second.heading.trim();
  const remedy = isSameName ? 'Rename one of the two.' : `Choose one: --column ${first.field}=HEADING`;
  return `columns ${one}, and ${other}, fit ${first.field} equally well, but differ: ${found}. ${remedy}`;
}

/** The name of a column in spreadsheets: `A`, `Z`, `AA`. */
function letterOf(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? letterOf(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}
