/**
 * The plate: foods with their grams, and exact sums.
 */
import { isGrams, MAX_GRAMS } from './amount.ts';
import {
  type Decimal,
  decimalText,
  hundredth,
  minus,
  parseDecimal,
  percentages,
  plus,
  times,
  ZERO,
} from './decimal.ts';
import { type Food, foodKey, type NutrientKey, readFood } from './food.ts';

export interface Portion {
  readonly food: Food;
  /** Decimal text; null if the field is empty, so that the amount is unknown. */
  readonly grams: string | null;
}

export type Plate = readonly Portion[];

/** More than anybody eats at once, and few enough for a link. */
export const MAX_PORTIONS = 200;

/** Adds grams of the food, also if it is on the plate already; undefined if the plate is full. */
export function withFood(plate: Plate, food: Food, added: string | null): Plate | undefined {
  const key = foodKey(food);
  const present = plate.find((portion) => foodKey(portion.food) === key);
  if (present === undefined)
    return plate.length < MAX_PORTIONS ? [...plate, { food, grams: added }] : undefined;
  const grams = decimalText(plus(decimalOf(present.grams) ?? ZERO, decimalOf(added) ?? ZERO));
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

/**
 * Up to 1 kcal in this many may be missing from the estimate: the factors are averages, and fat is that of the known fatty
 * acids. If more is missing, the food has another source of energy, such as alcohol.
 */
const TOLERANCE = 5n;

export interface Share {
  readonly kcal: Decimal;
  readonly percent: number;
}

export interface EnergyPart extends Share {
  readonly source: EnergySource | 'other';
}

/** The share of each energy source, without unknown figures; undefined if there is no energy. */
export function energyParts(plate: Plate): readonly EnergyPart[] | undefined {
  const parts = ENERGY_SOURCES.map((source) => ({ source, kcal: energyFrom(plate, source) }));
  const other = { source: 'other', kcal: plate.map(unexplainedEnergy).reduce(plus, ZERO) } as const;
  const all = other.kcal.units > 0n ? [...parts, other] : parts;
  const percents = percentages(all.map(({ kcal }) => kcal));
  return percents && all.map((part, index) => ({ ...part, percent: percents[index] ?? 0 }));
}

function energyFrom(plate: Plate, source: EnergySource): Decimal {
  return times(total(plate, source).sum, { units: KCAL_PER_GRAM[source], scale: 0 });
}

function unexplainedEnergy(portion: Portion): Decimal {
  const kcal = amount(portion, 'kcal') ?? ZERO;
  const explained = ENERGY_SOURCES.map((source) => energyFrom([portion], source)).reduce(plus, ZERO);
  const rest = minus(kcal, explained);
  return minus(times(rest, { units: TOLERANCE, scale: 0 }), kcal).units > 0n ? rest : ZERO;
}

/** The share of each portion in the energy of the plate; null: not known. */
export function energyShares(plate: Plate): readonly (Share | null)[] {
  const parts = plate.map((portion) => amount(portion, 'kcal'));
  const percents = percentages(parts.map((kcal) => kcal ?? ZERO));
  return parts.map((kcal, index) =>
    kcal !== null && percents !== undefined ? { kcal, percent: percents[index] ?? 0 } : null,
  );
}

/** The readable portions of a stored value, each food once; undefined if it is no list. */
export function readPlate(value: unknown): Plate | undefined {
  if (!Array.isArray(value)) return undefined;
  const plate = new Map<string, Portion>();
  for (const item of value as readonly unknown[]) {
    const { food: candidate, grams } = (item ?? {}) as Readonly<Record<string, unknown>>;
    const food = readFood(candidate);
    if (food === undefined || !(grams === null || isGrams(grams))) continue;
    const key = foodKey(food);
    if (!plate.has(key) && plate.size < MAX_PORTIONS) plate.set(key, { food, grams });
  }
  return [...plate.values()];
}

const decimalOf = (text: string | null): Decimal | null =>
  text === null ? null : (parseDecimal(text) ?? null);
