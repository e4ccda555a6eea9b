/** Decides which columns of nutrients are read: those for a known amount of food, of several for a nutrient the best. */
import { shown } from '#core';
import { parseHeading } from '../words/headings.ts';
import { basisRank, OTHER_BASIS } from './amounts.ts';
import { type NutrientCandidate, nutrientColumns } from './nutrient-columns.ts';
import type { Plan, PlannedColumn } from './plan.ts';

export interface NutrientColumn extends PlannedColumn, Pick<NutrientCandidate, 'kind'> {}

export type NutrientPlan = ReturnType<typeof planNutrients>;

/** Nobody's table is refused for its nutrients: what is left out is said. */
export function planNutrients(
  headings: readonly string[],
  { columns: figures, others }: Pick<Plan, 'columns' | 'others'>,
) {
  const { isTaken, hasWeights, isMixed, planned } = others;
  const {
    found,
    codes,
    leftOut,
    unknown: unknownHeadings,
  } = nutrientColumns(headings, isTaken, [...figures.values()]);
  const columns = found.map((each): NutrientColumn => ({ ...planned(each), kind: each.kind }));
  const isKnown = ({ basis }: NutrientColumn): boolean =>
    basis === undefined ? !isMixed : hasWeights || basisRank(basis) < OTHER_BASIS;
  const best = new Map<string, number>();
  const nutrientOf = ({ kind, heading }: NutrientColumn): string => kind.label ?? parseHeading(heading).key;
  for (const column of columns.filter(isKnown)) {
    const rank = basisRank(column.basis);
    const nutrient = nutrientOf(column);
    best.set(nutrient, Math.min(best.get(nutrient) ?? rank, rank));
  }
  const isBest = (column: NutrientColumn): boolean =>
    best.get(nutrientOf(column)) === basisRank(column.basis);
  const unknown = columns.filter((column) => !isKnown(column) && !best.has(nutrientOf(column)));
  return {
    columns: columns.filter((column) => isKnown(column) && isBest(column)),
    codes,
    /** The columns whose heading names neither a nutrient nor anything else that is known, and that may have weights. */
    unknownHeadings,
    leftOut: [
      ...leftOut,
      ...unknown.map(({ heading }) => `${shown(heading)}, for an unknown amount of food`),
    ],
  };
}
