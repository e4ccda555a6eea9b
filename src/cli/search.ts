/**
 * `food-lookup search TEXT`: prints the answer of the service in the terminal, without a server.
 */
import { UserError } from '../errors.ts';
import { type FoodEntry, MAX_ENTRIES } from '../food.ts';
import { Explainer, type Precedence } from '../search/ranking/explanation.ts';
import { readSetting } from '../settings/settings.ts';
import { foodTable } from './food-table.ts';
import { openFoodData, readEverydayFoods } from './open-catalog.ts';
import { print } from './print.ts';

export interface SearchFlags {
  readonly foodData?: string;
  /** Print the JSON of the HTTP answer. */
  readonly json?: boolean;
  /** Explain the rank of each food. */
  readonly explain?: boolean;
}

/** Tenths of a point; less would print as 0.0. */
const LEAST_SHOWN = 0.5;

/** @throws UserError that says what to change */
export async function search(text: string, flags: SearchFlags): Promise<void> {
  if (text === '') throw new UserError('TEXT is empty. Give a text to find: food-lookup search egg');
  const catalog = await openFoodData(readSetting('foodData', flags.foodData, process.env));
  try {
    if (flags.explain && catalog.records === undefined) {
      throw new UserError(
        '--explain: the rules need the word counts of all foods, which are not read from a database. Use an index file of the same sources: --food-data foods.idx',
      );
    }
    const found = await catalog.search(text);
    const answer = (Buffer.isBuffer(found) ? found : found.body).toString();
    const entries = JSON.parse(answer) as FoodEntry[];
    if (flags.explain && catalog.records !== undefined) {
      print(explanationOf(entries, text, new Explainer(catalog.records(), await readEverydayFoods())));
    } else print(flags.json ? [answer] : tableOf(entries, text));
  } finally {
    await catalog.close();
  }
}

function explanationOf(entries: readonly FoodEntry[], text: string, explainer: Explainer): string[] {
  if (entries.length === 0) return [noMatch(text)];
  return entries.flatMap(({ description }, i) => {
    const repetition = entries.slice(0, i).filter((entry) => entry.description === description).length;
    const { points, precedence, reasons } = explainer.explain(description, text, repetition);
    const places = precedence.map((each) => `, ${PLACES[each]}`).join('');
    const summands = reasons
      .filter((reason) => Math.abs(reason.points) >= LEAST_SHOWN)
      .map(
        ({ text: reason, about, points: tenths }) =>
          `${reason}${about === '' ? '' : ` (${about})`} ${signed(tenths)}`,
      );
    return [`${i + 1}. ${description}: ${(points / 10).toFixed(1)}${places}`, `   ${summands.join(', ')}`];
  });
}

/** What goes before points. */
const PLACES: Readonly<Record<Precedence, string>> = {
  'whole description': 'exactly the text: before all others',
  'inside a word': 'inside a word: after all matches that begin one',
  'name of an earlier food': 'the name of an earlier food: after all other names',
};

const noMatch = (text: string): string => `No food's description contains ${JSON.stringify(text)}.`;
const signed = (tenths: number): string => `${tenths > 0 ? '+' : ''}${(tenths / 10).toFixed(1)}`;

function tableOf(entries: readonly FoodEntry[], text: string): string[] {
  if (entries.length === 0) return [noMatch(text)];
  const more = entries.length === MAX_ENTRIES ? ` (the first ${MAX_ENTRIES}; a longer text finds fewer)` : '';
  return [
    ...foodTable(entries, process.stdout.columns),
    `${entries.length} ${entries.length === 1 ? 'food' : 'foods'}${more}`,
  ];
}
