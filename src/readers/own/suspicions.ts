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

export class Suspicions {
  readonly #whole = new WholeTable();
  readonly #report: SourceReport;
  readonly #energy: Candidate | undefined;
  #asKcal = 0;
  #asKilojoules = 0;

  /** @param energy its column; undefined if the table is not to be judged as a whole */
  constructor(report: SourceReport, energy: Candidate | undefined) {
    this.#report = report;
    this.#energy = energy;
  }

  /**
   * To be called after the last row.
   * @throws UserError if the figures of most foods contradict each other, with what would explain it
   */
  refuseMistakes(options: ColumnOptions, place: string): void {
    const energy = this.#energy;
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
    const [sat, mono, poly] = [figureOf(food.fa_sat_g), figureOf(food.fa_mono_g), figureOf(food.fa_poly_g)];
    const parts = or0(sat) + or0(mono) + or0(poly);
    const figures = {
      kcal: figureOf(food.kcal),
      protein: figureOf(food.protein_g),
      carbohydrate: figureOf(food.carbohydrate_g),
      // Without all three kinds, fat is unknown.
      fat: total === null ? sat + mono + poly : figureOf(total),
    };
    const { suspicious } = this.#report;
    if (food.description.length < 20 && SUMMARY.test(food.description.trim()))
      suspicious.add('a total or a mean, by its name', place);
    const { kcal, protein, carbohydrate } = figures;
    if ([kcal, protein, carbohydrate, sat, mono, poly].every(Number.isNaN)) {
      suspicious.add('no figure is known', place);
    }
    if (isImpossible(kcal, MAX_KCAL)) suspicious.add(`energy below 0 or over ${MAX_KCAL} kcal`, place);
    this.#checkGrams('protein', protein, place);
    this.#checkGrams('carbohydrate', carbohydrate, place);
    this.#checkGrams('fat', sat < 0 || mono < 0 || poly < 0 ? -1 : parts, place);
    if (or0(protein) + or0(carbohydrate) + parts > MAX_MACRONUTRIENTS) {
      suspicious.add(`protein, carbohydrate and fat are more than ${MAX_MACRONUTRIENTS} g together`, place);
    }
    this.#checkEnergy(figures, place);
    if (this.#energy !== undefined) this.#whole.add(figures, place);
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
