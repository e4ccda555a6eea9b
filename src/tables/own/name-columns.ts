/** The columns with other names of the foods. Commas separate names only where all cells agree. */
import type { FoodRecord } from '#core';
import type { SourceReport } from '../report/source-report.ts';
import { FoodNames, hasComma, hasSeparator, namesInCell } from '../rules/food-names.ts';
import { isUnknown, type TableRow } from './cells.ts';
import type { PlannedColumn } from './plan.ts';

/** In a table of descriptions such as "Milk, whole", commas separate no names; a few descriptions have one anyway. */
const MOST_WITH_COMMA = 0.1;

/** Characters of a cell that says that nothing is known, such as "n. a.", at most. */
const MOST_UNKNOWN = 16;

/** The column of Standard Reference, which separates names by commas although descriptions have them. */
const COMMON_NAMES = /^com_?name$/i;

export class NameColumns {
  readonly #names: FoodNames;
  #columns: readonly PlannedColumn[] = [];
  /** The columns in which commas separate names. */
  #byCommas: ReadonlySet<number> = new Set();

  constructor(report: SourceReport) {
    this.#names = new FoodNames(report);
  }

  set columns(column: PlannedColumn | undefined) {
    const columns = column === undefined ? [] : [column, ...column.instead];
    this.#columns = columns.toSorted((a, b) => a.index - b.index);
  }

  /** Finds out from the first rows where commas separate names. @param description the column that names the foods */
  decide(rows: readonly TableRow[], description: PlannedColumn | undefined): void {
    const texts = (index = -1) => rows.map(({ cell }) => String(cell(index) ?? ''));
    const withComma = texts(description?.index).filter(hasComma).length;
    const isStyle = withComma > MOST_WITH_COMMA * rows.length;
    const byCommas = this.#columns.filter(
      ({ index, heading }) =>
        COMMON_NAMES.test(heading.trim()) || (!isStyle && !texts(index).some(hasSeparator)),
    );
    this.#byCommas = new Set(byCommas.map(({ index }) => index));
  }

  ofRow({ cell }: TableRow, description: string): Pick<FoodRecord, 'names'> {
    for (const { index } of this.#columns) {
      const text = String(cell(index) ?? '');
      if (text.length <= MOST_UNKNOWN && isUnknown(text)) continue;
      for (const name of namesInCell(text, this.#byCommas.has(index))) this.#names.add(name);
    }
    return this.#names.take(description);
  }
}
