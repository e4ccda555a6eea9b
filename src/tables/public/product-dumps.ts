/**
 * The dumps of Open Food Facts. JSONL has figures under `nutriments`, or since late 2025 under `nutrition.aggregated_set`;
 * Parquet has lists of structures instead of objects.
 */
import type { FoodRecord } from '#core';
import type { FigureTarget } from '../food/figures.ts';
import { readRows } from '../rows/csv-table.ts';
import { type JsonPlace, jsonRows } from '../rows/json-objects.ts';
import { type ParquetFile, shortestFloat } from '../rows/parquet.ts';
import { TABS } from '../rows/row-splitter.ts';
import { gramsPer, unitNamed } from '../words/units.ts';
import { figureOf, type Json, listOf, objectOf, textOf } from './json-values.ts';
import { isNameField } from './product-languages.ts';
import { productNutrient } from './product-nutrients.ts';
import { type Input, PRODUCT_TEXTS, type Product, productReader } from './products.ts';

/** The foods of the JSONL dump, in batches. @throws UserError if a line has no end */
export function readOpenFoodFactsJson({
  bytes,
  where,
  report,
  options,
}: Input): AsyncGenerator<FoodRecord[]> {
  const foodOfProduct = productReader(report, options);
  // JSON escapes tabs, so that a row separated by tabs is a whole line.
  return readRows(bytes, TABS, where, (row) => {
    const object = parsed(row.bytes.toString('utf8', row.starts[0], row.ends[row.count - 1]));
    const place = () => `line ${row.line}`;
    if (object !== undefined) return foodOfProduct(productIn(object), place);
    report.rows++;
    return void report.dropped.add('not a JSON object: damaged or cut off', place);
  });
}

function parsed(line: string): Json | undefined {
  try {
    return objectOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** In which figures are stated besides weights. */
const UNITS = /^(?:kcal|kj|%|% ?vol)?$/;

function productIn(object: Json): Product {
  const old = objectOf(object.nutriments ?? (object.nutrition === undefined ? object : undefined));
  const set = objectOf(objectOf(object.nutrition)?.aggregated_set);
  const isPer100 = set?.per === '100g' || set?.per === '100ml';
  const isSold = set?.preparation === undefined || set.preparation === 'as_sold';
  const nutrients = isPer100 && isSold ? objectOf(set?.nutrients) : undefined;
  return {
    text: (name) => {
      const { [name]: value, _id, lang } = object;
      if (name === 'code') return textOf(value ?? _id);
      if (name === 'product_name') return textOf(value) || textOf(object[`${name}_${textOf(lang)}`]);
      return textOf(Array.isArray(value) && name === 'brands' ? value[0] : value);
    },
    // Of a product that is dropped, they are not looked for.
    get nameFields() {
      return Object.keys(object).filter(isNameField);
    },
    nutrients: (add) => {
      for (const [name, value] of Object.entries(old ?? {})) {
        const kind = productNutrient(name);
        if (kind !== undefined) add(kind, textOf(value));
      }
      if (old !== undefined) return;
      for (const [name, value] of Object.entries(nutrients ?? {})) {
        const kind = productNutrient(`${name}_100g`);
        const found = objectOf(value);
        if (kind === undefined || found === undefined || found.source === 'estimate') continue;
        add(kind, textOf(found.value), textOf(found.unit) || undefined);
      }
    },
    figure: (name) => {
      const stated = figureOf(old?.[`${name}_100g`]);
      if (stated === undefined || !Number.isNaN(stated)) return stated;
      const found = objectOf(nutrients?.[name]);
      // The server's own estimate from the ingredients, not a figure from the label.
      if (found === undefined || found.source === 'estimate') return Number.NaN;
      const unit = textOf(found.unit).toLowerCase();
      const known = unitNamed(unit);
      const factor = UNITS.test(unit) ? 1 : known && gramsPer(known);
      const figure = figureOf(found.value ?? '');
      return factor === undefined || figure === undefined ? undefined : Math.round(figure * factor);
    },
  };
}

/** The foods of products in any other JSON, such as a list, in batches. @throws UserError if the text is damaged */
export async function* readProductsJson(
  { bytes, where, report, options }: Input,
  place: JsonPlace,
): AsyncGenerator<FoodRecord[]> {
  const foodOfProduct = productReader(report, options);
  for await (const { object, line } of jsonRows(bytes, place, where)) {
    const food = foodOfProduct(productIn(object), () => `line ${line}`);
    if (food !== undefined) yield [food];
  }
}

const COLUMNS = [...PRODUCT_TEXTS, 'lang', 'nutriments'];

export const isOpenFoodFacts = (columns: readonly string[]): boolean =>
  ['code', 'product_name', 'nutriments'].every((name) => columns.includes(name));

/** Of a nutriment, only its name and its amount in 100 g are read; of others everything. */
const isRead = (path: readonly string[]): boolean =>
  path[0] !== 'nutriments' || ['name', '100g'].includes(path.at(-1) ?? '');

/** The foods of the Parquet export, in batches. @throws UserError if the file is damaged */
export async function* readOpenFoodFactsParquet(
  file: ParquetFile,
  { report, options }: FigureTarget,
): AsyncGenerator<FoodRecord[]> {
  const foodOfProduct = productReader(report, options);
  const columns = COLUMNS.filter((name) => file.columns.includes(name));
  for await (const rows of file.groups(columns, isRead)) {
    const foods: FoodRecord[] = [];
    for (const row of rows) {
      const product = productOf(Object.fromEntries(columns.map((name, i) => [name, row[i]])));
      const food = foodOfProduct(product, () => `row ${report.rows}`);
      if (food !== undefined) foods.push(food);
    }
    yield foods;
  }
}

/** The product as a line of the JSONL dump has it. */
function productOf(columns: Json): Product {
  const names = listOf(columns.product_name).map(({ lang, text }) => [
    lang === 'main' ? 'product_name' : `product_name_${lang}`,
    text,
  ]);
  const figures = listOf(columns.nutriments).map((nutriment) => [
    `${nutriment.name}_100g`,
    shortestFloat(nutriment['100g']),
  ]);
  return productIn({
    ...columns,
    product_name: '',
    ...Object.fromEntries(names),
    nutriments: Object.fromEntries(figures),
  });
}
