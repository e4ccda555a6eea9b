/** The columns with names of the foods beside their descriptions. Commas separate names only where all cells agree. */
import { type FoodRecord, fold, type Translation } from '#core';
import { FoodNames, hasComma, hasSeparator, namesInCell } from '../food/other-names.ts';
import type { SourceReport } from '../report/source-report.ts';
import { isTrace, isUnknown, type TableRow, withoutUnit } from '../words/cells.ts';
import type { Field } from '../words/headings.ts';
import type { ColumnCandidate } from './candidates.ts';
import type { NameLanguage } from './name-languages.ts';
import type { PlannedColumn } from './plan.ts';

type Column = Pick<ColumnCandidate, 'index' | 'heading'>;

/** In a table of descriptions such as "Milk, whole", commas separate no names; a few descriptions have one anyway. */
const MOST_WITH_COMMA = 0.1;

/** Characters of a cell that says that nothing is known, such as "n. a.", at most. */
const MOST_UNKNOWN = 16;

/** The column of Standard Reference, which separates names by commas although descriptions have them. */
const COMMON_NAMES = /^com_?name$/i;

/** A number, perhaps with a limit, brackets, marks or an error: `<0,1`, `(120)`, `300*`, `61 ± 2`. */
const NUMBER = /^[^\p{L}\d]*\d[^\p{L}]*(?:e[+-]?\d+[^\p{L}]*)?$/iu;

/** Whether a column has amounts, such as potassium below `k`, which are names of nothing. */
function areNumbers(cells: readonly string[]): boolean {
  const known = cells.filter((text) => !isUnknown(text) && !isTrace(text));
  return known.length > 0 && known.every((text) => NUMBER.test(withoutUnit(text)[0]));
}

class NameColumns {
  readonly #names: FoodNames;
  readonly #columns: readonly Column[];
  /** The columns in which commas separate names. */
  readonly #byCommas: ReadonlySet<number>;

  /** @param rows the first ones, which show where commas separate names @param description the column that names the foods */
  constructor(
    report: SourceReport,
    columns: readonly Column[],
    rows: readonly TableRow[],
    description: Column | undefined,
  ) {
    this.#names = new FoodNames(report);
    const texts = (index = -1) => rows.map(({ cell }) => String(cell(index) ?? ''));
    this.#columns = columns
      .filter(({ index }) => !areNumbers(texts(index)))
      .toSorted((a, b) => a.index - b.index);
    const withComma = texts(description?.index).filter(hasComma).length;
    const isStyle = withComma > MOST_WITH_COMMA * rows.length;
    const byCommas = this.#columns.filter(
      ({ index, heading }) =>
        COMMON_NAMES.test(heading.trim()) || (!isStyle && !texts(index).some(hasSeparator)),
    );
    this.#byCommas = new Set(byCommas.map(({ index }) => index));
  }

  get isEmpty(): boolean {
    return this.#columns.length === 0;
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

interface LanguageColumns extends NameLanguage {
  readonly more: NameColumns;
}

/** The columns of names beside the description, in its language and in others. */
export class AllNames {
  readonly #own: NameColumns;
  readonly #languages: readonly LanguageColumns[];
  readonly #names: FoodNames;

  /** @param rows the first ones, which show what the columns have */
  constructor(
    report: SourceReport,
    columns: ReadonlyMap<Field, PlannedColumn>,
    languages: readonly NameLanguage[],
    rows: readonly TableRow[],
  ) {
    const own = columns.get('names');
    this.#names = new FoodNames(report);
    this.#own = new NameColumns(report, own ? [own, ...own.instead] : [], rows, columns.get('description'));
    this.#languages = languages
      .filter(({ name }) => !areNumbers(rows.map(({ cell }) => String(cell(name.index) ?? ''))))
      .map((each) => ({ ...each, more: new NameColumns(report, each.others, rows, each.name) }));
  }

  /** Whether a column has other names in the language of the descriptions. */
  get hasOwn(): boolean {
    return !this.#own.isEmpty;
  }

  ofRow(row: TableRow, description: string): Pick<FoodRecord, 'names' | 'translations'> {
    const own = this.#own.ofRow(row, description);
    if (this.#languages.length === 0) return own;
    const translations = this.#languages.flatMap((each) => this.#translation(each, row, description));
    return translations.length === 0 ? own : { ...own, translations };
  }

  /** None if the food is called as it is in the language of the descriptions. */
  #translation({ language, name, more }: LanguageColumns, row: TableRow, description: string): Translation[] {
    const text = String(row.cell(name.index) ?? '');
    const called = isUnknown(text) ? '' : this.#names.only(text);
    const { names = [] } = more.ofRow(row, called);
    const isOther = called !== '' && (names.length > 0 || fold(called) !== fold(description));
    return isOther ? [{ language, names: [called, ...names] }] : [];
  }
}
