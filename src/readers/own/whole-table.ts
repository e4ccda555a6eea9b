/**
 * Judges the figures of a table as a whole. One food may contradict itself; if many do, a column is not what it was read as.
 *
 * The limits lie between right tables and wrong ones. In right ones, such as SR28, a part of it (brans, cocoa, sweets) or the
 * lists of people, at most 12 % of the energies do not fit, 6 % are impossible, and 2 % of the foods weigh too much. If fat is
 * swapped with protein or carbohydrate, 30 or 67 % do not fit; if the energy is for another amount than the grams, 67 % are
 * impossible; per serving, a fifth of the meals of restaurants weighs too much.
 */
import { MAX_KCAL, MAX_MACRONUTRIENTS } from '../rules/figures.ts';

/** Figures of a food per 100 g as floats; NaN is "not known". */
export interface Figures {
  readonly kcal: number;
  readonly protein: number;
  readonly carbohydrate: number;
  readonly fat: number;
}

/** `kcal`: kcal were taken for kJ. */
export type Mistake = 'kJ' | 'kcal' | 'fat_g and carbohydrate_g' | 'fat_g and protein_g';

/** The figures without the mistake. To swap protein and carbohydrate changes no energy. */
const CORRECTED: Readonly<Record<Mistake, (figures: Figures) => Figures>> = {
  kJ: (each) => ({ ...each, kcal: each.kcal / 4.184 }),
  kcal: (each) => ({ ...each, kcal: each.kcal * 4.184 }),
  'fat_g and carbohydrate_g': (each) => ({ ...each, fat: each.carbohydrate, carbohydrate: each.fat }),
  'fat_g and protein_g': (each) => ({ ...each, fat: each.protein, protein: each.fat }),
};
const MISTAKES = Object.keys(CORRECTED) as Mistake[];

/** Foods that must show a mistake: a smaller table may consist of exceptions, but none is exactly as if in kJ. */
const LEAST = 10;
const LEAST_IN_KJ = 3;
/** The share of misfits among the foods that a mistake causes, and of those that it explains. */
const MISFITS = 0.25;
const MISFITS_IN_KJ = 0.5;
const EXPLAINED = 0.8;
/** The share of foods whose energy is possible, at least. */
const POSSIBLE = 0.5;
/** Foods that are too much for 100 g, and their share. */
const LEAST_HEAVY = 4;
const HEAVY = 0.05;

export class WholeTable {
  #foods = 0;
  #heavy = 0;
  #firstHeavy = '';
  /** Foods whose energy shows anything, and those of them whose energy fits, or is possible. */
  #judged = 0;
  #fitting = 0;
  #possible = 0;
  /** Foods that fit only without the mistake. */
  readonly #explained = new Map<Mistake, number>(MISTAKES.map((mistake) => [mistake, 0]));

  add(figures: Figures, place: () => string): void {
    const { kcal, protein, carbohydrate, fat } = figures;
    this.#foods++;
    if (or0(protein) + or0(carbohydrate) + or0(fat) > MAX_MACRONUTRIENTS || kcal > MAX_KCAL) {
      if (this.#heavy++ === 0) this.#firstHeavy = place();
    }
    // Drinks and sweets without protein and fat may have alcohol or sugar alcohols, whose energy differs.
    if (Number.isNaN(kcal) || 4 * or0(protein) + 9 * or0(fat) < 20) return;
    const isFitting = fits(figures);
    const isComplete = !Number.isNaN(protein + carbohydrate + fat);
    // With an unknown macronutrient, an energy shows something only if it fits either as kcal or as kJ.
    if (!isComplete && isFitting === fits(CORRECTED.kJ(figures))) return;
    this.#judged++;
    if (isFitting) {
      this.#fitting++;
      this.#possible++;
      return;
    }
    // All of the carbohydrate may be fibre.
    if (kcal >= rangeOf({ ...figures, carbohydrate: 0 }).least && kcal <= rangeOf(figures).most)
      this.#possible++;
    for (const mistake of isComplete ? MISTAKES : MISTAKES.slice(0, 1)) {
      if (fits(CORRECTED[mistake](figures))) this.#explained.set(mistake, this.#explainedBy(mistake) + 1);
    }
  }

  /** The mistake in an energy that was read as kcal, or as kJ; undefined if nothing speaks for one. */
  mistake(isInKj: boolean): Mistake | undefined {
    const misfits = this.#judged - this.#fitting;
    return MISTAKES.filter((mistake) => mistake !== (isInKj ? 'kJ' : 'kcal')).find((mistake) => {
      const isOfUnits = mistake === 'kJ' || mistake === 'kcal';
      const [least, share] = isOfUnits ? [LEAST_IN_KJ, MISFITS_IN_KJ] : [LEAST, MISFITS];
      return (
        this.#judged >= least &&
        misfits >= share * this.#judged &&
        this.#explainedBy(mistake) >= EXPLAINED * misfits
      );
    });
  }

  /** What is wrong with most energies or many weights, as a sentence, and what may explain it. */
  fault(): string | undefined {
    if (this.#judged >= LEAST && this.#possible < POSSIBLE * this.#judged) {
      return `the energy of ${this.#judged - this.#possible} of ${this.#judged} foods is not what their protein, carbohydrate and fat give (4, 4 and 9 kcal per g). Are they for different amounts, or is a column read as another? Name the right ones with --column`;
    }
    if (this.#heavy < LEAST_HEAVY || this.#heavy <= HEAVY * this.#foods) return undefined;
    return `${this.#heavy} of ${this.#foods} foods have more than ${MAX_MACRONUTRIENTS} g of protein, carbohydrate and fat, or ${MAX_KCAL} kcal, in 100 g (first ${this.#firstHeavy}). Are the figures per serving? Convert them with --per 30g, the weight of a serving, or --per-column HEADING, a column of weights`;
  }

  #explainedBy(mistake: Mistake): number {
    return this.#explained.get(mistake) ?? 0;
  }
}

const or0 = (figure: number): number => (Number.isNaN(figure) ? 0 : figure);

const fits = (figures: Figures): boolean => {
  const { least, most } = rangeOf(figures);
  return figures.kcal >= least && figures.kcal <= most;
};

/** The kcal of the macronutrients, with room for roundings, for other factors, and for what is unknown of 100 g. */
function rangeOf({ protein, carbohydrate, fat }: Figures): { least: number; most: number } {
  const known = 4 * or0(protein) + 4 * or0(carbohydrate) + 9 * or0(fat);
  const rest = Math.max(0, 100 - or0(protein) - or0(carbohydrate) - or0(fat));
  const unknown = Number.isNaN(fat) ? 9 * rest : Number.isNaN(protein + carbohydrate) ? 4 * rest : 0;
  return { least: 0.75 * known - 10, most: 1.25 * (known + unknown) + 10 };
}
