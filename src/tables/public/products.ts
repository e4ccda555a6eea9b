/** How a product of Open Food Facts becomes a food, and the CSV export: tab-separated without quoting, despite its name. */
import { billionthsOf, canonicalDecimal, divideRounded, type FoodRecord, popularityOf, shown } from '#core';
import type { Bytes } from '../bytes/streams.ts';
import { codesOf } from '../food/codes.ts';
import { cleanName, withBrand, withoutEntities } from '../food/descriptions.ts';
import { barcodeOf, TextSet } from '../food/equality.ts';
import {
  type Amounts,
  checkEnergy,
  type FigureOptions,
  type FigureTarget,
  foodOf,
  type Named,
} from '../food/figures.ts';
import { type NutrientKind, Nutrients } from '../food/nutrients.ts';
import { FoodNames } from '../food/other-names.ts';
import { isMass, Portions, servedGrams, servingWords } from '../food/portions.ts';
import { NO_DESCRIPTION, type SourceReport } from '../report/source-report.ts';
import { type Header, readTable } from '../rows/csv-table.ts';
import { type Row, TABS } from '../rows/row-splitter.ts';
import { isNameField, type NameField, translationsOf } from './product-languages.ts';
import { productNutrient } from './product-nutrients.ts';

export interface Input extends FigureTarget {
  readonly bytes: Bytes;
  readonly where: string;
}

/** The figures of a product that are read, by their names without `_100g`. */
export const PRODUCT_FIGURES = [
  ...(['energy-kcal', 'energy-kj', 'energy', 'carbohydrates', 'proteins', 'fiber', 'polyols'] as const),
  ...(['fat', 'saturated-fat', 'monounsaturated-fat', 'polyunsaturated-fat', 'alcohol'] as const),
];
export type ProductFigure = (typeof PRODUCT_FIGURES)[number];

export const PRODUCT_TEXTS = [
  'code',
  'product_name',
  // What the product is: "Plain chocolate" of a brand name.
  'generic_name',
  // The brands, separated by commas; the first is the best known.
  'brands',
  'unique_scans_n',
  // A serving as its label has it: `2 cookies (30 g)`, `250 ml`.
  'serving_size',
  // Grams or millilitres of a serving, and which of the two; older exports do not say.
  'serving_quantity',
  'serving_quantity_unit',
] as const;
export type ProductText = (typeof PRODUCT_TEXTS)[number];

/** Whether headings, or names in JSON, are those of products, of which there may be few, in any order. */
export function isProduct(names: readonly string[]): boolean {
  const known = new Set(names.map((name) => name.trim().toLowerCase()));
  const hasFigures = PRODUCT_FIGURES.some((name) => known.has(`${name}_100g`));
  return known.has('code') && known.has('product_name') && hasFigures;
}

export interface Product {
  /** The fields with names in several languages that it may have. */
  readonly nameFields: readonly NameField[];
  /** Empty if there is none. */
  text(name: ProductText | NameField): string;
  /** Billionths; NaN: not known; undefined: not a number. */
  figure(name: ProductFigure): number | undefined;
  /** Calls back for each amount in 100 g, with its unit if it is another than that of the kind. */
  nutrients(add: (kind: NutrientKind, amount: string, unit?: string) => void): void;
}

/** Names are typed by hand; a longer one is some other text. */
const MAX_NAME = 250;
const MIN_NAME = 2;

/** Figures are computed from servings, as in 20.8333333333333; labels have fewer than four digits after the point. */
const DIGIT = 1e5;

/** Returns what makes a food of a product at a place, or counts the fault of its row, and passes over products of the same code. */
export function productReader(report: SourceReport, options: FigureOptions) {
  const { dropped, passedOver } = report;
  const codes = new TextSet();
  const portions = new Portions(report);
  const names = new FoodNames(report);
  const nutrients = new Nutrients(report.nutrientsLeftOut);
  const add = nutrients.add.bind(nutrients);
  return (product: Product, place: () => string, fault?: string): FoodRecord | undefined => {
    report.rows++;
    report.place = () => `${place()}, code ${shown(product.text('code'))}`;
    if (fault !== undefined) return void dropped.add(fault);
    const raw = product.text('product_name');
    if (raw === '') return void dropped.add(NO_DESCRIPTION);
    const name = cleanName(raw, report);
    if (name.length < MIN_NAME) return void dropped.add('name of less than 2 characters');
    if (name.length > MAX_NAME) return void dropped.add(`name of more than ${MAX_NAME} characters`);
    const code = barcodeOf(product.text('code'));
    if (code !== '' && !codes.add(code)) return void passedOver.add('the same code again');
    const amounts = amountsOf(product, report);
    if (amounts === undefined) return undefined;
    const brand = cleanName(product.text('brands').split(',', 1)[0] ?? '', report).trim();
    const named = withBrand(name, brand);
    const popularity = popularityOf(product.text('unique_scans_n').trim());
    addServing(product, portions);
    const translations = translationsOf(product, named, brand, names);
    const generic = product.text('generic_name');
    if (generic !== '') names.add(generic);
    // Spreading takes several times as long for all objects but the first.
    const known: Named = Object.assign(
      named,
      popularity !== undefined && { popularity },
      portions.take(),
      generic !== '' && names.take(name),
      translations,
    );
    if (options.nutrients !== false) {
      product.nutrients(add);
      Object.assign(known, nutrients.take(), codesOf([product.text('code')], report));
    }
    return foodOf(known, amounts, { report, options });
  };
}

/** The text has the weight as the label states it; the quantity is what the server made of it, often wrongly. */
function addServing(product: Product, portions: Portions): void {
  const serving = product.text('serving_size').trim();
  const quantity = product.text('serving_quantity');
  if (serving === '' && quantity === '') return;
  const text = withoutEntities(serving);
  const unit = product.text('serving_quantity_unit').trim().toLowerCase();
  const stated = servedGrams(text);
  const isWeight = unit === 'g' || (unit === '' && isMass(text));
  const weight = Number.isNaN(stated) && isWeight ? statedGrams(quantity) : stated;
  if (text !== '' || !Number.isNaN(weight)) portions.add(servingWords(text), weight);
}

function amountsOf(product: Product, report: SourceReport): Amounts | undefined {
  const figure = (name: ProductFigure) => figureOf(product, name, report);
  let kcal = figure('energy-kcal');
  const stated = figure('energy-kj');
  // The column without a unit is kJ.
  let kilojoules = Number.isNaN(stated) ? figure('energy') : stated;
  const grams = {
    carbohydrate: figure('carbohydrates'),
    protein: figure('proteins'),
    fat: figure('fat'),
    saturated: figure('saturated-fat'),
    monounsaturated: figure('monounsaturated-fat'),
    polyunsaturated: figure('polyunsaturated-fat'),
    fibre: figure('fiber'),
    polyols: figure('polyols'),
    alcohol: figure('alcohol'),
  };
  const finding = checkEnergy(kcal, kilojoules, grams);
  if (finding === 'wrong') return void report.dropped.add('energy and macronutrients contradict each other');
  if (finding === 'kJ') {
    report.repaired.add('kJ in the column of kcal');
    kilojoules = kcal;
    kcal = Number.NaN;
  } else if (finding === 'other') {
    report.repaired.add('kcal contradicts the macronutrients, kJ does not: kJ used');
    kcal = Number.NaN;
  }
  return { kcal: [['kcal', kcal]], kilojoules, ...grams };
}

function figureOf(product: Product, name: ProductFigure, report: SourceReport): number {
  const found = product.figure(name);
  if (found === undefined) {
    report.leftEmpty.add(`figure of ${name} whose text is not a number`);
    return Number.NaN;
  }
  if (!Number.isFinite(found) || found % DIGIT === 0) return found;
  report.repaired.add('figure rounded to four digits after the point');
  return divideRounded(found, DIGIT) * DIGIT;
}

/** Billionths; NaN if the server has found no quantity, for which it also writes 0. */
function statedGrams(quantity: string): number {
  const decimal = canonicalDecimal(quantity.trim());
  return decimal === undefined || decimal === '0' ? Number.NaN : billionthsOf(decimal);
}

/** The foods of the CSV export, in batches. @throws UserError if the header is not that of the export */
export function readOpenFoodFacts({ bytes, where, report, options }: Input): AsyncGenerator<FoodRecord[]> {
  return readTable(bytes, TABS, where, (header) => {
    const productOf = productIn(header);
    const foodOfProduct = productReader(report, options);
    return (row, fault) => foodOfProduct(productOf(row), () => `line ${row.line}`, fault);
  });
}

/** Returns what makes a product of a row, of which it decodes only the cells that are read. */
function productIn(header: Header): (row: Row) => Product {
  const nameFields = header.names.filter(isNameField);
  const texts = header.columns([], [...PRODUCT_TEXTS, ...nameFields]);
  const columns = PRODUCT_FIGURES.map((name) => `${name}_100g` as const);
  const cells = header.columns(['proteins_100g'], columns);
  // By their short names: each row would put the long ones together again.
  const figures = Object.fromEntries(PRODUCT_FIGURES.map((name) => [name, cells[`${name}_100g`]])) as Record<
    ProductFigure,
    number
  >;
  const nutrients = header.names.flatMap((name, cell) => {
    const kind = productNutrient(name);
    return kind === undefined ? [] : [{ kind, cell }];
  });
  let current: Row;
  const product: Product = {
    text: (name) => current.text(texts[name] ?? -1),
    nameFields,
    figure: (name) => current.figure(figures[name]),
    nutrients: (add) => {
      for (const { kind, cell } of nutrients) if (!current.isEmpty(cell)) add(kind, current.text(cell));
    },
  };
  return (row) => {
    current = row;
    return product;
  };
}
