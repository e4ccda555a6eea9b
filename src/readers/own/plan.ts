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
import { basisOfTitle, conversion, PER_100, type Ratio } from './heading.ts';
import { FIELDS, type Field, PORTION_FIELDS } from './headings.ts';
import { refuseMissing, refuseMixed } from './plan-faults.ts';

/** `figure * times / by`, rounded to that many digits after the point. */
export interface Factor extends Ratio {
  readonly digits: number;
}

export interface PlannedColumn extends Candidate {
  /** Absent if figures are taken unchanged. */
  readonly factor?: Factor | undefined;
  /** Whether the figures are for the amount in their row, unless that is refuted. */
  readonly isPerRow: boolean;
  /** The column of kJ that stands where the energy in kcal is unknown. */
  readonly instead?: PlannedColumn | undefined;
}

export interface Plan {
  readonly columns: ReadonlyMap<Field, PlannedColumn>;
  /** What each column was read as, for the report. */
  readonly taken: readonly TakenColumn[];
  /** Columns with the amount that the figures of a row are for, the likeliest first; none if no figure is for it. */
  readonly amounts: readonly AmountColumn[];
  /** Whether all columns have the exact names of the contract. */
  readonly isOwnForm: boolean;
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
  const used = new Set([...candidates.values()].flat().map(({ index }) => index));
  const amounts = isOwnForm ? [] : amountsFor(headings, used, options, where);
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
    const planned = (each: Candidate): PlannedColumn => {
      const grams = gramsFor(each, options);
      const mayBePerRow = amounts.length > 0 && grams === undefined && isScaled(field, each);
      const isPerRowHere = mayBePerRow && (isPerRow || each.basis !== undefined);
      return { ...each, factor: factorOf(each, grams), isPerRow: isPerRowHere };
    };
    const inKj = fitting.find(({ unit, basis }) => unit === 'kJ' && basis === best.basis);
    const hasOther = field === 'kcal' && best.unit !== 'kJ' && inKj !== undefined;
    const column = { ...planned(best), instead: hasOther ? planned(inKj) : undefined };
    columns.set(field, column);
    taken.push(takenFor(field, column, fitting.slice(1), gramsFor(best, options)));
  }
  refuseMissing(columns, otherBases, headings, options, where);
  if (options.per === undefined && amounts.length === 0)
    refuseMixed(
      [...columns.values()].filter((column) => isScaled(column.field, column)),
      where,
    );
  const isUsed = [...columns.values()].some((column) => column.isPerRow);
  const isChosen = isOwnForm || options.per !== undefined || options.perColumn !== undefined;
  const date = isChosen ? undefined : dateHeading(headings);
  const unused = unusedFields(columns, options);
  return {
    columns: new Map([...columns].filter(([field]) => !unused.has(field))),
    taken: taken.map((each) => {
      const reason = unused.get(each.field);
      return reason === undefined
        ? each
        : { ...each, note: [each.note, `not used: ${reason}`].filter((part) => part !== '').join(', ') };
    }),
    amounts: isUsed ? amounts : [],
    isOwnForm,
    date,
  };
}

/** Whether a column may be for another weight than 100 g. */
const isScaled = (field: Field, { basis }: Candidate): boolean =>
  !(isText(field) || isPortion(field) || field === 'popularity' || basis === PER_100);

/** The weight that the figures are for, if a heading or the user says it. */
const gramsFor = (each: Candidate, { per }: ColumnOptions): string | undefined =>
  isScaled(each.field, each) ? (gramsOf(each.basis ?? '') ?? per) : undefined;

const OTHER_BASIS = 3;

/** What is best for figures per 100 g: to say so, not to say anything, a weight, anything else. */
export function basisRank(basis: string | undefined): number {
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

/** The columns of amounts, or the one that the user chose. @param used columns that may be fields */
function amountsFor(
  headings: readonly string[],
  used: ReadonlySet<number>,
  options: ColumnOptions,
  where: string,
): readonly AmountColumn[] {
  const { per, perColumn } = options;
  if (per !== undefined) return [];
  if (perColumn === undefined) return amountColumns(headings).filter(({ index }) => !used.has(index));
  const index = positionOf(headings, perColumn, `--per-column ${perColumn}`, where);
  return [chosenAmount(headings[index] ?? '', index)];
}

export function compare(a: readonly number[], b: readonly number[]): number {
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

/** @param grams that the figures are for, if they are not per 100 g */
export function factorOf({ field, unit }: Candidate, grams: string | undefined): Factor | undefined {
  const ratio = (unit && conversion(unit, field === 'kcal' ? 'kcal' : 'g')) ?? { times: 1n, by: 1n };
  const isConverted = ratio.times !== ratio.by;
  const digits = field === 'kcal' ? 2 : isConverted ? 9 : 4;
  if (grams === undefined || grams === '100') return isConverted ? { ...ratio, digits } : undefined;
  const [whole = '', fraction = ''] = grams.split('.');
  const times = ratio.times * 100n * 10n ** BigInt(fraction.length);
  return { times, by: ratio.by * BigInt(whole + fraction), digits };
}

function takenFor(
  field: Field,
  column: PlannedColumn,
  others: readonly Candidate[],
  grams: string | undefined,
): TakenColumn {
  const ratio = factorOf(column, undefined);
  const note = [
    ...(field === 'kcal' && column.unit === undefined ? ['read as kcal'] : []),
    ...(ratio ? [`divided by ${(Number(ratio.by) / Number(ratio.times)).toLocaleString('en')}`] : []),
    ...(grams === undefined || grams === '100' ? [] : [`times 100/${grams}`]),
    ...others.slice(0, 3).map((other) => `rather than ${placeOf(other)}`),
  ];
  return { field, column: column.index + 1, heading: column.heading, note: note.join(', ') };
}

/** Why fields are not used, although they have a column. */
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
