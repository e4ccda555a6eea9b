/** The foods of a text with their amounts, weights and figures: what `GET /amounts` answers, with a service or without. */
import { fatOf, type Portion, readEntry, scaleDecimal, sumToTwoDigits, textOfUtf8 } from '#core';
import { amountText } from './amount.ts';
import { type Found, findFood, type LookedUp } from './foods.ts';
import { readText } from './reading.ts';
import { needsPortions, weigh } from './weighing.ts';
import type { Words } from './words.ts';

const FIGURES = ['carbohydrate_g', 'protein_g', 'fat_g', 'kcal'] as const;

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
  /** Why the weight is unknown. */
  readonly note?: string;
}

export interface WeighedFoods {
  readonly foods: readonly WeighedFood[];
  readonly total: Figures & { readonly grams: string; readonly unknown: number };
}

type Promised<Value> = Value | Promise<Value>;

/** What answers searches by words and for portions, each as JSON. */
export interface AskedFoods {
  searchWords(text: string): Promised<{ readonly body: Uint8Array; readonly missing: readonly string[] }>;
  portions(description: string): Promised<Uint8Array>;
}

/** Entries of an answer among which the plain food is. */
export const MOST_READ = 20;

export async function weighFoods(text: string, words: Words, asked: AskedFoods): Promise<WeighedFoods> {
  const lookUp = async (each: string): Promise<LookedUp<Entry>> => {
    const { body, missing } = await asked.searchWords(each);
    return { foods: entriesOf(textOfUtf8(body)), missing };
  };
  const found: WeighedFood[] = [];
  for (const reading of readText(text, words)) {
    const foods = await findFood(reading, lookUp);
    for (const each of foods) found.push(await weighed(each, words, asked));
  }
  const foods = found.map((food) => ({ ...food, ...figuresOf((figure) => rounded([food[figure]])) }));
  return { foods, total: totalOf(found) };
}

/** An entry of an answer, of which few descriptions and the figures of one are read. */
class Entry {
  readonly json: string;
  #description: string | undefined;

  constructor(json: string) {
    this.json = json;
  }

  get description(): string {
    this.#description ??= JSON.parse(
      this.json.slice(this.json.indexOf(LAST_KEY) + LAST_KEY.length, -1),
    ) as string;
    return this.#description;
  }
}

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

async function weighed(
  { reading, food }: Found<Entry>,
  words: Words,
  asked: AskedFoods,
): Promise<WeighedFood> {
  const { text, amount } = reading;
  const description = food?.description ?? null;
  const unknown = { grams: null, ...figuresOf(() => null) };
  if (amount === undefined)
    return { text, amount: null, ...unknown, description, note: 'There is no amount.' };
  const portions =
    food !== undefined && needsPortions(amount) ? portionsIn(await asked.portions(food.description)) : [];
  const { grams, note } = weigh(amount, { description: description ?? '', portions }, words, text);
  const shown = { text, amount: amountText(amount) };
  if (grams === undefined) return { ...shown, ...unknown, description, ...(note !== undefined && { note }) };
  if (food === undefined) return { ...shown, ...unknown, grams, description, note: 'No food was found.' };
  const record = readEntry(food.json);
  const per100 = { ...record, fat_g: fatOf(record) };
  return { ...shown, grams, ...figuresOf((figure) => forGrams(per100[figure], grams)), description };
}

function portionsIn(json: Uint8Array): readonly Portion[] {
  const portions: { portion: string; grams: number }[] = JSON.parse(textOfUtf8(json));
  return portions.map(({ portion, grams }) => ({ portion, grams: String(grams) }));
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
