/** The columns with names of the foods beside their descriptions. Commas separate names only where all cells agree. */
import { type FoodRecord, fold, type Translation } from '#core';
import { FoodNames, hasComma, hasSeparator, namesInCell } from '../food/other-names.ts';
import type { SourceReport } from '../report/source-report.ts';
import { cellText, isTrace, isUnknown, type TableRow, withoutUnit } from '../words/cells.ts';
import type { Field } from '../words/headings.ts';
import { placeOf } from './amounts.ts';
import { CERTAIN, type ColumnCandidate, isOfFood } from './candidates.ts';
import type { NameLanguage } from './name-languages.ts';
import type { Plan, PlannedColumn } from './plan.ts';

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
  return 2 * known.filter((text) => NUMBER.test(withoutUnit(text)[0])).length > known.length;
}

/** The columns, with one of texts that names the foods rather than one of their numbers, unless the latter is certain. */
export function withTextNames(
  { columns, taken }: Pick<Plan, 'columns' | 'taken'>,
  rows: readonly TableRow[],
): Pick<Plan, 'columns' | 'taken'> {
  const chosen = columns.get('description');
  const hasTexts = ({ index }: Column) => !areNumbers(rows.map(({ cell }) => cellText(cell(index))));
  if (chosen === undefined || chosen.score[0] === CERTAIN || hasTexts(chosen)) return { columns, taken };
  const other = chosen.others.find((each) => isOfFood(each) && hasTexts(each));
  if (other === undefined) return { columns, taken };
  const { index, heading } = other;
  const note = `rather than ${placeOf(chosen)}, which has numbers`;
  return {
    columns: new Map(columns).set('description', { ...chosen, ...other }),
    taken: taken.map((each) =>
      each.field === 'description' ? { ...each, column: index + 1, heading, note } : each,
    ),
  };
}

/**
 * Returns what reads the names in some columns of a row.
 * @param rows the first ones, which show where commas separate names @param description the column that names the foods
 */
function namesOf(
  report: SourceReport,
  columns: readonly Column[],
  rows: readonly TableRow[],
  description: Column | undefined,
) {
  const names = new FoodNames(report);
  const texts = (index = -1) => rows.map(({ cell }) => String(cell(index) ?? ''));
  const withComma = texts(description?.index).filter(hasComma).length;
  const isStyle = withComma > MOST_WITH_COMMA * rows.length;
  const read = columns
    .filter(({ index }) => !areNumbers(texts(index)))
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, heading }) => {
      const hasCommas = COMMON_NAMES.test(heading.trim()) || (!isStyle && !texts(index).some(hasSeparator));
      return { index, hasCommas };
    });
  return {
    isEmpty: read.length === 0,
    ofRow: ({ cell }: TableRow, described: string): Pick<FoodRecord, 'names'> => {
      for (const { index, hasCommas } of read) {
        const text = String(cell(index) ?? '');
        if (text.length <= MOST_UNKNOWN && isUnknown(text)) continue;
        for (const name of namesInCell(text, hasCommas)) names.add(name);
      }
      return names.take(described);
    },
  };
}

/**
 * Returns what reads the names of a row beside the description, in its language and in others.
 * @param rows the first ones, which show what the columns have
 */
export function nameReader(
  report: SourceReport,
  columns: ReadonlyMap<Field, PlannedColumn>,
  languages: readonly NameLanguage[],
  rows: readonly TableRow[],
) {
  const names = new FoodNames(report);
  const column = columns.get('names');
  const own = namesOf(report, column ? [column, ...column.instead] : [], rows, columns.get('description'));
  const others = languages
    .filter(({ name }) => !areNumbers(rows.map(({ cell }) => String(cell(name.index) ?? ''))))
    .map((each) => ({ ...each, more: namesOf(report, each.others, rows, each.name) }));
  return {
    /** Whether a column has other names in the language of the descriptions. */
    hasOwn: !own.isEmpty,
    ofRow: (row: TableRow, description: string): Pick<FoodRecord, 'names' | 'translations'> => {
      const ofRow = own.ofRow(row, description);
      // None if the food is called as it is in the language of the descriptions.
      const translations = others.flatMap(({ language, name, more }): Translation[] => {
        const text = String(row.cell(name.index) ?? '');
        const called = isUnknown(text) ? '' : names.only(text);
        const { names: further = [] } = more.ofRow(row, called);
        const isOther = called !== '' && (further.length > 0 || fold(called) !== fold(description));
        return isOther ? [{ language, names: [called, ...further] }] : [];
      });
      return translations.length === 0 ? ofRow : { ...ofRow, translations };
    },
  };
}
