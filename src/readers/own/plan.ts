/**
 * Decides which column of a table is which field, and how its figures become those of a food.
 */
import { shown, UserError } from '../../errors.ts';
import { FOOD_COLUMNS } from '../../food.ts';
import type { TakenColumn } from '../report/source-report.ts';
import {
  type Candidate,
  type ColumnOptions,
  candidateOf,
  choose,
  isPer100,
  isPortion,
  isText,
  nameOf,
  placeOf,
} from './candidates.ts';
import { PER_100, type Unit } from './heading.ts';
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
  /** The column of kJ that stands where the energy in kcal is unknown. */
  readonly instead?: PlannedColumn | undefined;
}

export interface Plan {
  readonly columns: ReadonlyMap<Field, PlannedColumn>;
  /** What each column was read as, for the report. */
  readonly taken: readonly TakenColumn[];
}

/**
 * The plan of a table with these headings.
 * @param where the place of the header, for errors: file and line
 * @throws UserError if a column is missing, two fit equally well, or figures are per serving
 */
export function planColumns(headings: readonly string[], options: ColumnOptions, where: string): Plan {
  const candidates = new Map<Field, Candidate[]>();
  for (const [index, heading] of headings.entries()) {
    const found = candidateOf(heading, index);
    if (found !== undefined) candidates.set(found.field, [...(candidates.get(found.field) ?? []), found]);
  }
  for (const [field, heading] of options.columns ?? []) choose(candidates, headings, field, heading, where);
  const columns = new Map<Field, PlannedColumn>();
  const taken: TakenColumn[] = [];
  const otherBases: [Field, Candidate][] = [];
  for (const field of [...FIELDS, ...PORTION_FIELDS.flat()]) {
    const all = (candidates.get(field) ?? []).toSorted((a, b) => compare(a.score, b.score));
    const fitting = all.filter((each) => options.per !== undefined || isPer100(each));
    const [best, second] = fitting;
    if (best === undefined) {
      if (all[0] !== undefined) otherBases.push([field, all[0]]);
      continue;
    }
    if (second !== undefined && compare(best.score, second.score) === 0)
      throw alike(field, best, second, where);
    const inKj = fitting.find(({ unit, basis }) => unit === 'kJ' && basis === best.basis);
    const instead =
      field === 'kcal' && best.unit !== 'kJ' && inKj !== undefined
        ? { ...inKj, factor: factorOf(field, inKj, options) }
        : undefined;
    const column = { ...best, factor: factorOf(field, best, options), instead };
    columns.set(field, column);
    taken.push(takenFor(field, column, fitting.slice(1), options));
  }
  refuseMissing(columns, otherBases, headings, options, where);
  const { per } = options;
  const used = new Set([...columns.values()].map(({ index }) => index));
  const amounts = per === undefined ? amountsIn(headings, used) : [];
  return dropUnusedTotal(dropUnpaired({ columns, taken: [...taken, ...amounts] }), options);
}

/** What figures are for, in tables of servings and diaries. */
const AMOUNT =
  /^\s*(?:amount|quantity|qty|serving|serving[ _]?size|portion|portion[ _]?size|menge|portionsgröße|quantité|cantidad)\b/i;

/** A column of amounts, which is not read: only the user knows whether the figures are for these amounts. */
function amountsIn(headings: readonly string[], used: ReadonlySet<number>): TakenColumn[] {
  const index = headings.findIndex((heading, at) => AMOUNT.test(heading) && !used.has(at));
  if (index < 0) return [];
  const heading = headings[index] ?? '';
  const note = `${placeOf({ index, heading })}, is not read: figures are assumed to be per 100 g. If they are not, say what weight they are for, such as --per 30g`;
  return [{ field: 'amount', column: index + 1, heading, note, isExact: false }];
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

function factorOf(field: Field, { unit, basis }: Candidate, { per }: ColumnOptions): Factor | undefined {
  if (isText(field) || field === 'popularity') return undefined;
  const unitFactor = unit === undefined ? undefined : UNIT_FACTORS[unit];
  if (per === undefined || basis === PER_100 || isPortion(field)) return unitFactor;
  const [whole = '', fraction = ''] = per.split('.');
  const { times, by, digits } = unitFactor ?? { times: 1n, by: 1n, digits: field === 'kcal' ? 2 : 4 };
  return { times: times * 100n * 10n ** BigInt(fraction.length), by: by * BigInt(whole + fraction), digits };
}

function takenFor(
  field: Field,
  column: PlannedColumn,
  others: readonly Candidate[],
  { per }: ColumnOptions,
): TakenColumn {
  const unit = column.unit === undefined ? undefined : UNIT_TEXTS[column.unit];
  const scaled =
    column.factor !== undefined && per !== undefined && column.basis !== PER_100 && !isPortion(field);
  const note = [
    placeOf(column),
    ...(field === 'kcal' && column.unit === undefined ? ['read as kcal'] : unit === undefined ? [] : [unit]),
    ...(scaled ? [`times 100/${per}`] : []),
    ...others.slice(0, 3).map((other) => `rather than ${placeOf(other)}`),
  ];
  const isExact = column.heading.trim() === field && note.length === 1;
  return { field, column: column.index + 1, heading: column.heading, note: note.join(', '), isExact };
}

const FATTY_ACIDS = ['fa_sat_g', 'fa_mono_g', 'fa_poly_g'] as const;

function refuseMissing(
  columns: ReadonlyMap<Field, PlannedColumn>,
  otherBases: readonly [Field, Candidate][],
  headings: readonly string[],
  options: ColumnOptions,
  where: string,
): void {
  const isAbsent = (field: Field): boolean => field !== 'description' && options.columns?.get(field) === '';
  const isGiven = (field: Field): boolean => columns.has(field) || isAbsent(field);
  const hasTotal = isGiven('fat_g');
  const missing = FOOD_COLUMNS.filter((field) => !isGiven(field) && !(hasTotal && isFattyAcid(field)));
  if (missing.length === 0) return;
  const other = otherBases.find(
    ([field]) => missing.some((each) => each === field) || (field === 'fat_g' && !hasTotal),
  );
  if (other !== undefined) {
    const [field, { heading, basis = '' }] = other;
    const grams = /^(\d+(?:[.,]\d+)?) ?g/.exec(basis)?.[1]?.replace(',', '.');
    throw new UserError(
      `${where}: the heading ${shown(heading)} says that ${field} is per ${basis}; figures are per 100 g here. ` +
        `Import the file with ${grams === undefined ? `the weight of a ${basis}, such as --per 30g` : `--per ${grams}g`}, or give it columns per 100 g.`,
    );
  }
  throw lacking(missing, headings, where);
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

const isFattyAcid = (field: string): boolean => FATTY_ACIDS.some((each) => each === field);

/** With all three kinds of fatty acids, total fat only fills what is missing, and only on request. */
function dropUnusedTotal(plan: Plan, { completeFat }: ColumnOptions): Plan {
  if (completeFat === true || !FATTY_ACIDS.every((field) => plan.columns.has(field))) return plan;
  const reason = 'the three kinds of fatty acids are there (--complete-fat fills missing ones from it)';
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
function without({ columns, taken }: Plan, reasons: ReadonlyMap<string, string>): Plan {
  return {
    columns: new Map([...columns].filter(([field]) => !reasons.has(field))),
    taken: taken.map((each) => {
      const reason = reasons.get(each.field);
      if (reason === undefined) return each;
      return { ...each, isExact: false, note: `${each.note}, not used: ${reason}` };
    }),
  };
}
