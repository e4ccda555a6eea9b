/** `food-lookup amounts FILE`: prints what the foods of lines or of a recipe weigh and contain, without a server. */

import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { renderWeighedFoods, type WeighedFoods } from '#amounts';
import { printable, scaleDecimal, sumToTwoDigits } from '#core';
import { unreadable } from '#tables';
import { weighIn } from '../amounts/weighed-foods.ts';
import { numberOfFlag, readSetting } from '../settings/settings.ts';
import { languageOf, openFoodData, readOtherNames } from './open-catalog.ts';
import { print } from './print.ts';
import { portionsIn, readRecipe } from './recipe.ts';
import { tableOf, UNKNOWN } from './tables.ts';

export interface AmountsFlags {
  readonly foodData?: string;
  readonly json?: boolean;
  readonly otherNames?: string;
  readonly language?: string;
  readonly portions?: string;
}

export async function amounts(file: string, flags: AmountsFlags): Promise<void> {
  const { portions: text } = flags;
  const named = text === undefined ? undefined : numberOfFlag('--portions', text, 1, 9999, '4');
  const bytes = file === '-' ? await buffer(process.stdin) : await readBytes(file);
  const recipe = readRecipe(file === '-' ? 'standard input' : file, bytes);
  const portions = named ?? portionsIn(recipe.yield);
  const catalog = await openFoodData(readSetting('foodData', flags.foodData, process.env));
  try {
    const names = await readOtherNames(readSetting('otherNames', flags.otherNames, process.env));
    const language = languageOf(catalog, flags.language);
    const searchWords = (line: string) => catalog.searchWords(line, names, language);
    const weighed = await weighIn(catalog, recipe.lines, searchWords, language);
    print(flags.json ? [jsonOf(weighed, portions)] : linesOf(weighed, portions));
    const notes = unknownIn(weighed).map((food) => `${food.text}: ${food.note}`);
    if (portions === undefined && recipe.yield !== '')
      notes.push(`The number of portions in “${recipe.yield}” is not known. Name it: --portions 4`);
    print(notes, process.stderr);
  } finally {
    await catalog.close();
  }
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

type Total = WeighedFoods['total'];

/** What one of so many equal portions has. */
function portionOf({ grams, unknown, ...figures }: Total, portions: number): Total {
  const part = (figure: string): string => scaleDecimal(figure, 1n, BigInt(portions), 2);
  const parts = Object.entries(figures).map(([name, figure]) => [
    name,
    figure && sumToTwoDigits([part(figure)]),
  ]);
  return { ...(Object.fromEntries(parts) as typeof figures), grams: part(grams), unknown };
}

const unknownIn = ({ foods }: WeighedFoods) => foods.filter(({ note }) => note !== undefined);

/** The answer of `GET /amounts`; if the number of portions is known, also the `nutrition` of a Schema.org recipe, for one of them. */
function jsonOf(weighed: WeighedFoods, portions: number | undefined): string {
  const answer = renderWeighedFoods(weighed);
  if (portions === undefined) return answer;
  const { grams, kcal, carbohydrate_g, protein_g, fat_g } = portionOf(weighed.total, portions);
  const missing = unknownIn(weighed).map(({ text }) => text);
  const withUnit = (unit: string, figure: string | null) =>
    figure === null ? undefined : `${figure} ${unit}`;
  const nutrition = {
    '@type': 'NutritionInformation',
    servingSize: withUnit('g', grams),
    calories: withUnit('kcal', kcal),
    carbohydrateContent: withUnit('g', carbohydrate_g),
    proteinContent: withUnit('g', protein_g),
    fatContent: withUnit('g', fat_g),
    ...(missing.length > 0 && { description: `Without ${missing.join('; ')}` }),
  };
  return `${answer.slice(0, -1)},"nutrition":${JSON.stringify(nutrition)}}`;
}

function linesOf(weighed: WeighedFoods, portions: number | undefined): string[] {
  const { foods, total } = weighed;
  const cells = ({ grams, kcal, carbohydrate_g, protein_g, fat_g }: (typeof foods)[number] | Total) => {
    const weight = grams === null ? null : String(Number(Number(grams).toFixed(1)));
    return [weight, kcal, carbohydrate_g, protein_g, fat_g];
  };
  const rows = foods.map((food) => [
    printable(food.description ?? food.text),
    printable(food.amount ?? UNKNOWN),
    ...cells(food),
  ]);
  const name = total.unknown === 0 ? 'total' : `total without ${total.unknown} of ${foods.length}`;
  rows.push([name, '', ...cells(total)]);
  if (portions !== undefined)
    rows.push([`a portion of ${portions}`, '', ...cells(portionOf(total, portions))]);
  return tableOf(['food', 'amount', 'g', 'kcal', 'carbs g', 'protein g', 'fat g'], 2, rows);
}
