/**
 * Turns the cells of a row into a food.
 */
import { canonicalDecimal, decimalOfNumber } from '../../decimal.ts';
import { shown, UserError } from '../../errors.ts';
import { FIGURE_COLUMNS, type FigureColumn, FOOD_COLUMNS, type FoodRecord } from '../../food.ts';

/** The columns that are read: those that a table must have, and one that it may have. */
export const COLUMNS = [...FOOD_COLUMNS, 'popularity'] as const;
export type Column = (typeof COLUMNS)[number];

export type Cell = string | number | bigint | Uint8Array | null | undefined;

/**
 * An empty cell (or NULL) of a figure or of the popularity means "not known".
 * @param at the place of the row, for the error: file and line
 * @throws UserError that names the place, the column and the value.
 */
export function foodOf(cell: (column: Column) => Cell, at: () => string): FoodRecord {
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
  const value = cell('popularity') ?? '';
  if (value === '') return { ...figures, description };
  const popularity = popularityOf(decimalOf(value) ?? '');
  if (popularity === undefined) {
    throw new UserError(
      `${at()}, column popularity: ${shown(String(value))} is not a plain decimal number of 0 or more, such as 12. ` +
        'Leave the cell empty where the popularity is not known.',
    );
  }
  return { ...figures, description, popularity };
}

/** The number of a plain decimal that is not negative, always finite; undefined for any other text. */
export function popularityOf(text: string): number | undefined {
  const decimal = text === '' ? undefined : canonicalDecimal(text);
  if (decimal === undefined || decimal.startsWith('-')) return undefined;
  return Math.min(Number(decimal), Number.MAX_VALUE);
}

function decimalOf(value: NonNullable<Cell>): string | undefined {
  if (typeof value === 'string') return canonicalDecimal(value);
  return typeof value === 'number' || typeof value === 'bigint' ? decimalOfNumber(value) : undefined;
}
