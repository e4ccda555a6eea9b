/** The foods of lines with their amounts, weights and figures: what `GET /amounts` and `food-lookup amounts` answer. */
import { readFileSync } from 'node:fs';
import {
  amountText,
  type Found,
  findFood,
  type LookedUp,
  needsPortions,
  readText,
  readWords,
  type Words,
  weigh,
} from '#amounts';
import {
  type DataSet,
  type FoodCatalog,
  type FoodRecord,
  fatOf,
  hashOfText,
  type OtherNames,
  type Portion,
  readEntry,
  scaleDecimal,
  sumToTwoDigits,
  type WordsAnswer,
} from '#core';
import { version } from '../operations/process.ts';

export const FIGURES = ['carbohydrate_g', 'protein_g', 'fat_g', 'kcal'] as const;

/** For the amount, with two digits after the point; null if unknown. */
export type Figures = Readonly<Record<(typeof FIGURES)[number], string | null>>;

export interface WeighedFood extends Figures {
  readonly text: string;
  /** As it was read; null if there is none. */
  readonly amount: string | null;
  /** A decimal; null if the weight is unknown. */
  readonly grams: string | null;
  /** Null if nothing was found. */
  readonly description: string | null;
  /** Why the weight is unknown. */
  readonly note?: string;
}

export interface WeighedFoods {
  readonly foods: readonly WeighedFood[];
  readonly total: Figures & { readonly grams: string; readonly unknown: number };
  /** Of the data set that was searched. */
  readonly identity: string;
}

/** What is asked of a catalog. */
export interface SearchedCatalog extends Pick<FoodCatalog, 'portions'> {
  readonly dataSet: Pick<DataSet, 'identity'>;
  searchWords(text: string, names: OtherNames): WordsAnswer | Promise<WordsAnswer>;
}

const TEXT = readFileSync(new URL('../../../data/amounts.txt', import.meta.url), 'utf8');

/** Different wherever a text may be read in another way. */
export const WORDS_IDENTITY = `${version}-${hashOfText(TEXT)}`;

let words: Words | undefined;
/** Read when it is first needed, since most processes never do. */
function wordsOfAmounts(): Words {
  words ??= readWords(TEXT);
  return words;
}

/** Entries of an answer among which the plain food is. */
const MOST_READ = 20;

/** @throws Unavailable if the catalog cannot be asked */
export async function weighFoods(
  text: string,
  catalog: SearchedCatalog,
  names: OtherNames,
): Promise<WeighedFoods> {
  const identity = catalog.dataSet.identity;
  const found: WeighedFood[] = [];
  for (const reading of readText(text, wordsOfAmounts())) {
    const foods = await findFood(reading, (each) => lookUp(each, catalog, names));
    for (const each of foods) found.push(await weighed(each, catalog));
  }
  // A data set that was replaced meanwhile is asked again.
  if (catalog.dataSet.identity !== identity) return weighFoods(text, catalog, names);
  const foods = found.map((food) => ({ ...food, ...figuresOf((figure) => rounded([food[figure]])) }));
  return { foods, total: totalOf(found), identity };
}

type Entry = FoodRecord;

async function lookUp(text: string, catalog: SearchedCatalog, names: OtherNames): Promise<LookedUp<Entry>> {
  const { body, missing } = await catalog.searchWords(text, names);
  return { foods: entriesOf(body.toString()).map(readEntry), missing };
}

/** The JSON of the first entries, with every digit of their figures. */
const entriesOf = (answer: string): readonly string[] =>
  answer === '[]'
    ? []
    : answer
        .slice(2, -2)
        .split('},{"carbohydrate_g"', MOST_READ)
        .map((entry, i) => (i === 0 ? `{${entry}}` : `{"carbohydrate_g"${entry}}`));

async function weighed({ reading, food }: Found<Entry>, catalog: SearchedCatalog): Promise<WeighedFood> {
  const { text, amount } = reading;
  const description = food?.description ?? null;
  const unknown = { grams: null, ...figuresOf(() => null) };
  if (amount === undefined)
    return { text, amount: null, ...unknown, description, note: 'There is no amount.' };
  const portions = food !== undefined && needsPortions(amount) ? await portionsOf(food, catalog) : [];
  const { grams, note } = weigh(amount, { description: description ?? '', portions }, wordsOfAmounts(), text);
  const shown = { text, amount: amountText(amount) };
  if (grams === undefined) return { ...shown, ...unknown, description, ...(note !== undefined && { note }) };
  if (food === undefined) return { ...shown, ...unknown, grams, description, note: 'No food was found.' };
  const per100 = { ...food, fat_g: fatOf(food) };
  return { ...shown, grams, ...figuresOf((figure) => forGrams(per100[figure], grams)), description };
}

async function portionsOf({ description }: Entry, catalog: SearchedCatalog): Promise<readonly Portion[]> {
  const found = await catalog.portions(description);
  const portions = JSON.parse((Buffer.isBuffer(found) ? found : found.body).toString());
  return (portions as { portion: string; grams: number }[]).map(({ portion, grams }) => ({
    portion,
    grams: String(grams),
  }));
}

const figuresOf = (figure: (name: keyof Figures) => string | null): Figures => ({
  carbohydrate_g: figure('carbohydrate_g'),
  protein_g: figure('protein_g'),
  fat_g: figure('fat_g'),
  kcal: figure('kcal'),
});

const MICRO = 1_000_000n;

/** More than the exact product of a figure and a weight has. */
const DIGITS = 40;

/** The exact figure for this weight. @param grams a decimal of at most six digits after the point */
const forGrams = (per100: string | null, grams: string): string | null =>
  per100 === null
    ? null
    : scaleDecimal(per100, BigInt(scaleDecimal(grams, MICRO, 1n, 0)), 100n * MICRO, DIGITS);

/** The sum with two digits after the point; null if nothing in it is known. */
const rounded = (figures: readonly (string | null)[]): string | null =>
  figures.every((figure) => figure === null) ? null : sumToTwoDigits(figures);

/** Of what is known. */
function totalOf(foods: readonly WeighedFood[]): WeighedFoods['total'] {
  const grams = foods.reduce((sum, food) => sum + BigInt(scaleDecimal(food.grams ?? '0', MICRO, 1n, 0)), 0n);
  return {
    grams: scaleDecimal('1', grams, MICRO, 6),
    ...figuresOf((figure) => sumToTwoDigits(foods.map((food) => food[figure]))),
    unknown: foods.filter((food) => food.grams === null || food.description === null).length,
  };
}

/** The answer's JSON, in which weights are numbers. */
export const renderWeighedFoods = ({ foods, total }: WeighedFoods): string =>
  JSON.stringify({ foods, total }, (key, value) =>
    key === 'grams' && value !== null ? Number(value) : value,
  );
