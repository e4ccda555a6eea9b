/** Reads the nutrients and the codes of rows. What cannot be read of them is left out: the food is right without it. */
import { canonicalDecimal, type FoodRecord, shown } from '#core';
import { codesOf, looksLikeCode } from '../food/codes.ts';
import { Nutrients } from '../food/nutrients.ts';
import { cellText, FigureCells, isUnknown, type TableRow, withoutUnit } from '../words/cells.ts';
import { DOUBTFUL } from '../words/numbers.ts';
import type { NutrientColumn, NutrientPlan } from './nutrient-columns.ts';
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
  const nutrients = new Nutrients(
    report.nutrientsLeftOut,
    columns.map(({ kind }) => kind),
  );
  const codes = perhapsCodes.filter(({ index, isDoubtful }) => {
    const texts = rows.map((row) => cellText(row.cell(index))).filter((text) => !isUnknown(text));
    return (
      !isDoubtful || (texts.length > 0 && texts.filter(looksLikeCode).length >= MOST_CODES * texts.length)
    );
  });
  /** Columns with an amount that has a unit. */
  const known = new Set<NutrientColumn>();
  // Apart from the figures, whose doubtful decimal marks stop an import.
  const amounts = new FigureCells({
    report: { repaired: report.repaired, leftEmpty: report.nutrientsLeftOut, place: () => report.place() },
    commas,
    get mark() {
      return reader.figures.mark;
    },
  });
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
    const isDoubtful = reader.figures.mark === undefined && typeof text === 'string' && DOUBTFUL.test(text);
    const amount = isDoubtful ? undefined : amounts.read(text, column);
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
    ofRow: (row: TableRow): Pick<FoodRecord, 'nutrients' | 'codes'> => {
      for (const column of columns) add(column);
      if (codes.length === 0) return nutrients.take();
      const texts = codes.map(({ index }) => cellText(row.cell(index)));
      return Object.assign(nutrients.take(), codesOf(texts, report));
    },
    /** Reports which columns became what. */
    end: (): void => {
      const isUsed = (column: NutrientColumn) => known.has(column) || column.unit !== undefined;
      const unused = columns.filter((each) => !isUsed(each));
      const note = (kind: keyof typeof report.nutrientColumns, texts: readonly string[]): void => {
        if (texts.length > 0) report.nutrientColumns[kind].push(texts.join('; '));
      };
      note('nutrients', columns.filter(isUsed).map(named));
      note(
        'codes',
        codes.map(({ heading }) => shown(heading)),
      );
      note('leftOut', [...leftOut, ...unused.map(({ heading }) => `${shown(heading)}, without a unit`)]);
    },
  };
}

const named = ({ kind, heading }: NutrientColumn): string =>
  kind.label === undefined ? shown(heading) : `${shown(heading)} as ${kind.label}`;
