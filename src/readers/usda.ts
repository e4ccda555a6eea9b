/**
 * Reads a USDA FoodData Central download (CSV, zip or folder): the foods of `food.csv` with the amounts of
 * `food_nutrient.csv`, joined in memory that depends on the number of foods and not on that of rows.
 */
import { shown, UserError } from '../errors.ts';
import type { FoodRecord } from '../food.ts';
import type { Archive } from './archive.ts';
import { Amounts, type FigureOptions, FigureRules } from './figures.ts';
import { cleanName, withBrand } from './names.ts';
import type { SourceReport } from './report.ts';
import { COMMAS, type Row } from './rows.ts';
import {
  type Advance,
  faultOf,
  type Header,
  inBatches,
  isWhole,
  readTable,
  scanTable,
  type TableReader,
} from './table.ts';
import { dayOf, FATE, FOOD_TYPES, type FoodType, PASSED_OVER, UsdaFoods } from './usda-foods.ts';
import { NUTRIENT, type NutrientKeys, readNutrients } from './usda-nutrients.ts';

/** The table that makes an archive one of FoodData Central. */
export const FOOD_TABLE = 'food.csv';

export interface UsdaOptions extends FigureOptions {
  /** Today as YYYY-MM-DD: products discontinued later than this are still there. */
  readonly today: string;
  readonly advance: Advance;
}

/** The bytes that {@link readUsda} reads of the archive, as stored. */
export function usdaBytes(archive: Archive): number {
  const once = ['nutrient.csv', 'foundation_food.csv', 'branded_food.csv', 'food_nutrient.csv'];
  return once.reduce((sum, table) => sum + archive.size(table), 2 * archive.size(FOOD_TABLE));
}

/** The foods, some at a time, in the order of `food.csv`. @throws UserError */
export async function* readUsda(
  archive: Archive,
  report: SourceReport,
  options: UsdaOptions,
): AsyncGenerator<FoodRecord[]> {
  const join = new UsdaJoin(archive, report, options);
  await join.readFoods();
  await join.readFoundation();
  await join.readBranded();
  await join.readAmounts(await readNutrients(archive, report, options.advance));
  yield* join.foods();
}

class UsdaJoin {
  readonly #archive: Archive;
  readonly #report: SourceReport;
  readonly #options: UsdaOptions;
  readonly #foods = new UsdaFoods();

  constructor(archive: Archive, report: SourceReport, options: UsdaOptions) {
    this.#archive = archive;
    this.#report = report;
    this.#options = options;
  }

  #open(table: string): [bytes: AsyncIterable<Buffer>, where: string] {
    this.#report.phase(table);
    const bytes = this.#archive.read(table, (count) => this.#options.advance(count, 0));
    return [bytes, `${this.#archive.where}, ${table}`];
  }

  async #scan(table: string, reader: TableReader): Promise<void> {
    await scanTable(...withDialect(this.#open(table)), reader);
  }

  /** Which ids are foods, and of which kind; faults are counted when the table is read again. */
  async readFoods(): Promise<void> {
    let at = { id: 0, type: 0, width: 0 };
    await this.#scan(FOOD_TABLE, {
      header: (header) => {
        at = { id: header.need('fdc_id'), type: header.need('data_type'), width: header.width };
        header.need('description');
      },
      row: (row) => {
        if (faultOf(row, at.width) !== undefined) return;
        const type = foodType(row.text(at.type));
        const id = row.integer(at.id);
        if (type !== undefined && id >= 0) this.#foods.add(id, type);
      },
    });
    if (this.#foods.size > 0) return;
    throw new UserError(
      `${this.#archive.where}, ${FOOD_TABLE}: no row has a data_type that is a food (${FOOD_TYPES.join(', ')}). Take one of the downloads Foundation, SR Legacy, Survey, Branded or all.`,
    );
  }

  /** `food.csv` keeps old versions of foundation foods; only those of `foundation_food.csv` are current. */
  async readFoundation(): Promise<void> {
    const table = 'foundation_food.csv';
    if (!this.#archive.has(table)) return;
    const listed = new Set<number>();
    let id = 0;
    await this.#scan(table, {
      header: (header) => {
        id = header.need('fdc_id');
      },
      row: (row) => listed.add(this.#foods.find(row.integer(id))),
    });
    for (let food = 0; food < this.#foods.size; food++) {
      if (this.#foods.type(food) === 'foundation_food' && !listed.has(food)) {
        this.#foods.setFate(food, FATE.notListed);
      }
    }
  }

  async readBranded(): Promise<void> {
    const table = 'branded_food.csv';
    if (!this.#archive.has(table)) return;
    const today = dayOf(this.#options.today);
    let column = (_name: string): number => -1;
    let width = 0;
    let at = brandedColumns(column);
    await this.#scan(table, {
      header: (header: Header) => {
        header.need('fdc_id');
        column = (name) => header.find(name);
        at = brandedColumns(column);
        width = header.width;
      },
      row: (row) => {
        const place = () => `${table}, line ${row.line}`;
        const fault = faultOf(row, width);
        if (fault !== undefined) return this.#report.leftEmpty.add(`brand: ${fault}`, place);
        const food = this.#foods.find(row.integer(at.id));
        if (food < 0) return;
        const discontinued = dayOf(row.text(at.discontinued));
        this.#foods.setVersion(food, {
          source: row.text(at.source),
          gtin: row.text(at.gtin).trim(),
          available: dayOf(row.text(at.available)),
          modified: dayOf(row.text(at.modified)),
          discontinued: discontinued > 0 && discontinued <= today,
          brand: row.text(at.brand) || row.text(at.owner),
        });
      },
    });
  }

  async readAmounts(keys: NutrientKeys): Promise<void> {
    const table = 'food_nutrient.csv';
    const foods = this.#foods;
    let at = { id: 0, nutrient: 0, amount: 0, width: 0 };
    let id = -1;
    let food = -1;
    let numbersFirst = false;
    let rows = 0;
    await this.#scan(table, {
      header: (header) => {
        at = {
          id: header.need('fdc_id'),
          nutrient: header.need('nutrient_id'),
          amount: header.need('amount'),
          width: header.width,
        };
      },
      row: (row) => {
        if ((++rows & 0xffff) === 0) this.#options.advance(0, 0x10000);
        const fault = faultOf(row, at.width);
        if (fault !== undefined) {
          return this.#report.leftEmpty.add(`amount: ${fault}`, () => `${table}, line ${row.line}`);
        }
        const found = row.integer(at.id);
        if (found !== id) {
          // Most archives hold the rows of a food together.
          id = found;
          food = foods.find(found);
          numbersFirst = food >= 0 && foods.type(food) === 'survey_fndds_food';
        }
        if (food < 0) return;
        const nutrient = keys.of(row, at.nutrient, numbersFirst);
        if (nutrient < 0) return;
        const amount = row.figure(at.amount);
        if (amount === undefined) {
          const place = () => `${table}, line ${row.line}: ${shown(row.text(at.amount))}`;
          this.#report.leftEmpty.add('amount that is not a number', place);
        } else if (!Number.isNaN(amount)) foods.setAmount(food, nutrient, amount);
      },
    });
    this.#options.advance(0, rows & 0xffff);
    foods.chooseVersions();
  }

  /** Reads `food.csv` again, now for the names, and counts what becomes of each row. */
  async *foods(): AsyncGenerator<FoodRecord[]> {
    const foods: FoodRecord[] = [];
    const rules = new FigureRules(this.#report, this.#options);
    const amounts = new Amounts();
    let at = { id: 0, type: 0, description: 0, width: 0 };
    const reader: TableReader = {
      header: (header) => {
        at = {
          id: header.need('fdc_id'),
          type: header.need('data_type'),
          description: header.need('description'),
          width: header.width,
        };
      },
      row: (row) => {
        this.#report.rows++;
        const place = () => `${FOOD_TABLE}, line ${row.line}`;
        if (!isWhole(row, at.width, this.#report, place)) return;
        const food = this.#current(row, at, place);
        if (food < 0) return;
        const idPlace = () => `fdc_id ${row.text(at.id)}`;
        const name = cleanName(this.#textOf(row, at.description, idPlace), this.#report, idPlace);
        if (name === '') return this.#report.dropped.add('no description', idPlace);
        const brand = cleanName(this.#foods.brand(food), this.#report, idPlace);
        this.#fill(amounts, food, idPlace);
        const record = rules.food(withBrand(name, brand), amounts, idPlace);
        if (record !== undefined) foods.push(record);
      },
    };
    const steps = readTable(...withDialect(this.#open(FOOD_TABLE)), reader);
    yield* inBatches(steps, foods, this.#report, this.#options.advance);
    rules.end();
  }

  /** A few names are left over from the times of Latin-1. */
  #textOf(row: Row, cell: number, place: () => string): string {
    const text = row.text(cell);
    if (!text.includes('\ufffd') || row.isUtf8(cell)) return text;
    this.#report.repaired.add('Latin-1 in the name', place);
    return row.text(cell, 'latin1');
  }

  /** The food of a row that is to be kept, or -1, which is counted. */
  #current(row: Row, at: { id: number; type: number }, place: () => string): number {
    const { dropped, passedOver } = this.#report;
    const type = row.text(at.type);
    if (foodType(type) === undefined) {
      passedOver.add(`not a food: ${shown(type)}`, place);
      return -1;
    }
    const food = this.#foods.find(row.integer(at.id));
    if (food < 0) {
      dropped.add('fdc_id is not a whole number', place);
      return -1;
    }
    const fate = this.#foods.fate(food);
    if (fate === FATE.done) {
      dropped.add('fdc_id stands twice in food.csv', place);
      return -1;
    }
    this.#foods.setFate(food, FATE.done);
    if (fate === FATE.kept) return food;
    passedOver.add(PASSED_OVER[fate] ?? '', place);
    return -1;
  }

  #fill(amounts: Amounts, food: number, place: () => string): void {
    const get = (nutrient: number) => this.#foods.amount(food, nutrient);
    amounts.kcal = [
      ['1008', get(NUTRIENT.energy)],
      ['2048', get(NUTRIENT.energySpecific)],
      ['2047', get(NUTRIENT.energyGeneral)],
    ];
    amounts.kilojoules = get(NUTRIENT.kilojoules);
    amounts.protein = get(NUTRIENT.protein);
    amounts.carbohydrate = get(NUTRIENT.carbohydrate);
    amounts.totalFat = get(NUTRIENT.fat);
    if (Number.isNaN(amounts.totalFat)) amounts.totalFat = get(NUTRIENT.fatNlea);
    amounts.saturated = get(NUTRIENT.saturated);
    amounts.monounsaturated = get(NUTRIENT.monounsaturated);
    amounts.polyunsaturated = get(NUTRIENT.polyunsaturated);
    const bySummation = get(NUTRIENT.carbohydrateBySummation);
    if (Number.isNaN(amounts.carbohydrate) && !Number.isNaN(bySummation)) {
      amounts.carbohydrate = bySummation;
      this.#report.repaired.add('carbohydrate by summation, for want of that by difference', place);
    }
  }
}

const withDialect = ([bytes, where]: [AsyncIterable<Buffer>, string]) => [bytes, COMMAS, where] as const;

const foodType = (text: string): FoodType | undefined => FOOD_TYPES.find((type) => type === text);

function brandedColumns(find: (name: string) => number) {
  return {
    id: find('fdc_id'),
    owner: find('brand_owner'),
    brand: find('brand_name'),
    gtin: find('gtin_upc'),
    source: find('data_source'),
    available: find('available_date'),
    modified: find('modified_date'),
    discontinued: find('discontinued_date'),
  };
}
