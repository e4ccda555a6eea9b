/** Decides from the first rows whether the figures of a table are for the amounts in its rows, or per 100 g after all. */
import { FATTY_ACIDS, fold, shown, UserError } from '#core';
import { MAX_KCAL, MAX_MACRONUTRIENTS } from '../food/figures.ts';
import type { Cell, FigureSource, TableRow } from '../words/cells.ts';
import { type Field, isScaled } from '../words/headings.ts';
import { lazily } from '../words/languages.ts';
import { type Mark, usualMark } from '../words/numbers.ts';
import { type AmountColumn, gramsIn, mayBeThousands } from './amounts.ts';
import { compare } from './candidates.ts';
import type { Plan } from './plan.ts';

/** A table of foods may name a few of them twice. */
const REPEATED = 0.05;

const weekdays = lazily(() => {
  const days = Array.from({ length: 7 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)));
  const nameIn = (language: string) =>
    (['long', 'short'] as const).flatMap((weekday) => {
      const { format } = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
      return days.map((day) => fold(format(day)).replace('.', ''));
    });
  return new Set('en de fr es it pt nl da sv nb fi et pl cs ru id zh ja ko'.split(' ').flatMap(nameIn));
});

/** A day alone, a number of days or seconds, `2026-01-05`, `5.1.`, `5/1`, `1 May`, `Day 3`, a time; not the tag `B12`. */
const DATE =
  /^\d{1,2}\.?$|^\d{5}(?:\.\d+)?$|^\d{8}$|^\d{10}(?:\d{3})?$|\d{1,4} ?[-/.年月] ?\d{1,2}|\d{1,2}[:h]\d\d|(?:^|\s)\d{1,2}[.,]? ?\p{L}{3}|\p{L}{3}\.? \d{1,2}(?!\d)/u;

/** Whether a cell may be a date, or is a day of the week; no list is, such as one of German *tags*. */
const isDate = (text: string): boolean =>
  !text.startsWith('[') && (DATE.test(text) || weekdays().has(fold(text).replace('.', '')));

/** Refuses a diary, known by its dates and meals, or by foods that occur again: its figures are for what was eaten. */
export function refuseDiary(
  { columns, dates }: Plan,
  amount: AmountColumn | undefined,
  rows: readonly TableRow[],
  where: string,
): void {
  if (dates === undefined) return;
  const textsIn = (index: number) =>
    rows.map((row) => String(row.cell(index) ?? '').trim()).filter((text) => text !== '');
  const texts = textsIn(dates.index);
  if (dates.meals !== dates.heading && 2 * texts.filter(isDate).length < texts.length) return;
  if (amount !== undefined && rows.every((row) => gramsIn(row, amount) === '100')) return;
  const { heading, meals } = dates;
  const names = textsIn(columns.get('description')?.index ?? -1);
  const repeated = names.length - new Set(names).size;
  if (meals === undefined && repeated <= REPEATED * names.length) return;
  const repetition = `, and ${repeated} of ${names.length} rows name a food of an earlier row`;
  const more =
    meals === undefined ? repetition : meals === heading ? '' : ` and meals (column ${shown(meals)})`;
  throw new UserError(
    `${where}: this is a diary: it has dates (column ${shown(heading)})${more}, so that figures are for what was eaten. ` +
      'Import a table of foods instead; if the figures are per 100 g after all, say so: --per 100g; if a column has the weight in grams, name it: --per-column HEADING.',
  );
}

/** Rows that may contradict the others, such as one with a digit too many. */
const ERRORS = 0.02;
/** g: what the rounding of labels adds to a small serving. */
const ROUNDING = 1;
/** The share of rows with a weight that make the others exceptions, if it is the same in all. */
const MOST = 0.9;
/** The share up to which rows that weigh less than their parts are rather errors than a sign that figures are per 100 g. */
const FEW = 0.1;
/** The same if heavier foods have more in them, and in a table of so few foods that it shows little. */
const FEW_OF_GROWING = 1 / 3;
const FEW_OF_SMALL = 1 / 2;
const SMALL = 20;
/** How many packages show whether heavier ones have more in them, and how much more the heavier half then has. */
const LEAST_TO_GROW = 10;
const GROWTH = 1.3;

/** What shows whether a column has the amounts that figures are for. */
interface Evidence {
  readonly columns: Plan['columns'];
  readonly rows: readonly TableRow[];
  readonly source: FigureSource;
}

/** The column of amounts, if figures are for them, and how it was read, for the report; undefined if there is none. @throws UserError */
export function rowWeights(plan: Plan, rows: readonly TableRow[], source: FigureSource, where: string) {
  const found = plan.amounts.map((column) => weightsIn({ columns: plan.columns, rows, source }, column));
  const rankOf = ({ known, column }: Weights) => [known.size > 0 ? 0 : 1, column.rank, -known.size];
  const [certain] = found
    .filter(({ column }) => column.doubt === undefined)
    .toSorted((a, b) => compare(rankOf(a), rankOf(b)));
  const weights =
    certain !== undefined && !certain.hasNone
      ? certain
      : (found.find(({ column, known }) => column.doubt !== undefined && 2 * known.size > rows.length) ??
        certain);
  if (weights === undefined) return undefined;
  const other = found.find((each) => contradict(each, weights));
  if (other !== undefined)
    throw new UserError(
      `${where}: the columns ${shown(weights.column.heading)} and ${shown(other.column.heading)} have different weights. Say which one the figures are for: --per-column ${shown(weights.column.heading)}`,
    );
  const { column, known } = weights;
  const isStated = [...plan.columns.values()].some(({ isPerRow, basis }) => isPerRow && basis !== undefined);
  const isUsed = isStated || !(weights.hasNone || weights.isRefuted);
  if (isUsed && weights.isDoubtful)
    throw new UserError(
      `${where}, column ${shown(column.heading)}: no heading says whether the figures are for this weight or for 100 g. Say which: --per-column ${shown(column.heading)}, or --per 100g`,
    );
  if (!isUsed && weights.isRefutedByFew) {
    throw new UserError(
      `${where}, column ${shown(column.heading)}: ${weights.tooLight.length} of ${known.size} foods would weigh less than their protein, carbohydrate and fat (first ${weights.tooLight[0]?.place()}), the others would not. Mend them, or say what all figures are for: --per-column ${shown(column.heading)}, or --per 100g`,
    );
  }
  const note = isUsed
    ? 'the amount that the figures of each row are for'
    : weights.hasNone
      ? 'not used: it has no amounts'
      : `not used: ${weights.tooLight.length} of ${known.size} foods would weigh less than their protein, carbohydrate and fat`;
  const taken = { field: 'amount', column: column.index + 1, heading: column.heading, note };
  const amount = isUsed ? { ...column, mayLackWeight: weights.isUsuallyTheSame } : undefined;
  return { amount, taken, isRefuted: !isUsed && !weights.hasNone };
}

/** Rows that show whether a column of an unknown heading may have weights. */
export const FIRST_ROWS = 200;
/** The share of protein, carbohydrate and fat that most foods have, though not all drinks. */
const LEAST_PARTS = 0.02;
/** Foods that have the same weight not by chance. */
const LEAST_ALIKE = 3;

/**
 * Refuses figures beside a column of weights whose heading is not known, if they may be for these: positive, not the same by
 * chance, and at least as much as protein, carbohydrate and fat.
 */
export function refuseUnknownWeights(
  plan: Plan,
  columns: readonly AmountColumn[],
  rows: readonly TableRow[],
  source: FigureSource,
  where: string,
): void {
  const perRow = new Map(
    Array.from(plan.columns, ([field, column]) => {
      const isPerRow = isScaled(field) && column.basis === undefined;
      return [field, { ...column, isPerRow }];
    }),
  );
  const evidence = { columns: perRow, rows: rows.slice(0, FIRST_ROWS), source };
  const found = columns.find((column) => areLikely(evidence, column));
  if (found === undefined) return;
  const heading = shown(found.heading.trim());
  throw new UserError(
    `${where}, column ${heading}: its heading is not known, and the figures may be for the weights in it, or for 100 g. Say which: --per-column ${heading}, or --per 100g`,
  );
}

type Weights = ReturnType<typeof weightsIn>;

/** What a column of amounts would mean for the foods in some rows. */
function weightsIn(evidence: Evidence, given: AmountColumn) {
  const { columns, rows } = evidence;
  const column = { ...given, mark: markOf(evidence, given) };
  const { doubt } = column;
  const stated = rows.flatMap((row) => {
    const grams = gramsIn(row, column);
    return grams === null ? [] : [[row, Number(grams)] as const];
  });
  const known = new Map(stated.filter(([, grams]) => !Number.isNaN(grams)));
  const { size } = known;
  const weights = new Set(known.values());
  const isOne = weights.size === 1;
  const isMany = (some: readonly unknown[]) => some.length > ERRORS * size;
  /** The foods that could not weigh so much. */
  const impossible = (weigh: (grams: number) => number) =>
    [...known].flatMap(([row, grams]) => (isImplausible(columns, row, weigh(grams)) ? row : []));
  const isTooMuchFor100 = () => isMany(impossible(() => 100));
  const tooLight = impossible((grams) => grams);
  const isRefuted = isMany(tooLight) && !isTooMuchFor100();
  /** Whether heavier packages have more in them, as far as there are enough to see it. */
  const isGrowing = () => {
    const sorted = [...known].toSorted(([, a], [, b]) => a - b);
    const half = Math.floor(size / 2);
    const sum = (some: typeof sorted) =>
      some.reduce((all, [row]) => all + macronutrientsIn(columns, row, 100), 0);
    return !isOne && (size < LEAST_TO_GROW || sum(sorted.slice(-half)) > GROWTH * sum(sorted.slice(0, half)));
  };
  const few = () => (size < SMALL ? FEW_OF_SMALL : isGrowing() ? FEW_OF_GROWING : FEW);
  const isUnclear = () => !isTooMuchFor100() && [...weights].some((grams) => grams !== 100);
  return {
    column,
    /** g, by the rows with a weight. */
    known,
    /** Whether no row has an amount. */
    hasNone: stated.length === 0,
    /** Whether nearly all rows have a weight, and the same one. */
    isUsuallyTheSame: isOne && size >= MOST * stated.length,
    /** The foods that would weigh less than their parts. */
    tooLight,
    isRefuted,
    /** Whether so few rows contradict a heading of weights that figures may be for them in all others. */
    isRefutedByFew: doubt === undefined && isRefuted && tooLight.length <= few() * size,
    /** Whether neither the heading nor the figures say that they are for these weights. */
    isDoubtful: doubt !== undefined && isUnclear() && (doubt === 'not placed' || !isGrowing()),
  };
}

/** Whether a column says as clearly as another that the foods have other weights. */
function contradict(one: Weights, other: Weights): boolean {
  const [{ doubt, rank }, { column }] = [one.column, other];
  const isAsClear = doubt === column.doubt && rank === 0 && column.rank === 0;
  const differs = ([row, grams]: [TableRow, number]) => (one.known.get(row) ?? grams) !== grams;
  return isAsClear && !one.isRefuted && [...other.known].some(differs);
}

/** Whether figures may be for the weights of most rows, which are not all 100 g. */
function areLikely(evidence: Evidence, column: AmountColumn): boolean {
  const { columns, rows } = evidence;
  const { known, tooLight } = weightsIn(evidence, column);
  const { size } = known;
  const weights = new Set(known.values());
  const differ = weights.size > 1 || (size >= LEAST_ALIKE && !weights.has(100));
  if (!differ || 2 * size <= rows.length || tooLight.length > ERRORS * size) return false;
  // Numbers of groups of foods, such as 31302, are no weights of foods with 50 g of anything.
  const isOfFood = ([row, grams]: [TableRow, number]) =>
    macronutrientsIn(columns, row, 100) >= LEAST_PARTS * grams;
  return 2 * [...known].filter(isOfFood).length > size;
}

/** The mark that the source or the other cells show, or the only one with which no food weighs less than its parts. */
function markOf({ columns, rows, source }: Evidence, column: AmountColumn): Mark | undefined {
  const { commas, mark } = source;
  if (mark !== undefined || !commas) return mark ?? '.';
  const indexes = [column, ...columns.values()].map(({ index }) => index);
  const texts = rows.flatMap((row) => indexes.map((index) => row.cell(index)));
  const usual = usualMark(texts.filter((text) => typeof text === 'string'));
  if (usual !== undefined) return usual;
  const doubtful = rows.filter((row) => mayBeThousands(row, column));
  const isPossible = (each: Mark) =>
    doubtful.some((row) => !isImplausible(columns, row, Number(gramsIn(row, { ...column, mark: each }))));
  const [only, another] = (['.', ','] as const).filter(isPossible);
  return another === undefined ? only : undefined;
}

/** Whether so many grams of a food cannot have the figures of its row. */
function isImplausible(columns: Plan['columns'], row: TableRow, grams: number): boolean {
  return (
    figureIn(columns, row, 'kcal', grams) > (MAX_KCAL * grams) / 100 + 10 * ROUNDING ||
    macronutrientsIn(columns, row, grams) > (MAX_MACRONUTRIENTS * grams) / 100 + ROUNDING
  );
}

function macronutrientsIn(columns: Plan['columns'], row: TableRow, grams: number): number {
  const sum = (...fields: readonly Field[]) =>
    fields.reduce((all, field) => all + figureIn(columns, row, field, grams), 0);
  return sum('protein_g', 'carbohydrate_g') + Math.max(sum('fat_g'), sum(...FATTY_ACIDS));
}

function figureIn(columns: Plan['columns'], row: TableRow, field: Field, grams: number): number {
  const column = columns.get(field);
  if (column === undefined) return 0;
  const { factor, isPerRow, index } = column;
  const inUnit =
    looseFigure(row.cell(index)) * (factor === undefined ? 1 : Number(factor.times) / Number(factor.by));
  return isPerRow ? inUnit : (inUnit * grams) / 100;
}

/** 0 if there is no figure: this is only to be possible. */
const looseFigure = (cell: Cell): number => Number.parseFloat(String(cell ?? '').replace(',', '.')) || 0;
