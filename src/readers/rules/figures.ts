/**
 * From the amounts of a public data set to the seven columns: which energy and which fat is used, and which figures are
 * impossible. docs/sources.md states the same rules for users. Amounts are billionths (src/foods/decimal.ts) per 100 g;
 * NaN is "not known".
 */
import { BILLION, decimalOfBillionths, divideRounded } from '../../foods/decimal.ts';
import { asTotalFat, type FigureColumn, type FoodRecord } from '../../foods/food.ts';
import type { EnergyRule, SourceReport } from '../report/source-report.ts';

/** The amounts of one food in a source. Reused from food to food, because there are millions. */
export class Amounts {
  /** Energy as stated in kcal, best first. */
  kcal: readonly (readonly [EnergyRule, number])[] = [];
  kilojoules = Number.NaN;
  carbohydrate = Number.NaN;
  protein = Number.NaN;
  totalFat = Number.NaN;
  saturated = Number.NaN;
  monounsaturated = Number.NaN;
  polyunsaturated = Number.NaN;
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
/** 4.184 kJ are one kcal, by definition. */
const CALORIE = 4184;

/** kcal of kJ, rounded half away from zero to two digits after the point. */
function kcalOfKilojoules(kilojoules: number): number {
  return divideRounded(kilojoules, (CALORIE * HUNDREDTH) / 1000) * HUNDREDTH;
}

export interface FigureOptions {
  /** Takes the sum of the three kinds of fatty acids, even where total fat is stated. */
  readonly fatFromAcids?: boolean;
}

type Named = Omit<FoodRecord, FigureColumn>;

export class FigureRules {
  readonly #report: SourceReport;
  readonly #options: FigureOptions;

  constructor(report: SourceReport, options: FigureOptions) {
    this.#report = report;
    this.#options = options;
  }

  /** The food, or undefined if it is dropped (and counted). The description is not empty. */
  food(named: Named, amounts: Amounts, place: () => string): FoodRecord | undefined {
    const protein = this.#grams('protein', amounts.protein, place);
    const carbohydrate = this.#grams('carbohydrate', this.#difference(amounts.carbohydrate, place), place);
    const totalFat = this.#grams('total fat', amounts.totalFat, place);
    const saturated = this.#grams('saturated fat', amounts.saturated, place);
    const monounsaturated = this.#grams('monounsaturated fat', amounts.monounsaturated, place);
    const polyunsaturated = this.#grams('polyunsaturated fat', amounts.polyunsaturated, place);
    const parts = known(saturated) + known(monounsaturated) + known(polyunsaturated);
    if (
      known(protein) + known(carbohydrate) + Math.max(known(totalFat), parts) >
      MAX_MACRONUTRIENTS * BILLION
    ) {
      this.#report.dropped.add('protein, carbohydrate and fat are more than 105 g together', place);
      return undefined;
    }
    const kcal = this.#energy(amounts, protein, carbohydrate, totalFat, place);
    // The kinds are stated less often, and labels name the saturated one alone.
    const isTotal = !Number.isNaN(totalFat) && this.#options.fatFromAcids !== true;
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
    if (Number.isNaN(kcal + protein + carbohydrate) && hasNoFigure(food)) {
      this.#report.dropped.add('no figure is known', place);
      return undefined;
    }
    return food;
  }

  #grams(name: string, amount: number, place: () => string): number {
    return this.#possible(`${name} below 0 or over 100 g`, amount, MAX_GRAMS * BILLION, place);
  }

  #possible(fault: string, amount: number, most: number, place: () => string): number {
    if (Number.isNaN(amount) || (amount >= 0 && amount <= most)) return amount;
    this.#report.leftEmpty.add(fault, place);
    return Number.NaN;
  }

  /** Sets a carbohydrate slightly below 0 to 0: it accumulates the errors of the analyses behind the difference. */
  #difference(carbohydrate: number, place: () => string): number {
    if (!(carbohydrate < 0 && carbohydrate >= MIN_DIFFERENCE * BILLION)) return carbohydrate;
    this.#report.repaired.add('carbohydrate by difference below 0, set to 0', place);
    return 0;
  }

  #energy(amounts: Amounts, protein: number, carbohydrate: number, fat: number, place: () => string): number {
    const fault = `energy below 0 or over ${MAX_KCAL} kcal`;
    for (const [rule, stated] of amounts.kcal) {
      const kcal = this.#possible(fault, stated, MAX_KCAL * BILLION, place);
      if (Number.isNaN(kcal)) continue;
      this.#report.countEnergy(rule);
      return kcal;
    }
    const kilojoules = this.#possible(fault, amounts.kilojoules, MAX_KILOJOULES * BILLION, place);
    if (!Number.isNaN(kilojoules)) {
      this.#report.countEnergy('kJ');
      return kcalOfKilojoules(kilojoules);
    }
    const kcal = 4 * protein + 4 * carbohydrate + 9 * fat;
    if (!Number.isNaN(kcal)) this.#report.countEnergy('4/9/4');
    return kcal;
  }
}

const decimal = (amount: number): string | null =>
  Number.isNaN(amount) ? null : decimalOfBillionths(amount);

function hasNoFigure(food: FoodRecord): boolean {
  const { carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal } = food;
  return (carbohydrate_g ?? protein_g ?? fa_sat_g ?? fa_mono_g ?? fa_poly_g ?? kcal) === null;
}

/** Amounts of a food, to be compared with its energy. */
export interface Macronutrients {
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

/** The result of the check. `kJ`: the kcal column contains kJ. `other`: the kJ column is right, the kcal column wrong. */
export type Finding = 'right' | 'unknown' | 'kJ' | 'other' | 'wrong';

/**
 * Compares the stated energy with 4 kcal/g of protein and carbohydrate, 9 of fat, 7 of alcohol. Volunteers copy labels by hand
 * and make mistakes: kJ in the field of kcal, or a digit too many.
 */
export function checkEnergy(kcal: number, kilojoules: number, macros: Macronutrients): Finding {
  const fits = fitterOf(macros);
  if (fits === undefined) return 'unknown';
  if (Number.isNaN(kcal))
    return Number.isNaN(kilojoules) || fits(kcalOfKilojoules(kilojoules)) ? 'right' : 'wrong';
  if (fits(kcal)) return 'right';
  if (fits(kcalOfKilojoules(kcal))) return 'kJ';
  return !Number.isNaN(kilojoules) && fits(kcalOfKilojoules(kilojoules)) ? 'other' : 'wrong';
}

function fitterOf(macros: Macronutrients): ((kcal: number) => boolean) | undefined {
  const { protein, carbohydrate, fat, fibre = 0, polyols = 0, alcohol = 0 } = macros;
  const certain = 4 * protein + 9 * fat + 7 * (known(alcohol) * GRAMS_PER_VOLUME);
  // Fibre and sugar alcohols may count or not, and may be inside the carbohydrate or beside it.
  const least = certain + 4 * Math.max(0, carbohydrate - known(fibre) - known(polyols));
  const most = certain + 4 * carbohydrate + 2 * known(fibre);
  if (Number.isNaN(least)) return undefined;
  const margin = (estimate: number) => Math.max(estimate * TOLERANCE, LEAST_TOLERANCE);
  return (kcal) => kcal >= least - margin(least) && kcal <= most + margin(most);
}

const known = (amount: number): number => (Number.isNaN(amount) ? 0 : amount);
