/**
 * The plate: foods with their grams, and exact sums.
 */
import {
  type Decimal,
  decimalText,
  hundredth,
  parseDecimal,
  percentages,
  plus,
  times,
  ZERO,
} from './decimal.ts';
import { type Food, foodKey, isFigure, type NutrientKey, readFood } from './food.ts';

export interface Portion {
  readonly food: Food;
  /** Decimal text; null if the field is empty, so that the amount is unknown. */
  readonly grams: string | null;
}

export type Plate = readonly Portion[];

const ADDED_GRAMS: Decimal = { units: 100n, scale: 0 };
export const MAX_GRAMS = 100_000;

/** More than anybody eats at once, and few enough for a link. */
const MAX_PORTIONS = 200;

/** Adds 100 g of the food, also if it is on the plate already. */
export function withFood(plate: Plate, food: Food): Plate {
  const key = foodKey(food);
  const present = plate.find((portion) => foodKey(portion.food) === key);
  if (present === undefined)
    return [...plate, { food, grams: decimalText(ADDED_GRAMS) }].slice(-MAX_PORTIONS);
  const grams = decimalText(plus(decimalOf(present.grams) ?? ZERO, ADDED_GRAMS));
  return withGrams(plate, food, Number(grams) > MAX_GRAMS ? String(MAX_GRAMS) : grams);
}

export function withGrams(plate: Plate, food: Food, grams: string | null): Plate {
  const key = foodKey(food);
  return plate.map((portion) => (foodKey(portion.food) === key ? { ...portion, grams } : portion));
}

export function withoutFood(plate: Plate, food: Food): Plate {
  const key = foodKey(food);
  return plate.filter((portion) => foodKey(portion.food) !== key);
}

/** The exact figure for the grams of the portion; null: not known. */
export function amount({ food, grams }: Portion, nutrient: NutrientKey): Decimal | null {
  const per100 = decimalOf(food[nutrient]);
  const weight = decimalOf(grams);
  return per100 === null || weight === null ? null : hundredth(times(per100, weight));
}

interface Total {
  /** The exact sum of the known figures. */
  readonly sum: Decimal;
  /** The number of foods whose figure is not known; the sum excludes them. */
  readonly unknown: number;
}

export function total(plate: Plate, nutrient: NutrientKey): Total {
  let sum = ZERO;
  let unknown = 0;
  for (const portion of plate) {
    const part = amount(portion, nutrient);
    if (part === null) unknown++;
    else sum = plus(sum, part);
  }
  return { sum, unknown };
}

/** The general Atwater factors. */
const KCAL_PER_GRAM = { protein: 4n, fat: 9n, carbohydrate: 4n } as const;
type EnergySource = keyof typeof KCAL_PER_GRAM;
const ENERGY_SOURCES: readonly EnergySource[] = ['protein', 'fat', 'carbohydrate'];

export interface EnergyPart {
  readonly source: EnergySource;
  readonly percent: number;
}

/** The share of each energy source, without unknown figures; undefined if there is no energy. */
export function energyParts(plate: Plate): readonly EnergyPart[] | undefined {
  const kcal = ENERGY_SOURCES.map((source) =>
    times(total(plate, source).sum, { units: KCAL_PER_GRAM[source], scale: 0 }),
  );
  const percents = percentages(kcal);
  return percents && ENERGY_SOURCES.map((source, index) => ({ source, percent: percents[index] ?? 0 }));
}

/** The share of each portion in the energy of the plate, in per cent; null: not known. */
export function energyShares(plate: Plate): readonly (number | null)[] {
  const kcal = plate.map((portion) => amount(portion, 'kcal'));
  const percents = percentages(kcal.map((part) => part ?? ZERO));
  return kcal.map((part, index) => (part === null || percents === undefined ? null : (percents[index] ?? 0)));
}

/** Reads a plate from storage or a link; undefined if any part of the value is not one. */
export function readPlate(value: unknown): Plate | undefined {
  if (!Array.isArray(value) || value.length > MAX_PORTIONS) return undefined;
  const plate: Portion[] = [];
  for (const item of value as readonly unknown[]) {
    const { food: candidate, grams } = (item ?? {}) as Readonly<Record<string, unknown>>;
    const food = readFood(candidate);
    if (food === undefined || !isFigure(grams) || grams?.startsWith('-')) return undefined;
    plate.push({ food, grams });
  }
  return plate;
}

const decimalOf = (text: string | null): Decimal | null =>
  text === null ? null : (parseDecimal(text) ?? null);
