/**
 * Turns the cells of a row into a food.
 */
import { canonicalDecimal, decimalOfNumber } from '../../decimal.ts';
import { shown, UserError } from '../../errors.ts';
import { FIGURE_COLUMNS, type FigureColumn, type FoodColumn, type FoodRecord } from '../../food.ts';

export type Cell = string | number | bigint | Uint8Array | null | undefined;

/**
 * An empty cell (or NULL) of a figure means "not known".
 * @param at the place of the row, for the error: file and line
 * @throws UserError that names the place, the column and the value.
 */
export function foodOf(cell: (column: FoodColumn) => Cell, at: () => string): FoodRecord {
  const figures = {} as Record<FigureColumn, string | null>;
  for (const column of FIGURE_COLUMNS) {
    const value = cell(column) ?? '';
    const figure = value === '' ? null : decimalOf(value);
    if (figure === undefined) {
      throw new UserError(
        `${at()}, column ${column}: ${shown(String(value))} is not a plain decimal number such as 1.5. ` +
          'Leave the cell empty where the figure is not known.',
      );
    }
    figures[column] = figure;
  }
  const description = cell('description') ?? '';
  if (typeof description !== 'string') {
    throw new UserError(
      `${at()}, column description: ${shown(String(description))} is not a text. Store it as text.`,
    );
  }
  return { ...figures, description };
}

function decimalOf(value: NonNullable<Cell>): string | undefined {
  if (typeof value === 'string') return canonicalDecimal(value);
  return typeof value === 'number' || typeof value === 'bigint' ? decimalOfNumber(value) : undefined;
}
