/** Products of Open Food Facts in any table: saved again by a spreadsheet or a program, with few columns, in any order. */
import { billionthsOf, type FoodRecord, shown } from '#core';
import type { FigureOptions } from '../food/figures.ts';
import type { SourceReport } from '../report/source-report.ts';
import { type Cell, cellText, FigureCells, type FigureSource, type TableRow } from '../words/cells.ts';
import { productNutrient } from './product-nutrients.ts';
import { isProduct, type Product, productReader } from './products.ts';

interface ProductSource extends FigureSource {
  readonly report: SourceReport;
  readonly options: FigureOptions;
}

/** A gram per 100 g: how the cells of all figures are read. */
const FIGURE = { field: 'nutrient', unit: 'g' } as const;

export class ProductTable {
  readonly #names: readonly string[];
  readonly #source: ProductSource;
  readonly #foodOf: ReturnType<typeof productReader>;
  readonly #figures: FigureCells;
  #row!: TableRow;
  readonly #product: Product;

  /** The products of a table, if its headings are theirs. */
  static of(headings: readonly string[], source: ProductSource): ProductTable | undefined {
    return isProduct(headings) ? new ProductTable(headings, source) : undefined;
  }

  private constructor(headings: readonly string[], source: ProductSource) {
    this.#names = headings.map((heading) => heading.trim().toLowerCase());
    this.#source = source;
    this.#foodOf = productReader(source.report, source.options);
    this.#figures = new FigureCells(source);
    const positions = new Map(this.#names.map((name, index) => [name, index]));
    const nutrients = this.#names.flatMap((name, index) => {
      const kind = productNutrient(name);
      return kind === undefined ? [] : [{ kind, index }];
    });
    const cell = (name: string): Cell => this.#row.cell(positions.get(name) ?? -1);
    this.#product = {
      text: (name) => cellText(cell(name)),
      fields: this.#names,
      figure: (name) => {
        const figure = this.#figures.read(cell(`${name}_100g`), FIGURE);
        return typeof figure === 'string' ? billionthsOf(figure) : figure === null ? Number.NaN : undefined;
      },
      nutrients: (add) => {
        for (const { kind, index } of nutrients) {
          const of = this.#row.cell(index);
          const figure = this.#figures.read(of, FIGURE);
          if (figure !== null) add(kind, figure ?? cellText(of));
        }
      },
    };
  }

  get used(): ReadonlySet<number> {
    return new Set(this.#names.keys());
  }

  food(row: TableRow): FoodRecord | undefined {
    const { report } = this.#source;
    this.#row = row;
    report.rows++;
    report.place = () => `${row.place()}, code ${shown(this.#product.text('code'))}`;
    return this.#foodOf(this.#product);
  }
}
