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

/** How the search for a text ended. A failure is an outcome too: it stands there until the next try has ended. */
type Outcome =
  | { readonly kind: 'found'; readonly found: FoundFoods }
  | { readonly kind: 'failed'; readonly text: string; readonly failure: Failure };

/** What an empty box finds. It keeps the foods of an earlier text from coming back under the first letter of a new one. */
const NOTHING: Outcome = {
  kind: 'found',
  found: { text: '', foods: [], words: undefined, mayHaveMore: false },
};

export type SearchState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading' }
  /** `isWaiting`: these are the foods of the text before, while those of the newest are on their way. */
  | { readonly kind: 'found'; readonly found: FoundFoods; readonly isWaiting: boolean }
  /** `isWaiting` as above; `isTrying`: the search for the same text is under way again. */
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly isWaiting: boolean;
      readonly isTrying: boolean;
    };

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
    queryFn: ({ signal }) => outcomeOf(text, signal),
    placeholderData: keepPreviousData,
    staleTime: ({ state: { data } }) => (data?.kind === 'failed' ? 0 : FRESH),
    gcTime: FRESH,
    retry: false,
    // A service on this machine is there whether or not the machine is on a network.
    networkMode: 'always',
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data } }) => (canRecover(data) ? RETRY : false),
  });
  const state = ((): SearchState => {
    const { data: outcome } = query;
    if (typed === '') return { kind: 'idle' };
    if (outcome === undefined || outcome === NOTHING) return { kind: 'loading' };
    if (outcome.kind === 'failed') {
      return { ...outcome, isWaiting: outcome.text !== typed, isTrying: query.isFetching };
    }
    return { ...outcome, isWaiting: outcome.found.text !== typed };
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

async function outcomeOf(text: string, signal: AbortSignal): Promise<Outcome> {
  if (text === '') return NOTHING;
  try {
    return { kind: 'found', found: await findFoods(text, (part) => lookUp(part, signal)) };
  } catch (error) {
    if (!(error instanceof SearchFailed)) throw error;
    return { kind: 'failed', text, failure: error.failure };
  }
}

function canRecover(outcome: Outcome | undefined): boolean {
  return outcome?.kind === 'failed' && outcome.failure.kind !== 'answered';
}
