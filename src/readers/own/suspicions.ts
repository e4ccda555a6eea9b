/**
 * Reports figures of users' tables that are probably wrong, but are kept because they are the user's.
 */
import { BILLION, floatOf } from '../../decimal.ts';
import { shown, UserError } from '../../errors.ts';
import type { FoodRecord } from '../../food.ts';
import type { SourceReport } from '../report/source-report.ts';
import { checkEnergy } from '../rules/atwater.ts';
import { MAX_GRAMS, MAX_KCAL, MAX_MACRONUTRIENTS } from '../rules/figures.ts';
import type { Candidate, ColumnOptions } from './candidates.ts';
import { type Figures, WholeTable } from './whole-table.ts';

/** What people write below the foods, in the languages of the headings. */
const SUMMARY =
  /^(?:(?:grand |sub-?)?totals?|sum|averages?|mean|median|summe|gesamt(?:summe)?|insgesamt|durchschnitt|mittelwert|total général|somme|moyenne|suma|promedio|media|totale|somma|soma|média|totaal|gemiddelde|i alt|gennemsnit|summa|genomsnitt|yhteensä|keskiarvo|razem|średnia|celkem|průměr|итого|всего|合计|合計|합계)\s*:?$/iu;

/** Saturated, monounsaturated, polyunsaturated. */
const KINDS_OF_FAT = 3;

export class Suspicions {
  readonly #whole = new WholeTable();
  readonly #report: SourceReport;
  #asKcal = 0;
  #asKilojoules = 0;

  constructor(report: SourceReport) {
    this.#report = report;
  }

  /**
   * To be called after the last row.
   * @param energy the column of the energy
   * @throws UserError if the figures of most foods contradict each other, with what would explain it
   */
  refuseMistakes(energy: Candidate | undefined, options: ColumnOptions, place: string): void {
    if (energy === undefined || options.forceFigures === true) return;
    const heading = shown(energy.heading);
    const isUnclear = energy.unit === undefined && this.#asKilojoules > this.#asKcal;
    const mistake = isUnclear ? 'kJ' : this.#whole.mistake(energy.unit === 'kJ');
    if (mistake === 'kJ') {
      if (options.columns?.has('kcal')) return;
      throw new UserError(
        `${place}, column ${heading}: its figures fit the others as kJ, not as kcal. Say which they are: --column kJ=${heading}, or --column kcal=${heading}.`,
      );
    }
    const fault =
      mistake === undefined
        ? this.#whole.fault()
        : mistake === 'kcal'
          ? `the figures of column ${heading} fit the others as kcal, not as kJ. Correct its heading`
          : `the energy fits only if ${mistake} are swapped. Name their columns with --column`;
    if (fault !== undefined)
      throw new UserError(`${place}: ${fault}, or import the figures as they are with --force-figures.`);
  }

  /** @param total total fat, if it is known */
  check(food: FoodRecord, total: string | null, place: () => string): void {
    let known = 0;
    let parts = 0;
    let isNegative = false;
    for (const kind of [figureOf(food.fa_sat_g), figureOf(food.fa_mono_g), figureOf(food.fa_poly_g)]) {
      if (Number.isNaN(kind)) continue;
      known++;
      parts += kind;
      isNegative ||= kind < 0;
    }
    const figures = {
      kcal: figureOf(food.kcal),
      protein: figureOf(food.protein_g),
      carbohydrate: figureOf(food.carbohydrate_g),
      // Without all three kinds, fat is unknown.
      fat: total === null ? parts + (known === KINDS_OF_FAT ? 0 : Number.NaN) : figureOf(total),
    };
    const { suspicious } = this.#report;
    if (food.description.length < 20 && SUMMARY.test(food.description.trim()))
      suspicious.add('a total or a mean, by its name', place);
    const { kcal, protein, carbohydrate } = figures;
    if (known === 0 && Number.isNaN(kcal) && Number.isNaN(protein) && Number.isNaN(carbohydrate)) {
      suspicious.add('no figure is known', place);
    }
    if (isImpossible(kcal, MAX_KCAL)) suspicious.add(`energy below 0 or over ${MAX_KCAL} kcal`, place);
    this.#checkGrams('protein', protein, place);
    this.#checkGrams('carbohydrate', carbohydrate, place);
    this.#checkGrams('fat', isNegative ? -1 : parts, place);
    if (or0(protein) + or0(carbohydrate) + parts > MAX_MACRONUTRIENTS) {
      suspicious.add(`protein, carbohydrate and fat are more than ${MAX_MACRONUTRIENTS} g together`, place);
    }
    this.#checkEnergy(figures, place);
    this.#whole.add(figures, place);
  }

  #checkGrams(name: string, grams: number, place: () => string): void {
    if (isImpossible(grams, MAX_GRAMS)) {
      this.#report.suspicious.add(`${name} below 0 or over ${MAX_GRAMS} g`, place);
    }
  }

  #checkEnergy({ kcal, protein, carbohydrate, fat }: Figures, place: () => string): void {
    if (Number.isNaN(kcal + protein + carbohydrate + fat)) return;
    const finding = checkEnergy(kcal * BILLION, Number.NaN, {
      protein: protein * BILLION,
      carbohydrate: carbohydrate * BILLION,
      fat: fat * BILLION,
      fibre: 0,
      polyols: 0,
      alcohol: 0,
    });
    if (finding === 'right') this.#asKcal++;
    else if (finding === 'kJ') {
      this.#asKilojoules++;
      this.#report.suspicious.add('energy that fits the macronutrients as kJ, not as kcal', place);
    } else this.#report.suspicious.add('energy and macronutrients contradict each other', place);
  }
}

const figureOf = (text: string | null): number => (text === null ? Number.NaN : floatOf(text));
const or0 = (figure: number): number => (Number.isNaN(figure) ? 0 : figure);
const isImpossible = (figure: number, most: number): boolean => figure < 0 || figure > most;
