/** The foods of a text with their amounts, weights and figures: what `GET /amounts` answers, with a service or without. */
import {
  type FoodRecord,
  fatOf,
  multiplyDecimals,
  type Portion,
  readEntry,
  sumToTwoDigits,
  textOfUtf8,
  type WordsAnswer,
} from '#core';
import { amountText } from './amount.ts';
import { type Found, findFood, type LookedUp } from './foods.ts';
import { decimalOf, fraction, ofDecimal, plus } from './fraction.ts';
import { solidsOf } from './had-words.ts';
import { readText } from './reading.ts';
import { needsPortions, weigh } from './weighing.ts';
import type { Words } from './words.ts';

/** For the amount, with two digits after the point; null if unknown. */
type Figures = Readonly<Record<(typeof FIGURES)[number], string | null>>;

interface WeighedFood extends Figures {
  readonly text: string;
  /** As it was read; null if there is none. */
  readonly amount: string | null;
  /** A decimal; null if the weight is unknown. */
  readonly grams: string | null;
  /** Null if nothing was found. */
  readonly description: string | null;
  /** The words of the text that name the food and that this one lacks, or, without a food, those that no food has together. */
  readonly missing: readonly string[];
  /** Why the weight is unknown. */
  readonly note?: string | undefined;
}

export interface WeighedFoods {
  readonly foods: readonly WeighedFood[];
  readonly total: Figures & { readonly grams: string; readonly unknown: number };
}

type Promised<Value> = Value | Promise<Value>;

/** What answers searches by words and for portions, each as JSON. */
export interface AskedFoods {
  searchWords(text: string): Promised<Pick<WordsAnswer<Uint8Array>, 'body' | 'missing' | 'replaced'>>;
  lookUp(what: 'portions' | 'names', description: string): Promised<Uint8Array>;
  /** The description in the data set's own language, of which the rules of weights know more. */
  originalOf?(description: string): string | undefined;
}

/** Entries of an answer among which the plain food is. */
export const MOST_READ = 20;

/** @param language of the text, as a BCP 47 tag, if it is known */
export async function weighFoods(
  text: string,
  words: Words,
  asked: AskedFoods,
  language?: string,
): Promise<WeighedFoods> {
  const lookUp = async (each: string): Promise<LookedUp<Entry>> => {
    const { body, missing, replaced } = await asked.searchWords(each);
    return { foods: entriesOf(textOfUtf8(body)), missing, replaced };
  };
  const questions = {
    lookUp,
    namesOf: async ({ description }: Entry): Promise<string[]> =>
      JSON.parse(textOfUtf8(await asked.lookUp('names', description))),
    originalOf: ({ description }: Entry): string => asked.originalOf?.(description) ?? description,
    solidsOf: ({ json }: Entry): number => {
      const food = readEntry(json);
      return solidsOf([food.protein_g, food.carbohydrate_g, fatOf(food)]);
    },
    isTranslated: asked.originalOf !== undefined,
  };
  const weighed: Weighed[] = [];
  for (const reading of readText(text, words, undefined, language))
    for (const each of await findFood(reading, questions)) weighed.push(await weighedOf(each, words, asked));
  const foods = weighed.map(({ food }) => food);
  const known = foods.map(({ grams }) => ofDecimal(grams ?? '0'));
  const total = {
    grams: decimalOf(known.reduce(plus, fraction(0))),
    ...figuresOf((figure) => sumToTwoDigits(weighed.map(({ exact }) => exact[figure]))),
    unknown: foods.filter((food) => food.grams === null || food.description === null).length,
  };
  return { foods, total };
}

/** An entry of an answer, of which few descriptions and the figures of one are read. */
class Entry {
  readonly json: string;
  #description: string | undefined;

  constructor(json: string) {
    this.json = json;
  }

  get description(): string {
    this.#description ??= textOfJson(this.json.slice(this.json.indexOf(LAST_KEY) + LAST_KEY.length, -1));
    return this.#description;
  }
}

const textOfJson = (json: string): string => (json.includes('\\') ? JSON.parse(json) : json.slice(1, -1));

const SEPARATOR = '},{"carbohydrate_g"';
const LAST_KEY = '"description":';

/** The first entries, with every digit of their figures. */
const entriesOf = (answer: string): readonly Entry[] =>
  answer === '[]'
    ? []
    : answer
        .slice(2, -2)
        .split(SEPARATOR, MOST_READ)
        .map((entry, i) => new Entry(i === 0 ? `{${entry}}` : `${SEPARATOR.slice(2)}${entry}}`));

/** A food, and its figures with all digits. */
interface Weighed {
  readonly food: WeighedFood;
  readonly exact: Figures;
}

async function weighedOf(
  { reading, food, missing }: Found<Entry>,
  words: Words,
  asked: AskedFoods,
): Promise<Weighed> {
  const { text, amount } = reading;
  const description = food?.description ?? null;
  const isAsked = amount !== undefined && food !== undefined && needsPortions(amount);
  const portions = isAsked ? portionsIn(await asked.lookUp('portions', food.description)) : [];
  const original = description && (asked.originalOf?.(description) ?? description);
  const { grams = null, note } =
    amount === undefined
      ? { note: 'There is no amount.' }
      : weigh(amount, { description: original ?? '', portions }, words, text);
  const exact = food === undefined || grams === null ? UNKNOWN : forGrams(readEntry(food.json), grams);
  const shown = {
    text,
    amount: amount === undefined ? null : amountText(amount),
    grams,
    ...figuresOf((name) => (exact[name] === null ? null : sumToTwoDigits([exact[name]]))),
    description,
    missing,
    note: food === undefined ? notFound(missing) : note,
  };
  return { food: shown, exact };
}

const notFound = (missing: readonly string[]): string =>
  missing.length === 0 ? 'No food was found.' : `No food was found with “${missing.join('” and “')}”.`;

function portionsIn(json: Uint8Array): readonly Portion[] {
  const portions: { portion: string; grams: number }[] = JSON.parse(textOfUtf8(json));
  return portions.map(({ portion, grams }) => ({ portion, grams: String(grams) }));
}

const FIGURES = ['carbohydrate_g', 'protein_g', 'fat_g', 'kcal'] as const;

const figuresOf = (figure: (name: keyof Figures) => string | null) =>
  Object.fromEntries(FIGURES.map((name) => [name, figure(name)])) as Figures;

const UNKNOWN = figuresOf(() => null);

/** The exact figures for this weight. */
function forGrams(food: FoodRecord, grams: string): Figures {
  const hundreds = multiplyDecimals(grams, '0.01');
  return figuresOf((name) => {
    const per100 = name === 'fat_g' ? fatOf(food) : food[name];
    return per100 && multiplyDecimals(per100, hundreds);
  });
}

/** The answer's JSON, in which weights are numbers. */
export const renderWeighedFoods = ({ foods, total }: WeighedFoods): string =>
  JSON.stringify({ foods, total }, (key, value) =>
    key === 'grams' && value !== null ? Number(value) : value,
  );
