/**
 * `food-lookup search TEXT`: what the service would answer, in the terminal and without a server.
 */
import Table from 'cli-table3';
import { UserError } from '../errors.ts';
import { type FoodEntry, MAX_ENTRIES } from '../food.ts';
import { readSetting } from '../settings.ts';
import { openCatalog } from './open-catalog.ts';

export interface SearchFlags {
  readonly foodData?: string;
  /** Print the very bytes of the HTTP answer. */
  readonly json?: boolean;
}

/** Columns of the terminal that the figures and the frame take; the rest is the description's. */
const FIGURES_WIDTH = 47;

/** @throws UserError for what the user can mend */
export async function search(text: string, flags: SearchFlags): Promise<void> {
  if (text === '') throw new UserError('TEXT is empty. Say what to look for: food-lookup search egg');
  const catalog = await openCatalog(readSetting('foodData', flags.foodData, process.env));
  const answer = Buffer.from(await catalog.search(text)).toString();
  await catalog.close();
  process.stdout.write(flags.json ? `${answer}\n` : tableOf(JSON.parse(answer) as FoodEntry[], text));
}

function tableOf(entries: readonly FoodEntry[], text: string): string {
  if (entries.length === 0) return `No food's description contains ${JSON.stringify(text)}.\n`;
  const width = process.stdout.columns;
  const table = new Table({
    head: ['per 100 g', 'kcal', 'protein g', 'carbs g', 'fat g'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    colWidths: [width === undefined ? null : Math.max(20, width - FIGURES_WIDTH)],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const food of entries) {
    table.push([
      food.description,
      figure(food.kcal),
      figure(food.protein_g),
      figure(food.carbohydrate_g),
      food.fat_g,
    ]);
  }
  const more = entries.length === MAX_ENTRIES ? ` (the first ${MAX_ENTRIES}; a longer text finds fewer)` : '';
  return `${table.toString()}\n${entries.length} ${entries.length === 1 ? 'food' : 'foods'}${more}\n`;
}

const figure = (value: number | null): string => (value === null ? '–' : String(value));
