/**
 * The Parquet export of Open Food Facts: the products of the JSONL dump, with lists of structures instead of objects.
 */
import { shown } from '../../errors.ts';
import type { FoodRecord } from '../../food.ts';
import type { SourceReport } from '../report/source-report.ts';
import type { FigureOptions } from '../rules/figures.ts';
import { type ParquetFile, type ParquetValue, shortestFloat } from '../tables/parquet.ts';
import { PRODUCT_FIGURES, ProductRules } from './open-food-facts.ts';
import { JsonProduct } from './open-food-facts-json.ts';

const COLUMNS = [
  'code',
  'product_name',
  'lang',
  'brands',
  'unique_scans_n',
  'serving_size',
  'serving_quantity',
  'nutriments',
] as const;

export const isOpenFoodFacts = (columns: readonly string[]): boolean =>
  ['code', 'product_name', 'nutriments'].every((name) => columns.includes(name));

/** Of a nutriment, only its name and its amount in 100 g are read; of others everything. */
const isRead = (path: readonly string[]): boolean =>
  path[0] !== 'nutriments' || ['name', '100g'].includes(path.at(-1) ?? '');

interface ParquetInput {
  readonly file: ParquetFile;
  readonly report: SourceReport;
  readonly options: FigureOptions;
}

/** The foods of the export, in batches. @throws UserError if the file is damaged */
export async function* readOpenFoodFactsParquet(input: ParquetInput): AsyncGenerator<FoodRecord[]> {
  const { file, report, options } = input;
  const rules = new ProductRules(report, options);
  const columns = COLUMNS.filter((name) => file.columns.includes(name));
  try {
    for await (const rows of file.groups(columns, isRead)) {
      const foods: FoodRecord[] = [];
      for (const row of rows) {
        report.rows++;
        const product = productOf(Object.fromEntries(columns.map((name, i) => [name, row[i]])));
        const food = rules.food(product, () => `row ${report.rows}, code ${shown(product.text('code'))}`);
        if (food !== undefined) foods.push(food);
      }
      report.progress();
      yield foods;
    }
  } finally {
    await file.close();
  }
}

type Columns = Readonly<Partial<Record<(typeof COLUMNS)[number], ParquetValue>>>;
type Structure = Readonly<Record<string, ParquetValue>>;

/** The product as a line of the JSONL dump has it. */
function productOf(columns: Columns): JsonProduct {
  const names = listOf(columns.product_name).map(({ lang, text }) => [
    lang === 'main' ? 'product_name' : `product_name_${lang}`,
    text,
  ]);
  const wanted: ReadonlySet<unknown> = new Set(PRODUCT_FIGURES);
  const figures = listOf(columns.nutriments)
    .filter(({ name }) => wanted.has(name))
    .map((nutriment) => [`${nutriment.name}_100g`, shortestFloat(nutriment['100g'])]);
  return new JsonProduct({
    ...columns,
    product_name: '',
    ...Object.fromEntries(names),
    nutriments: Object.fromEntries(figures),
  });
}

const listOf = (value: ParquetValue): readonly Structure[] =>
  Array.isArray(value)
    ? value.filter((each): each is Structure => typeof each === 'object' && each !== null)
    : [];
