/**
 * Search as you type: one search at a time, and only for the newest text.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { type Failure, lookUp, SearchFailed } from '../service.ts';
import { type FoundFoods, findFoods } from './find-foods.ts';

/** ms of rest at the keyboard after which the text is searched for: keys that come in one move make one request. */
const REST = 25;

/** ms between two tries while the service cannot be reached. */
const RETRY = 2000;

/** ms for which an answer stands: going back to a text asks again only after that. */
const FRESH = 30_000;

/** What an empty box finds. It keeps the foods of an earlier text from coming back under the first letter of a new one. */
const NOTHING: FoundFoods = { text: '', foods: [], words: undefined, mayHaveMore: false };

export type SearchState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading' }
  /** `isWaiting`: these are the foods of the text before, while those of the newest are on their way. */
  | { readonly kind: 'found'; readonly found: FoundFoods; readonly isWaiting: boolean }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly isTrying: boolean };

export interface FoodSearch {
  readonly state: SearchState;
  /** Searches at once for a text, without waiting for the keyboard to rest. */
  searchNow(text: string): void;
  tryAgain(): void;
}

export function useFoodSearch(typed: string): FoodSearch {
  const [text, searchNow] = useRested(typed);
  const query = useQuery({
    queryKey: ['foods', text],
    queryFn: ({ signal }) => (text === '' ? NOTHING : findFoods(text, (part) => lookUp(part, signal))),
    placeholderData: keepPreviousData,
    staleTime: FRESH,
    gcTime: FRESH,
    retry: false,
    // A service on this machine is there whether or not the machine is on a network.
    networkMode: 'always',
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { error } }) => (canRecover(error) ? RETRY : false),
  });
  const state = ((): SearchState => {
    if (typed === '') return { kind: 'idle' };
    if (query.error !== null && text === typed) {
      return { kind: 'failed', failure: failureOf(query.error), isTrying: query.isFetching };
    }
    if (query.data === undefined || query.data === NOTHING) return { kind: 'loading' };
    return { kind: 'found', found: query.data, isWaiting: query.data.text !== typed };
  })();
  const { refetch } = query;
  return { state, searchNow, tryAgain: useCallback(() => void refetch(), [refetch]) };
}

/** The text after it has rested; an empty one at once. */
function useRested(typed: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), typed === '' ? 0 : REST);
    return () => clearTimeout(timer);
  }, [typed]);
  return [text, setText];
}

function failureOf(error: Error): Failure {
  if (error instanceof SearchFailed) return error.failure;
  throw error;
}

function canRecover(error: Error | null): boolean {
  return error instanceof SearchFailed && error.failure.kind !== 'answered';
}
