/** A food as the label of a packet has it: the four figures, what they consist of, and whatever else its source says. */

import { Big } from 'big.js';
import type { Nutrient } from '../../packages/browser/search-foods.ts';
import { type Amount, weightOf } from './amount.ts';
import type { Food } from './food.ts';
import { figureOf, type Plate, portionOf, sum } from './plate.ts';

export interface LabelLine {
  readonly name: string;
  /** Whether the line above consists of it among others. */
  readonly isPart: boolean;
  /** Each in its unit, of which energy has two; null if it is not known. */
  readonly figures: readonly (readonly [amount: Big | null, unit: string])[];
}

const KILOJOULES = '4.184';

/** g of the units that a packet converts. */
const GRAMS = { g: '1', mg: '0.001', µg: '0.000001' } as const;
const isMass = (unit: string): unit is keyof typeof GRAMS => Object.hasOwn(GRAMS, unit);

/** In the order of packets, with their unit there. */
const FAT = ['Saturated fat', 'Monounsaturated fat', 'Polyunsaturated fat', 'Trans fat'];
const CARBOHYDRATE = ['Sugars', 'Added sugars', 'Starch'];
const IN_GRAMS = [...FAT, ...CARBOHYDRATE, 'Fibre', 'Salt'];
const IN_MILLIGRAMS = ['Sodium', 'Cholesterol'];

/** The four figures by the names of sources, which the label has already. */
const FIGURES =
  /^(?:energy\b.*|proteins?|(?:total )?(?:lipids?|fat)(?: \(fat\))?|carbohydrates?(?:, by .*)?)$/i;

/** The least g that are shown as mg, not µg. */
const LEAST_MILLIGRAMS = '0.0001';

/** The lines for an amount. @param nutrients per 100 g */
export function labelOf(food: Food, amount: Amount, nutrients: readonly Nutrient[]): readonly LabelLine[] {
  const item = { food, ...amount };
  const share = (weightOf(amount) ?? new Big(0)).times('0.01');
  const others = new Map(nutrients.map((each) => [each.nutrient, each]));
  const lineOf = ({ nutrient, amount: per100, unit }: Nutrient, isPart = false): LabelLine => ({
    name: nutrient,
    isPart,
    figures: [asOnPackets(nutrient, share.times(per100), unit)],
  });
  const linesOf = (names: readonly string[], isPart = false) =>
    names.flatMap((name) => {
      const found = others.get(name);
      others.delete(name);
      return found === undefined ? [] : [lineOf(found, isPart)];
    });
  const figure = (name: string, key: 'protein' | 'fat' | 'carbohydrate'): LabelLine => ({
    name,
    isPart: false,
    figures: [[figureOf(item, key), 'g']],
  });
  const kcal = figureOf(item, 'kcal');
  const energy = [[kcal?.times(KILOJOULES) ?? null, 'kJ'] as const, [kcal, 'kcal'] as const];
  return [
    { name: 'Energy', isPart: false, figures: kcal === null ? [[null, 'kcal']] : energy },
    figure('Fat', 'fat'),
    ...linesOf(FAT, true),
    figure('Carbohydrate', 'carbohydrate'),
    ...linesOf(CARBOHYDRATE, true),
    ...linesOf(['Fibre']),
    figure('Protein', 'protein'),
    ...linesOf(['Salt', 'Sodium', 'Cholesterol', 'Alcohol']),
    ...[...others.values()].filter(({ nutrient }) => !FIGURES.test(nutrient)).map((each) => lineOf(each)),
  ];
}

/** 0.0214 g of vitamin C are 21.4 mg on a packet. */
function asOnPackets(name: string, amount: Big, unit: string): readonly [Big, string] {
  if (!isMass(unit)) return [amount, unit];
  const grams = amount.times(GRAMS[unit]);
  const small = unit === 'g' && grams.gt(0) && grams.lt(1);
  const wanted = IN_GRAMS.includes(name)
    ? 'g'
    : IN_MILLIGRAMS.includes(name)
      ? 'mg'
      : small
        ? grams.gte(LEAST_MILLIGRAMS)
          ? 'mg'
          : 'µg'
        : unit;
  return [grams.div(GRAMS[wanted]), wanted];
}

/** Those that the plate adds up; sodium only where no food knows salt, since neither total would have all of both. */
const ADDED_UP = ['Fibre', 'Sugars', 'Saturated fat', 'Salt', 'Sodium'];

export interface NutrientTotal {
  readonly name: string;
  readonly unit: 'g' | 'mg';
  /** Of the foods that know it. */
  readonly sum: Big;
  readonly known: number;
}

/**
 * The totals of what at least one food knows.
 * @param nutrients of each food of the plate
 * @param makes portions: each total is that of one
 */
export const nutrientTotals = (
  plate: Plate,
  nutrients: readonly (readonly Nutrient[])[],
  makes = 1,
): readonly NutrientTotal[] =>
  ADDED_UP.map((name): NutrientTotal => {
    const unit = IN_MILLIGRAMS.includes(name) ? 'mg' : 'g';
    const known = plate.flatMap((item, i) => {
      const found = nutrients[i]?.find(({ nutrient }) => nutrient === name);
      const weight = weightOf(item);
      if (found === undefined || weight === null || !isMass(found.unit)) return [];
      return [weight.times('0.01').times(found.amount).times(GRAMS[found.unit]).div(GRAMS[unit])];
    });
    return { name, unit, sum: portionOf(sum(known), makes), known: known.length };
  })
    .filter(({ known }) => known > 0)
    .filter(({ name }, i, all) => name !== 'Sodium' || all[i - 1]?.name !== 'Salt');
