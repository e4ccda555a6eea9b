/** Reads FoodData Central in its JSON form: the downloads, and what its API answers. Only one food at a time is in memory. */
import { type FoodRecord, shown } from '#core';
import { cleanName, withBrand } from '../food/descriptions.ts';
import { barcodeOf, TextSet } from '../food/equality.ts';
import { Nutrients } from '../food/nutrients.ts';
import { Portions } from '../food/portions.ts';
import { NO_DESCRIPTION } from '../report/source-report.ts';
import { type JsonPlace, jsonRows } from '../rows/json-objects.ts';
import { figureOf, type Json, listOf, objectOf, textOf } from './json-values.ts';
import type { Input } from './products.ts';
import { dayOf, servingWeight, type UsdaSource } from './usda-foods.ts';
import { numberOf, type UsdaAmounts, type UsdaNutrient, usdaFood, usdaNutrient } from './usda-nutrients.ts';
import { addServing, determined, usdaPortion } from './usda-portions.ts';

/** Foods between two turns of the event loop. */
const BATCH = 512;

export const isUsdaFood = (names: readonly string[]): boolean =>
  ['description', 'foodNutrients'].every((name) => names.includes(name));

type UsdaJson = Omit<Input, 'options'> & Pick<UsdaSource, 'options'>;

/** The foods, in batches. @throws UserError if the text is damaged */
export async function* readUsdaJson(
  { bytes, where, report, options }: UsdaJson,
  place: JsonPlace,
): AsyncGenerator<FoodRecord[]> {
  const foodOf = foodReader({ report, options });
  let foods: FoodRecord[] = [];
  for await (const { object, line } of jsonRows(bytes, place, where)) {
    report.rows++;
    report.place = () => `line ${line}, fdcId ${shown(textOf(object.fdcId))}`;
    const food = foodOf(object);
    if (food === undefined || foods.push(food) < BATCH) continue;
    yield foods;
    foods = [];
  }
  yield foods;
}

/** Billionths; NaN if there is none. */
const knownFigureOf = (value: unknown): number => figureOf(value) ?? Number.NaN;

function foodReader({ report, options }: Pick<UsdaJson, 'report' | 'options'>) {
  const products = new TextSet();
  const portions = new Portions(report);
  const nutrients = new Nutrients(report.nutrientsLeftOut);
  const amountsOf = amountReader(report);
  const now = dayOf(options.today);
  return (food: Json): FoodRecord | undefined => {
    const name = cleanName(textOf(food.description), report);
    if (name === '') return void report.dropped.add(NO_DESCRIPTION);
    const end = dayOf(textOf(food.discontinuedDate));
    if (end > 0 && end <= now) return void report.passedOver.add('discontinued');
    const code = textOf(food.gtinUpc);
    if (barcodeOf(code) !== '' && !products.add(textOf(food.dataSource), barcodeOf(code)))
      return void report.passedOver.add('superseded by another version of the product');
    const brand = cleanName(textOf(food.brandName) || textOf(food.brandOwner), report);
    addPortions(food, portions, report);
    const known = { ...withBrand(name, brand), ...portions.take() };
    return usdaFood(known, code, amountsOf(food), { report, options, nutrients });
  };
}

function amountReader(report: UsdaJson['report']): (food: Json) => UsdaAmounts {
  const known = new Map<string, UsdaNutrient | undefined>();
  return (food) => {
    const amounts = new Map<UsdaNutrient, number>();
    for (const found of listOf(food.foodNutrients)) {
      // The API also answers without the object of the nutrient.
      const stated = { ...found, ...objectOf(found.nutrient) };
      const id = textOf(found.nutrient === undefined ? stated.nutrientId : stated.id);
      const number = textOf(stated.number ?? stated.nutrientNumber);
      const name = textOf(stated.name ?? stated.nutrientName);
      const unit = textOf(stated.unitName);
      const key = JSON.stringify([id, number, name, unit]);
      if (!known.has(key)) known.set(key, usdaNutrient(numberOf(id), numberOf(number), name, unit, report));
      const nutrient = known.get(key);
      const amount = knownFigureOf(found.amount ?? found.value);
      if (nutrient !== undefined && !Number.isNaN(amount) && !amounts.has(nutrient))
        amounts.set(nutrient, amount);
    }
    return amounts;
  };
}

function addPortions(food: Json, portions: Portions, { portionsLeftOut }: UsdaJson['report']): void {
  const isSurvey = textOf(food.dataType).startsWith('Survey');
  const order = (portion: Json): number => Number(textOf(portion.sequenceNumber));
  for (const portion of listOf(food.foodPortions).toSorted((a, b) => order(a) - order(b))) {
    const { text, reason } = usdaPortion({
      description: textOf(portion.portionDescription).trim(),
      unit: determined(textOf(objectOf(portion.measureUnit)?.name).trim()),
      modifier: textOf(portion.modifier).trim(),
      amount: knownFigureOf(portion.amount ?? portion.value),
      isSurvey,
    });
    if (reason !== undefined) portionsLeftOut.add(reason);
    else if (text !== '') portions.add(text, knownFigureOf(portion.gramWeight));
  }
  const serving = textOf(food.householdServingFullText).trim();
  const weight = servingWeight(knownFigureOf(food.servingSize), textOf(food.servingSizeUnit));
  if (serving !== '' || !Number.isNaN(weight)) addServing(portions, serving, weight);
}
