/**
 * Reads a USDA FoodData Central download (CSV, zip or folder): the foods of `food.csv` with the amounts of
 * `food_nutrient.csv`, joined in memory that depends on the number of foods, not on that of rows.
 */
import { type FoodRecord, shown, UserError } from '#core';
import type { Archive } from '../bytes/archive.ts';
import { cleanName, rawName, withBrand } from '../food/descriptions.ts';
import { Nutrients } from '../food/nutrients.ts';
import { FoodNames, namesInCell } from '../food/other-names.ts';
import { Portions } from '../food/portions.ts';
import { NO_DESCRIPTION } from '../report/source-report.ts';
import { type Header, readTable } from '../rows/csv-table.ts';
import { COMMAS, type Row } from '../rows/row-splitter.ts';
import {
  FOOD_TYPES,
  type FoodType,
  NOT_AN_ID,
  scanEntry,
  scanFoods,
  UsdaFoods,
  type UsdaSource,
} from './usda-foods.ts';
import { FIGURES, numberOf, type UsdaNutrient, usdaFood, usdaNutrient } from './usda-nutrients.ts';
import { addServing, PORTION_TABLE, readPortions, UNIT_TABLE } from './usda-portions.ts';

/** The table that makes an archive one of FoodData Central. */
export const FOOD_TABLE = 'food.csv';

/** What becomes of a food that has been read once. */
const TWICE = 'fdc_id occurs twice in food.csv';

/** The number of bytes of the archive that {@link readUsda} reads, as stored. */
export function usdaBytes(archive: Archive): number {
  const tables = ['nutrient.csv', 'foundation_food.csv', 'branded_food.csv', 'food_nutrient.csv'];
  const once = [...tables, ATTRIBUTE_TABLE, PORTION_TABLE, UNIT_TABLE];
  return once.reduce((sum, table) => sum + archive.size(table), 2 * archive.size(FOOD_TABLE));
}

/** The foods, in batches, in the order of `food.csv`, which is read once more for the names. @throws UserError */
export async function* readUsda(source: UsdaSource): AsyncGenerator<FoodRecord[]> {
  const { archive, report, options } = source;
  const foods = await readIds(source);
  await readFoundation(source, foods);
  await readBranded(source, foods);
  const stated = await readPortions(source, foods);
  const attributes = await readAttributes(source, foods);
  await readAmounts(source, foods);
  foods.chooseVersions();
  const portions = new Portions(report);
  const names = new FoodNames(report);
  const nutrients = new Nutrients(report.nutrientsLeftOut);
  report.phase(FOOD_TABLE);
  const where = `${archive.where}, ${FOOD_TABLE}`;
  yield* readTable(archive.read(FOOD_TABLE), COMMAS, where, (header) => {
    const at = columnsOf(header);
    return (row, fault) => {
      report.rows++;
      report.place = () => `${FOOD_TABLE}, line ${row.line}`;
      if (fault !== undefined) return void report.dropped.add(fault);
      const food = currentFood(source, foods, row, at);
      if (food < 0) return undefined;
      report.place = () => `fdc_id ${row.text(at.fdc_id)}`;
      const name = cleanName(rawName(row, at.description, report), report);
      if (name === '') return void report.dropped.add(NO_DESCRIPTION);
      const brand = cleanName(foods.brands[food] ?? '', report);
      for (const { text, weight } of stated.get(food)?.toSorted((a, b) => a.order - b.order) ?? [])
        portions.add(text, weight);
      const serving = foods.servings[food];
      if (serving !== undefined) addServing(portions, serving, foods.servingWeights[food] as number);
      for (const other of attributes.get(food) ?? []) names.add(other);
      const known = { ...withBrand(name, brand), ...portions.take(), ...names.take(name) };
      const amounts = foods.amounts.of(food);
      return usdaFood(known, foods.codes[food] ?? '', amounts, { report, options, nutrients });
    };
  });
}

/** Notes which ids are foods, and of which kind; faults are counted when the table is read again. */
async function readIds(source: UsdaSource): Promise<UsdaFoods> {
  const foods = new UsdaFoods();
  await scanEntry(source, FOOD_TABLE, (header) => {
    const at = columnsOf(header);
    return (row, fault) => {
      const type = fault === undefined ? foodType(row.text(at.data_type)) : undefined;
      const id = row.id(at.fdc_id);
      if (type !== undefined && id >= 0) foods.add(id, type);
    };
  });
  if (foods.size > 0) return foods;
  throw new UserError(
    `${source.archive.where}, ${FOOD_TABLE}: no row has a data_type that is a food (${FOOD_TYPES.join(', ')}) and a whole number as fdc_id. Take one of the downloads Foundation, SR Legacy, Survey, Branded or all.`,
  );
}

/** Whether the archive has the table of these foods; if not, a note says what that means. */
function hasTable(
  { archive, report }: UsdaSource,
  foods: UsdaFoods,
  type: FoodType,
  meaning: string,
): boolean {
  if (archive.has(`${type}.csv`)) return true;
  if (foods.types.includes(type)) report.notes.push(`the archive has no ${type}.csv: ${meaning}`);
  return false;
}

/** `food.csv` keeps old versions of foundation foods; only those of `foundation_food.csv` are current. */
async function readFoundation(source: UsdaSource, foods: UsdaFoods): Promise<void> {
  const meaning = 'superseded versions of foundation foods are kept';
  if (!hasTable(source, foods, 'foundation_food', meaning)) return;
  const listed = new Set<number>();
  await scanEntry(source, 'foundation_food.csv', (header) => {
    const at = header.columns(['fdc_id']);
    return (row) => {
      const id = row.id(at.fdc_id);
      if (id >= 0) listed.add(foods.find(id));
      else source.report.leftEmpty.add(`foundation_food.csv: ${NOT_AN_ID}`, () => `line ${row.line}`);
    };
  });
  for (const [food, type] of foods.types.entries())
    if (type === 'foundation_food' && !listed.has(food))
      foods.fates[food] = 'superseded: foundation_food.csv does not list it';
}

async function readBranded(source: UsdaSource, foods: UsdaFoods): Promise<void> {
  const meaning = 'every version of a branded product is kept, discontinued ones as well, without its brand';
  if (!hasTable(source, foods, 'branded_food', meaning)) return;
  await scanFoods(source, foods, 'branded_food.csv', 'brand', source.report.leftEmpty, (header) =>
    foods.versionReader(header, source.options.today),
  );
}

/** In the table of attributes: common names, and what the survey calls additional descriptions. */
const ATTRIBUTE_TABLE = 'food_attribute.csv';
const NAMES_OF_ATTRIBUTES = /^(?:common name|additional description)$/i;
const ATTRIBUTE_TYPES: ReadonlySet<number> = new Set([1000, 1001]);

/** The other names of foods, by food. */
async function readAttributes(source: UsdaSource, foods: UsdaFoods): Promise<ReadonlyMap<number, string[]>> {
  const found = new Map<number, string[]>();
  const { archive, report } = source;
  if (!archive.has(ATTRIBUTE_TABLE)) return found;
  await scanFoods(source, foods, ATTRIBUTE_TABLE, 'name', report.namesLeftOut, (header) => {
    const at = header.columns([], ['food_attribute_type_id', 'name', 'value']);
    return (row, food) => {
      const isNamed = NAMES_OF_ATTRIBUTES.test(row.text(at.name).trim());
      if (!isNamed && !ATTRIBUTE_TYPES.has(row.integer(at.food_attribute_type_id))) return;
      const names = namesInCell(rawName(row, at.value, report), false);
      found.set(food, [...(found.get(food) ?? []), ...names]);
    };
  });
  return found;
}

/**
 * Reads `nutrient.csv`, by which the survey download has nutrient numbers (208) where the others have ids (1008). An old
 * archive without it has the usual ids.
 * @returns what finds the nutrient of a cell, undefined if it is not read; foods of surveys usually have numbers
 */
async function readNutrients(source: UsdaSource) {
  const { report, options } = source;
  const byId = new Map<number, UsdaNutrient | undefined>();
  const byNumber = new Map<number, UsdaNutrient | undefined>();
  // One that is not read is noted as well, so that it is not mistaken for another.
  const add = (id: number, number: number, nutrient: UsdaNutrient | undefined): void => {
    const isRead = nutrient?.figure !== undefined || options.nutrients !== false;
    if (!byId.has(id)) byId.set(id, isRead ? nutrient : undefined);
    if (!byNumber.has(number)) byNumber.set(number, isRead ? nutrient : undefined);
  };
  if (!source.archive.has('nutrient.csv')) {
    for (const { id, number } of Object.values(FIGURES))
      add(id, number, usdaNutrient(id, number, '', undefined, report));
    report.notes.push('the archive has no nutrient.csv: the usual ids and numbers of nutrients were taken');
  } else
    await scanEntry(source, 'nutrient.csv', (header) => {
      const at = header.columns(['id'], ['name', 'unit_name', 'nutrient_nbr']);
      return (row, fault) => {
        if (fault !== undefined) return;
        const id = numberOf(row.text(at.id).trim());
        const number = numberOf(row.text(at.nutrient_nbr).trim());
        const unit = at.unit_name < 0 ? undefined : row.text(at.unit_name);
        add(id, number, usdaNutrient(id, number, row.text(at.name).trim(), unit, report));
      };
    });
  return (row: Row, cell: number, isSurvey: boolean): UsdaNutrient | undefined => {
    const whole = row.integer(cell);
    const key = whole < 0 ? numberOf(row.text(cell).trim()) : whole;
    if (Number.isNaN(key)) return undefined;
    const [first, second] = isSurvey ? [byNumber, byId] : [byId, byNumber];
    return first.has(key) ? first.get(key) : second.get(key);
  };
}

async function readAmounts(source: UsdaSource, foods: UsdaFoods): Promise<void> {
  const { leftEmpty } = source.report;
  const nutrientOf = await readNutrients(source);
  await scanFoods(source, foods, 'food_nutrient.csv', 'amount', leftEmpty, (header) => {
    const at = header.columns(['nutrient_id', 'amount']);
    return (row, food) => {
      const nutrient = nutrientOf(row, at.nutrient_id, foods.types[food] === 'survey_fndds_food');
      if (nutrient === undefined) return;
      const amount = row.figure(at.amount);
      if (amount === undefined)
        leftEmpty.add(
          'amount whose text is not a number',
          () => `food_nutrient.csv, line ${row.line}: ${shown(row.text(at.amount))}`,
        );
      else if (!Number.isNaN(amount)) foods.amounts.add(food, nutrient, amount);
    };
  });
}

function currentFood(
  { report: { dropped, passedOver } }: UsdaSource,
  foods: UsdaFoods,
  row: Row,
  at: ReturnType<typeof columnsOf>,
): number {
  const type = row.text(at.data_type);
  const food = foods.find(row.id(at.fdc_id));
  const fate = foods.fates[food];
  if (foodType(type) === undefined) passedOver.add(`not a food: ${shown(type)}`);
  else if (food < 0) dropped.add(NOT_AN_ID);
  else {
    foods.fates[food] = TWICE;
    if (fate === undefined) return food;
    (fate === TWICE ? dropped : passedOver).add(fate);
  }
  return -1;
}

const columnsOf = (header: Header) => header.columns(['fdc_id', 'data_type', 'description']);

const foodType = (text: string): FoodType | undefined => FOOD_TYPES.find((type) => type === text);
