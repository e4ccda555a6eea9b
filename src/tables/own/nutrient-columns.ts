/** The columns with nutrients beside the five figures, and with codes: which are read, and why others are not. */
import { shown } from '#core';
import type { NutrientKind } from '../food/nutrients.ts';
import { type Heading, isUnit, keysFor, PER_100, PER_100_ML, parseHeading } from '../words/headings.ts';
import { LABEL_NUTRIENTS } from '../words/labels.ts';
import { headingWords, lazily } from '../words/languages.ts';
import { basisRank, isSomeAmount, OTHER_BASIS } from './amounts.ts';
import { type ColumnCandidate, candidateOf, ungrouped } from './candidates.ts';
import { errorColumns } from './error-columns.ts';
import { isNeed } from './heading-groups.ts';
import type { Plan, PlannedColumn } from './plan.ts';

interface Known {
  readonly label: string;
  readonly isInGrams: boolean;
  /** Among the words of all languages; the first are more exact. */
  readonly rank: number;
}

const labels = lazily(() => {
  const known = new Map<string, Known>();
  for (const { kind, name: label, isInGrams } of LABEL_NUTRIENTS)
    for (const [rank, word] of headingWords(kind).entries()) {
      const { key } = parseHeading(word);
      if (!known.has(key)) known.set(key, { label, isInGrams, rank });
    }
  return known;
});
/** Without that of `MG`, which is a unit as well. */
const nutrients = lazily(() => new Set([...keysFor('nutrient')].filter((key) => key !== '')));

/** Behind all words that are the name itself. */
const WITH_MEASURE = 10_000;

function labelOf({ key }: Heading): Known | undefined {
  const found = labels().get(key);
  if (found !== undefined) return found;
  const rest = key.split(' ').filter((word) => !keysFor('measure').has(word));
  const other = labels().get(rest.join(' '));
  return other && { ...other, rank: other.rank + WITH_MEASURE };
}

interface NutrientCandidate extends ColumnCandidate {
  readonly kind: NutrientKind;
}

/**
 * @param isTaken whether a column has another meaning
 * @param figures the columns of the figures of a food, whose names on labels no other column then has
 */
export function nutrientColumns(
  headings: readonly string[],
  isTaken: (index: number) => boolean,
  figures: readonly ColumnCandidate[] = [],
) {
  const found: NutrientCandidate[] = [];
  /** Those that are doubtful have codes only if their cells look like them. */
  const ofCodes: (Pick<ColumnCandidate, 'index' | 'heading'> & { readonly isDoubtful: boolean })[] = [];
  const leftOut: string[] = [];
  const unknownHeadings: number[] = [];
  const errors = errorColumns(headings);
  for (const [index, name] of ungrouped(headings).entries()) {
    const heading = headings[index] ?? '';
    const parsed = parseHeading(name);
    const field = candidateOf(name, index)?.field;
    const figure = figures.find((each) => each.index === index);
    const label = LABEL_NUTRIENTS.find(({ field: of }) => figure !== undefined && of === figure.field)?.name;
    if (figure !== undefined && label !== undefined) {
      const { unit = 'g' } = figure;
      const kind = { name: nameIn(name), label, rank: -1, unit };
      found.push({ ...figure, field: 'nutrient', unit, score: [], kind });
      continue;
    }
    if (errors.has(index)) {
      leftOut.push(`${shown(heading)}, the error of another column`);
      continue;
    }
    const isMass = field?.endsWith('_g') === true && !field.startsWith('portion_');
    if (!isMass && (isTaken(index) || field !== undefined)) continue;
    const isDoubtful = keysFor('perhaps a barcode').has(parsed.key);
    if (isDoubtful || keysFor('barcode').has(parsed.key)) ofCodes.push({ index, heading, isDoubtful });
    else {
      const known = labelOf(parsed);
      const isNutrient =
        known !== undefined || [parsed.key, ...parsed.key.split(' ')].some((word) => nutrients().has(word));
      const unit = parsed.unit ?? (known?.isInGrams ? 'g' : undefined);
      const mayBeWeight = unit === undefined || unit === 'g';
      if (!isNutrient && mayBeWeight && !isNeed(name) && !per100(parsed)) unknownHeadings.push(index);
      if (isNeed(name)) {
        if (isNutrient) leftOut.push(`${shown(heading)}, a share and no amount`);
      } else if (unit === 'kcal' || unit === 'kJ' || (unit === undefined && !isNutrient)) continue;
      else if (known !== undefined || (!isSomeAmount(parsed) && parsed.key !== '')) {
        const { label, rank } = known ?? {};
        const kind = { name: nameIn(name), label, ...(rank !== undefined && { rank }), unit };
        const { basis } = parsed;
        found.push({ field: 'nutrient', index, heading, unit, basis, score: [], kind });
      }
    }
  }
  // Protein, carbohydrate and fat alone are in an answer anyway.
  const hasOthers = found.some(({ kind }) => !FIGURES.has(kind.label));
  return { found: hasOthers ? found : [], codes: ofCodes, leftOut, unknownHeadings };
}

const per100 = ({ basis }: Heading): boolean => basis === PER_100 || basis === PER_100_ML;

const FIGURES: ReadonlySet<string | undefined> = new Set(['Protein', 'Carbohydrate', 'Fat']);

/** Words of a unit and an amount: `mg per 100 g of edible portion`. */
const MOST_UNIT_WORDS = 8;

/** A heading without its unit, and without what its figures are for: `Vitamin C (mg)`, `vit_c_mg`, `Calcium mg/100 g`. */
function nameIn(heading: string): string {
  const bare = heading.replace(/[([{][^()[\]{}]*[)\]}]/g, (part) => (isUnit(part) ? ' ' : part));
  const words = bare.replaceAll('_', ' ').trim().split(/\s+/);
  // The letter of `vit_a_iu` is no little word; a long text is no name and a unit.
  const isUnitFrom = (i: number): boolean =>
    !/^[a-fh-z]$/i.test(words[i] ?? '') && isUnit(words.slice(i).join(' '));
  const end = words.findIndex((_, i) => i > 0 && words.length - i <= MOST_UNIT_WORDS && isUnitFrom(i));
  const name = words.slice(0, end < 0 ? words.length : end).join(' ');
  return name.replace(/[\s,;:/-]+$/, '').replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

export interface NutrientColumn extends PlannedColumn, Pick<NutrientCandidate, 'kind'> {}

export type NutrientPlan = ReturnType<typeof planNutrients>;

/**
 * Decides which columns of nutrients are read: those for a known amount of food, of several for a nutrient the best. Nobody's table
 * is refused for its nutrients: what is left out is said.
 */
export function planNutrients(
  headings: readonly string[],
  { columns: byField, others }: Pick<Plan, 'columns' | 'others'>,
) {
  const { isTaken, hasWeights, isMixed, planned } = others;
  const figures = [...byField.values()];
  const { found, codes, leftOut, unknownHeadings } = nutrientColumns(headings, isTaken, figures);
  const columns = found.map((each): NutrientColumn => ({ ...planned(each), kind: each.kind }));
  const isKnown = ({ basis }: NutrientColumn): boolean =>
    basis === undefined ? !isMixed : hasWeights || basisRank(basis) < OTHER_BASIS;
  const best = new Map<string, number>();
  const nutrientOf = ({ kind, heading }: NutrientColumn): string => kind.label ?? parseHeading(heading).key;
  for (const column of columns.filter(isKnown)) {
    const rank = basisRank(column.basis);
    const nutrient = nutrientOf(column);
    best.set(nutrient, Math.min(best.get(nutrient) ?? rank, rank));
  }
  const isBest = (column: NutrientColumn): boolean =>
    best.get(nutrientOf(column)) === basisRank(column.basis);
  const unknown = columns.filter((column) => !isKnown(column) && !best.has(nutrientOf(column)));
  return {
    columns: columns.filter((column) => isKnown(column) && isBest(column)),
    codes,
    /** The columns whose heading names neither a nutrient nor anything else that is known, and that may have weights. */
    unknownHeadings,
    leftOut: [
      ...leftOut,
      ...unknown.map(({ heading }) => `${shown(heading)}, for an unknown amount of food`),
    ],
  };
}
