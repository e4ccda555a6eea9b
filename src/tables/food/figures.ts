/**
 * From the amounts of a public data set to the seven columns, as in docs/sources.md. Amounts are billionths
 * (src/core/decimal.ts) per 100 g; NaN is "not known".
 */
import {
  asTotalFat,
  BILLION,
  decimalOfBillionths,
  divideRounded,
  FIGURE_COLUMNS,
  type FigureColumn,
  type FoodRecord,
} from '#core';
import type { EnergyRule, SourceReport } from '../report/source-report.ts';

export interface Amounts {
  /** Energy as stated in kcal, best first. */
  readonly kcal: readonly (readonly [EnergyRule, number])[];
  readonly kilojoules: number;
  readonly carbohydrate: number;
  readonly protein: number;
  readonly fat: number;
  readonly saturated: number;
  readonly monounsaturated: number;
  readonly polyunsaturated: number;
}

/** Pure fat has 902 kcal; nothing with more is a food. */
export const MAX_KCAL = 950;
const MAX_KILOJOULES = MAX_KCAL * 4.184;
export const MAX_GRAMS = 100;
/** Protein, carbohydrate and fat together, with room for the rounding of labels. */
export const MAX_MACRONUTRIENTS = 105;
/** Carbohydrate by difference accumulates the errors of four analyses; a lower value is not such an error. */
const MIN_DIFFERENCE = -10;

const HUNDREDTH = BILLION / 100;
/** J of one kcal, by definition. */
const CALORIE = 4184;
/** Rounded half away from zero to two digits after the point. */
const kcalOfKilojoules = (kilojoules: number): number =>
  divideRounded(kilojoules, (CALORIE * HUNDREDTH) / 1000) * HUNDREDTH;

export interface FigureOptions {
  /** Takes the sum of the three kinds of fatty acids, even where total fat is stated. */
  readonly fatFromAcids?: boolean;
  /** False leaves nutrients and codes out. */
  readonly nutrients?: boolean;
}

export interface FigureTarget {
  readonly report: SourceReport;
  readonly options: FigureOptions;
}

export type Named = Omit<FoodRecord, FigureColumn>;

export function foodOf(
  named: Named,
  amounts: Amounts,
  { report, options }: FigureTarget,
): FoodRecord | undefined {
  const grams = (name: string, amount: number): number => {
    if (isPossible(amount, MAX_GRAMS)) return amount;
    report.leftEmpty.add(`${name} below 0 or over 100 g`);
    return Number.NaN;
  };
  const protein = grams('protein', amounts.protein);
  const isDifference = amounts.carbohydrate < 0 && amounts.carbohydrate >= MIN_DIFFERENCE * BILLION;
  if (isDifference) report.repaired.add('carbohydrate by difference below 0, set to 0');
  const carbohydrate = isDifference ? 0 : grams('carbohydrate', amounts.carbohydrate);
  const totalFat = grams('total fat', amounts.fat);
  const saturated = grams('saturated fat', amounts.saturated);
  const monounsaturated = grams('monounsaturated fat', amounts.monounsaturated);
  const polyunsaturated = grams('polyunsaturated fat', amounts.polyunsaturated);
  const parts = known(saturated) + known(monounsaturated) + known(polyunsaturated);
  const macronutrients = known(protein) + known(carbohydrate) + Math.max(known(totalFat), parts);
  if (macronutrients > MAX_MACRONUTRIENTS * BILLION)
    return void report.dropped.add('protein, carbohydrate and fat are more than 105 g together');
  const kcal = energyOf(amounts, 4 * protein + 4 * carbohydrate + 9 * totalFat, report);
  // The kinds are stated less often, and labels name the saturated one alone.
  const isTotal = !Number.isNaN(totalFat) && options.fatFromAcids !== true;
  const food = {
    carbohydrate_g: decimal(carbohydrate),
    protein_g: decimal(protein),
    ...(isTotal
      ? asTotalFat(decimal(totalFat))
      : {
          fa_sat_g: decimal(saturated),
          fa_mono_g: decimal(monounsaturated),
          fa_poly_g: decimal(polyunsaturated),
        }),
    kcal: decimal(kcal),
    ...named,
  };
  if (Number.isNaN(kcal + protein + carbohydrate) && FIGURE_COLUMNS.every((column) => food[column] === null))
    return void report.dropped.add('no figure is known');
  return food;
}

const isPossible = (amount: number, most: number): boolean =>
  Number.isNaN(amount) || (amount >= 0 && amount <= most * BILLION);

/** kcal as stated, of kJ, or else of the macronutrients; NaN if none is known. */
function energyOf({ kcal, kilojoules }: Amounts, ofMacronutrients: number, report: SourceReport): number {
  const isUsed = (amount: number, most: number): boolean => {
    if (!isPossible(amount, most)) report.leftEmpty.add(`energy below 0 or over ${MAX_KCAL} kcal`);
    return amount >= 0 && amount <= most * BILLION;
  };
  const counted = (rule: EnergyRule, amount: number): number => {
    report.countEnergy(rule);
    return amount;
  };
  for (const [rule, stated] of kcal) if (isUsed(stated, MAX_KCAL)) return counted(rule, stated);
  if (isUsed(kilojoules, MAX_KILOJOULES)) return counted('kJ', kcalOfKilojoules(kilojoules));
  return Number.isNaN(ofMacronutrients) ? Number.NaN : counted('4/9/4', ofMacronutrients);
}

const decimal = (amount: number): string | null =>
  Number.isNaN(amount) ? null : decimalOfBillionths(amount);

interface Macronutrients {
  readonly protein: number;
  /** With fibre (as in North America) or without it (as in the European Union). */
  readonly carbohydrate: number;
  readonly fat: number;
  readonly fibre?: number;
  /** Sugar alcohols, which may be part of the carbohydrate and have 0 to 4 kcal/g. */
  readonly polyols?: number;
  /** As labels state it: per cent by volume. */
  readonly alcohol?: number;
}

/** The density of ethanol: grams in 100 ml of which one is alcohol. */
const GRAMS_PER_VOLUME = 0.789;
const TOLERANCE = 0.2;
const LEAST_TOLERANCE = 25 * BILLION;

/**
 * Compares the stated energy with 4 kcal/g of protein and carbohydrate, 9 of fat, 7 of alcohol. Returns `kJ` if the kcal column
 * contains kJ; `other` if the kJ column is right, the kcal column wrong.
 */
export function checkEnergy(kcal: number, kilojoules: number, macros: Macronutrients) {
  const { protein, carbohydrate, fat, fibre = 0, polyols = 0, alcohol = 0 } = macros;
  const certain = 4 * protein + 9 * fat + 7 * (known(alcohol) * GRAMS_PER_VOLUME);
  // Fibre and sugar alcohols may count or not, and may be inside the carbohydrate or beside it.
  const least = certain + 4 * Math.max(0, carbohydrate - known(fibre) - known(polyols));
  const most = certain + 4 * carbohydrate + 2 * known(fibre);
  if (Number.isNaN(least)) return 'unknown';
  const margin = (estimate: number) => Math.max(estimate * TOLERANCE, LEAST_TOLERANCE);
  const fits = (energy: number) => energy >= least - margin(least) && energy <= most + margin(most);
  const hasFittingKilojoules = fits(kcalOfKilojoules(kilojoules));
  if (Number.isNaN(kcal)) return Number.isNaN(kilojoules) || hasFittingKilojoules ? 'right' : 'wrong';
  if (fits(kcal)) return 'right';
  if (fits(kcalOfKilojoules(kcal))) return 'kJ';
  return hasFittingKilojoules ? 'other' : 'wrong';
}

const known = (amount: number): number => (Number.isNaN(amount) ? 0 : amount);
