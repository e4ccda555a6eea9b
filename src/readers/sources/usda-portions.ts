/**
 * The portions of a FoodData Central archive. `food_portion.csv` has three conventions: SR Legacy leaves the unit
 * undetermined and writes it into the modifier, Foundation has units and describes them there, and Survey writes everything
 * into the description, with a code as modifier. Branded foods have one serving, in `branded_food.csv`.
 */
import { decimalOfBillionths } from '../../decimal.ts';
import type { Archive } from '../bytes/archive.ts';
import type { SourceReport } from '../report/source-report.ts';
import { rawName } from '../rules/names.ts';
import type { Portions } from '../rules/portions.ts';
import { gramsIn, wordsOf } from '../rules/servings.ts';
import type { Row } from '../tables/row.ts';
import { COMMAS } from '../tables/row-splitter.ts';
import { faultOf, type Header, scanTable } from '../tables/table.ts';
import { floats, integers, Texts } from './columns.ts';
import type { UsdaFoods } from './usda-foods.ts';

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
/** Units of trade in the servings of branded foods. */
const TRADE_UNITS: readonly (readonly [RegExp, string])[] = [
  [/\bONZ\b/g, 'oz'],
  [/\bOZA\b/g, 'fl oz'],
];

/** By food: some twenty bytes and the text for each portion. */
export class UsdaPortions {
  /** By food: its last portion plus 1, and by portion the one before it. */
  readonly #last = integers();
  readonly #before = integers();
  readonly #order = integers();
  readonly #weights = floats();
  readonly #texts = new Texts();
  #size = 0;
  /** By food: the serving of a product. */
  readonly #servingWeights = floats();
  readonly #servings = new Texts();

  /** @param order the place among the portions of the food */
  add(food: number, order: number, text: string, weight: number): void {
    const portion = this.#size++;
    this.#before.set(portion, this.#last.get(food));
    this.#last.set(food, this.#size);
    this.#order.set(portion, order);
    this.#weights.set(portion, weight);
    this.#texts.set(portion, text);
  }

  /** @param weight NaN if it is not known */
  setServing(food: number, text: string, weight: number): void {
    if (text === '' && Number.isNaN(weight)) return;
    this.#servingWeights.set(food, weight);
    if (text !== '') this.#servings.set(food, text);
  }

  /** Adds the portions of a food in their order. */
  addTo(portions: Portions, food: number, place: () => string): void {
    const found: number[] = [];
    for (let portion = this.#last.get(food); portion > 0; portion = this.#before.get(portion - 1)) {
      found.push(portion - 1);
    }
    found.sort((a, b) => this.#order.get(a) - this.#order.get(b) || a - b);
    for (const portion of found) portions.add(this.#texts.get(portion), this.#weights.get(portion), place);
    this.#addServing(portions, food, place);
  }

  #addServing(portions: Portions, food: number, place: () => string): void {
    const weight = this.#servingWeights.get(food);
    // 0 if the food has no serving.
    if (weight === 0) return;
    let text = this.#servings.get(food);
    for (const [unit, name] of TRADE_UNITS) text = text.replace(unit, name);
    portions.add(wordsOf(text), Number.isNaN(weight) ? gramsIn(text) : weight, place);
  }
}

/** Reads `food_portion.csv` with the units of `measure_unit.csv`. */
export async function readPortions(
  archive: Archive,
  foods: UsdaFoods,
  portions: UsdaPortions,
  report: SourceReport,
): Promise<void> {
  if (!archive.has(PORTION_TABLE)) return;
  const units = await readUnits(archive, report);
  report.phase(PORTION_TABLE);
  await scanTable(archive.read(PORTION_TABLE), COMMAS, `${archive.where}, ${PORTION_TABLE}`, (header) => {
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
      const { text, reason } = portionOf(row, at, { units, isSurvey, textOf });
      const weight = row.figure(at.weight);
      if (reason !== undefined) report.portionsLeftOut.add(reason, place);
      else if (weight === undefined) {
        report.portionsLeftOut.add('portion whose weight is not a number', place);
      } else if (text !== '') portions.add(food, Math.max(0, row.integer(at.order)), text, weight);
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

/** The names of units by their ids. */
async function readUnits(archive: Archive, report: SourceReport): Promise<ReadonlyMap<number, string>> {
  const units = new Map<number, string>();
  if (!archive.has(UNIT_TABLE)) return units;
  report.phase(UNIT_TABLE);
  await scanTable(archive.read(UNIT_TABLE), COMMAS, `${archive.where}, ${UNIT_TABLE}`, (header) => {
    const id = header.need('id');
    const name = header.need('name');
    return (row, width) => {
      if (faultOf(row, width) === undefined) units.set(row.id(id), row.text(name).trim());
    };
  });
  return units;
}

interface Found {
  /** Empty if the row is not a portion. */
  readonly text: string;
  /** Why it is left out. */
  readonly reason?: string;
}

interface Context {
  readonly units: ReadonlyMap<number, string>;
  readonly isSurvey: boolean;
  textOf(cell: number): string;
}

function portionOf(row: Row, at: ReturnType<typeof columnsOf>, { units, isSurvey, textOf }: Context): Found {
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

/** Returns what reads the serving of a product from a row of `branded_food.csv`. */
export function servingReader(header: Header, portions: UsdaPortions): (row: Row, food: number) => void {
  const text = header.find('household_serving_fulltext');
  const size = header.find('serving_size');
  const unit = header.find('serving_size_unit');
  return (row, food) => {
    const isWeight = GRAM_UNITS.has(row.text(unit).trim().toLowerCase());
    const grams = isWeight ? (row.figure(size) ?? Number.NaN) : Number.NaN;
    // An empty serving is written as 0.
    portions.setServing(food, row.text(text).trim(), grams === 0 ? Number.NaN : grams);
  };
}
