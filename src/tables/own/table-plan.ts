/** What the headings of a table say: which columns are read, for what, and what only the rows can show. */
import { withNational } from '../report/labels.ts';
import { unknownAmount } from './amounts.ts';
import { isOfFood } from './candidates.ts';
import { refuseLong } from './long-table.ts';
import { planNutrients } from './nutrient-columns.ts';
import { isOfFoods, planColumns } from './plan.ts';
import type { OwnTable } from './row-reader.ts';
import { FIRST_ROWS } from './row-weights.ts';

/** Rows that show what figures are for, if the headings do not. */
const HELD_ROWS = 5000;

export type TablePlan = ReturnType<typeof planTable>;

/**
 * Plans a table, and notes it in the report.
 * @param titles above the header @param sample the first rows, which show what a table is that lacks columns
 */
export function planTable(
  headings: readonly string[],
  place: string,
  titles: readonly string[],
  sample: () => readonly (readonly string[])[],
  { options, report, title = '' }: OwnTable,
) {
  if (!isOfFoods(headings, options)) refuseLong(headings, sample(), place);
  const plan = planColumns(headings, options, place, [...titles, title]);
  const { columns, amounts, dates, language, languages } = plan;
  const found = planNutrients(headings, plan);
  const nutrients = options.nutrients === false ? { ...found, columns: [], codes: [], leftOut: [] } : found;
  const unknown = plan.isSilent
    ? found.unknownHeadings.map((index) => unknownAmount(headings[index] ?? '', index))
    : [];
  const indexesOf = (all: readonly { readonly index: number }[]) => all.map(({ index }) => index);
  const needs = new Set([
    ...indexesOf([...columns.values()].flatMap((column) => [column, ...column.instead])),
    ...amounts.flatMap(({ index, unitIndex }) => [index, unitIndex ?? index]),
    ...indexesOf(languages.flatMap(({ name, others }) => [name, ...others])),
  ]);
  const used = new Set([...needs, ...indexesOf([...nutrients.columns, ...nutrients.codes])]);
  const hasNames = columns.has('names') || languages.some(({ others }) => others.length > 0);
  const otherNames = columns.get('description')?.others.filter(isOfFood) ?? [];
  const hasDoubt = nutrients.codes.some(({ isDoubtful }) => isDoubtful);
  const isShownByRows = amounts.length > 0 || dates !== undefined || hasNames || hasDoubt;
  report.columns = plan.taken;
  if (languages.length > 0) report.languages = languages.map(({ taken }) => taken);
  report.unused = headings.filter((heading, index) => heading.trim() !== '' && !used.has(index));
  if (report.label !== undefined) report.label = withNational(report.label, headings, language);
  return {
    ...{ plan, nutrients, place },
    /** Columns whose headings are not known, which may have the weights that the figures are for. */
    unknown,
    reads: new Set([...used, ...indexesOf([...(dates ? [dates] : []), ...otherNames, ...unknown])]),
    /** The columns that no food can do without. */
    needs,
    /** How many rows show what the columns are, if the headings do not. */
    heldRows: isShownByRows ? HELD_ROWS : unknown.length + otherNames.length > 0 ? FIRST_ROWS : 0,
  };
}
