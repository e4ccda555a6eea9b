/** Decides which column of a table is which field, and how its figures become those of a food. */
import { FATTY_ACIDS, FOOD_COLUMNS, shown, UserError } from '#core';
import { isProduct } from '../public/products.ts';
import type { TakenColumn } from '../report/source-report.ts';
import {
  basisOfTitle,
  FIELDS,
  type Field,
  isScaled,
  PER_100,
  PER_100_ML,
  PORTION_FIELDS,
} from '../words/headings.ts';
import {
  type AmountColumn,
  amountColumns,
  basisRank,
  chosenAmount,
  datesOf,
  type Factor,
  factorOf,
  gramsOf,
  OTHER_BASIS,
  placeOf,
} from './amounts.ts';
import {
  CERTAIN,
  type ColumnCandidate,
  type ColumnOptions,
  candidatesOf,
  compare,
  type HeadingRow,
  isOfFood,
  positionOf,
  ungrouped,
} from './candidates.ts';
import { refuseMissing, refuseMixed, refusePerhapsBased } from './missing-columns.ts';
import { byLanguage } from './name-languages.ts';

export interface PlannedColumn extends ColumnCandidate {
  readonly factor?: Factor | undefined;
  /** Whether the figures are for the amount in their row, unless that is refuted. */
  readonly isPerRow: boolean;
  /** Columns that fit the field equally well, and must therefore agree with this one in every row. */
  readonly twins: readonly PlannedColumn[];
  /** The columns that stand where the figure is unknown: twins, of kJ instead of kcal, and per 100 ml instead of 100 g. */
  readonly instead: readonly PlannedColumn[];
  readonly others: readonly ColumnCandidate[];
}

export type Plan = ReturnType<typeof planColumns>;

/** @param where file and line of the header @param titles above it, and the name of the sheet */
export function planColumns(
  headings: readonly string[],
  options: ColumnOptions,
  where: string,
  titles: readonly string[] = [],
) {
  const isOwnForm = FOOD_COLUMNS.every((name) => headings.some((heading) => heading.trim() === name));
  const table = { headings, options, where };
  const candidates = candidatesOf(table);
  // The heading of the names may be a title for the whole row: `Food (per serving)`.
  const names = candidates.filter(({ field }) => field === 'description').map(({ heading }) => heading);
  const title = isOwnForm
    ? undefined
    : [...titles, ...names].find((text) => basisOfTitle(text) !== undefined);
  const amounts = isOwnForm ? [] : amountsFor(candidates, table);
  const based = candidates.map((each) => withBasis(each, isOwnForm, title));
  const all = [...FIELDS, ...PORTION_FIELDS.flat()].map((field) =>
    based.filter((each) => each.field === field).toSorted((a, b) => compare(a.score, b.score)),
  );
  const { fields, ...spoken } = byLanguage(all, options.language);
  const planned = planner(fields, amounts, options);
  const hasWeights = options.per !== undefined || amounts.length > 0;
  const { columns, otherBases } = chosen(fields, hasWeights, planned);
  refuseMissing(columns, otherBases, table);
  const used = [...columns.values()];
  const scaled = used.filter(isScaledBy);
  if (!hasWeights) refuseMixed(scaled, where);
  const isChosen = isOwnForm || options.per !== undefined || options.perColumn !== undefined;
  const dates = isChosen
    ? undefined
    : datesOf(headings.filter((_, i) => candidates.every(({ index }) => index !== i)));
  const unused = unusedFields(columns, options);
  const isSilent = used.some(({ field, basis }) => isScaled(field) && basis === undefined);
  if (isSilent && !isOwnForm && !hasWeights && title === undefined) refusePerhapsBased(titles, where);
  const taken = new Set([...candidates, ...amounts].map(({ index }) => index));
  return {
    columns: new Map([...columns].filter(([field]) => !unused.has(field))),
    /** For columns beside the figures: which are taken, and how their own are planned. */
    others: {
      isTaken: (index: number) => taken.has(index) || amounts.some(({ unitIndex }) => unitIndex === index),
      hasWeights,
      isMixed: !hasWeights && scaled.some(({ basis }) => basis !== undefined),
      planned: (each: ColumnCandidate) => planned(withBasis(each, isOwnForm, title)),
    },
    taken: used.map((column) => takenFor(column, unused.get(column.field), options)),
    ...spoken,
    /** Columns with the amount that the figures of a row are for, the likeliest first; none if no figure is for it. */
    amounts: used.some(({ isPerRow }) => isPerRow) ? amounts : [],
    isOwnForm,
    /** Whether figures may be for a weight that nothing says. */
    isSilent: isSilent && !isChosen,
    /** Undefined if the table is no diary. */
    dates: dates && { ...dates, index: headings.indexOf(dates.heading) },
  };
}

/** Returns how the figures of a column become those of 100 g. @param fields the columns of each field, the most exact first */
function planner(
  fields: readonly (readonly ColumnCandidate[])[],
  amounts: readonly AmountColumn[],
  options: ColumnOptions,
) {
  // Beside figures per serving, those that do not say are per 100 g.
  const areSilentPerRow = !fields.some(
    ([best, ...others]) =>
      best?.basis === undefined && others.some(({ basis }) => basisRank(basis) > basisRank(undefined)),
  );
  return (each: ColumnCandidate): PlannedColumn => {
    const grams = gramsFor(each, options);
    const isOfRow = amounts.length > 0 && grams === undefined && isScaledBy(each);
    const isPerRow = isOfRow && (areSilentPerRow || each.basis !== undefined);
    return { ...each, factor: factorOf(each, grams), isPerRow, twins: [], instead: [], others: [] };
  };
}

/** The best column of each field, and the first of those that have none with figures for a known amount. */
function chosen(
  fields: readonly (readonly ColumnCandidate[])[],
  hasWeights: boolean,
  planned: (candidate: ColumnCandidate) => PlannedColumn,
) {
  const columns = new Map<Field, PlannedColumn>();
  const otherBases: ColumnCandidate[] = [];
  for (const all of fields) {
    const [best] = all.filter(
      (each) => isOfFood(each) && (hasWeights || basisRank(each.basis) < OTHER_BASIS),
    );
    const others = all.filter((each) => each !== best);
    if (best === undefined) otherBases.push(...all.filter(isOfFood).slice(0, 1));
    else {
      const isTwin = ({ field, score }: ColumnCandidate) =>
        field !== 'names' && compare(best.score, score) === 0;
      const twins = others.filter(isTwin).map(planned);
      const instead = [...twins, ...insteadOf(best, others).map(planned)];
      const rest = others.filter((each) => !isTwin(each));
      columns.set(best.field, { ...planned(best), twins, instead, others: rest });
    }
  }
  return { columns, otherBases };
}

/** The columns that may stand where the figures of one are unknown: the first in kJ, and the first per 100 ml. All other names. */
function insteadOf(
  { field, unit, basis }: ColumnCandidate,
  others: readonly ColumnCandidate[],
): readonly ColumnCandidate[] {
  if (field === 'names') return others;
  const inKj = others.filter((other) => other.unit === 'kJ' && other.basis === basis);
  const perVolume = others.filter((other) => other.basis === PER_100_ML);
  return [
    ...(field === 'kcal' && unit !== 'kJ' ? inKj.slice(0, 1) : []),
    ...(basis === PER_100 ? perVolume.slice(0, 1) : []),
  ];
}

/** Whether headings are those of a whole table of foods, and of no diary. */
export function isOfFoods(headings: readonly string[], options: ColumnOptions): boolean {
  try {
    return isProduct(headings) || planColumns(headings, options, '').dates === undefined;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

const isScaledBy = ({ field, basis }: ColumnCandidate): boolean =>
  isScaled(field) && basis !== PER_100 && basis !== PER_100_ML;

const gramsFor = (each: ColumnCandidate, { per }: ColumnOptions): string | undefined =>
  isScaledBy(each) ? ((each.basis && gramsOf(each.basis)) ?? per) : undefined;

/** The candidate with the basis of the title above it, unless its heading says one. */
function withBasis(
  candidate: ColumnCandidate,
  isOwnForm: boolean,
  title: string | undefined,
): ColumnCandidate {
  const { field, heading, score } = candidate;
  const isOwn = isOwnForm && heading.trim() === field;
  if (!isScaled(field)) return { ...candidate, basis: undefined, score: isOwn ? [CERTAIN] : score };
  const ofTitle = candidate.basis === undefined && title !== undefined;
  const basis = isOwn ? PER_100 : ofTitle ? basisOfTitle(title) : candidate.basis;
  const said = ofTitle ? `the title ${shown(title)}` : `the heading ${shown(heading)}`;
  return { ...candidate, basis, said, score: [basisRank(basis), ...score] };
}

function amountsFor(candidates: readonly ColumnCandidate[], table: HeadingRow): readonly AmountColumn[] {
  const { headings, options } = table;
  const { per, perColumn } = options;
  if (per !== undefined) return [];
  if (perColumn === undefined) {
    const [name, ...names] = candidates.filter(isName).toSorted((a, b) => compare(a.score, b.score));
    const isUsed = ({ index }: AmountColumn) =>
      candidates.some((each) => each.index === index && (!isName(each) || each === name));
    return amountColumns(ungrouped(headings))
      .filter((each) => !isUsed(each))
      .map((each) => {
        // `Label` may be a name or a weight.
        const doubt = names.some(({ index }) => index === each.index) ? 'package' : each.doubt;
        return { ...each, doubt, heading: headings[each.index] ?? '' };
      });
  }
  const index = positionOf(table, perColumn, `--per-column ${perColumn}`);
  return [chosenAmount(headings[index] ?? '', index)];
}

const isName = ({ field }: ColumnCandidate): boolean => field === 'description';

function takenFor(column: PlannedColumn, unused: string | undefined, options: ColumnOptions): TakenColumn {
  const { field, index, heading, unit, twins, others } = column;
  const grams = gramsFor(column, options);
  const ratio = factorOf(column, undefined);
  const note = [
    ...(field === 'kcal' && unit === undefined ? ['read as kcal'] : []),
    ...(ratio ? [`divided by ${(Number(ratio.by) / Number(ratio.times)).toLocaleString('en')}`] : []),
    ...(grams === undefined || grams === '100' ? [] : [`times 100/${grams}`]),
    ...twins.map((twin) => `the same as ${placeOf(twin)}`),
    ...others.slice(0, 3).map((other) => `${field === 'names' ? 'and' : 'rather than'} ${placeOf(other)}`),
    ...(unused === undefined ? [] : [`not used: ${unused}`]),
  ];
  return { field, column: index + 1, heading, note: note.join(', ') };
}

function unusedFields(
  columns: ReadonlyMap<Field, PlannedColumn>,
  { fatFromAcids }: ColumnOptions,
): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  // A portion needs two columns: what it is, and its weight.
  for (const [text, weight] of PORTION_FIELDS) {
    if (!columns.has(weight)) reasons.set(text, `there is no column ${weight}`);
    if (!columns.has(text)) reasons.set(weight, `there is no column ${text}`);
  }
  // Total fat stands wherever it is stated, unless the contract's own columns do, or the user wants their sum.
  const isExact = FATTY_ACIDS.every((field) => columns.get(field)?.heading.trim() === field);
  if (isExact || (fatFromAcids === true && FATTY_ACIDS.every((field) => columns.has(field)))) {
    const why = isExact ? 'whose columns have their exact names' : 'by --fat-from-acids';
    reasons.set('fat_g', `the sum of the fatty acids stands, ${why}`);
  }
  return reasons;
}
