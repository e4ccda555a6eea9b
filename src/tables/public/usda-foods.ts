/** The foods of a FoodData Central archive, in some eighty bytes a food and fourteen for each of its nutrients, without names. */
import { KeyTable, keyOf } from '#core';
import type { Archive } from '../bytes/archive.ts';
import { barcodeOf } from '../food/equality.ts';
import type { FigureOptions } from '../food/figures.ts';
import type { SourceReport } from '../report/source-report.ts';
import { type Header, readTable, type TableReader } from '../rows/csv-table.ts';
import { COMMAS, type Row } from '../rows/row-splitter.ts';
import type { UsdaAmounts, UsdaNutrient } from './usda-nutrients.ts';

/** The archive of a FoodData Central download. */
export interface UsdaSource {
  readonly archive: Archive;
  readonly report: SourceReport;
  /** With today as YYYY-MM-DD: a product to be discontinued later is kept. */
  readonly options: FigureOptions & { readonly today: string };
}

/** Rows of `food.csv` that are foods; all other kinds are records of the laboratory. */
export const FOOD_TYPES = ['foundation_food', 'sr_legacy_food', 'survey_fndds_food', 'branded_food'] as const;
export type FoodType = (typeof FOOD_TYPES)[number];

/** A date as YYYYMMDD, from `2019-04-01` or `4/1/2019`; 0 for anything else. */
export function dayOf(text: string): number {
  const found =
    /^(?<year>\d{4})-(?<month>\d\d?)-(?<day>\d\d?)/.exec(text) ??
    /^(?<month>\d\d?)\/(?<day>\d\d?)\/(?<year>\d{4})/.exec(text);
  const { year = 0, month = 0, day = 0 } = found?.groups ?? {};
  return Number(year) * 10_000 + Number(month) * 100 + Number(day);
}

/** The foods, numbered from 0 on in the order of their ids in `food.csv`. */
export class UsdaFoods {
  readonly #numbers = new KeyTable();
  readonly #fdcIds: number[] = [];
  readonly types: FoodType[] = [];
  /** Why a food is passed over; undefined if it is kept. */
  readonly fates: (string | undefined)[] = [];
  /** Of products; owners and brands are few texts. */
  brands: string[] = [];
  codes: string[] = [];
  /** Their servings, and the weights of these; see {@link servingWeight}. */
  servings: string[] = [];
  servingWeights = new Float64Array();
  readonly amounts = new AmountLists();
  readonly #products = new KeyTable();
  /** By food: the number of its product plus 1, or 0. These three are empty without a table of products. */
  #product = new Int32Array();
  /** By food: since when it is available, and when it was last modified: YYYYMMDD twice, 0 where unknown. */
  #dates = new Float64Array();
  #discontinued = new Uint8Array();

  get size(): number {
    return this.types.length;
  }

  add(id: number, type: FoodType): void {
    if (this.#numbers.numberOf(id, 0) < this.size) return;
    this.#fdcIds.push(id);
    this.types.push(type);
    this.fates.push(undefined);
  }

  /** The food of an id, or -1. */
  find(id: number): number {
    return id < 0 ? -1 : this.#numbers.find(id, 0);
  }

  /**
   * Returns what reads the version of a product and its serving from a row of `branded_food.csv`, in which it appears again
   * with each change of its label. Missing columns are empty.
   * @param today as YYYY-MM-DD: a product to be discontinued later is kept
   */
  versionReader(header: Header, today: string): (row: Row, food: number) => void {
    const dates = ['available_date', 'modified_date', 'discontinued_date'] as const;
    const serving = ['household_serving_fulltext', 'serving_size', 'serving_size_unit'] as const;
    const texts = ['brand_owner', 'brand_name', 'gtin_upc', 'data_source'] as const;
    const at = header.columns([], [...texts, ...dates, ...serving]);
    const now = dayOf(today);
    this.brands = new Array(this.size);
    this.codes = new Array(this.size);
    this.servings = new Array(this.size);
    this.servingWeights = new Float64Array(this.size);
    this.#product = new Int32Array(this.size);
    this.#dates = new Float64Array(this.size);
    this.#discontinued = new Uint8Array(this.size);
    const once = interned();
    return (row, food) => {
      const code = barcodeOf(row.text(at.gtin_upc));
      if (code !== '') {
        this.codes[food] = code;
        const { low, high } = keyOf(row.text(at.data_source), code);
        this.#product[food] = this.#products.numberOf(low, high) + 1;
      }
      const end = dayOf(row.text(at.discontinued_date));
      this.#dates[food] = dayOf(row.text(at.available_date)) * 1e8 + dayOf(row.text(at.modified_date));
      this.#discontinued[food] = end > 0 && end <= now ? 1 : 0;
      this.brands[food] = once(row.text(at.brand_name) || row.text(at.brand_owner));
      const text = row.text(at.household_serving_fulltext).trim();
      const weight = servingWeight(row.figure(at.serving_size), row.text(at.serving_size_unit));
      if (text === '' && Number.isNaN(weight)) return;
      this.servings[food] = once(text);
      this.servingWeights[food] = weight;
    };
  }

  /**
   * Keeps one version of each product (data source and GTIN): the newest that has nutrients. A product whose newest
   * version is discontinued is dropped with all its versions.
   */
  chooseVersions(): void {
    const newest = new Int32Array(this.#products.size).fill(-1);
    const best = new Int32Array(this.#products.size).fill(-1);
    for (const [food, number] of this.#product.entries()) {
      const product = number - 1;
      if (product < 0) continue;
      if (this.#isNewer(food, newest[product] as number)) newest[product] = food;
      if (this.#hasAmounts(food) && this.#isNewer(food, best[product] as number)) best[product] = food;
    }
    for (const [food, number] of this.#product.entries()) {
      const last = newest[number - 1] ?? food;
      const chosen = best[number - 1] ?? food;
      if (this.#discontinued[last] === 1) this.fates[food] = 'discontinued';
      else if (food !== (chosen < 0 ? last : chosen))
        this.fates[food] = 'superseded by another version of the product';
    }
  }

  #isNewer(food: number, other: number): boolean {
    if (other < 0) return true;
    const difference = (numbers: ArrayLike<number>) => (numbers[food] as number) - (numbers[other] as number);
    return (difference(this.#dates) || difference(this.#fdcIds)) > 0;
  }

  #hasAmounts(food: number): boolean {
    return [...this.amounts.of(food).keys()].some(({ figure }) => figure !== undefined);
  }
}

const CHUNK = 65_536;

/** By amount: its key, its billionths, and the number of the food's previous amount plus 1, or 0. */
class AmountChunk {
  readonly keys = new Uint16Array(CHUNK);
  readonly amounts = new Float64Array(CHUNK);
  readonly before = new Uint32Array(CHUNK);
}

/** Amounts by food, as they come; most archives, but not all, have those of a food together. */
class AmountLists {
  readonly #nutrients: UsdaNutrient[] = [];
  readonly #numbers = new Map<UsdaNutrient, number>();
  /** By food: the number of its last amount plus 1. */
  readonly #last: number[] = [];
  readonly #chunks: AmountChunk[] = [];
  #size = 0;

  add(food: number, nutrient: UsdaNutrient, amount: number): void {
    let number = this.#numbers.get(nutrient);
    if (number === undefined) {
      number = this.#nutrients.push(nutrient) - 1;
      this.#numbers.set(nutrient, number);
    }
    const at = this.#size++ % CHUNK;
    if (at === 0) this.#chunks.push(new AmountChunk());
    const { keys, amounts, before } = this.#chunks[this.#chunks.length - 1] as AmountChunk;
    keys[at] = number;
    amounts[at] = amount;
    before[at] = this.#last[food] ?? 0;
    this.#last[food] = this.#size;
  }

  /** Of a nutrient, the first amount. */
  of(food: number): UsdaAmounts {
    const found: (readonly [UsdaNutrient, number])[] = [];
    for (let number = this.#last[food] ?? 0; number > 0; ) {
      const { keys, amounts, before } = this.#chunks[Math.floor((number - 1) / CHUNK)] as AmountChunk;
      const at = (number - 1) % CHUNK;
      found.push([this.#nutrients[keys[at] as number] as UsdaNutrient, amounts[at] as number]);
      number = before[at] as number;
    }
    const first = new Map<UsdaNutrient, number>();
    for (const [nutrient, amount] of found.reverse()) if (!first.has(nutrient)) first.set(nutrient, amount);
    return first;
  }
}

/** As `serving_size_unit` has it, in the older and the newer spelling; mg are mostly ml or g misread. */
const GRAM_UNITS = new Set(['g', 'gm', 'grm', 'gram', 'grams']);

/** The grams of a serving, in billionths as its size; NaN if it has none, for which 0 is written. */
export const servingWeight = (size: number | undefined, unit: string): number =>
  GRAM_UNITS.has(unit.trim().toLowerCase()) && size !== undefined && size !== 0 ? size : Number.NaN;

/** Returns what gives equal texts one place in memory: millions of products have a few thousand brands and servings. */
function interned(): (text: string) => string {
  const texts = new Map<string, string>();
  return (text) => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
}

/** Reads a table of the archive whose rows only have side effects. */
export async function scanEntry(
  { archive, report }: UsdaSource,
  table: string,
  reader: TableReader,
): Promise<void> {
  report.phase(table);
  for await (const _ of readTable(archive.read(table), COMMAS, `${archive.where}, ${table}`, reader));
}

export const NOT_AN_ID = 'fdc_id is not a whole number';

/**
 * Reads a table whose rows belong to foods; those of other ids are skipped.
 * @param what its rows are; @param faults counts those without an id or with other faults
 */
export function scanFoods(
  source: UsdaSource,
  foods: UsdaFoods,
  table: string,
  what: string,
  faults: SourceReport['dropped'],
  readerOf: (header: Header) => (row: Row, food: number) => void,
): Promise<void> {
  let id = -1;
  let food = -1;
  return scanEntry(source, table, (header) => {
    const at = header.columns(['fdc_id']);
    const read = readerOf(header);
    return (row, broken) => {
      source.report.otherRows++;
      source.report.place = () => `${table}, line ${row.line}`;
      const found = row.id(at.fdc_id);
      const fault = broken ?? (found < 0 ? NOT_AN_ID : undefined);
      if (fault !== undefined) return void faults.add(`${what}: ${fault}`);
      // Most archives have the rows of a food together.
      if (found !== id) food = foods.find(found);
      id = found;
      if (food >= 0) read(row, food);
      return undefined;
    };
  });
}
