/**
 * Search as you type: one search at a time, for the latest query.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useOneDataSet } from '../service/data-set.ts';
import { type FoundFoods, findFoods, type Query } from './find-foods.ts';
import { type Failure, failureOf, lookUp } from './service.ts';

/** ms without a key press before a search starts, so that keys in quick succession make one request. */
const REST = 25;

/** ms between attempts while the service is unreachable. */
const RETRY = 2000;

type Found = FoundFoods & { readonly kind: 'found' };

interface Failed {
  readonly kind: 'failed';
  readonly query: Query;
  readonly failure: Failure;
}

/** A failure is an outcome, not an error, so that it stays visible during the next attempt. */
type Outcome = Found | Failed;

export type SearchState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading' }
  /** `isStale`: the outcome of an earlier query, shown while the latest one is running. */
  | (Found & { readonly isStale: boolean })
  /** `isTrying`: another attempt is running. */
  | (Failed & { readonly isStale: boolean; readonly isTrying: boolean });

/** Blanks around words do not matter; keyboards of phones add them. */
export const queryOf = (typed: string): string => typed.trim().replaceAll(/\s+/g, ' ');

export function useFoodSearch(text: string, isExact: boolean) {
  const result = useQuery({
    queryKey: ['foods', text, isExact],
    // Nothing for an empty text, so that earlier foods do not reappear when the next letter is typed.
    queryFn: ({ signal }) => (text === '' ? null : search({ text, isExact }, signal)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.kind === 'failed' && data.failure.kind !== 'answered' ? RETRY : false,
  });
  const { data: outcome, refetch } = result;
  useOneDataSet(outcome?.kind === 'found' ? outcome.tag : null);
  const stateNow = (): SearchState => {
    if (text === '') return { kind: 'idle' };
    if (!outcome) return { kind: 'loading' };
    const isStale = outcome.query.text !== text || outcome.query.isExact !== isExact;
    return outcome.kind === 'found'
      ? { ...outcome, isStale }
      : { ...outcome, isStale, isTrying: result.isFetching };
  };
  return { state: stateNow(), tryAgain: refetch };
}

/** The next key cancels the search, mostly before its request. */
async function search(query: Query, signal: AbortSignal): Promise<Outcome> {
  await new Promise((resolve) => setTimeout(resolve, REST));
  signal.throwIfAborted();
  try {
    return { kind: 'found', ...(await findFoods(query, (asked) => lookUp(asked, signal))) };
  } catch (error) {
    return { kind: 'failed', query, failure: await failureOf(error, signal) };
  }
}
