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
    const { kcal, protein_g, carbohydrate_g, fat_g } = food;
    return [[printable(food.description), ...lines].join('\n'), kcal, protein_g, carbohydrate_g, fat_g];
  });
  // Undefined in a pipe.
  const { columns } = process.stdout as { readonly columns?: number };
  const colWidths = [columns === undefined ? null : Math.max(20, columns - FIGURES_WIDTH)];
  const head = ['per 100 g', 'kcal', 'protein g', 'carbs g', 'fat g'];
  return tableOf(head, 1, rows, { colWidths, wordWrap: true });
}

export const UNKNOWN = '–';

/** The lines of a table, whose figures are at the right of their columns. @param texts columns of texts, which come first */
export function tableOf(
  head: string[],
  texts: number,
  rows: readonly (readonly (string | null)[])[],
  options: Table.TableConstructorOptions = {},
): string[] {
  const colAligns = head.map((_, i) => (i < texts ? 'left' : 'right'));
  const table = new Table({ head, colAligns, style: { head: [], border: [], compact: true }, ...options });
  table.push(...rows.map((cells) => cells.map((cell) => cell ?? UNKNOWN)));
  return table.toString().split('\n');
}
