/** `food-lookup amounts FILE`: prints what the foods of lines weigh and contain, without a server. */

import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import Table from 'cli-table3';
import { renderWeighedFoods, type WeighedFoods } from '#amounts';
import { printable, systemCode, UserError } from '#core';
import { weighIn } from '../amounts/weighed-foods.ts';
import { readSetting } from '../settings/settings.ts';
import { openFoodData, readOtherNames } from './open-catalog.ts';
import { print } from './print.ts';

export interface AmountsFlags {
  readonly data?: string;
  readonly json?: boolean;
  readonly otherNames?: string;
}

export async function amounts(file: string, flags: AmountsFlags): Promise<void> {
  const lines = file === '-' ? await textOf(process.stdin) : await readLines(file);
  const catalog = await openFoodData(readSetting('foodData', flags.data, process.env));
  try {
    const names = await readOtherNames(readSetting('otherNames', flags.otherNames, process.env));
    const weighed = await weighIn(catalog, lines, names);
    print(flags.json ? [renderWeighedFoods(weighed)] : tableOf(weighed));
    const unknown = weighed.foods.filter(({ note }) => note !== undefined);
    print(
      unknown.map(({ text, note }) => `${text}: ${note}`),
      process.stderr,
    );
  } finally {
    await catalog.close();
  }
}

async function readLines(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError(
      `${file} cannot be read (${systemCode(error)}). Name a text file, or - for standard input.`,
    );
  }
}

const UNKNOWN = '–';

function tableOf({ foods, total }: WeighedFoods): string[] {
  const table = new Table({
    head: ['food', 'amount', 'g', 'kcal', 'carbs g', 'protein g', 'fat g'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  const cells = ({ grams, kcal, carbohydrate_g, protein_g, fat_g }: (typeof foods)[number] | typeof total) =>
    [
      grams === null ? null : String(Number(Number(grams).toFixed(1))),
      kcal,
      carbohydrate_g,
      protein_g,
      fat_g,
    ].map((cell) => cell ?? UNKNOWN);
  for (const food of foods)
    table.push([printable(food.description ?? food.text), printable(food.amount ?? UNKNOWN), ...cells(food)]);
  table.push([
    total.unknown === 0 ? 'total' : `total without ${total.unknown} of ${foods.length}`,
    '',
    ...cells(total),
  ]);
  return table.toString().split('\n');
}
