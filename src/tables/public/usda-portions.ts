/**
 * The portions of a FoodData Central archive. `food_portion.csv` has three conventions: SR Legacy leaves the unit
 * undetermined and writes it into the modifier, Foundation has units and describes them there, and Survey writes everything
 * into the description, with a code as modifier. Branded foods have one serving, in `branded_food.csv`.
 */
import { decimalOfBillionths } from '#core';
import { rawName } from '../food/descriptions.ts';
import { type Portions, servedGrams, servingWords } from '../food/portions.ts';
import type { Row } from '../rows/row-splitter.ts';
import { scanEntry, scanFoods, type UsdaFoods, type UsdaSource } from './usda-foods.ts';

export const PORTION_TABLE = 'food_portion.csv';
export const UNIT_TABLE = 'measure_unit.csv';

/** The unit of portions that have none. */
const UNDETERMINED = 'undetermined';
const UNDETERMINED_ID = 9999;
/** Weighed in the laboratory, but not portions: a food before and after cooking, and what ran out of it. */
const NO_UNIT_OF_PORTIONS = /^(?:paired|dripping)\b/i;
/** The reference amount customarily consumed, on which the servings of labels are based. */
const REFERENCE_AMOUNT = /^racc$/i;
const UNSPECIFIED = /^quantity not specified$/i;
const TRADE_UNITS: readonly (readonly [RegExp, string])[] = [
  [/\bONZ\b/g, 'oz'],
  [/\bOZA\b/g, 'fl oz'],
];

/** The portions of foods in `food_portion.csv`, if there is one, with weights in billionths of a gram. Branded foods, which are most, have none. */
export async function readPortions(source: UsdaSource, foods: UsdaFoods) {
  const found = new Map<number, { order: number; text: string; weight: number }[]>();
  const { archive, report } = source;
  if (!archive.has(PORTION_TABLE)) return found;
  const units = await readUnits(source);
  const { portionsLeftOut } = report;
  await scanFoods(source, foods, PORTION_TABLE, 'portion', portionsLeftOut, (header) => {
    const at = header.columns(
      ['gram_weight'],
      ['seq_num', 'amount', 'measure_unit_id', 'portion_description', 'modifier'],
    );
    return (row, food) => {
      const textOf = (cell: number): string => rawName(row, cell, report).trim();
      const { text, reason } = usdaPortion({
        description: textOf(at.portion_description),
        unit: unitOf(row, at.measure_unit_id, units),
        modifier: textOf(at.modifier),
        amount: row.figure(at.amount) ?? Number.NaN,
        isSurvey: foods.types[food] === 'survey_fndds_food',
      });
      const weight = row.figure(at.gram_weight);
      if (reason !== undefined) portionsLeftOut.add(reason);
      else if (weight === undefined) portionsLeftOut.add('portion whose weight is not a number');
      else if (text !== '')
        found.set(food, [...(found.get(food) ?? []), { order: row.integer(at.seq_num), text, weight }]);
    };
  });
  return found;
}

/** @param weight NaN if only the text may say it */
export function addServing(portions: Portions, serving: string, weight: number): void {
  let text = serving;
  for (const [unit, name] of TRADE_UNITS) text = text.replace(unit, name);
  portions.add(servingWords(text), Number.isNaN(weight) ? servedGrams(text) : weight);
}

async function readUnits(source: UsdaSource): Promise<ReadonlyMap<number, string>> {
  const units = new Map([[UNDETERMINED_ID, UNDETERMINED]]);
  if (!source.archive.has(UNIT_TABLE)) return units;
  await scanEntry(source, UNIT_TABLE, (header) => {
    const at = header.columns(['id', 'name']);
    return (row, fault) => {
      if (fault === undefined) units.set(row.id(at.id), row.text(at.name).trim());
    };
  });
  return units;
}

interface StatedPortion {
  readonly description: string;
  /** Empty if it is undetermined; undefined if it is not known. */
  readonly unit: string | undefined;
  readonly modifier: string;
  /** Billionths, or NaN. */
  readonly amount: number;
  readonly isSurvey: boolean;
}

/** The text of a portion, empty if it is none; or the reason why it is left out. */
export function usdaPortion({ description, unit, modifier, amount, isSurvey }: StatedPortion): {
  readonly text: string;
  readonly reason?: string;
} {
  if (UNSPECIFIED.test(description)) return { text: '' };
  if (isSurvey && description !== '') return { text: description };
  if (unit === undefined) return { text: '', reason: 'portion whose unit is not known' };
  if (NO_UNIT_OF_PORTIONS.test(unit)) return { text: '' };
  // A number is a code of the surveys.
  const words = [REFERENCE_AMOUNT.test(unit) ? 'serving' : unit, /^\d+$/.test(modifier) ? '' : modifier];
  const said = words.filter((word) => word !== '').join(', ');
  const isComment = said !== '' && unit !== '' && description !== '';
  const whole = isComment ? `${said} (${description})` : said || description;
  if (whole === '' || (said === '' && /^\d/.test(description))) return { text: whole };
  if (amount > 0 && amount < Number.POSITIVE_INFINITY) {
    return { text: `${decimalOfBillionths(amount)} ${whole}` };
  }
  return /^\d/.test(whole) ? { text: whole } : { text: '', reason: 'portion whose amount is not known' };
}

/** The unit of a row, empty if it is undetermined; undefined if its id is in no table. */
function unitOf(row: Row, cell: number, units: ReadonlyMap<number, string>): string | undefined {
  const id = row.id(cell);
  const name = units.get(id) ?? (id < 0 ? row.text(cell).trim() : undefined);
  return name === undefined ? undefined : determined(name);
}

export const determined = (unit: string): string => (unit.toLowerCase() === UNDETERMINED ? '' : unit);
