/**
 * Figures of own tables that are kept, since they are the user's, but are probably wrong: each kind is reported.
 */
import { BILLION } from '../../decimal.ts';
import { FIGURE_COLUMNS, type FoodRecord } from '../../food.ts';
import type { SourceReport } from '../report/source-report.ts';
import { checkEnergy } from '../rules/atwater.ts';
import { MAX_GRAMS, MAX_KCAL, MAX_MACRONUTRIENTS } from '../rules/figures.ts';

const NAMES = {
  carbohydrate_g: 'carbohydrate',
  protein_g: 'protein',
  fa_sat_g: 'saturated fat',
  fa_mono_g: 'monounsaturated fat',
  fa_poly_g: 'polyunsaturated fat',
  kcal: 'energy',
} as const;

export class Suspicions {
  readonly #report: SourceReport;
  #asKcal = 0;
  #asKilojoules = 0;

  constructor(report: SourceReport) {
    this.#report = report;
  }

  /** Whether the macronutrients of most foods fit the energy as kJ. */
  get isKilojoules(): boolean {
    return this.#asKilojoules > this.#asKcal;
  }

  check(food: FoodRecord, place: () => string): void {
    const { suspicious } = this.#report;
    let known = 0;
    for (const column of FIGURE_COLUMNS) {
      const text = food[column];
      if (text === null) continue;
      known++;
      const figure = Number(text);
      const [most, unit] = column === 'kcal' ? [MAX_KCAL, 'kcal'] : [MAX_GRAMS, 'g'];
      if (!(figure >= 0 && figure <= most))
        suspicious.add(`${NAMES[column]} below 0 or over ${most} ${unit}`, place);
    }
    if (known === 0) suspicious.add('no figure is known', place);
    const protein = amount(food.protein_g);
    const carbohydrate = amount(food.carbohydrate_g);
    const fat = amount(food.fa_sat_g) + amount(food.fa_mono_g) + amount(food.fa_poly_g);
    if (or0(protein) + or0(carbohydrate) + or0(fat) > MAX_MACRONUTRIENTS) {
      suspicious.add(`protein, carbohydrate and fat are more than ${MAX_MACRONUTRIENTS} g together`, place);
    }
    this.#checkEnergy(amount(food.kcal), { protein, carbohydrate, fat }, place);
  }

  #checkEnergy(
    kcal: number,
    { protein, carbohydrate, fat }: { protein: number; carbohydrate: number; fat: number },
    place: () => string,
  ): void {
    const energy = checkEnergy(kcal * BILLION, Number.NaN, {
      protein: protein * BILLION,
      carbohydrate: carbohydrate * BILLION,
      fat: fat * BILLION,
      fibre: Number.NaN,
      polyols: Number.NaN,
      alcohol: Number.NaN,
    });
    if (energy === 'right') this.#asKcal++;
    else if (energy === 'kJ') {
      this.#asKilojoules++;
      this.#report.suspicious.add('energy that fits the macronutrients as kJ, not as kcal', place);
    } else if (energy === 'wrong') {
      this.#report.suspicious.add('energy and macronutrients contradict each other', place);
    }
  }
}

const amount = (text: string | null): number => (text === null ? Number.NaN : Number(text));
const or0 = (value: number): number => (Number.isNaN(value) ? 0 : value);
