/** The plate: foods with their amounts, and exact sums. In binary floating point 0.1 + 0.2 is not 0.3. */

import { Big } from 'big.js';
import { t } from '../texts/texts.ts';
import { type Amount, isAmount, together, weightOf } from './amount.ts';
import { type Food, foodKey, NUTRIENTS, type Nutrient, type NutrientKey, readFood } from './food.ts';

export interface Item extends Amount {
  readonly food: Food;
}

export type Plate = readonly Item[];

/** More than anybody eats at once, but few enough for a link. */
export const MAX_ITEMS = 200;

export function itemOf(plate: Plate, food: Food): Item | undefined {
  const key = foodKey(food);
  return plate.find((item) => foodKey(item.food) === key);
}

/** Adds the food, even if it is on the plate already; undefined if the plate is full. */
export function withFood(plate: Plate, food: Food, added: Amount): Plate | undefined {
  const present = itemOf(plate, food);
  if (present !== undefined) return withAmount(plate, food, together(present, added));
  return plate.length < MAX_ITEMS ? [...plate, { food, ...added }] : undefined;
}

export function withAmount(plate: Plate, food: Food, { count, unit }: Amount): Plate {
  const present = itemOf(plate, food);
  return plate.map((item) => (item === present ? { food, count, unit } : item));
}

export function withoutFood(plate: Plate, food: Food): Plate {
  const key = foodKey(food);
  return plate.filter((item) => foodKey(item.food) !== key);
}

/** The plate with a change that was made of another one. */
export function withChange(plate: Plate, before: Plate, after: Plate): Plate {
  const items = new Map(plate.map((item) => [foodKey(item.food), item]));
  for (const { food } of before) if (!itemOf(after, food)) items.delete(foodKey(food));
  for (const item of after)
    if (JSON.stringify(itemOf(before, item.food)) !== JSON.stringify(item))
      items.set(foodKey(item.food), item);
  return [...items.values()].slice(0, MAX_ITEMS);
}

const ZERO = new Big(0);

export const sum = (parts: readonly Big[]): Big => parts.reduce((all, part) => all.plus(part), ZERO);

/** Exact, or of 20 digits. */
export const portionOf = (total: Big, makes: number): Big => (makes === 1 ? total : total.div(makes));

/** The exact figure for the amount; null if unknown. */
export function figureOf(item: Item, nutrient: NutrientKey): Big | null {
  const per100 = item.food[nutrient];
  const weight = weightOf(item);
  return per100 === null || weight === null ? null : weight.times(per100).times('0.01');
}

export interface Total extends Nutrient {
  /** The exact sum of the known figures. */
  readonly sum: Big;
  /** The number of foods whose figure is unknown; the sum excludes them. */
  readonly unknown: number;
}

/** @param makes portions: each total is that of one */
export const totals = (plate: Plate, makes = 1): readonly Total[] =>
  NUTRIENTS.map((nutrient) => {
    const known = plate.map((item) => figureOf(item, nutrient.key)).filter((figure) => figure !== null);
    return { ...nutrient, sum: portionOf(sum(known), makes), unknown: plate.length - known.length };
  });

export const unknownIn = (name: string, unknown: number, count: number): string =>
  t('unknownIn', { name, unknown, count });

/** The foods that totals leave out: "Protein without 1 of 2 foods"; empty if every figure is known. */
export const exclusions = (plate: Plate): string =>
  totals(plate)
    .filter(({ unknown }) => unknown > 0)
    .map(({ name, unknown }) => unknownIn(t(name), unknown, plate.length))
    .join('; ');

/** The general Atwater factors. */
const KCAL_PER_GRAM = { protein: 4, fat: 9, carbohydrate: 4 } as const;
const ENERGY_SOURCES = ['protein', 'fat', 'carbohydrate'] as const;

/**
 * Up to 1 kcal in this many may be missing from the estimate: the factors are averages, and fat is that of the known fatty
 * acids. If more is missing, the food has another source of energy, such as alcohol.
 */
const TOLERANCE = 5;

export interface EnergyPart {
  readonly kcal: Big;
  readonly percent: number;
  readonly source: (typeof ENERGY_SOURCES)[number] | 'other';
}

/** The share of each energy source, without unknown figures; undefined if there is no energy. */
export function energyParts(plate: Plate): readonly EnergyPart[] | undefined {
  const explained = ENERGY_SOURCES.map((source) => ({
    source,
    kcal: sum(plate.map((item) => energyFrom(item, source))),
  }));
  const other = { source: 'other', kcal: sum(plate.map(unexplainedEnergy)) } as const;
  const parts = other.kcal.gt(0) ? [...explained, other] : explained;
  const percents = percentages(parts.map(({ kcal }) => kcal));
  return percents && parts.map((part, index) => ({ ...part, percent: percents[index] ?? 0 }));
}

/**
 * The share of each part in whole percent: the differences of the rounded sums so far, so they add up to 100. Negative parts
 * count as zero; undefined if the sum is zero.
 */
export function percentages(parts: readonly Big[]): readonly number[] | undefined {
  const counted = parts.map((part) => (part.gt(0) ? part : ZERO));
  const whole = sum(counted);
  if (whole.eq(0)) return undefined;
  const upTo = (end: number) => sum(counted.slice(0, end)).times(100).div(whole).round().toNumber();
  return counted.map((_, index) => upTo(index + 1) - upTo(index));
}

const energyFrom = (item: Item, source: (typeof ENERGY_SOURCES)[number]): Big =>
  (figureOf(item, source) ?? ZERO).times(KCAL_PER_GRAM[source]);

function unexplainedEnergy(item: Item): Big {
  const kcal = figureOf(item, 'kcal') ?? ZERO;
  const rest = kcal.minus(sum(ENERGY_SOURCES.map((source) => energyFrom(item, source))));
  return rest.times(TOLERANCE).gt(kcal) ? rest : ZERO;
}

/** The readable items of a stored value, each food once; undefined if it is not a list. */
export function readPlate(value: unknown): Plate | undefined {
  if (!Array.isArray(value)) return undefined;
  const plate = new Map<string, Item>();
  for (const stored of value as readonly unknown[]) {
    const { food: candidate, count, unit } = (stored ?? {}) as Readonly<Record<string, unknown>>;
    const food = readFood(candidate);
    const amount = { count, unit };
    if (food === undefined || !isAmount(amount)) continue;
    const key = foodKey(food);
    if (!plate.has(key) && plate.size < MAX_ITEMS) plate.set(key, { food, ...amount });
  }
  return [...plate.values()];
}
