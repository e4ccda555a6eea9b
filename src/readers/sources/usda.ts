/**
 * Reads a USDA FoodData Central download (CSV, zip or folder): the foods of `food.csv` with the amounts of
 * `food_nutrient.csv`, joined in memory that depends on the number of foods and not on that of rows.
 */
import { shown, UserError } from '../../errors.ts';
import type { FoodRecord } from '../../food.ts';
import type { Archive } from '../bytes/archive.ts';
import type { SourceReport } from '../report/report.ts';
import { Amounts, type FigureOptions, FigureRules } from '../rules/figures.ts';
import { cleanName, rawName, withBrand } from '../rules/names.ts';
import { COMMAS, type Row } from '../tables/rows.ts';
import {
  type Advance,
  faultOf,
  inBatches,
  isWhole,
  readTable,
  scanTable,
  type TableReader,
} from '../tables/table.ts';
import { versionReader } from './usda-branded.ts';
import { FATE, FOOD_TYPES, type FoodType, PASSED_OVER, UsdaFoods } from './usda-foods.ts';
import { NUTRIENT, type NutrientKeys, readNutrients } from './usda-nutrients.ts';

/** The table that makes an archive one of FoodData Central. */
export const FOOD_TABLE = 'food.csv';

const NOT_AN_ID = 'fdc_id is not a whole number';

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

  /** Whether the table is there; where foods of this kind lack it, a note says what that means. */
  #has(table: string, type: FoodType, meaning: string): boolean {
    if (this.#archive.has(table)) return true;
    if (this.#foods.hasType(type)) this.#report.notes.push(`the archive has no ${table}: ${meaning}`);
    return false;
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
        const id = row.id(at.id);
        if (type !== undefined && id >= 0) this.#foods.add(id, type);
      },
    });
    if (this.#foods.size > 0) return;
    throw new UserError(
      `${this.#archive.where}, ${FOOD_TABLE}: no row has a data_type that is a food (${FOOD_TYPES.join(', ')}) and a whole number as fdc_id. Take one of the downloads Foundation, SR Legacy, Survey, Branded or all.`,
    );
  }

  /** `food.csv` keeps old versions of foundation foods; only those of `foundation_food.csv` are current. */
  async readFoundation(): Promise<void> {
    const table = 'foundation_food.csv';
    if (!this.#has(table, 'foundation_food', 'superseded versions of foundation foods are kept')) return;
    const listed = new Set<number>();
    let id = 0;
    await this.#scan(table, {
      header: (header) => {
        id = header.need('fdc_id');
      },
      row: (row) => {
        const found = row.id(id);
        if (found >= 0) listed.add(this.#foods.find(found));
        else this.#report.leftEmpty.add(`${table}: ${NOT_AN_ID}`, () => `line ${row.line}`);
      },
    });
    for (let food = 0; food < this.#foods.size; food++) {
      if (this.#foods.type(food) === 'foundation_food' && !listed.has(food)) {
        this.#foods.setFate(food, FATE.notListed);
      }
    }
  }

  async readBranded(): Promise<void> {
    const table = 'branded_food.csv';
    const meaning =
      'every version of a branded product is kept, discontinued ones as well, without its brand';
    if (!this.#has(table, 'branded_food', meaning)) return;
    let at = { id: 0, width: 0 };
    let versionOf: ReturnType<typeof versionReader>;
    await this.#scan(table, {
      header: (header) => {
        at = { id: header.need('fdc_id'), width: header.width };
        versionOf = versionReader(header, this.#options.today);
      },
      row: (row) => {
        const id = row.id(at.id);
        const fault = faultOf(row, at.width) ?? (id < 0 ? NOT_AN_ID : undefined);
        if (fault !== undefined) {
          return this.#report.leftEmpty.add(`brand: ${fault}`, () => `${table}, line ${row.line}`);
        }
        const food = this.#foods.find(id);
        if (food >= 0) this.#foods.setVersion(food, versionOf(row));
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
        const found = row.id(at.id);
        const fault = faultOf(row, at.width) ?? (found < 0 ? NOT_AN_ID : undefined);
        if (fault !== undefined) {
          return this.#report.leftEmpty.add(`amount: ${fault}`, () => `${table}, line ${row.line}`);
        }
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
        const name = cleanName(rawName(row, at.description, this.#report, idPlace), this.#report, idPlace);
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

  /** The food of a row that is to be kept, or -1, which is counted. */
  #current(row: Row, at: { id: number; type: number }, place: () => string): number {
    const { dropped, passedOver } = this.#report;
    const type = row.text(at.type);
    if (foodType(type) === undefined) {
      passedOver.add(`not a food: ${shown(type)}`, place);
      return -1;
    }
    const food = this.#foods.find(row.id(at.id));
    if (food < 0) {
      dropped.add(NOT_AN_ID, place);
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
