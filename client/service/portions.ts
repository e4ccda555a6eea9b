/**
 * The portions of a food: what else than grams an amount of it may be counted in.
 */
import { useQuery } from '@tanstack/react-query';
import { isUnit, type Unit } from '../foods/amount.ts';
import type { Food } from '../foods/food.ts';
import { IS_ELSEWHERE, SERVICE } from './address.ts';

/** None as long as they are not wanted or not known: an amount can always be in grams. */
export function usePortions({ description }: Food, isWanted: boolean): readonly Unit[] | undefined {
  return useQuery({
    queryKey: ['portions', description],
    queryFn: ({ signal }) => fetchPortions(description, signal),
    enabled: isWanted && !IS_ELSEWHERE,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data;
}

async function fetchPortions(description: string, signal: AbortSignal): Promise<readonly Unit[]> {
  const address = new URL('portions', SERVICE);
  address.searchParams.set('description', description);
  const response = await fetch(address, { signal, cache: 'no-cache' });
  const answer: unknown = response.ok ? await response.json() : [];
  const portions = Array.isArray(answer) ? answer : [];
  return portions.map(({ portion, grams }) => ({ portion, grams: String(grams) })).filter(isUnit);
}
