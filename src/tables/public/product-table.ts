/** Products of Open Food Facts in any table: saved again by a spreadsheet or a program, with few columns, in any order. */
import { billionthsOf, type FoodRecord } from '#core';
import type { FigureTarget } from '../food/figures.ts';
import { OPEN_FOOD_FACTS_CREDIT } from '../report/labels.ts';
import { type Cell, cellText, FigureCells, type FigureSource, type TableRow } from '../words/cells.ts';
import { isNameField } from './product-languages.ts';
import { productNutrient } from './product-nutrients.ts';
import { type Product, productReader } from './products.ts';

/** A gram per 100 g: how the cells of all figures are read. */
const FIGURE = { field: 'nutrient', unit: 'g' } as const;

/** Returns what makes a food of a row, and notes in the report whose they are. */
export function productTable(headings: readonly string[], source: FigureSource & FigureTarget) {
  const { report, options } = source;
  report.kind = `Open Food Facts, ${report.kind}`;
  if (report.label !== undefined)
    report.label = { ...report.label, name: 'Open Food Facts', ...OPEN_FOOD_FACTS_CREDIT };
  const fields = headings.map((heading) => heading.trim().toLowerCase());
  const nameFields = fields.filter(isNameField);
  const figures = new FigureCells(source);
  const positions = new Map(fields.map((name, index) => [name, index]));
  const nutrients = fields.flatMap((name, index) => {
    const kind = productNutrient(name);
    return kind === undefined ? [] : [{ kind, index }];
  });
  const productOf = (row: TableRow): Product => {
    const cell = (name: string): Cell => row.cell(positions.get(name) ?? -1);
    return {
      text: (name) => cellText(cell(name)),
      nameFields,
      figure: (name) => {
        const figure = figures.read(cell(`${name}_100g`), FIGURE);
        return typeof figure === 'string' ? billionthsOf(figure) : figure === null ? Number.NaN : undefined;
      },
      nutrients: (add) => {
        for (const { kind, index } of nutrients) {
          const figure = figures.read(row.cell(index), FIGURE);
          if (figure !== null) add(kind, figure ?? cellText(row.cell(index)));
        }
      },
    };
  };
  const foodOf = productReader(report, options);
  return (row: TableRow): FoodRecord | undefined => foodOf(productOf(row), row.place);
}
