/**
 * The portions of a food, in which its amount may be counted instead of in grams.
 */
import { useQuery } from '@tanstack/react-query';
import { portions } from '../../src/browser/search-foods.ts';
import { isUnit, type Unit } from '../foods/amount.ts';
import type { Food } from '../foods/food.ts';
import { IS_ELSEWHERE, SERVICE } from './address.ts';

/** Undefined while they are not needed or unknown: an amount can always be in grams. */
export function usePortions({ description }: Food, isWanted: boolean): readonly Unit[] | undefined {
  return useQuery({
    queryKey: ['portions', description],
    queryFn: ({ signal }) => portions(SERVICE, description, { signal, cache: 'no-cache' }),
    select: (found) => found.map((each) => ({ ...each, grams: String(each.grams) })).filter(isUnit),
    enabled: isWanted && !IS_ELSEWHERE,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data;
}
