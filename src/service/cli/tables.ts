/** The table of foods for people. */
import Table from 'cli-table3';
import { type FoodEntry, printable } from '#core';

/** Columns of the terminal for figures and frame; the description gets the rest. */
const FIGURES_WIDTH = 47;

/** An entry with its figures digit for digit: as numbers, 9007199254740993 would become …992. */
export type ShownFood = {
  readonly [Field in keyof FoodEntry]: FoodEntry[Field] extends string ? string : string | null;
};

export const foodsOf = (answer: string): ShownFood[] =>
  JSON.parse(answer.replace(/("(?:carbohydrate_g|protein_g|kcal)":)([\d.-]+)/g, '$1"$2"')) as ShownFood[];

/** As wide as the terminal. @param details lines shown below the description of each food */
export function foodTable(
  entries: readonly ShownFood[],
  details: readonly (readonly string[])[] = [],
): string[] {
  const rows = entries.map((food, i) => {
    const lines = (details[i] ?? []).map((line) => `  ${printable(line)}`);
    return [
      [printable(food.description), ...lines].join('\n'),
      food.kcal ?? UNKNOWN,
      food.protein_g ?? UNKNOWN,
      food.carbohydrate_g ?? UNKNOWN,
      food.fat_g,
    ];
  });
  // Undefined in a pipe.
  const { columns } = process.stdout as { readonly columns?: number };
  const table = new Table({
    head: ['per 100 g', 'kcal', 'protein g', 'carbs g', 'fat g'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    colWidths: [columns === undefined ? null : Math.max(20, columns - FIGURES_WIDTH)],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows);
  return table.toString().split('\n');
}

const UNKNOWN = '–';
