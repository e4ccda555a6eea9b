/**
 * Decides which column of a table is which field, and how its figures become those of a food.
 */
import { shown, UserError } from '../../errors.ts';
import { FATTY_ACIDS, FOOD_COLUMNS } from '../../food.ts';
import type { TakenColumn } from '../report/source-report.ts';
import { type AmountColumn, amountColumns, chosenAmount, dateHeading, gramsOf } from './amounts.ts';
import {
  type Candidate,
  type ColumnOptions,
  candidateOf,
  choose,
  isPortion,
  isText,
  nameOf,
  placeOf,
  positionOf,
} from './candidates.ts';
import { basisOfTitle, PER_100, type Unit } from './heading.ts';
import { FIELDS, type Field, PORTION_FIELDS } from './headings.ts';

/** `figure * times / by`, rounded to that many digits after the point. */
export interface Factor {
  readonly times: bigint;
  readonly by: bigint;
  readonly digits: number;
}

export interface PlannedColumn extends Candidate {
  /** Absent if figures are taken unchanged. */
  readonly factor?: Factor | undefined;
  /** Whether the figures are for the amount in their row, unless that is refuted. */
  readonly isPerRow: boolean;
}

export interface Plan {
  readonly columns: ReadonlyMap<Field, PlannedColumn>;
  /** What each column was read as, for the report. */
  readonly taken: readonly TakenColumn[];
  /** Columns with the amount that the figures of a row are for, the likeliest first; none if no figure is for it. */
  readonly amounts: readonly AmountColumn[];
  /** The heading of the dates, if the table may be a diary. */
  readonly date: string | undefined;
}

/**
 * The plan of a table with these headings.
 * @param where the place of the header, for errors: file and line
 * @param titles above the headings, and the name of the sheet
 * @throws UserError if a column is missing, two fit equally well, or figures are for an unknown weight
 */
export function planColumns(
  headings: readonly string[],
  options: ColumnOptions,
  where: string,
  titles: readonly string[] = [],
): Plan {
  const isOwnForm = FOOD_COLUMNS.every((name) => headings.some((heading) => heading.trim() === name));
  const candidates = new Map<Field, Candidate[]>();
  for (const [index, heading] of headings.entries()) {
    const found = candidateOf(heading, index);
    if (found !== undefined) candidates.set(found.field, [...(candidates.get(found.field) ?? []), found]);
  }
  for (const [field, heading] of options.columns ?? []) choose(candidates, headings, field, heading, where);
  const title = isOwnForm ? undefined : titles.find((text) => basisOfTitle(text) !== undefined);
  const amounts = isOwnForm ? [] : amountsFor(headings, options, where);
  const fields = [...FIELDS, ...PORTION_FIELDS.flat()].map((field) => {
    const all = (candidates.get(field) ?? []).map((each) => withBasis(each, isOwnForm, title));
    const isFitting = ({ basis }: Candidate) =>
      basisRank(basis) < OTHER_BASIS || options.per !== undefined || amounts.length > 0;
    return { field, all: all.toSorted((a, b) => compare(a.score, b.score)), isFitting };
  });
  // Beside figures per serving, those that do not say are per 100 g.
  const isPerRow = !fields.some(
    ({ all: [best, ...others] }) =>
      best?.basis === undefined && others.some(({ basis }) => basisRank(basis) > 1),
  );
  const columns = new Map<Field, PlannedColumn>();
  const taken: TakenColumn[] = [];
  const otherBases: Candidate[] = [];
  for (const { field, all, isFitting } of fields) {
    const fitting = all.filter(isFitting);
    const [best, second] = fitting;
    if (best === undefined) {
      otherBases.push(...all.slice(0, 1));
      continue;
    }
    if (second !== undefined && compare(best.score, second.score) === 0)
      throw alike(field, best, second, where);
    const grams = isScaled(field, best) ? (gramsOf(best.basis ?? '') ?? options.per) : undefined;
    const column = {
      ...best,
      factor: factorOf(best, grams),
      isPerRow:
        amounts.length > 0 &&
        grams === undefined &&
        isScaled(field, best) &&
        (isPerRow || best.basis !== undefined),
    };
    columns.set(field, column);
    taken.push(takenFor(field, column, fitting.slice(1), grams));
  }
  refuseMissing(columns, otherBases, headings, options, where);
  if (options.per === undefined && amounts.length === 0) refuseMixed([...columns.values()], where);
  const isUsed = [...columns.values()].some((column) => column.isPerRow);
  const isChosen = isOwnForm || options.per !== undefined || options.perColumn !== undefined;
  const date = isChosen ? undefined : dateHeading(headings);
  return dropUnusedTotal(dropUnpaired({ columns, taken, amounts: isUsed ? amounts : [], date }), options);
}

/** Whether a column may be for another weight than 100 g. */
const isScaled = (field: Field, { basis }: Candidate): boolean =>
  !(isText(field) || isPortion(field) || field === 'popularity' || basis === PER_100);

const OTHER_BASIS = 3;

/** What is best for figures per 100 g: to say so, not to say anything, a weight, anything else. */
function basisRank(basis: string | undefined): number {
  if (basis === PER_100) return 0;
  return basis === undefined ? 1 : gramsOf(basis) === undefined ? OTHER_BASIS : 2;
}

/** The candidate with the basis of the title above it, unless its heading says one. */
function withBasis(candidate: Candidate, isOwnForm: boolean, title: string | undefined): Candidate {
  const { field, heading, score } = candidate;
  if (isText(field) || isPortion(field) || field === 'popularity') return { ...candidate, basis: undefined };
  const isOwn = isOwnForm && heading.trim() === field;
  const ofTitle = candidate.basis === undefined && title !== undefined;
  const basis = isOwn ? PER_100 : ofTitle ? basisOfTitle(title) : candidate.basis;
  const said = ofTitle ? `the title ${shown(title)}` : `the heading ${shown(heading)}`;
  return { ...candidate, basis, said, score: [basisRank(basis), ...score] };
}

/** The columns of amounts, or the one that the user chose. */
function amountsFor(
  headings: readonly string[],
  options: ColumnOptions,
  where: string,
): readonly AmountColumn[] {
  const { per, perColumn } = options;
  if (per !== undefined) return [];
  if (perColumn === undefined) return amountColumns(headings);
  const index = positionOf(headings, perColumn, `--per-column ${perColumn}`, where);
  return [chosenAmount(headings[index] ?? '', index)];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function alike(field: Field, first: Candidate, second: Candidate, where: string): UserError {
  if (first.heading.trim() === second.heading.trim()) {
    return new UserError(
      `${where}: the header names ${nameOf(first.heading.trim())} twice. Rename one of the two.`,
    );
  }
  return new UserError(
    `${where}: ${placeOf(first)} and ${placeOf(second)} fit ${field} equally well. Choose one: --column ${field}=HEADING`,
  );
}

const UNIT_FACTORS: Readonly<Partial<Record<Unit, Factor>>> = {
  kJ: { times: 1000n, by: 4184n, digits: 2 },
  mg: { times: 1n, by: 1000n, digits: 9 },
  µg: { times: 1n, by: 1_000_000n, digits: 9 },
};

const UNIT_TEXTS: Readonly<Partial<Record<Unit, string>>> = {
  kJ: 'divided by 4.184',
  mg: 'divided by 1,000',
  µg: 'divided by 1,000,000',
};

/** @param grams that the figures are for, if they are not per 100 g */
export function factorOf({ field, unit }: Candidate, grams: string | undefined): Factor | undefined {
  const unitFactor = unit === undefined ? undefined : UNIT_FACTORS[unit];
  if (grams === undefined || grams === '100') return unitFactor;
  const [whole = '', fraction = ''] = grams.split('.');
  const { times, by, digits } = unitFactor ?? { times: 1n, by: 1n, digits: field === 'kcal' ? 2 : 4 };
  return { times: times * 100n * 10n ** BigInt(fraction.length), by: by * BigInt(whole + fraction), digits };
}

function takenFor(
  field: Field,
  column: PlannedColumn,
  others: readonly Candidate[],
  grams: string | undefined,
): TakenColumn {
  const unit = column.unit === undefined ? undefined : UNIT_TEXTS[column.unit];
  const note = [
    placeOf(column),
    ...(field === 'kcal' && column.unit === undefined ? ['read as kcal'] : unit === undefined ? [] : [unit]),
    ...(grams === undefined || grams === '100' ? [] : [`times 100/${grams}`]),
    ...others.slice(0, 3).map((other) => `rather than ${placeOf(other)}`),
  ];
  const isExact = column.heading.trim() === field && note.length === 1;
  return { field, column: column.index + 1, heading: column.heading, note: note.join(', '), isExact };
}

function refuseMissing(
  columns: ReadonlyMap<Field, PlannedColumn>,
  otherBases: readonly Candidate[],
  headings: readonly string[],
  options: ColumnOptions,
  where: string,
): void {
  const isAbsent = (field: Field): boolean => field !== 'description' && options.columns?.get(field) === '';
  const isGiven = (field: Field): boolean => columns.has(field) || isAbsent(field);
  const hasTotal = isGiven('fat_g');
  const missing = FOOD_COLUMNS.filter((field) => !isGiven(field) && !(hasTotal && isFattyAcid(field)));
  if (missing.length === 0) return;
  const other = otherBases.find(({ field }) => missing.some((each) => each === field) || field === 'fat_g');
  if (other !== undefined) {
    const { field, said, basis = '' } = other;
    throw new UserError(
      `${where}: ${said} says that ${field} is per ${basis}, whose weight is not known. ${WAYS_ON}`,
    );
  }
  throw lacking(missing, headings, where);
}

/** Beside a heading that says "per 30 g", one that does not may be for 30 g or for 100 g. */
function refuseMixed(columns: readonly PlannedColumn[], where: string): void {
  const scaled = columns.filter((column) => isScaled(column.field, column));
  const stated = scaled.find(({ basis }) => basis !== undefined);
  const silent = scaled.find(({ basis }) => basis === undefined);
  if (stated === undefined || silent === undefined) return;
  throw new UserError(
    `${where}: ${stated.said} says that ${stated.field} is per ${stated.basis}, but ${placeOf(silent)}, does not say what it is for. ${WAYS_ON}`,
  );
}

/** The error for a header that lacks columns, or for none at all. */
function lacking(missing: readonly Field[], headings: readonly string[], where: string): UserError {
  const names = shown(headings.map((heading) => heading.trim()).join(','));
  if (headings.filter((heading) => FIGURE.test(heading)).length > 1) {
    return new UserError(
      `${where}: there are figures where the headings should be: ${names}. Add a line above that names the columns, such as Food,Calories,Protein,Carbs,Fat.`,
    );
  }
  const hasNoFat = FATTY_ACIDS.every((field) => missing.includes(field));
  const wanted = hasNoFat
    ? missing.map((field) => (field === 'fa_sat_g' ? 'fat_g' : field)).filter((field) => !isFattyAcid(field))
    : missing;
  const instead = hasNoFat
    ? ', and fa_sat_g, fa_mono_g and fa_poly_g may stand for fat_g'
    : missing.some(isFattyAcid)
      ? ', and total fat may stand for the fatty acids'
      : '';
  const [first] = wanted;
  const blank = headings.findIndex((heading) => heading.trim() === '');
  const unnamed =
    wanted.includes('description') && blank >= 0
      ? ` Column ${blank + 1} has no heading: if it names the foods, call it Food.`
      : '';
  return new UserError(
    `${where}: the header lacks ${wanted.join(', ')}; it names ${names}.${unnamed} Add what is missing (cells may be empty${instead}), ` +
      `or import it with --column ${first}=HEADING${first === 'description' ? '' : `, or with --column ${first}= where there is none`}.`,
  );
}

/** A figure, which is never a heading. */
const FIGURE = /^\s*[+-]?\d+(?:[.,]\d+)?\s*$/;

/** What to do about figures for an unknown weight. */
export const WAYS_ON =
  'Say what they are for: --per 30g if it is the same for all foods, --per-column HEADING for a column of weights in grams, or --per 100g if they are per 100 g after all.';

const isFattyAcid = (field: string): boolean => FATTY_ACIDS.some((each) => each === field);

/**
 * Total fat stands wherever it is stated. The three kinds of fatty acids stand instead, as their sum, in a table in the
 * contract's own form, and on request.
 */
function dropUnusedTotal(plan: Plan, { fatFromAcids }: ColumnOptions): Plan {
  const kinds = FATTY_ACIDS.flatMap((field) => plan.columns.get(field) ?? []);
  if (kinds.length < FATTY_ACIDS.length) return plan;
  const isOwnForm = kinds.every(({ heading, field }) => heading.trim() === field);
  if (!isOwnForm && fatFromAcids !== true) return plan;
  const reason = `the sum of the fatty acids stands, ${isOwnForm ? 'whose columns have their exact names' : 'by --fat-from-acids'}`;
  return without(plan, new Map([['fat_g', reason]]));
}

/** A portion needs two columns: what it is, and its weight. */
function dropUnpaired(plan: Plan): Plan {
  const reasons = new Map<string, string>();
  for (const [text, weight] of PORTION_FIELDS) {
    if (!plan.columns.has(weight)) reasons.set(text, `there is no column ${weight}`);
    if (!plan.columns.has(text)) reasons.set(weight, `there is no column ${text}`);
  }
  return without(plan, reasons);
}

/** The plan without these fields, which notes say. */
function without({ columns, taken, ...others }: Plan, reasons: ReadonlyMap<string, string>): Plan {
  return {
    ...others,
    columns: new Map([...columns].filter(([field]) => !reasons.has(field))),
    taken: taken.map((each) => {
      const reason = reasons.get(each.field);
      if (reason === undefined) return each;
      return { ...each, isExact: false, note: `${each.note}, not used: ${reason}` };
    }),
  };
}
