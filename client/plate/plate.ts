/**
 * The plate: foods with their grams, and the exact sums over them.
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
} from '../decimal.ts';
import { type Food, foodKey, isFigure, type NutrientKey, readFood } from '../food.ts';

export interface Portion {
  readonly food: Food;
  /** Decimal text; null: the field is empty, so the amount is not known. */
  readonly grams: string | null;
}

export type Plate = readonly Portion[];

export const USUAL_GRAMS = '100';
export const MAX_GRAMS = 100_000;

/** More than anybody eats at once, and little enough for a link. */
export const MAX_PORTIONS = 200;

/** A food that is on the plate already gets another 100 g. */
export function withFood(plate: Plate, food: Food): Plate {
  const key = foodKey(food);
  const present = plate.find((portion) => foodKey(portion.food) === key);
  if (present === undefined) return [...plate, { food, grams: USUAL_GRAMS }].slice(-MAX_PORTIONS);
  const grams = decimalText(plus(decimalOf(present.grams) ?? ZERO, HUNDRED));
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

/** The figure for the grams of the portion, exact; null: not known. */
export function amount({ food, grams }: Portion, nutrient: NutrientKey): Decimal | null {
  const per100 = decimalOf(food[nutrient]);
  const weight = decimalOf(grams);
  return per100 === null || weight === null ? null : hundredth(times(per100, weight));
}

export interface Total {
  /** The exact sum of what is known. */
  readonly sum: Decimal;
  /** How many foods it leaves out because their figure is not known. */
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

/** kcal that one gram gives, by the general Atwater factors. */
export const KCAL_PER_GRAM = { protein: 4, fat: 9, carbohydrate: 4 } as const;
export type EnergySource = keyof typeof KCAL_PER_GRAM;
export const ENERGY_SOURCES: readonly EnergySource[] = ['protein', 'fat', 'carbohydrate'];

export interface EnergyPart {
  readonly source: EnergySource;
  readonly percent: number;
}

/** Which part of the energy comes from what; undefined where there is none. Unknown figures are left out. */
export function energyParts(plate: Plate): readonly EnergyPart[] | undefined {
  const kcal = ENERGY_SOURCES.map((source) =>
    times(total(plate, source).sum, { units: BigInt(KCAL_PER_GRAM[source]), scale: 0 }),
  );
  const percents = percentages(kcal);
  return percents && ENERGY_SOURCES.map((source, index) => ({ source, percent: percents[index] ?? 0 }));
}

/** Each portion's part of the plate's energy in per cent; null where its energy is not known. */
export function energyShares(plate: Plate): readonly (number | null)[] {
  const kcal = plate.map((portion) => amount(portion, 'kcal'));
  const percents = percentages(kcal.map((part) => part ?? ZERO));
  return kcal.map((part, index) => (part === null || percents === undefined ? null : (percents[index] ?? 0)));
}

/** Reads a plate from storage or from a link; undefined where any part of it is none. */
export function readPlate(value: unknown): Plate | undefined {
  if (!Array.isArray(value) || value.length > MAX_PORTIONS) return undefined;
  const plate: Portion[] = [];
  for (const item of value as readonly unknown[]) {
    const { food: stored, grams } = (item ?? {}) as Readonly<Record<string, unknown>>;
    const food = readFood(stored);
    if (food === undefined || !isFigure(grams) || grams?.startsWith('-')) return undefined;
    plate.push({ food, grams });
  }
  return plate;
}

const decimalOf = (text: string | null): Decimal | null =>
  text === null ? null : (parseDecimal(text) ?? null);
const HUNDRED: Decimal = { units: 100n, scale: 0 };
