/**
 * Reports figures of users' tables that are probably wrong, and stops an import in which so many are that a column cannot be
 * what it was read as.
 *
 * The limits lie between right tables and wrong ones. In right ones, such as SR28, a part of it (brans, cocoa, sweets) or the
 * lists of people, at most 12 % of the energies do not fit, 6 % are impossible, and 2 % of the foods weigh too much. If fat is
 * swapped with protein or carbohydrate, 30 or 67 % do not fit; if the energy is for another amount than the grams, 67 % are
 * impossible; per serving, a fifth of the meals of restaurants weighs too much. In tables of dried foods, 10 % may weigh a
 * little too much, by the errors of three analyses and by rounding, but hardly any far too much; per serving, most of those
 * that weigh too much weigh far too much.
 */
import { BILLION, FIGURE_COLUMNS, type FoodRecord, floatOf, shown, UserError } from '#core';
import { checkEnergy, MAX_GRAMS, MAX_KCAL, MAX_MACRONUTRIENTS } from '../food/figures.ts';
import type { SourceReport } from '../report/source-report.ts';
import { PER_100, PER_100_ML } from '../words/headings.ts';
import type { ColumnCandidate, ColumnOptions } from './candidates.ts';

/** Figures of a food per 100 g as floats; NaN is "not known". */
type Figures = Readonly<Record<'kcal' | 'protein' | 'carbohydrate' | 'fat', number>>;

/** Mistakes by what was taken for what it is not, with the figures without it. To swap protein and carbohydrate changes no energy. */
const CORRECTED: Readonly<Record<Mistake, (figures: Figures) => Figures>> = {
  kJ: (each) => ({ ...each, kcal: each.kcal / 4.184 }),
  kcal: (each) => ({ ...each, kcal: each.kcal * 4.184 }),
  'fat_g and carbohydrate_g': (each) => ({ ...each, fat: each.carbohydrate, carbohydrate: each.fat }),
  'fat_g and protein_g': (each) => ({ ...each, fat: each.protein, protein: each.fat }),
};
type Mistake = 'kJ' | 'kcal' | 'fat_g and carbohydrate_g' | 'fat_g and protein_g';
const SWAPS: readonly Mistake[] = ['fat_g and carbohydrate_g', 'fat_g and protein_g'];
const MISTAKES: readonly Mistake[] = ['kJ', 'kcal', ...SWAPS];

/** Foods that must show a mistake: a smaller table may consist of exceptions, but none is exactly as if in kJ. */
const LEAST = 10;
const LEAST_IN_KJ = 3;
/** The share of misfits among the foods that a mistake causes, and of those that it explains. */
const MISFITS = 0.25;
const MISFITS_IN_KJ = 0.5;
const EXPLAINED = 0.8;
const MOST_IMPOSSIBLE = 0.5;
const LEAST_HEAVY = 4;
const LEAST_HEAVY_OF_FEW = 3;
const FEW_FOODS = 20;
const HEAVY = 0.05;
/** g together that no rounding or error of analysis explains, and the share of such foods among the heavy ones. */
const FAR_TOO_HEAVY = 120;
const FAR_OF_HEAVY = 1 / 3;
/** Foods that are far too heavy show a mistake by themselves: in right tables, at most 1.2 % are. */
const LEAST_FAR = 5;
const FAR = 0.025;
/** g in 100 g of a liqueur of cream or egg; what is stronger has neither fat nor protein. */
const MOST_ALCOHOL = 25;
/** Foods of which none has more show figures per gram; a gram of fat has 9 kcal. */
const LEAST_PER_GRAM = 3;
const [KCAL_PER_GRAM, MOST_PER_GRAM] = [10, 2];
const MOST_PROTEIN_OF_DRINKS = 10;

/** What people write below the foods, in the languages of the headings. */
const SUMMARY =
  /^(?:(?:grand |sub-?)?totals?|sum|averages?|mean|median|summe|gesamt(?:summe)?|insgesamt|durchschnitt|mittelwert|total général|somme|moyenne|suma|promedio|media|totale|somma|soma|média|totaal|gemiddelde|i alt|gennemsnit|summa|genomsnitt|yhteensä|keskiarvo|razem|średnia|celkem|průměr|итого|всего|合计|合計|합계)\s*:?$/iu;

export class Suspicions {
  readonly #report: SourceReport;
  readonly #energy: ColumnCandidate | undefined;
  /** Foods whose energy fits as kJ, less those in which it fits as kcal. */
  #inKj = 0;
  #foods = 0;
  #heavy = 0;
  /** Heavy foods that no rounding or error of analysis explains. */
  #farTooHeavy = 0;
  #firstFar = '';
  /** Foods whose energy shows anything, and those of them whose energy does not fit, or is not even possible. */
  #judged = 0;
  #misfits = 0;
  #impossible = 0;
  /** Foods with energy that may be for one gram of them; whether that of one fits the rest to a quarter, and whether all may be. */
  #perGram = 0;
  #hasFitting = false;
  #arePerGram = true;
  /** Foods that fit only without the mistake. */
  readonly #explained = new Map<Mistake, number>();

  /** @param energy its column; undefined if the table is not to be judged as a whole */
  constructor(report: SourceReport, energy: ColumnCandidate | undefined) {
    this.#report = report;
    this.#energy = energy;
  }

  /** @param hasTotal whether total fat is known, which then stands for all kinds */
  check(food: FoodRecord, hasTotal: boolean): void {
    const [sat, mono, poly] = [figureOf(food.fa_sat_g), figureOf(food.fa_mono_g), figureOf(food.fa_poly_g)];
    const parts = or0(sat) + or0(mono) + or0(poly);
    const figures = {
      kcal: figureOf(food.kcal),
      protein: figureOf(food.protein_g),
      carbohydrate: figureOf(food.carbohydrate_g),
      // Without all three kinds, fat is unknown.
      fat: hasTotal ? sat : sat + mono + poly,
    };
    const { kcal, protein, carbohydrate, fat } = figures;
    const { suspicious } = this.#report;
    const isSummary = food.description.length < 20 && SUMMARY.test(food.description.trim());
    if (isSummary) suspicious.add('a total or a mean, by its name');
    if (FIGURE_COLUMNS.every((column) => food[column] === null)) suspicious.add('no figure is known');
    if (isImpossible(kcal, MAX_KCAL)) suspicious.add(`energy below 0 or over ${MAX_KCAL} kcal`);
    if (isImpossible(protein, MAX_GRAMS)) suspicious.add(`protein ${IMPOSSIBLE}`);
    if (isImpossible(carbohydrate, MAX_GRAMS)) suspicious.add(`carbohydrate ${IMPOSSIBLE}`);
    if (sat < 0 || mono < 0 || poly < 0 || parts > MAX_GRAMS) suspicious.add(`fat ${IMPOSSIBLE}`);
    this.#weigh(figures, parts);
    const macros = { protein: protein * BILLION, carbohydrate: carbohydrate * BILLION, fat: fat * BILLION };
    const finding = Number.isNaN(kcal) ? 'unknown' : checkEnergy(kcal * BILLION, Number.NaN, macros);
    if (finding === 'right') this.#inKj--;
    if (finding === 'kJ') this.#inKj++;
    if (finding === 'kJ') suspicious.add('energy that fits the macronutrients as kJ, not as kcal');
    if (finding === 'wrong') suspicious.add('energy and macronutrients contradict each other');
    if (this.#energy !== undefined) this.#judge(figures);
  }

  #weigh({ kcal, protein, carbohydrate }: Figures, parts: number): void {
    // Floats would make a little more than 105 of 10.2, 81.4 and 13.4.
    const together = Math.round(1e6 * (or0(protein) + or0(carbohydrate) + parts)) / 1e6;
    if (together > MAX_MACRONUTRIENTS)
      this.#report.suspicious.add(
        `protein, carbohydrate and fat are more than ${MAX_MACRONUTRIENTS} g together`,
        () => `${this.#report.place()} (${Number(together.toFixed(2))} g)`,
      );
    else if (!(kcal > MAX_KCAL)) return;
    this.#heavy++;
    const most = Math.max(or0(protein), or0(carbohydrate), parts);
    if (together <= FAR_TOO_HEAVY && most <= MAX_MACRONUTRIENTS && !(kcal > MAX_KCAL)) return;
    if (this.#farTooHeavy++ === 0) this.#firstFar = this.#report.place();
  }

  #judge(figures: Figures): void {
    const { kcal, protein, carbohydrate, fat } = figures;
    this.#foods++;
    if (kcal >= KCAL_PER_GRAM || Math.max(or0(protein), or0(carbohydrate), or0(fat)) >= MOST_PER_GRAM)
      this.#arePerGram = false;
    else if (kcal > 0) {
      this.#perGram++;
      const known = 4 * or0(protein) + 4 * or0(carbohydrate) + 9 * or0(fat);
      this.#hasFitting ||= Math.abs(kcal - known) <= kcal / 4;
    }
    // Drinks and sweets without protein and fat may have alcohol or sugar alcohols, whose energy differs.
    if (Number.isNaN(kcal) || 4 * or0(protein) + 9 * or0(fat) < 20) return;
    const isFitting = fits(figures);
    const isComplete = !Number.isNaN(protein + carbohydrate + fat);
    const isInKj = fits(CORRECTED.kJ(figures));
    // With an unknown macronutrient, an energy shows something only if it fits either as kcal or as kJ.
    if (isComplete ? !isFitting && !isInKj && mayHaveAlcohol(figures) : isFitting === isInKj) return;
    this.#judged++;
    if (isFitting) return;
    this.#misfits++;
    // All of the carbohydrate may be fibre.
    if (kcal < energyRange({ ...figures, carbohydrate: 0 }).least || kcal > energyRange(figures).most)
      this.#impossible++;
    for (const mistake of isComplete ? MISTAKES : (['kJ'] as const)) {
      if (fits(CORRECTED[mistake](figures)))
        this.#explained.set(mistake, (this.#explained.get(mistake) ?? 0) + 1);
    }
  }

  /** @throws UserError if the figures of most foods contradict each other, with what would explain it */
  refuseMistakes(options: ColumnOptions, place: string): void {
    const energy = this.#energy;
    if (energy === undefined || options.forceFigures === true) return;
    const heading = shown(energy.heading);
    const isUnclear = energy.unit === undefined && this.#inKj > 0;
    if (isUnclear || (energy.unit !== 'kJ' && this.#isExplainedBy('kJ'))) {
      if (options.columns?.has('kcal')) return;
      throw new UserError(
        `${place}, column ${heading}: its figures fit the others as kJ, not as kcal. Say which they are: --column kJ=${heading}, or --column kcal=${heading}.`,
      );
    }
    const isBased = options.per !== undefined || energy.basis === PER_100 || energy.basis === PER_100_ML;
    if (this.#arePerGram && (this.#hasFitting || this.#perGram >= LEAST_PER_GRAM) && !isBased)
      throw new UserError(
        `${place}: no food has ${KCAL_PER_GRAM} kcal, or ${MOST_PER_GRAM} g of anything. Are the figures for 1 g? Say what they are for: --per 1g, or --per 100g.`,
      );
    const swapped = SWAPS.find((swap) => this.#isExplainedBy(swap));
    const fault =
      energy.unit === 'kJ' && this.#isExplainedBy('kcal')
        ? `the figures of column ${heading} fit the others as kcal, not as kJ. Correct its heading`
        : swapped !== undefined
          ? `the energy fits only if ${swapped} are swapped. Name their columns with --column`
          : this.#otherFault();
    if (fault !== undefined)
      throw new UserError(`${place}: ${fault}, or import the figures as they are with --force-figures.`);
  }

  #isExplainedBy(mistake: Mistake): boolean {
    const [least, share] = SWAPS.includes(mistake) ? [LEAST, MISFITS] : [LEAST_IN_KJ, MISFITS_IN_KJ];
    return (
      this.#judged >= least &&
      this.#misfits >= share * this.#judged &&
      (this.#explained.get(mistake) ?? 0) >= EXPLAINED * this.#misfits
    );
  }

  #otherFault(): string | undefined {
    if (this.#judged >= LEAST && this.#impossible > MOST_IMPOSSIBLE * this.#judged) {
      return `the energy of ${this.#impossible} of ${this.#judged} foods is not what their protein, carbohydrate and fat give (4, 4 and 9 kcal per g). Are they for different amounts, or is a column read as another? Name the right ones with --column`;
    }
    if (!this.#isTooHeavy()) return undefined;
    return `${this.#heavy} of ${this.#foods} foods have more than ${MAX_MACRONUTRIENTS} g of protein, carbohydrate and fat, or ${MAX_KCAL} kcal, in 100 g (${this.#farTooHeavy} of them far more, first ${this.#firstFar}). Are the figures per serving? Convert them with --per 30g, the weight of a serving, or --per-column HEADING, a column of weights`;
  }

  #isTooHeavy(): boolean {
    const [foods, heavy, far] = [this.#foods, this.#heavy, this.#farTooHeavy];
    const least = foods < FEW_FOODS ? LEAST_HEAVY_OF_FEW : LEAST_HEAVY;
    const areMany = (heavy >= least && heavy > HEAVY * foods) || (far >= LEAST_FAR && far > FAR * foods);
    return areMany && far >= FAR_OF_HEAVY * heavy;
  }
}

const IMPOSSIBLE = `below 0 or over ${MAX_GRAMS} g`;

const figureOf = (text: string | null): number => (text === null ? Number.NaN : floatOf(text));
const or0 = (figure: number): number => (Number.isNaN(figure) ? 0 : figure);
const isImpossible = (figure: number, most: number): boolean => figure < 0 || figure > most;

const fits = (figures: Figures): boolean => {
  const { least, most } = energyRange(figures);
  return figures.kcal >= least && figures.kcal <= most;
};

/** Whether alcohol, of 7 kcal per g, would explain the energy: that of Irish cream is 327 kcal, 98 of them from 14 g. */
function mayHaveAlcohol({ kcal, protein, carbohydrate, fat }: Figures): boolean {
  const alcohol = (kcal - 4 * protein - 4 * carbohydrate - 9 * fat) / 7;
  const rest = 100 - protein - carbohydrate - fat;
  return protein <= MOST_PROTEIN_OF_DRINKS && alcohol > 0 && alcohol <= Math.min(MOST_ALCOHOL, rest);
}

/** The kcal of the macronutrients, with room for roundings, for other factors, and for what is unknown of 100 g. */
function energyRange({ protein, carbohydrate, fat }: Figures): { least: number; most: number } {
  const known = 4 * or0(protein) + 4 * or0(carbohydrate) + 9 * or0(fat);
  const rest = Math.max(0, 100 - or0(protein) - or0(carbohydrate) - or0(fat));
  const unknown = Number.isNaN(fat) ? 9 * rest : Number.isNaN(protein + carbohydrate) ? 4 * rest : 0;
  return { least: 0.75 * known - 10, most: 1.25 * (known + unknown) + 10 };
}
