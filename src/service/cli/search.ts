/** `food-lookup search TEXT`: prints the answer of the service in the terminal, without a server. */

import {
  counted,
  type FoodCatalog,
  type FoundAnswer,
  MAX_ENTRIES,
  type OtherNames,
  UserError,
  type WordsAnswer,
  WrongUse,
} from '#core';
import { Explainer, type FoodParts } from '#engine';
import { MemoryCatalog } from '../catalogs/memory.ts';
import { readSetting } from '../settings/settings.ts';
import { languageOf, openFoodData, readEverydayFoods, readOtherNames } from './open-catalog.ts';
import { print } from './print.ts';
import { foodsOf, foodTable, type ShownFood } from './tables.ts';

export interface SearchFlags {
  readonly foodData?: string;
  readonly json?: boolean;
  readonly explain?: boolean;
  readonly words?: boolean;
  readonly language?: string;
  readonly otherNames?: string;
  readonly portions?: boolean;
  readonly nutrients?: boolean;
}

/** Tenths of a point; less would print as 0.0. */
const LEAST_SHOWN = 0.5;

export async function search(text: string, flags: SearchFlags): Promise<void> {
  if (text === '') throw new WrongUse('TEXT is empty. Give a text to find: food-lookup search egg');
  const catalog = await openFoodData(readSetting('foodData', flags.foodData, process.env));
  try {
    const index = catalog instanceof MemoryCatalog ? catalog.index : undefined;
    if (flags.explain && index === undefined) {
      throw new UserError(
        '--explain: the rules need the word counts of all foods, which are not read from a database. Use an index file of the same sources: --food-data foods.idx',
      );
    }
    const language = languageOf(catalog, flags.language);
    if (flags.explain && language !== undefined) {
      throw new WrongUse(
        '--explain: the rules of the order are about the descriptions of the data set. Leave out --language, or --explain.',
      );
    }
    const names =
      flags.words || flags.language
        ? await readOtherNames(readSetting('otherNames', flags.otherNames, process.env))
        : undefined;
    const { body, replaced, missing } = await answerTo(text, catalog, names, language);
    const entries = foodsOf(body.toString());
    if (flags.json) return print([body.toString()]);
    if (entries.length === 0) {
      const what = names === undefined ? "No food's description contains" : 'No food matches the words';
      return print([`${what} ${JSON.stringify(text)}.`]);
    }
    const lines = replaced.map(({ typed, searched }) => `Read “${typed}” as “${searched}”.`);
    if (missing.length > 0)
      lines.push(`No food has all of the words. The first one lacks “${missing.join('”, “')}”.`);
    if (flags.explain && index !== undefined) {
      const explainer = new Explainer(index.records(), await readEverydayFoods());
      lines.push(...reasonsOf(index.parts(text, names), explainer));
    } else {
      const more =
        entries.length === MAX_ENTRIES ? ` (the first ${MAX_ENTRIES}; a longer text finds fewer)` : '';
      lines.push(
        ...foodTable(entries, await detailsOf(entries, catalog, flags, language)),
        `${counted(entries.length, 'food')}${more}`,
      );
    }
    print(lines);
  } finally {
    await catalog.close();
  }
}

async function answerTo(
  text: string,
  catalog: FoodCatalog,
  names: OtherNames | undefined,
  language: string | undefined,
): Promise<Pick<WordsAnswer, 'body' | 'replaced' | 'missing'>> {
  if (names !== undefined) return catalog.searchWords(text, names, language);
  return { body: answerBody(await catalog.search(text)), replaced: [], missing: [] };
}

const answerBody = (found: Buffer | FoundAnswer): Buffer => (Buffer.isBuffer(found) ? found : found.body);

/** A line for each portion and nutrient of each food, as far as the flags ask for them. */
async function detailsOf(
  entries: readonly ShownFood[],
  catalog: FoodCatalog,
  flags: Pick<SearchFlags, 'portions' | 'nutrients'>,
  language: string | undefined,
): Promise<string[][]> {
  const linesOf = async ({ description }: ShownFood): Promise<string[]> => {
    const lines: string[] = [];
    for (const [what, lineOf] of DETAILS) {
      if (!flags[what]) continue;
      const found = answerBody(await catalog.lookUp(what, description, language));
      lines.push(...(JSON.parse(found.toString()) as Fact[]).map(lineOf));
    }
    return lines;
  };
  return Promise.all(entries.map(linesOf));
}

type Fact = Readonly<Record<string, string | number>>;

const DETAILS = [
  ['portions', ({ portion, grams }: Fact) => `${portion}: ${grams} g`],
  ['nutrients', ({ nutrient, amount, unit }: Fact) => `${nutrient}: ${amount} ${unit}`],
] as const;

function reasonsOf(foods: readonly FoodParts[], explainer: Explainer): string[] {
  return foods.flatMap((parts, i) => {
    const { points, precedence, reasons } = explainer.explain(parts);
    const places = precedence.map((each) => `, ${each}`).join('');
    const summands = reasons
      .filter((reason) => Math.abs(reason.points) >= LEAST_SHOWN)
      .map(
        ({ text: reason, about, points: tenths }) =>
          `${reason}${about === '' ? '' : ` (${about})`} ${signed(tenths)}`,
      );
    return [
      `${i + 1}. ${parts.food.description}: ${(points / 10).toFixed(1)}${places}`,
      `   ${summands.join(', ')}`,
    ];
  });
}

const signed = (tenths: number): string => `${tenths > 0 ? '+' : ''}${(tenths / 10).toFixed(1)}`;
