/**
 * Recognises the format of a text by its header line, or by the names in its first JSON object.
 */
import { UserError } from '../../errors.ts';
import { EXPECTED, MAX_HEAD } from '../bytes/file-kind.ts';
import { USDA_PAGE } from '../report/labels.ts';

/** `own`: a table with headings of its own. */
export type TextKind = 'own' | 'open-food-facts' | 'open-food-facts-json' | 'abbreviated';

/** The formats in words, for the report. */
export const KIND_NAMES: Readonly<Record<TextKind, string>> = {
  own: 'CSV',
  'open-food-facts': 'Open Food Facts, CSV export',
  'open-food-facts-json': 'Open Food Facts, JSONL dump',
  abbreviated: 'USDA National Nutrient Database, abbreviated',
};

/** Top-level names in answers of public APIs: one food, a page of foods, or a list of them. */
const FOODDATA_API = ['fdcId', 'foods', 'foodNutrients', 'foodSearchCriteria'];
const OPEN_FOOD_FACTS_API = ['products', 'product', 'status_verbose'];

/** Names in a line of the JSONL dump of Open Food Facts, which has at least one of them. */
const PRODUCT = ['code', '_id', 'product_name', 'nutriments', 'nutrition'];

/** @throws UserError where the text is of no format that is read; the message says what to take instead */
export function textKind(head: Buffer, where: string): TextKind {
  const end = head.indexOf(10);
  const line = head
    .toString('utf8', 0, end < 0 ? head.length : end)
    .replace(/^\ufeff/, '')
    .trimEnd();
  if (/^\s*<(!doctype|html|\?xml)/i.test(line)) {
    throw new UserError(
      `${where} is a web page, not a data set: the download was refused or moved. ${EXPECTED}.`,
    );
  }
  if (/^\s*[[{]/.test(line)) return jsonKind(head, where);
  const cells = line.split('\t');
  if (cells.includes('code') && cells.includes('product_name')) return 'open-food-facts';
  if (/^"?NDB_No"?,"?Shrt_Desc"?,/i.test(line)) return 'abbreviated';
  if (/^"?(id"?,"?)?fdc_id"?,/.test(line)) {
    throw new UserError(
      `${where} is one table of a FoodData Central download. Name the zip, or the folder of all its tables.`,
    );
  }
  if (end < 0 && head.length >= MAX_HEAD) {
    throw new UserError(`${where}: the first line is longer than 1 MiB. ${EXPECTED}.`);
  }
  return 'own';
}

function jsonKind(head: Buffer, where: string): TextKind {
  const start = head.toString('utf8', 0, 64 * 1024);
  if (/^\s*{\s*"(Foundation|SRLegacy|Survey|Branded)Foods"/.test(start)) {
    throw new UserError(
      `${where} is the JSON form of a FoodData Central download. Take the CSV form from the same page.`,
    );
  }
  const keys = keysOfFirstObject(head.toString());
  const has = (names: readonly string[]) => names.some((name) => keys.has(name));
  if (has(FOODDATA_API)) {
    throw new UserError(
      `${where} is an answer of the FoodData Central API, with some foods only. Import a whole data set instead: usda:foundation, usda:sr-legacy, usda:survey, usda:branded, or a CSV download of ${USDA_PAGE}.`,
    );
  }
  if (has(OPEN_FOOD_FACTS_API)) {
    throw new UserError(
      `${where} is an answer of the Open Food Facts API, with some products only. Import the whole export instead: open-food-facts, or the CSV export or the JSONL dump of https://world.openfoodfacts.org/data.`,
    );
  }
  if (!/^\s*{\s*"/.test(start)) {
    throw new UserError(`${where} is JSON, but not one object a line (JSONL). ${EXPECTED}.`);
  }
  if (has(PRODUCT)) return 'open-food-facts-json';
  throw new UserError(
    `${where} is JSON, but its first object is no product of Open Food Facts (none of ${PRODUCT.join(', ')}). ${EXPECTED}.`,
  );
}

/**
 * A string, with the colon behind it where it is a name; or a bracket. A string cut by the end of the text matches too:
 * otherwise each of its quotes would be tried as the beginning of another string.
 */
const TOKENS = /"((?:[^"\\]|\\[\s\S])*)(?:"(\s*:)?|\\?$)|[{}[\]]/g;

/** The names at the top of the first object, as far as the text goes. */
function keysOfFirstObject(json: string): ReadonlySet<string> {
  const keys = new Set<string>();
  let depth = 0;
  for (const [token, key, colon] of json.slice(Math.max(json.indexOf('{'), 0)).matchAll(TOKENS)) {
    if (key !== undefined) {
      if (depth === 1 && colon !== undefined) keys.add(key);
      continue;
    }
    depth += token === '{' || token === '[' ? 1 : -1;
    if (depth === 0) break;
  }
  return keys;
}
