/**
 * Foods as a table for people.
 */
import Table from 'cli-table3';
import type { FoodEntry } from '../food.ts';
import { printable } from '../printable.ts';

/** Columns of the terminal for figures and frame; the description gets the rest. */
const FIGURES_WIDTH = 47;

/** As an answer has it. */
export interface ShownPortion {
  readonly portion: string;
  readonly grams: number;
}

/**
 * @param width the columns of the terminal; undefined: unlimited
 * @param portions of each food, shown below its description
 */
export function foodTable(
  entries: readonly FoodEntry[],
  width: number | undefined,
  portions: readonly (readonly ShownPortion[])[] = [],
): string[] {
  const table = new Table({
    head: ['per 100 g', 'kcal', 'protein g', 'carbs g', 'fat g'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    colWidths: [width === undefined ? null : Math.max(20, width - FIGURES_WIDTH)],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const [i, food] of entries.entries()) {
    const lines = (portions[i] ?? []).map(({ portion, grams }) => `  ${printable(portion)}: ${grams} g`);
    table.push([
      [printable(food.description), ...lines].join('\n'),
      figure(food.kcal),
      figure(food.protein_g),
      figure(food.carbohydrate_g),
      food.fat_g,
    ]);
  }
  return table.toString().split('\n');
}

const figure = (value: number | null): string => (value === null ? '–' : String(value));
