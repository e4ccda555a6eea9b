/** Reads the nutrients and the codes of rows. What cannot be read of them is left out: the food is right without it. */
import { canonicalDecimal, type FoodRecord, shown } from '#core';
import { codesOf, looksLikeCode } from '../food/codes.ts';
import { Nutrients } from '../food/nutrients.ts';
import { type Cell, cellText, FigureCells, isUnknown, type TableRow, withoutUnit } from '../words/cells.ts';
import { DOUBTFUL, type Mark } from '../words/numbers.ts';
import type { CodeColumn, NutrientColumn, NutrientPlan } from './nutrient-columns.ts';
import type { OwnTable, RowReader } from './row-reader.ts';

/** The share of cells that must look like codes where the heading may mean another code. */
const MOST_CODES = 0.9;

/** Returns what reads the nutrients and codes of the row of a reader. @param rows the first ones, which show whether columns have codes */
export function nutrientReader(
  { report, commas }: OwnTable,
  reader: RowReader,
  { columns, codes: perhapsCodes, leftOut }: NutrientPlan,
  rows: readonly TableRow[],
) {
  const kinds = columns.map(({ kind }) => kind);
  const nutrients = new Nutrients(report.nutrientsLeftOut, kinds);
  const codes = perhapsCodes.filter(({ index, isDoubtful }) => {
    const texts = rows.map((row) => cellText(row.cell(index))).filter((text) => !isUnknown(text));
    return (
      !isDoubtful || (texts.length > 0 && texts.filter(looksLikeCode).length >= MOST_CODES * texts.length)
    );
  });
  /** Columns with an amount that has a unit. */
  const known = new Set<NutrientColumn>();
  // Apart from the figures, whose doubtful decimal marks stop an import.
  const quiet = {
    repaired: report.repaired,
    leftEmpty: report.nutrientsLeftOut,
    place: () => report.place(),
  };
  const amountsBy = new Map<Mark | undefined, FigureCells>();
  const amountIn = (cell: Cell, column: NutrientColumn, mark: Mark | undefined) => {
    let cells = amountsBy.get(mark);
    if (cells === undefined) {
      cells = new FigureCells({ report: quiet, commas, mark });
      amountsBy.set(mark, cells);
    }
    return cells.read(cell, column);
  };
  const add = (column: NutrientColumn): void => {
    const cell = reader.cell(column);
    if (cell === null || cell === undefined || cell === '') return;
    // Most cells are plain decimals.
    const plain = typeof cell === 'string' && !commas ? canonicalDecimal(cell) : undefined;
    if (plain !== undefined && column.kind.unit !== undefined) {
      nutrients.addDecimal(column.kind, reader.scaled(column, plain), column.kind.unit);
      return;
    }
    const [text, unit = column.kind.unit] = typeof cell === 'string' ? withoutUnit(cell) : [cell];
    const { mark } = reader.figures;
    const isDoubtful = mark === undefined && typeof text === 'string' && DOUBTFUL.test(text);
    const amount = isDoubtful ? undefined : amountIn(text, column, mark);
    if (amount === null) return;
    if (amount !== undefined && unit !== undefined) {
      known.add(column);
      nutrients.addDecimal(column.kind, reader.scaled(column, amount), unit);
      return;
    }
    const whyNot = isDoubtful
      ? 'that may mean thousands or decimals'
      : amount === undefined
        ? 'whose text is not a number'
        : 'without a unit';
    report.nutrientsLeftOut.add(`amount of a nutrient ${whyNot}`, () => reader.placeOf(column));
  };
  return {
    /** @param isFood whether the row becomes a food */
    ofRow: (row: TableRow, isFood: boolean): Pick<FoodRecord, 'nutrients' | 'codes'> => {
      if (!isFood || columns.length + codes.length === 0) return {};
      for (const column of columns) add(column);
      if (codes.length === 0) return nutrients.take();
      const texts = codes.map(({ index }) => cellText(row.cell(index)));
      return Object.assign(nutrients.take(), codesOf(texts, report));
    },
    /** Reports which columns became what. */
    end: (): void => {
      const isUsed = (column: NutrientColumn) => known.has(column) || column.unit !== undefined;
      noteColumns(report, columns.filter(isUsed), codes, [
        ...leftOut,
        ...columns.filter((each) => !isUsed(each)).map(({ heading }) => `${shown(heading)}, without a unit`),
      ]);
    },
  };
}

function noteColumns(
  { nutrientColumns }: OwnTable['report'],
  used: readonly NutrientColumn[],
  codes: readonly CodeColumn[],
  leftOut: readonly string[],
): void {
  const list = (texts: readonly string[]): string[] => (texts.length === 0 ? [] : [texts.join('; ')]);
  const named = ({ kind, heading }: NutrientColumn): string =>
    kind.label === undefined ? shown(heading) : `${shown(heading)} as ${kind.label}`;
  nutrientColumns.nutrients.push(...list(used.map(named)));
  nutrientColumns.codes.push(...list(codes.map(({ heading }) => shown(heading))));
  nutrientColumns.leftOut.push(...list(leftOut));
}
