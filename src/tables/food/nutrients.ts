/**
 * The rules of nutrients beside the five figures, as in docs/sources.md: the names of a label, amounts as their source states
 * them, and which of two with the same name has it.
 */
import {
  canonicalDecimal,
  decimalOfExponent,
  type FoodRecord,
  floatOf,
  type Nutrient,
  scaleDecimal,
} from '#core';
import type { Tallies } from '../report/source-report.ts';

/** What a source states of its foods, such as a column. */
export interface NutrientKind {
  /** As the source calls it. */
  readonly name: string;
  /** The name on labels, which is the same whatever the source. */
  readonly label?: string | undefined;
  /** Smaller is more usual: of two that a food has for a label, it has the name. */
  readonly rank?: number;
  /** Undefined if each amount has its own. */
  readonly unit: string | undefined;
}

/** Of a food; the longest national tables have 300. */
const MAX_NUTRIENTS = 500;
/** Characters of a name; the longest of FoodData Central have 70. */
const MAX_NAME = 200;

/** Of 100 g. */
const MOST: Readonly<Record<string, number>> = { g: 100, mg: 1e5, µg: 1e8 };
/** In any other unit, such as IU. */
const MAX_AMOUNT = 1e9;

interface Found extends Omit<Nutrient, 'nutrient'> {
  readonly kind: NutrientKind;
}

/** Collects the nutrients of foods, one food at a time, and counts what is left out. */
export class Nutrients {
  readonly #leftOut: Tallies;
  readonly #areDistinct: boolean;
  /** Those of the food whose names are not known before all are found, and the others. */
  #found: Found[] = [];
  #named: Nutrient[] = [];
  #last: readonly Found[] = [];
  #names: readonly (string | undefined)[] = [];

  /** @param kinds if there are no others, and a food has each once at most: without namesakes among them, each keeps its name */
  constructor(leftOut: Tallies, kinds: readonly NutrientKind[] = []) {
    this.#leftOut = leftOut;
    this.#areDistinct = kinds.length > 0 && new Set(kinds.map(usualName)).size === kinds.length;
  }

  /** Adds an amount as its source writes it, with a point; an empty one is not known. */
  add(kind: NutrientKind, text: string, unit = kind.unit): void {
    if (text === '' || unit === undefined) return;
    const decimal = canonicalDecimal(text) ?? decimalOfExponent(text.trim()) ?? canonicalDecimal(text.trim());
    if (decimal === undefined) this.#leftOut.add('amount of a nutrient whose text is not a number');
    else this.addDecimal(kind, decimal, unit);
  }

  /** The same for a canonical decimal. */
  addDecimal(kind: NutrientKind, decimal: string, unit: string): void {
    const amount = floatOf(decimal);
    if (!(amount >= 0 && amount <= (MOST[unit] ?? MAX_AMOUNT)))
      this.#leftOut.add('amount of a nutrient below 0 or over 100 g');
    else if (this.#found.length + this.#named.length >= MAX_NUTRIENTS)
      this.#leftOut.add(`nutrient beyond the ${MAX_NUTRIENTS}th of a food`);
    else if (this.#areDistinct)
      this.#named.push({ nutrient: usualName(kind), amount: withoutNoise(decimal), unit });
    else this.#found.push({ kind, amount: withoutNoise(decimal), unit });
  }

  /** The nutrients since the last call, as a food has them; without any, it has no such field. */
  take(): Pick<FoodRecord, 'nutrients'> {
    const [found, nutrients] = [this.#found, this.#named];
    if (found.length + nutrients.length === 0) return {};
    this.#named = [];
    if (this.#areDistinct) return { nutrients };
    this.#found = [];
    // Most foods of a source have the nutrients of the one before.
    const isSame =
      found.length === this.#last.length &&
      found.every(({ kind, unit }, i) => kind === this.#last[i]?.kind && unit === this.#last[i]?.unit);
    if (!isSame) this.#names = namesOf(found);
    this.#last = found;
    for (const [i, { amount, unit }] of found.entries()) {
      const nutrient = this.#names[i];
      if (nutrient === undefined) this.#leftOut.add('amount of a nutrient that the food has already');
      else nutrients.push({ nutrient, amount, unit });
    }
    return { nutrients };
  }
}

/** Undefined for one that has no name left. */
function namesOf(found: readonly Found[]): readonly (string | undefined)[] {
  const labelled = new Map<string, NutrientKind>();
  for (const { kind } of found) {
    const best = labelled.get(kind.label ?? '');
    if (kind.label !== undefined && (best === undefined || rankOf(kind) < rankOf(best)))
      labelled.set(kind.label, kind);
  }
  const names = new Set<string>(labelled.keys());
  return found.map(({ kind, unit }) => {
    const { label } = kind;
    if (label === undefined || labelled.get(label) !== kind) return unused(ownName(kind), unit, names);
    labelled.delete(label);
    return label;
  });
}

const ownName = ({ name }: NutrientKind): string => name.slice(0, MAX_NAME);
const usualName = (kind: NutrientKind): string => kind.label ?? ownName(kind);
const rankOf = ({ rank = 0 }: NutrientKind): number => rank;

/** A name that none of these is, with its unit if it needs one; undefined if that is taken as well. */
function unused(name: string, unit: string, names: Set<string>): string | undefined {
  const free = [name, `${name} (${unit})`].find((each) => !names.has(each));
  if (free !== undefined) names.add(free);
  return free;
}

/** Significant digits of a figure as people write it; a binary float that is written as it is stored has more. */
const MOST_DIGITS = 7;
const KEPT_DIGITS = 6;
/** Digits after the point; nothing smaller is measured. */
const MOST_DECIMALS = 15;

/** A canonical decimal above 0, rounded if it has the noise of a float: `0.899999976158142` is 0.9. */
export function withoutNoise(decimal: string): string {
  if (decimal.length <= MOST_DIGITS) return decimal;
  const digits = decimal.replace('.', '').replace(/^0+/, '');
  if (digits.replace(/0+$/, '').length <= MOST_DIGITS) return decimal;
  const [, { length: decimals } = ''] = decimal.split('.');
  const kept = decimals - digits.length + KEPT_DIGITS;
  return scaleDecimal(decimal, 1n, 1n, Math.max(0, Math.min(kept, MOST_DECIMALS)));
}
