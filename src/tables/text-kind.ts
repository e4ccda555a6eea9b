/** Recognises the format of a text by its header line; data sets in JSON by the names in the first objects. */
import { isUtf8 } from 'node:buffer';
import { UserError } from '#core';
import { EXPECTED, MAX_HEAD } from './bytes/file-kind.ts';
import { type ColumnOptions, compare, countFields } from './own/candidates.ts';
import { KEY_HEADING } from './own/json-foods.ts';
import { isOfFoods } from './own/plan.ts';
import { isOpenFoodFacts } from './public/product-dumps.ts';
import { isProduct } from './public/products.ts';
import { isUsdaFood } from './public/usda-json.ts';
import { type JsonPlace, jsonOutline } from './rows/json-objects.ts';

/** `own`: a user's own table; a place: their own foods in JSON. */
type TextKind = 'own' | 'open-food-facts' | 'abbreviated' | JsonKind;
/** A place alone is that of own foods. */
type JsonKind = JsonPlace | PublicJson | 'open-food-facts-json';
export interface PublicJson {
  readonly of: 'usda' | 'products';
  readonly place: JsonPlace;
}

const JSON_START = /^\s*(?:\[\s*(?:[[{\]"\d-]|$)|\{\s*(?:["}]|$))/;

export function textKind(head: Buffer, where: string, options: ColumnOptions): TextKind {
  const end = head.indexOf(10);
  const line = head
    .toString('utf8', 0, end < 0 ? head.length : end)
    .replace(/^\ufeff/, '')
    .trimEnd();
  if (/^\s*<(?:!doctype|!--|\?xml|(?:html|head|body|meta|style|table|div)\b)/i.test(line)) {
    throw new UserError(
      `${where} is a web page, not a data set: the download was refused or moved, or a program exported its table as HTML. ` +
        `Open it in a browser; if it shows a table, save that with a spreadsheet program. ${EXPECTED}.`,
    );
  }
  if (JSON_START.test(head.toString('latin1', 0, 1024).replace(/^\xef\xbb\xbf/, '')))
    return jsonKind(head, where, options);
  const cells = line.split('\t');
  // A program that puts a column of numbers in front also quotes.
  if (
    cells[0] !== '' &&
    cells.includes('code') &&
    cells.includes('product_name') &&
    /_100g(\t|$)/m.test(line)
  ) {
    return 'open-food-facts';
  }
  if (isAbbreviated(line)) return 'abbreviated';
  // A table of the user's own may have the ids of FoodData Central, too; the tables of a download have no energy.
  if (
    /^"?((id"?,"?)?fdc_id|id"?,"?name"?,"?unit_name)"?,/.test(line) &&
    countFields(line.replaceAll('"', '').split(','), options) < 2
  ) {
    throw new UserError(
      `${where} is one table of a FoodData Central download. Name the zip, or the folder of all its tables.`,
    );
  }
  if (end < 0 && head.length >= MAX_HEAD) {
    throw new UserError(`${where}: the first line is longer than 1 MiB. ${EXPECTED}.`);
  }
  return 'own';
}

const USDA_COLUMNS = 'ndb_no shrt_desc energ_kcal protein carbohydrt fa_sat fa_mono fa_poly'.split(' ');

/** Whether a first line is the header of that table, in which others are malformed: `Copper_mg)`. */
function isAbbreviated(line: string): boolean {
  const names = line
    .toLowerCase()
    .split(',')
    .map((cell) => cell.trim().replace(/^"|"$|_ ?\(?[a-zµ\ufffd]+\)"?$/g, ''));
  return names[0] === USDA_COLUMNS[0] && USDA_COLUMNS.every((column) => names.includes(column));
}

/** Whether a text is that table as USDA publishes it, in Latin-1. The header tells: `Selenium_(µg)`. */
export function isLatinAbbreviated(head: Buffer): boolean {
  const [line = ''] = head.toString('latin1').split(/[\r\n]/, 1);
  // The last row of the head may be cut within a character.
  return isAbbreviated(line) && !isUtf8(head.subarray(0, head.lastIndexOf(10) + 1 || head.length));
}

/** Names of a product of Open Food Facts that other objects may have, too. */
const PERHAPS_PRODUCT = ['code', '_id', 'product_name', 'nutrition'];

function jsonKind(head: Buffer, where: string, options: ColumnOptions): JsonKind {
  const text = head.toString().replace(/^\ufeff/, '');
  const { isArray, isFirstOfLines, keys, inner, arrays, memberKeys } = jsonOutline(text);
  if (!isArray && keys.includes('nutriments')) return 'open-food-facts-json';
  const ofObject = { keys, ...(isArray ? LIST : LINES) };
  for (const { keys: names, ...place } of [ofObject, ...arrays]) {
    if (isUsdaFood(names)) return { of: 'usda', place };
    if (isProduct(names) || isOpenFoodFacts(names)) return { of: 'products', place };
  }
  const fields = (names: readonly string[]): number => countFields(names, options);
  const rank = (names: readonly string[]) => [isOfFoods(names, options) ? 0 : 1, -fields(names)];
  const [best] = arrays.toSorted((a, b) => compare(rank(a.inner), rank(b.inner)));
  const most = best === undefined ? 0 : fields(best.inner);
  // phpMyAdmin writes the list of foods into an object of a list.
  if (isArray) return best !== undefined && fields(inner) < 2 && most >= 2 ? best : LIST;
  // An object with a name and calories of its own may have a list of foods, or of variants.
  const isNamed = fields(keys) > 0 && !keys.some((key) => key.startsWith('product_name'));
  const isFood = isNamed && fields(inner) >= 2 && (isFirstOfLines || fields(inner) > most);
  if (isFood || fields(keys) >= Math.max(2, most)) return LINES;
  if (best !== undefined && most >= 2) return best;
  if (PERHAPS_PRODUCT.some((name) => keys.includes(name))) return 'open-food-facts-json';
  if (fields(keys) === 0 && fields([...memberKeys, KEY_HEADING]) > 2) return { ...LIST, isKeyed: true };
  if (best === undefined && /^\s*{[^{}]*:\s*\[\s*\][^{}]*}\s*$/.test(text))
    throw new UserError(`${where} has no foods: its list is empty.`);
  return best ?? LINES;
}

const LIST: JsonPlace = { level: 1, array: 0 };
const LINES: JsonPlace = { level: 0, array: 0 };
