/**
 * Reads a USDA FoodData Central download (CSV, zip or folder): the foods of `food.csv` with the amounts of
 * `food_nutrient.csv`, joined in memory that depends on the number of foods, not on that of rows.
 */

import type { FoodRecord } from '../../foods/food.ts';
import { shown, UserError } from '../../system/errors.ts';
import type { Archive } from '../bytes/archive.ts';
import { NO_DESCRIPTION, type SourceReport } from '../report/source-report.ts';
import { Amounts, type FigureOptions, foodOf } from '../rules/figures.ts';
import { cleanName, rawName, withBrand } from '../rules/names.ts';
import { Portions } from '../rules/portions.ts';
import { COMMAS, type Row } from '../tables/row-splitter.ts';
import { faultOf, type Header, type TableReader } from '../tables/table.ts';
import { readFoods, scanEntry } from './food-table.ts';
import { FATE, FATES, FOOD_TYPES, type FoodType, UsdaFoods } from './usda-foods.ts';
import { NUTRIENT, type NutrientKeys, readNutrients } from './usda-nutrients.ts';
import { PORTION_TABLE, readPortions, UNIT_TABLE, UsdaPortions } from './usda-portions.ts';

/** The table that makes an archive one of FoodData Central. */
export const FOOD_TABLE = 'food.csv';

const NOT_AN_ID = 'fdc_id is not a whole number';

/** With today as YYYY-MM-DD: a product to be discontinued later is kept. */
type UsdaOptions = FigureOptions & { readonly today: string };

/** The number of bytes of the archive that {@link readUsda} reads, as stored. */
export function usdaBytes(archive: Archive): number {
  const read = ['nutrient.csv', 'foundation_food.csv', 'branded_food.csv', 'food_nutrient.csv'];
  const once = [...read, PORTION_TABLE, ...(archive.has(PORTION_TABLE) ? [UNIT_TABLE] : [])];
  return once.reduce((sum, table) => sum + archive.size(table), 2 * archive.size(FOOD_TABLE));
}

/** The foods, in batches, in the order of `food.csv`. @throws UserError */
export async function* readUsda(
  archive: Archive,
  report: SourceReport,
  options: UsdaOptions,
): AsyncGenerator<FoodRecord[]> {
  yield* new UsdaJoin(archive, report, options).foods();
}

/** The amounts of a food that are those of one nutrient. */
const AMOUNTS = [
  'kilojoules',
  'protein',
  'carbohydrate',
  'saturated',
  'monounsaturated',
  'polyunsaturated',
] as const;

class UsdaJoin {
  readonly #archive: Archive;
  readonly #report: SourceReport;
  readonly #options: UsdaOptions;
  readonly #foods = new UsdaFoods();
  readonly #portions = new UsdaPortions();

  constructor(archive: Archive, report: SourceReport, options: UsdaOptions) {
    this.#archive = archive;
    this.#report = report;
    this.#options = options;
  }

  #scan(table: string, reader: TableReader): Promise<void> {
    return scanEntry(this.#archive, table, this.#report, reader);
  }

  /** Whether the archive has the table; if foods of this kind lack it, a note says what that means. */
  #has(table: string, type: FoodType, meaning: string): boolean {
    if (this.#archive.has(table)) return true;
    if (this.#foods.hasType(type)) this.#report.notes.push(`the archive has no ${table}: ${meaning}`);
    return false;
  }

  /** Notes which ids are foods, and of which kind; faults are counted when the table is read again. */
  async #readIds(): Promise<void> {
    await this.#scan(FOOD_TABLE, (header) => {
      const at = columnsOf(header);
      return (row, width) => {
        if (faultOf(row, width) !== undefined) return;
        const type = foodType(row.text(at.type));
        const id = row.id(at.id);
        if (type !== undefined && id >= 0) this.#foods.add(id, type);
      };
    });
    if (this.#foods.size > 0) return;
    throw new UserError(
      `${this.#archive.where}, ${FOOD_TABLE}: no row has a data_type that is a food (${FOOD_TYPES.join(', ')}) and a whole number as fdc_id. Take one of the downloads Foundation, SR Legacy, Survey, Branded or all.`,
    );
  }

  /** `food.csv` keeps old versions of foundation foods; only those of `foundation_food.csv` are current. */
  async #readFoundation(): Promise<void> {
    const table = 'foundation_food.csv';
    if (!this.#has(table, 'foundation_food', 'superseded versions of foundation foods are kept')) return;
    const listed = new Set<number>();
    await this.#scan(table, (header) => {
      const idAt = header.need('fdc_id');
      return (row) => {
        const found = row.id(idAt);
        if (found >= 0) listed.add(this.#foods.find(found));
        else this.#report.leftEmpty.add(`${table}: ${NOT_AN_ID}`, () => `line ${row.line}`);
      };
    });
    for (let food = 0; food < this.#foods.size; food++) {
      if (this.#foods.type(food) === 'foundation_food' && !listed.has(food)) {
        this.#foods.fates.set(food, FATE.notListed);
      }
    }
  }

  async #readBranded(): Promise<void> {
    const table = 'branded_food.csv';
    const meaning =
      'every version of a branded product is kept, discontinued ones as well, without its brand';
    if (!this.#has(table, 'branded_food', meaning)) return;
    await this.#scan(table, (header) => {
      const idAt = header.need('fdc_id');
      const readVersion = this.#foods.versionReader(header, this.#options.today);
      const readServing = this.#portions.servingReader(header);
      return (row, width) => {
        const id = row.id(idAt);
        const fault = faultOf(row, width) ?? (id < 0 ? NOT_AN_ID : undefined);
        if (fault !== undefined) {
          return this.#report.leftEmpty.add(`brand: ${fault}`, () => `${table}, line ${row.line}`);
        }
        const food = this.#foods.find(id);
        if (food < 0) return;
        readVersion(row, food);
        readServing(row, food);
      };
    });
  }

  async #readAmounts(keys: NutrientKeys): Promise<void> {
    const table = 'food_nutrient.csv';
    const foods = this.#foods;
    let id = -1;
    let food = -1;
    let numbersFirst = false;
    await this.#scan(table, (header) => {
      const at = {
        id: header.need('fdc_id'),
        nutrient: header.need('nutrient_id'),
        amount: header.need('amount'),
      };
      return (row, width) => {
        this.#report.otherRows++;
        const found = row.id(at.id);
        const fault = faultOf(row, width) ?? (found < 0 ? NOT_AN_ID : undefined);
        if (fault !== undefined) {
          return this.#report.leftEmpty.add(`amount: ${fault}`, () => `${table}, line ${row.line}`);
        }
        if (found !== id) {
          // Most archives have the rows of a food together.
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
      };
    });
    foods.chooseVersions();
  }

  /** Reads `food.csv` last once more, now for the names, and counts what becomes of each row. */
  async *foods(): AsyncGenerator<FoodRecord[]> {
    await this.#readIds();
    await this.#readFoundation();
    await this.#readBranded();
    await readPortions(this.#archive, this.#foods, this.#portions, this.#report);
    await this.#readAmounts(await readNutrients(this.#archive, this.#report));
    const rules = { report: this.#report, options: this.#options };
    const amounts = new Amounts();
    const portions = new Portions(this.#report);
    const { where, read } = this.#archive;
    const [report, options] = [this.#report, this.#options];
    report.phase(FOOD_TABLE);
    const input = { bytes: read(FOOD_TABLE), where: `${where}, ${FOOD_TABLE}`, report, options };
    yield* readFoods(input, COMMAS, (header) => {
      const at = columnsOf(header);
      return {
        place: (row) => `${FOOD_TABLE}, line ${row.line}`,
        food: (row, place) => {
          const food = this.#current(row, at, place);
          if (food < 0) return undefined;
          const idPlace = () => `fdc_id ${row.text(at.id)}`;
          const name = cleanName(rawName(row, at.description, this.#report, idPlace), this.#report, idPlace);
          if (name === '') return void this.#report.dropped.add(NO_DESCRIPTION, idPlace);
          const brand = cleanName(this.#foods.brands.get(food), this.#report, idPlace);
          this.#fill(amounts, food, idPlace);
          this.#portions.addTo(portions, food, idPlace);
          return foodOf({ ...withBrand(name, brand), ...portions.take() }, amounts, rules, idPlace);
        },
      };
    });
  }

  /** The food of a row, or -1 if it is not kept, which is counted. */
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
    const fate = this.#foods.fates.get(food);
    if (fate === FATE.done) {
      dropped.add('fdc_id occurs twice in food.csv', place);
      return -1;
    }
    this.#foods.fates.set(food, FATE.done);
    if (fate === FATE.kept) return food;
    passedOver.add(FATES[fate] ?? '', place);
    return -1;
  }

  #fill(amounts: Amounts, food: number, place: () => string): void {
    const get = (nutrient: number) => this.#foods.amount(food, nutrient);
    amounts.kcal = [
      ['1008', get(NUTRIENT.energy)],
      ['2048', get(NUTRIENT.energySpecific)],
      ['2047', get(NUTRIENT.energyGeneral)],
    ];
    for (const name of AMOUNTS) amounts[name] = get(NUTRIENT[name]);
    amounts.totalFat = get(NUTRIENT.fat);
    if (Number.isNaN(amounts.totalFat)) amounts.totalFat = get(NUTRIENT.fatNlea);
    const bySummation = get(NUTRIENT.carbohydrateBySummation);
    if (Number.isNaN(amounts.carbohydrate) && !Number.isNaN(bySummation)) {
      amounts.carbohydrate = bySummation;
      this.#report.repaired.add('carbohydrate by summation, because that by difference is missing', place);
    }
  }
}

/** The columns of `food.csv`. */
const columnsOf = (header: Header) => ({
  id: header.need('fdc_id'),
  type: header.need('data_type'),
  description: header.need('description'),
});

const foodType = (text: string): FoodType | undefined => FOOD_TYPES.find((type) => type === text);
