/**
 * The portions of a FoodData Central archive. `food_portion.csv` has three conventions: SR Legacy leaves the unit
 * undetermined and writes it into the modifier, Foundation has units and describes them there, and Survey writes everything
 * into the description, with a code as modifier. Branded foods have one serving, in `branded_food.csv`.
 */
import { decimalOfBillionths } from '../../foods/decimal.ts';
import type { Archive } from '../bytes/archive.ts';
import type { SourceReport } from '../report/source-report.ts';
import { rawName } from '../rules/names.ts';
import { type Portions, servedGrams, servingWords } from '../rules/portions.ts';
import type { Row } from '../tables/row-splitter.ts';
import { faultOf, type Header } from '../tables/table.ts';
import { scanEntry } from './food-table.ts';
import { Column, Texts, type UsdaFoods } from './usda-foods.ts';

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
/** As `serving_size_unit` has it, in the older and the newer spelling; mg are mostly ml or g misread. */
const GRAM_UNITS = new Set(['g', 'gm', 'grm', 'gram', 'grams']);
const TRADE_UNITS: readonly (readonly [RegExp, string])[] = [
  [/\bONZ\b/g, 'oz'],
  [/\bOZA\b/g, 'fl oz'],
];

interface WeighedPortion {
  readonly order: number;
  readonly text: string;
  /** Billionths of a gram. */
  readonly weight: number;
}

export class UsdaPortions {
  /** By food. Branded foods, which are most, have none. */
  readonly #portions = new Map<number, WeighedPortion[]>();
  /** By food: the serving of a product. */
  readonly #servingWeights = new Column(Float64Array);
  readonly #servings = new Texts();

  add(food: number, portion: WeighedPortion): void {
    const portions = this.#portions.get(food);
    if (portions === undefined) this.#portions.set(food, [portion]);
    else portions.push(portion);
  }

  /** Returns what reads the serving of a product from a row of `branded_food.csv`. */
  servingReader(header: Header): (row: Row, food: number) => void {
    const text = header.find('household_serving_fulltext');
    const size = header.find('serving_size');
    const unit = header.find('serving_size_unit');
    return (row, food) => {
      const isWeight = GRAM_UNITS.has(row.text(unit).trim().toLowerCase());
      const grams = isWeight ? (row.figure(size) ?? Number.NaN) : Number.NaN;
      const words = row.text(text).trim();
      // An empty serving is written as 0.
      const weight = grams === 0 ? Number.NaN : grams;
      if (words === '' && Number.isNaN(weight)) return;
      this.#servingWeights.set(food, weight);
      if (words !== '') this.#servings.set(food, words);
    };
  }

  addTo(portions: Portions, food: number, place: () => string): void {
    const found = this.#portions.get(food)?.toSorted((a, b) => a.order - b.order) ?? [];
    for (const { text, weight } of found) portions.add(text, weight, place);
    this.#addServing(portions, food, place);
  }

  #addServing(portions: Portions, food: number, place: () => string): void {
    const weight = this.#servingWeights.get(food);
    // 0 if the food has no serving.
    if (weight === 0) return;
    let text = this.#servings.get(food);
    for (const [unit, name] of TRADE_UNITS) text = text.replace(unit, name);
    portions.add(servingWords(text), Number.isNaN(weight) ? servedGrams(text) : weight, place);
  }
}

export async function readPortions(
  archive: Archive,
  foods: UsdaFoods,
  portions: UsdaPortions,
  report: SourceReport,
): Promise<void> {
  if (!archive.has(PORTION_TABLE)) return;
  const units = await readUnits(archive, report);
  await scanEntry(archive, PORTION_TABLE, report, (header) => {
    const at = columnsOf(header);
    return (row, width) => {
      report.otherRows++;
      const place = (): string => `${PORTION_TABLE}, line ${row.line}`;
      const fault = faultOf(row, width);
      const food = fault === undefined ? foods.find(row.id(at.id)) : -1;
      if (fault !== undefined) report.portionsLeftOut.add(`portion: ${fault}`, place);
      if (food < 0) return;
      const isSurvey = foods.type(food) === 'survey_fndds_food';
      const textOf = (cell: number): string => rawName(row, cell, report, place).trim();
      const { text, reason } = portionOf(row, at, units, isSurvey, textOf);
      const weight = row.figure(at.weight);
      if (reason !== undefined) report.portionsLeftOut.add(reason, place);
      else if (weight === undefined) {
        report.portionsLeftOut.add('portion whose weight is not a number', place);
      } else if (text !== '') portions.add(food, { order: Math.max(0, row.integer(at.order)), text, weight });
    };
  });
}

const columnsOf = (header: Header) => ({
  id: header.need('fdc_id'),
  order: header.find('seq_num'),
  amount: header.find('amount'),
  unit: header.find('measure_unit_id'),
  description: header.find('portion_description'),
  modifier: header.find('modifier'),
  weight: header.need('gram_weight'),
});

async function readUnits(archive: Archive, report: SourceReport): Promise<ReadonlyMap<number, string>> {
  const units = new Map<number, string>();
  if (!archive.has(UNIT_TABLE)) return units;
  await scanEntry(archive, UNIT_TABLE, report, (header) => {
    const id = header.need('id');
    const name = header.need('name');
    return (row, width) => {
      if (faultOf(row, width) === undefined) units.set(row.id(id), row.text(name).trim());
    };
  });
  return units;
}

/** The text of a portion, empty if the row is none; or the reason why it is left out. */
function portionOf(
  row: Row,
  at: ReturnType<typeof columnsOf>,
  units: ReadonlyMap<number, string>,
  isSurvey: boolean,
  textOf: (cell: number) => string,
): { readonly text: string; readonly reason?: string } {
  const description = textOf(at.description);
  if (UNSPECIFIED.test(description)) return { text: '' };
  if (isSurvey && description !== '') return { text: description };
  const unit = unitOf(row, at.unit, units);
  if (unit === undefined) return { text: '', reason: 'portion whose unit is not known' };
  if (NO_UNIT_OF_PORTIONS.test(unit)) return { text: '' };
  const modifier = textOf(at.modifier);
  // A number is a code of the surveys.
  const words = [REFERENCE_AMOUNT.test(unit) ? 'serving' : unit, /^\d+$/.test(modifier) ? '' : modifier];
  const said = words.filter((word) => word !== '').join(', ');
  const isComment = said !== '' && unit !== '' && description !== '';
  const whole = isComment ? `${said} (${description})` : said || description;
  if (whole === '' || (said === '' && /^\d/.test(description))) return { text: whole };
  const amount = row.figure(at.amount) ?? Number.NaN;
  if (amount > 0 && amount < Number.POSITIVE_INFINITY) {
    return { text: `${decimalOfBillionths(amount)} ${whole}` };
  }
  return /^\d/.test(whole) ? { text: whole } : { text: '', reason: 'portion whose amount is not known' };
}

/** The unit of a row, empty if it is undetermined; undefined if its id is in no table. */
function unitOf(row: Row, cell: number, units: ReadonlyMap<number, string>): string | undefined {
  const id = row.id(cell);
  const name = units.get(id) ?? (id < 0 ? row.text(cell).trim() : undefined);
  if (name === undefined) return id === UNDETERMINED_ID ? '' : undefined;
  return name.toLowerCase() === UNDETERMINED ? '' : name;
}
