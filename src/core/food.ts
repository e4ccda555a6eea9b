/** What a food is: the seven columns of a data set, and the five fields of an answer. */
import { canonicalDecimal, sumToTwoDigits } from './decimal.ts';

/** The columns of an answer's fat: saturated, monounsaturated, polyunsaturated. */
export const FATTY_ACIDS = ['fa_sat_g', 'fa_mono_g', 'fa_poly_g'] as const;

/** Grams or kilocalories per 100 g. */
export const FIGURE_COLUMNS = ['carbohydrate_g', 'protein_g', ...FATTY_ACIDS, 'kcal'] as const;

export const FOOD_COLUMNS = [...FIGURE_COLUMNS, 'description'] as const;

export type FigureColumn = (typeof FIGURE_COLUMNS)[number];

export const MAX_ENTRIES = 100;

/**
 * Characters (UTF-16 code units) of a description. Real ones have a few hundred at most, and a search reads all places of its
 * text in foods that contain it very often.
 */
export const MAX_DESCRIPTION = 2000;

/** What people measure a food by: a piece, a cup, a slice. */
export interface Portion {
  /** As people say it: "1 large", "1 cup, diced". */
  readonly portion: string;
  /** g, a canonical decimal above 0 with at most three digits after the point. */
  readonly grams: string;
}

/** What a label says beside the four figures, per 100 g. */
export interface Nutrient {
  /** One name in every source for those of a label ("Fibre", "Salt"); otherwise the source's. No two of a food are equal. */
  readonly nutrient: string;
  /** A decimal without sign and exponent, digit for digit as the source has it. */
  readonly amount: string;
  /** As the source states it: "g", "mg", "µg", "IU", "kJ". */
  readonly unit: string;
}

/** What a food is called in another language than that of the data set. */
export interface Translation {
  /** As a BCP 47 tag. */
  readonly language: string;
  /** The description in that language, and other names; no two are equal. */
  readonly names: readonly [string, ...string[]];
}

/** One row of a data set. A figure is a canonical decimal (see `decimal.ts`), or null if it is unknown. */
export type FoodRecord = {
  readonly description: string;
  /** The beginning of the description that names the food, if a brand follows it. */
  readonly name?: string;
  /** How popular the food is: not negative, more is more popular. */
  readonly popularity?: number;
  /** In the order of the data set; absent if there are none. */
  readonly portions?: readonly Portion[];
  /** In the order of the source; absent if there are none. */
  readonly nutrients?: readonly Nutrient[];
  /** The codes on its packets, each as `foodCodeOf` has it; absent if there are none. */
  readonly codes?: readonly string[];
  /** Instead of a food of its own: its codes are further ones of an equal food, the one of this number in the order of arrival. */
  readonly codesOf?: number;
  /** What else people call the food, in the order of the data set; absent if it has no other name. */
  readonly names?: readonly string[];
  /** In languages other than that of the description, each once; absent if there are none. */
  readonly translations?: readonly Translation[];
} & Readonly<Record<FigureColumn, string | null>>;

/** One element of an answer, in the order of the fields on the wire. Figures are per 100 g; null if unknown. */
export interface FoodEntry {
  carbohydrate_g: number | null;
  protein_g: number | null;
  /** Two decimals: total fat, or the fatty acids together. */
  fat_g: string;
  kcal: number | null;
  description: string;
}

/** The popularity that a plain decimal states: not negative and finite; undefined for any other text. */
export function popularityOf(text: string): number | undefined {
  const decimal = canonicalDecimal(text);
  if (decimal === undefined || decimal.startsWith('-')) return undefined;
  return Math.min(Number(decimal), Number.MAX_VALUE);
}

/** Fat as an answer gives it: the three columns together, of which total fat fills one. */
export function fatOf(food: FoodRecord): string {
  return sumToTwoDigits([food.fa_sat_g, food.fa_mono_g, food.fa_poly_g]);
}

/** Total fat as the three columns, whose sum it is: what it consists of never shows. */
export const asTotalFat = (total: string | null): Pick<FoodRecord, (typeof FATTY_ACIDS)[number]> => ({
  fa_sat_g: total,
  fa_mono_g: null,
  fa_poly_g: null,
});

/** What the JSON text of each entry begins with. */
export const ENTRY_BEGINNING = '{"carbohydrate_g":';

/** The JSON text of a food's entry, with every digit that the data set has. */
export const renderEntry = (food: FoodRecord): string => `${ENTRY_BEGINNING}${renderFields(food)}}`;

/** What it has between the beginning and the brace at its end. */
export function renderFields(food: FoodRecord): string {
  return (
    `${food.carbohydrate_g},"protein_g":${food.protein_g},"fat_g":"${fatOf(food)}",` +
    `"kcal":${food.kcal},"description":${JSON.stringify(food.description)}`
  );
}

const ENTRY =
  /^\{"carbohydrate_g":(null|[\d.-]+),"protein_g":(null|[\d.-]+),"fat_g":"([\d.-]+)","kcal":(null|[\d.-]+),"description":("(?:.*)")\}$/;

/** The opposite of {@link renderEntry}, except that the sum of the fatty acids becomes that of the saturated ones. */
export function readEntry(entry: string): FoodRecord {
  const [, carbohydrate = '', protein = '', fat = '', kcal = '', description = '""'] =
    ENTRY.exec(entry) ?? [];
  const figure = (text: string): string | null => (text === 'null' ? null : text);
  return {
    carbohydrate_g: figure(carbohydrate),
    protein_g: figure(protein),
    ...asTotalFat(canonicalDecimal(fat) ?? null),
    kcal: figure(kcal),
    description: JSON.parse(description) as string,
  };
}
