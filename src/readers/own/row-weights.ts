/**
 * Decides from the first rows whether the figures of a table are for the amounts in its rows, or per 100 g after all.
 */
import { MAX_KCAL, MAX_MACRONUTRIENTS } from '../rules/figures.ts';
import { type AmountColumn, gramsIn } from './amounts.ts';
import type { Cell } from './cells.ts';
import type { Field } from './headings.ts';
import type { PlannedColumn } from './plan.ts';

/** A row whose cells outlive the next row of its container. */
export interface HeldRow {
  readonly width: number;
  cell(index: number): Cell;
  readonly place: string;
}

export interface RowWeights {
  readonly amount: AmountColumn;
  /** Whether the figures are for these amounts. */
  readonly isUsed: boolean;
  /** Why, for the report. */
  readonly note: string;
}

/** Rows that may contradict the others, such as one with a digit too many. */
const ERRORS = 0.05;
/** g and kcal: what the rounding of labels adds to a small serving. */
const ROUNDING = 1;

/** What the first rows say about the columns of amounts. */
export function rowWeights(
  columns: ReadonlyMap<Field, PlannedColumn>,
  amounts: readonly AmountColumn[],
  rows: readonly HeldRow[],
): RowWeights | undefined {
  const weighed = (column: AmountColumn) => rows.filter((row) => typeof gramsIn(row, column) === 'string');
  const [amount] = amounts.toSorted((a, b) => weighed(b).length - weighed(a).length);
  if (amount === undefined) return undefined;
  const known = weighed(amount);
  const isStated = [...columns.values()].some(({ isPerRow, basis }) => isPerRow && basis !== undefined);
  const refuted = known.filter((row) => isImpossible(columns, row, Number(gramsIn(row, amount)))).length;
  const refutedAsPer100 = known.filter((row) => isImpossible(columns, row, 100)).length;
  if (!isStated && rows.every((row) => gramsIn(row, amount) === null))
    return { amount, isUsed: false, note: 'not used: it has no amounts' };
  if (isStated || refuted <= Math.max(ERRORS * known.length, refutedAsPer100))
    return { amount, isUsed: true, note: 'the amount that the figures of each row are for' };
  const note = `not used: ${refuted} of ${known.length} foods would weigh less than their protein, carbohydrate and fat`;
  return { amount, isUsed: false, note };
}

/** Whether so many grams of a food cannot have the figures of its row. */
function isImpossible(columns: ReadonlyMap<Field, PlannedColumn>, row: HeldRow, grams: number): boolean {
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
  const energy = figure('kcal');
  if (energy > (MAX_KCAL * grams) / 100 + 10 * ROUNDING) return true;
  return macronutrients > (MAX_MACRONUTRIENTS * grams) / 100 + ROUNDING;
}

/** 0 if there is no figure: this is only to be possible. */
const looseFigure = (cell: Cell): number => Number.parseFloat(String(cell ?? '').replace(',', '.')) || 0;
