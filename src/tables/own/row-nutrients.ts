/** Reads the nutrients and the codes of rows. What cannot be read of them is left out: the food is right without it. */
import { canonicalDecimal, type FoodRecord, shown } from '#core';
import { codesOf, looksLikeCode } from '../food/codes.ts';
import { Nutrients } from '../food/nutrients.ts';
import { cellText, FigureCells, isUnknown, type TableRow, withoutUnit } from '../words/cells.ts';
import { DOUBTFUL, type Mark } from '../words/numbers.ts';
import type { CodeColumn } from './nutrient-columns.ts';
import type { NutrientColumn, NutrientPlan } from './nutrient-plan.ts';
import type { RowReader, RowSource } from './row-reader.ts';

/** The share of cells that must look like codes where the heading may mean another code. */
const MOST_CODES = 0.9;

export class RowNutrients {
  readonly #source: RowSource;
  readonly #reader: RowReader;
  readonly #nutrients: Nutrients;
  readonly #columns: readonly NutrientColumn[];
  readonly #codes: readonly CodeColumn[];
  readonly #leftOut: readonly string[];
  /** Columns with an amount that has a unit. */
  readonly #known = new Set<NutrientColumn>();
  #amounts: FigureCells | undefined;
  #mark: Mark | undefined;

  /** @param rows the first ones, which show whether columns have codes */
  constructor(
    source: RowSource,
    reader: RowReader,
    { columns, codes, leftOut }: NutrientPlan,
    rows: readonly TableRow[],
  ) {
    this.#source = source;
    this.#reader = reader;
    this.#nutrients = new Nutrients(
      source.report.nutrientsLeftOut,
      columns.map(({ kind }) => kind),
    );
    this.#columns = columns;
    this.#leftOut = leftOut;
    this.#codes = codes.filter(({ index, isDoubtful }) => {
      const texts = rows.map((row) => cellText(row.cell(index))).filter((text) => !isUnknown(text));
      return (
        !isDoubtful || (texts.length > 0 && texts.filter(looksLikeCode).length >= MOST_CODES * texts.length)
      );
    });
  }

  /** @param isFood whether the row becomes a food */
  ofRow(row: TableRow, isFood: boolean): Pick<FoodRecord, 'nutrients' | 'codes'> {
    if (!isFood || this.#columns.length + this.#codes.length === 0) return {};
    for (const column of this.#columns) this.#add(column);
    const texts = this.#codes.map(({ index }) => cellText(row.cell(index)));
    return Object.assign(this.#nutrients.take(), codesOf(texts, this.#source.report));
  }

  #add(column: NutrientColumn): void {
    const cell = this.#reader.cell(column);
    if (cell === null || cell === undefined || cell === '') return;
    // Most cells are plain decimals.
    const plain = typeof cell === 'string' && !this.#source.commas ? canonicalDecimal(cell) : undefined;
    if (plain !== undefined && column.kind.unit !== undefined) {
      this.#nutrients.add(column.kind, this.#reader.scaled(column, plain));
      return;
    }
    const [text, unit = column.kind.unit] = typeof cell === 'string' ? withoutUnit(cell) : [cell];
    const { mark } = this.#reader.figures;
    const isDoubtful = mark === undefined && typeof text === 'string' && DOUBTFUL.test(text);
    const amount = isDoubtful ? undefined : this.#amountsBy(mark).read(text, column);
    if (amount === null) return;
    if (amount !== undefined && unit !== undefined) {
      this.#known.add(column);
      this.#nutrients.add(column.kind, this.#reader.scaled(column, amount), unit);
      return;
    }
    const whyNot = isDoubtful
      ? 'that may mean thousands or decimals'
      : amount === undefined
        ? 'whose text is not a number'
        : 'without a unit';
    this.#source.report.nutrientsLeftOut.add(`amount of a nutrient ${whyNot}`, () =>
      this.#reader.placeOf(column),
    );
  }

  /** What reads amounts where that is the decimal mark, without a doubt about those of the figures. */
  #amountsBy(mark: Mark | undefined): FigureCells {
    const { report, commas } = this.#source;
    const { repaired, nutrientsLeftOut } = report;
    const quiet = { repaired, leftEmpty: nutrientsLeftOut, place: () => report.place() };
    if (this.#amounts === undefined || this.#mark !== mark)
      this.#amounts = new FigureCells({ report: quiet, commas, mark });
    this.#mark = mark;
    return this.#amounts;
  }

  /** Reports which columns became what. */
  end(): void {
    const [used, others] = [true, false].map((isUsed) =>
      this.#columns.filter((column) => (this.#known.has(column) || column.unit !== undefined) === isUsed),
    );
    const list = (texts: readonly string[]): string[] => (texts.length === 0 ? [] : [texts.join('; ')]);
    const named = ({ kind, heading }: NutrientColumn): string =>
      kind.label === undefined ? shown(heading) : `${shown(heading)} as ${kind.label}`;
    const leftOut = [
      ...this.#leftOut,
      ...(others ?? []).map(({ heading }) => `${shown(heading)}, without a unit`),
    ];
    const { nutrientColumns } = this.#source.report;
    nutrientColumns.nutrients.push(...list((used ?? []).map(named)));
    nutrientColumns.codes.push(...list(this.#codes.map(({ heading }) => shown(heading))));
    nutrientColumns.leftOut.push(...list(leftOut));
  }
}
