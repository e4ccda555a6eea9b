/**
 * Foods as a table for people.
 */
import Table from 'cli-table3';
import type { FoodEntry } from '../food.ts';
import { printable } from '../printable.ts';

/** Columns of the terminal for figures and frame; the description gets the rest. */
const FIGURES_WIDTH = 47;

/** @param width the columns of the terminal; undefined: unlimited */
export function foodTable(entries: readonly FoodEntry[], width: number | undefined): string[] {
  const table = new Table({
    head: ['per 100 g', 'kcal', 'protein g', 'carbs g', 'fat g'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    colWidths: [width === undefined ? null : Math.max(20, width - FIGURES_WIDTH)],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const food of entries) {
    table.push([
      printable(food.description),
      figure(food.kcal),
      figure(food.protein_g),
      figure(food.carbohydrate_g),
      food.fat_g,
    ]);
  }
  return table.toString().split('\n');
}

const figure = (value: number | null): string => (value === null ? '–' : String(value));
