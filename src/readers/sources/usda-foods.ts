/**
 * The foods of a FoodData Central archive in typed arrays: some fifty bytes a food and eight for each of its
 * nutrients, however many rows the archive has. Names are not kept but read again at the end.
 */
import { KeyTable, keyOf } from '../../text/key-table.ts';
import { barcodeOf } from '../rules/names.ts';
import type { Row } from '../tables/row-splitter.ts';
import type { Header } from '../tables/table.ts';

/** Rows of `food.csv` that are foods; all other kinds are records of the laboratory. */
export const FOOD_TYPES = ['foundation_food', 'sr_legacy_food', 'survey_fndds_food', 'branded_food'] as const;
export type FoodType = (typeof FOOD_TYPES)[number];

/** What becomes of a food: why it is passed over, unless it is kept, or has been read. */
export const FATES = [
  'kept',
  'superseded: foundation_food.csv does not list it',
  'superseded by another version of the product',
  'discontinued',
  'done',
] as const;
export const FATE = { kept: 0, notListed: 1, superseded: 2, discontinued: 3, done: 4 } as const;

/** A date as YYYYMMDD, from `2019-04-01` or `4/1/2019`; 0 for anything else. */
function dayOf(text: string): number {
  const found =
    /^(?<year>\d{4})-(?<month>\d\d?)-(?<day>\d\d?)/.exec(text) ??
    /^(?<month>\d\d?)\/(?<day>\d\d?)\/(?<year>\d{4})/.exec(text);
  const { year = 0, month = 0, day = 0 } = found?.groups ?? {};
  return Number(year) * 10_000 + Number(month) * 100 + Number(day);
}

export class UsdaFoods {
  readonly #ids = new KeyTable();
  readonly #types = new Column(Uint8Array);
  /** Positions in {@link FATES}. */
  readonly fates = new Column(Uint8Array);
  readonly #amounts: (Float64Array | undefined)[] = [];
  readonly #products = new KeyTable();
  /** By food: the number of its product plus 1, or 0. */
  readonly #product = new Column(Int32Array);
  /** YYYYMMDD as a number, 0 where unknown. */
  readonly #available = new Column(Int32Array);
  readonly #modified = new Column(Int32Array);
  readonly #discontinued = new Column(Uint8Array);
  readonly brands = new Texts();
  readonly #idOf = new Column(Int32Array);

  get size(): number {
    return this.#ids.size;
  }

  add(id: number, type: FoodType): void {
    const food = this.#ids.numberOf(id, 0);
    if (food < this.size - 1) return;
    this.#types.set(food, FOOD_TYPES.indexOf(type));
    this.#idOf.set(food, id);
  }

  /** The food of an id, or -1. */
  find(id: number): number {
    return id < 0 ? -1 : this.#ids.find(id, 0);
  }

  type(food: number): FoodType {
    return FOOD_TYPES[this.#types.get(food)] as FoodType;
  }

  hasType(type: FoodType): boolean {
    for (let food = 0; food < this.size; food++) if (this.type(food) === type) return true;
    return false;
  }

  /** Keeps the first amount of a nutrient. No food may be added afterwards. */
  setAmount(food: number, nutrient: number, amount: number): void {
    let amounts = this.#amounts[nutrient];
    if (amounts === undefined) {
      amounts = new Float64Array(this.size).fill(Number.NaN);
      this.#amounts[nutrient] = amounts;
    }
    if (Number.isNaN(amounts[food])) amounts[food] = amount;
  }

  amount(food: number, nutrient: number): number {
    return this.#amounts[nutrient]?.[food] ?? Number.NaN;
  }

  /**
   * Returns what reads the version of a product from a row of `branded_food.csv`, in which it appears again with each change
   * of its label. Missing columns are empty.
   * @param today as YYYY-MM-DD: a product to be discontinued later is kept
   */
  versionReader(header: Header, today: string): (row: Row, food: number) => void {
    const owner = header.find('brand_owner');
    const brand = header.find('brand_name');
    const gtin = header.find('gtin_upc');
    const source = header.find('data_source');
    const available = header.find('available_date');
    const modified = header.find('modified_date');
    const discontinued = header.find('discontinued_date');
    const now = dayOf(today);
    return (row, food) => {
      const code = barcodeOf(row.text(gtin));
      if (code !== '') {
        const { low, high } = keyOf(row.text(source), code);
        this.#product.set(food, this.#products.numberOf(low, high) + 1);
      }
      const end = dayOf(row.text(discontinued));
      this.#available.set(food, dayOf(row.text(available)));
      this.#modified.set(food, dayOf(row.text(modified)));
      this.#discontinued.set(food, end > 0 && end <= now ? 1 : 0);
      this.brands.set(food, row.text(brand) || row.text(owner));
    };
  }

  /**
   * Keeps one version of each product (data source and GTIN): the newest that has nutrients. A product whose newest
   * version is discontinued is dropped with all its versions.
   */
  chooseVersions(): void {
    const newest = new Int32Array(this.#products.size).fill(-1);
    const best = new Int32Array(this.#products.size).fill(-1);
    for (let food = 0; food < this.size; food++) {
      const product = this.#product.get(food) - 1;
      if (product < 0) {
        if (this.#discontinued.get(food) === 1) this.fates.set(food, FATE.discontinued);
        continue;
      }
      if (this.#isNewer(food, newest[product] as number)) newest[product] = food;
      if (this.#hasAmounts(food) && this.#isNewer(food, best[product] as number)) best[product] = food;
    }
    for (let food = 0; food < this.size; food++) {
      const product = this.#product.get(food) - 1;
      if (product < 0) continue;
      const last = newest[product] as number;
      const chosen = best[product] === -1 ? last : best[product];
      if (this.#discontinued.get(last) === 1) this.fates.set(food, FATE.discontinued);
      else if (food !== chosen) this.fates.set(food, FATE.superseded);
    }
  }

  #isNewer(food: number, other: number): boolean {
    if (other < 0) return true;
    const order =
      this.#available.get(food) - this.#available.get(other) ||
      this.#modified.get(food) - this.#modified.get(other) ||
      this.#idOf.get(food) - this.#idOf.get(other);
    return order > 0;
  }

  #hasAmounts(food: number): boolean {
    return this.#amounts.some((amounts) => amounts !== undefined && !Number.isNaN(amounts[food]));
  }
}

/** An array of numbers outside the heap of JavaScript that grows; numbers that were never set are 0. */
export class Column<Numbers extends Int32Array | Uint8Array | Float64Array> {
  #numbers: Numbers;
  readonly #Numbers: new (
    length: number,
  ) => Numbers;

  constructor(ofNumbers: new (length: number) => Numbers) {
    this.#Numbers = ofNumbers;
    this.#numbers = new ofNumbers(1024);
  }

  get(at: number): number {
    return at < this.#numbers.length ? (this.#numbers[at] as number) : 0;
  }

  set(at: number, value: number): void {
    if (at >= this.#numbers.length) {
      const larger = new this.#Numbers(Math.max(at + 1, this.#numbers.length * 2));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[at] = value;
  }
}

/** Texts by number, back to back in UTF-8; those that were never set are empty. */
export class Texts {
  readonly #starts = new Column(Int32Array);
  readonly #lengths = new Column(Int32Array);
  #bytes = Buffer.alloc(64 * 1024);
  #end = 0;

  get(at: number): string {
    const start = this.#starts.get(at);
    return this.#bytes.toString('utf8', start, start + this.#lengths.get(at));
  }

  set(at: number, text: string): void {
    const added = Buffer.from(text);
    if (this.#end + added.length > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length + added.length)]);
    }
    added.copy(this.#bytes, this.#end);
    this.#starts.set(at, this.#end);
    this.#lengths.set(at, added.length);
    this.#end += added.length;
  }
}
