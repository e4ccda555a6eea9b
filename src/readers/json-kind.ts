/**
 * Tells data sets in JSON from each other, and from answers of public APIs, by the names in the first objects.
 */
import { UserError } from '../errors.ts';
import { type ColumnOptions, countFields } from './own/candidates.ts';
import { USDA_PAGE } from './report/labels.ts';
import type { JsonLevel } from './tables/json-objects.ts';
import { jsonOutline } from './tables/json-outline.ts';

/** The dump of Open Food Facts, or own foods and where they stand. */
export type JsonKind = 'open-food-facts-json' | { readonly level: JsonLevel };

const FOODDATA_API = ['fdcId', 'foodNutrients', 'foodSearchCriteria'];
const OPEN_FOOD_FACTS_API = ['status_verbose'];
/** Names in a product of Open Food Facts alone, and in a product or elsewhere. */
const PRODUCT = ['nutriments'];
const PERHAPS_PRODUCT = ['code', '_id', 'product_name', 'nutrition'];

/** @throws UserError for what is no data set; the message says what to take instead */
export function jsonKind(head: Buffer, where: string, options: ColumnOptions): JsonKind {
  const text = head.toString().replace(/^\ufeff/, '');
  if (/^\s*{\s*"(Foundation|SRLegacy|Survey|Branded)Foods"/.test(text)) {
    throw new UserError(
      `${where} is the JSON form of a FoodData Central download. Take the CSV form from the same page.`,
    );
  }
  const { isArray, keys, keysInArray = [] } = jsonOutline(text);
  const has = (names: readonly string[], among = keys): boolean => names.some((name) => among.includes(name));
  if (has(FOODDATA_API) || has(FOODDATA_API, keysInArray)) {
    throw new UserError(
      `${where} is an answer of the FoodData Central API, with some foods only. Import a whole data set instead: usda:foundation, usda:sr-legacy, usda:survey, usda:branded, or a CSV download of ${USDA_PAGE}.`,
    );
  }
  const isOneProduct = has(['product']) && has(['status']);
  if (has(OPEN_FOOD_FACTS_API) || isOneProduct || has(PRODUCT, isArray ? keys : keysInArray)) {
    throw new UserError(
      `${where} is an answer of the Open Food Facts API, with some products only. Import the whole export instead: open-food-facts, or the CSV export or the JSONL dump of https://world.openfoodfacts.org/data.`,
    );
  }
  if (isArray) return { level: 1 };
  if (has(PRODUCT)) return 'open-food-facts-json';
  if (countFields(keys, options) >= 2) return { level: 0 };
  if (has(PERHAPS_PRODUCT)) return 'open-food-facts-json';
  return { level: keysInArray.length > 0 ? 2 : 0 };
}
