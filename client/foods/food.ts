/** A food in the page. Its figures are decimal texts, which pass through storage, links and arithmetic unchanged. */

import { Big } from 'big.js';
import type { FoodEntry } from '../../packages/browser/search-foods.ts';

export type NutrientKey = 'kcal' | 'protein' | 'fat' | 'carbohydrate';

export interface Nutrient {
  readonly key: NutrientKey;
  /** Its texts. */
  readonly name: 'energy' | 'protein' | 'fat' | 'carbohydrate';
  readonly shortName: 'energy' | 'protein' | 'fat' | 'carbs';
  readonly unit: 'kcal' | 'g';
  /** Fraction digits that are shown. */
  readonly digits: number;
}

/** In the order of the columns of every table. */
export const NUTRIENTS: readonly Nutrient[] = [
  { key: 'kcal', name: 'energy', shortName: 'energy', unit: 'kcal', digits: 0 },
  { key: 'protein', name: 'protein', shortName: 'protein', unit: 'g', digits: 1 },
  { key: 'fat', name: 'fat', shortName: 'fat', unit: 'g', digits: 1 },
  { key: 'carbohydrate', name: 'carbohydrate', shortName: 'carbs', unit: 'g', digits: 1 },
];

/** Figures per 100 g; null if unknown. */
export type Food = Readonly<Record<NutrientKey, string | null>> & {
  readonly description: string;
  /** Of the description, such as "en"; absent if the data set does not say it. */
  readonly language?: string | undefined;
};

export function foodOf(entry: FoodEntry): Food {
  return {
    description: entry.description,
    kcal: figureOf(entry.kcal),
    protein: figureOf(entry.protein_g),
    fat: entry.fat_g,
    carbohydrate: figureOf(entry.carbohydrate_g),
  };
}

/** The shortest text of a number, without an exponent. */
function figureOf(value: number | null): string | null {
  const text = value === null ? null : String(value);
  return text?.includes('e') ? new Big(text).toFixed() : text;
}

/** The description without another spelling of a word: "Yogurt, plain" for "Yogurt (yoghurt), plain". */
export const nameOf = ({ description }: Food): string =>
  description.replace(/(\p{L}+) \((\p{L}+)\)/gu, (both, word: string, other: string) => {
    const isSpelling = Array.from(other, (_, i) => other.slice(0, i) + other.slice(i + 1)).some(
      (shorter) => shorter.toLowerCase() === word.toLowerCase(),
    );
    return isSpelling ? word : both;
  });

/** Two foods are the same if their names and figures are. */
export function foodKey(food: Food): string {
  return JSON.stringify([food.description, ...NUTRIENTS.map(({ key }) => food[key])]);
}

/** Reads a food from storage or a link; undefined if the value is not one. */
export function readFood(value: unknown): Food | undefined {
  const { description, kcal, protein, fat, carbohydrate, language } = (value ?? {}) as Record<
    string,
    unknown
  >;
  if (typeof description !== 'string' || description === '') return undefined;
  if (!isFigure(kcal) || !isFigure(protein) || !isFigure(fat) || !isFigure(carbohydrate)) return undefined;
  return { description, kcal, protein, fat, carbohydrate, ...(typeof language === 'string' && { language }) };
}

/** A longer text is not a figure of a food, and would slow down arithmetic. */
const MAX_FIGURE_LENGTH = 40;

function isFigure(value: unknown): value is string | null {
  return (
    value === null ||
    (typeof value === 'string' && value.length <= MAX_FIGURE_LENGTH && /^-?\d+(\.\d+)?$/.test(value))
  );
}
