/** What the headings of a table say: which columns are read, for what, and what only the rows can show. */
import { withNational } from '../report/labels.ts';
import { type AmountColumn, unknownAmount } from './amounts.ts';
import { refuseLong } from './long-table.ts';
import { type NutrientPlan, planNutrients } from './nutrient-plan.ts';
import { isOfFoods, type Plan, planColumns } from './plan.ts';
import type { OwnTable } from './row-reader.ts';

/** The columns of a table that are read, and those of them that no food can do without. */
export interface ReadColumns {
  readonly reads: ReadonlySet<number>;
  readonly needs: ReadonlySet<number>;
}

export interface TablePlan extends ReadColumns {
  readonly plan: Plan;
  readonly nutrients: NutrientPlan;
  /** Columns whose headings are not known, which may have the weights that the figures are for. */
  readonly unknown: readonly AmountColumn[];
  /** Whether only the first rows show what a column is. */
  readonly isShownByRows: boolean;
  /** The place of the header. */
  readonly place: string;
}

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
): TablePlan {
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
  report.columns = plan.taken;
  if (languages.length > 0) report.languages = languages.map(({ taken }) => taken);
  report.unused = headings.filter((heading, index) => heading.trim() !== '' && !used.has(index));
  if (report.label !== undefined) report.label = withNational(report.label, headings, language);
  return {
    ...{ plan, nutrients, unknown, needs, place },
    reads: new Set([...used, ...indexesOf(unknown), ...indexesOf(dates === undefined ? [] : [dates])]),
    isShownByRows:
      amounts.length + unknown.length > 0 ||
      dates !== undefined ||
      hasNames ||
      nutrients.codes.some(({ isDoubtful }) => isDoubtful),
  };
}
