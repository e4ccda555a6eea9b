/**
 * Whether a stated energy fits the stated macronutrients. Volunteers copy labels by hand and make mistakes: kJ in the
 * field of kcal, or a digit too many. Amounts are billionths; NaN is "not known".
 */
import { BILLION } from '../../foods/decimal.ts';
import { kcalOfKilojoules } from './figures.ts';

export interface Macronutrients {
  readonly protein: number;
  /** With fibre (as in North America) or without it (as in the European Union). */
  readonly carbohydrate: number;
  readonly fat: number;
  readonly fibre: number;
  /** Sugar alcohols, which may be part of the carbohydrate and have 0 to 4 kcal/g. */
  readonly polyols: number;
  /** As labels state it: per cent by volume. */
  readonly alcohol: number;
}

/** The density of ethanol: grams in 100 ml of which one is alcohol. */
const GRAMS_PER_VOLUME = 0.789;
const TOLERANCE = 0.2;
const LEAST_TOLERANCE = 25 * BILLION;

/** The result of the check. `kJ`: the kcal column contains kJ. `other`: the kJ column is right, the kcal column wrong. */
export type Finding = 'right' | 'unknown' | 'kJ' | 'other' | 'wrong';

/** Compares the stated energy with 4 kcal/g of protein and carbohydrate, 9 of fat, 7 of alcohol. */
export function checkEnergy(kcal: number, kilojoules: number, macros: Macronutrients): Finding {
  const fits = fitterOf(macros);
  if (fits === undefined) return 'unknown';
  if (Number.isNaN(kcal))
    return Number.isNaN(kilojoules) || fits(kcalOfKilojoules(kilojoules)) ? 'right' : 'wrong';
  if (fits(kcal)) return 'right';
  if (fits(kcalOfKilojoules(kcal))) return 'kJ';
  return !Number.isNaN(kilojoules) && fits(kcalOfKilojoules(kilojoules)) ? 'other' : 'wrong';
}

/** Undefined if a macronutrient is not known. */
function fitterOf(macros: Macronutrients): ((kcal: number) => boolean) | undefined {
  const { protein, carbohydrate, fat } = macros;
  const alcohol = known(macros.alcohol) * GRAMS_PER_VOLUME;
  const certain = 4 * protein + 9 * fat + 7 * alcohol;
  const fibre = known(macros.fibre);
  // Fibre and sugar alcohols may count or not, and may be inside the carbohydrate or beside it.
  const least = certain + 4 * Math.max(0, carbohydrate - fibre - known(macros.polyols));
  const most = certain + 4 * carbohydrate + 2 * fibre;
  if (Number.isNaN(least)) return undefined;
  const margin = (estimate: number) => Math.max(estimate * TOLERANCE, LEAST_TOLERANCE);
  return (kcal) => kcal >= least - margin(least) && kcal <= most + margin(most);
}

const known = (amount: number): number => (Number.isNaN(amount) ? 0 : amount);
