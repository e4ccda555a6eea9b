/**
 * Search as you type: one search at a time, for the latest query.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { type FoundFoods, findFoods } from './find-foods.ts';
import { type Failure, lookUp, SearchFailed } from './service.ts';

/** ms without a key press before a search starts, so that keys pressed in one motion make one request. */
const REST = 25;

/** ms between attempts while the service is unreachable. */
const RETRY = 2000;

/** ms for which an answer is reused when the user returns to its query. */
const FRESH = 30_000;

type Found = FoundFoods & { readonly kind: 'found' };

interface Failed {
  readonly kind: 'failed';
  readonly query: string;
  readonly failure: Failure;
}

/** A failure is an outcome, not an error, so that it stays visible during the next attempt. */
type Outcome = Found | Failed;

/** For an empty query, so that foods of an earlier query do not reappear when the first letter is typed. */
const NOTHING: Outcome = { kind: 'found', query: '', foods: [], words: undefined, mayHaveMore: false };

export type SearchState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading' }
  /** `isStale`: the outcome of an earlier query, shown while the latest one is running. */
  | (Found & { readonly isStale: boolean })
  /** `isTrying`: another attempt is running. */
  | (Failed & { readonly isStale: boolean; readonly isTrying: boolean });

export interface FoodSearch {
  readonly state: SearchState;
  /** Searches at once, without waiting for a pause in typing. */
  searchNow(): void;
  tryAgain(): void;
}

/** Blanks around words do not matter; keyboards of phones add them. */
export const queryOf = (typed: string): string => typed.trim().replaceAll(/\s+/g, ' ');

export function useFoodSearch(typed: string): FoodSearch {
  const latest = queryOf(typed);
  const [query, setQuery] = useRested(latest);
  const searchNow = useCallback(() => setQuery(latest), [setQuery, latest]);
  const result = useQuery({
    queryKey: ['foods', query],
    queryFn: ({ signal }) => search(query, signal),
    placeholderData: keepPreviousData,
    staleTime: ({ state: { data } }) => (data?.kind === 'failed' ? 0 : FRESH),
    gcTime: FRESH,
    retry: false,
    // A service on this machine is reachable without a network.
    networkMode: 'always',
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data } }) => (canRecover(data) ? RETRY : false),
  });
  const { data: outcome, refetch } = result;
  const tryAgain = useCallback(() => void refetch(), [refetch]);
  const stateNow = (): SearchState => {
    if (latest === '') return { kind: 'idle' };
    if (outcome === undefined || outcome === NOTHING) return { kind: 'loading' };
    const isStale = outcome.query !== latest;
    return outcome.kind === 'found'
      ? { ...outcome, isStale }
      : { ...outcome, isStale, isTrying: result.isFetching };
  };
  return { state: stateNow(), searchNow, tryAgain };
}

/** The query after a pause in typing; an empty one at once. */
function useRested(latest: string): readonly [string, (query: string) => void] {
  const [query, setQuery] = useState(latest);
  useEffect(() => {
    const timer = setTimeout(() => setQuery(latest), latest === '' ? 0 : REST);
    return () => clearTimeout(timer);
  }, [latest]);
  return [query, setQuery];
}

async function search(query: string, signal: AbortSignal): Promise<Outcome> {
  if (query === '') return NOTHING;
  try {
    return { kind: 'found', ...(await findFoods(query, (text) => lookUp(text, signal))) };
  } catch (error) {
    if (!(error instanceof SearchFailed)) throw error;
    return { kind: 'failed', query, failure: error.failure };
  }
}

function canRecover(outcome: Outcome | undefined): boolean {
  return outcome?.kind === 'failed' && outcome.failure.kind !== 'answered';
}
