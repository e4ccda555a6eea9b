/** Decides from the first rows whether the figures of a table are for the amounts in its rows, or per 100 g after all. */
import { shown, UserError } from '../../system/errors.ts';
import { MAX_KCAL, MAX_MACRONUTRIENTS } from '../rules/figures.ts';
import { type AmountColumn, gramsIn } from './amounts.ts';
import type { Cell, TableRow } from './cells.ts';
import type { Field } from './headings.ts';
import type { Plan, PlannedColumn } from './plan.ts';

/** A table of foods may name a few of them twice. */
const REPEATED = 0.05;

/** Refuses a diary, known by its dates and meals, or by foods that occur again: its figures are for what was eaten. */
export function refuseDiary(
  { columns, dates }: Plan,
  amount: AmountColumn | undefined,
  rows: readonly TableRow[],
  where: string,
): void {
  if (dates === undefined) return;
  if (amount !== undefined && rows.every((row) => gramsIn(row, amount) === '100')) return;
  const { heading, meals } = dates;
  const name = columns.get('description')?.index ?? -1;
  const names = rows.map((row) => String(row.cell(name) ?? '').trim()).filter((text) => text !== '');
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

/** The column of amounts, if figures are for them, and how it was read, for the report; undefined if there is none. */
export function rowWeights({ columns, amounts }: Plan, rows: readonly TableRow[]) {
  const weighed = (column: AmountColumn) => rows.filter((row) => typeof gramsIn(row, column) === 'string');
  const [amount] = amounts
    .map((column) => ({ ...column, known: weighed(column).length }))
    .toSorted((a, b) => Number(b.known > 0) - Number(a.known > 0) || a.rank - b.rank || b.known - a.known);
  if (amount === undefined) return undefined;
  const known = weighed(amount);
  const impossible = (grams: (row: TableRow) => number): number =>
    known.filter((row) => isImpossible(columns, row, grams(row))).length;
  const refuted = impossible((row) => Number(gramsIn(row, amount)));
  const most = ERRORS * known.length;
  const isStated = [...columns.values()].some(({ isPerRow, basis }) => isPerRow && basis !== undefined);
  const hasNone = rows.every((row) => gramsIn(row, amount) === null);
  const isRefuted = refuted > most && impossible(() => 100) <= most;
  const isUsed = isStated || !(hasNone || isRefuted);
  const note = isUsed
    ? 'the amount that the figures of each row are for'
    : hasNone
      ? 'not used: it has no amounts'
      : `not used: ${refuted} of ${known.length} foods would weigh less than their protein, carbohydrate and fat`;
  const { index, heading } = amount;
  const taken = { field: 'amount', column: index + 1, heading, note };
  return { amount: isUsed ? amount : undefined, taken };
}

/** Whether so many grams of a food cannot have the figures of its row. */
function isImpossible(columns: ReadonlyMap<Field, PlannedColumn>, row: TableRow, grams: number): boolean {
  const figure = (field: Field): number => {
    const column = columns.get(field);
    if (column === undefined) return 0;
    const { factor, isPerRow, index } = column;
    const inUnit =
      looseFigure(row.cell(index)) * (factor === undefined ? 1 : Number(factor.times) / Number(factor.by));
    return isPerRow ? inUnit : (inUnit * grams) / 100;
  };
  const fattyAcids = figure('fa_sat_g') + figure('fa_mono_g') + figure('fa_poly_g');
  const macronutrients =
    figure('protein_g') + figure('carbohydrate_g') + Math.max(figure('fat_g'), fattyAcids);
  return (
    figure('kcal') > (MAX_KCAL * grams) / 100 + 10 * ROUNDING ||
    macronutrients > (MAX_MACRONUTRIENTS * grams) / 100 + ROUNDING
  );
}

/** 0 if there is no figure: this is only to be possible. */
const looseFigure = (cell: Cell): number => Number.parseFloat(String(cell ?? '').replace(',', '.')) || 0;
