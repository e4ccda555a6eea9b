/**
 * Search as you type: one search at a time, for the latest text. It starts in the event of the key, before anything is drawn.
 */
import { atom } from 'nanostores';
import { type FoundFoods, searchFoods } from '../../src/browser/search-foods.ts';
import { checkDataSet, dataSetStore, SERVICE } from '../service/data-set.ts';
import { type Failure, failureOf } from './failure-message.tsx';
import { type Found, findFoods, type Query } from './find-foods.ts';

/** ms between keys in quick succession, which make one request together; other keys make theirs at once. */
const QUICK = 100;
/** ms after the last of such keys until its request. */
const REST = 25;

/** ms between attempts while the service is unreachable. */
const RETRY = 2000;

export interface SearchState {
  readonly query: Query;
  /** Whether the query has its outcome. Until then, the foods of an earlier one can be seen, but not added. */
  readonly isBusy: boolean;
  /** What was found last, an entry for each line of a list. */
  readonly found?: readonly Found[] | undefined;
  /** Why the latest search failed; the foods found before it stay. */
  readonly failure?: Failure;
}

/** The text in the box. */
export const typedStore = atom('');

export const searchStore = atom<SearchState>({ query: { text: '', isExact: false }, isBusy: false });

let latest = new AbortController();
let lastKey = -QUICK;

export function type(typed: string, isExact = false): void {
  typedStore.set(typed);
  // Blanks around words do not matter; keyboards of phones add them.
  const text = typed.trim().replaceAll(/\s+/g, ' ');
  const { query, isBusy } = searchStore.get();
  if (text === query.text && isExact === query.isExact && (text === '' || !isBusy)) return;
  const wait = performance.now() - lastKey < QUICK ? REST : 0;
  lastKey = performance.now();
  start({ text, isExact }, wait);
}

export function tryAgain(): void {
  start(searchStore.get().query, 0);
}

function start(query: Query, wait: number): void {
  latest.abort();
  latest = new AbortController();
  const isBusy = query.text !== '';
  searchStore.set({ ...(isBusy && searchStore.get()), query, isBusy });
  const { signal } = latest;
  if (isBusy && wait === 0) void search(query, signal);
  else if (isBusy) setTimeout(() => void search(query, signal), wait);
}

/** The next key cancels the search. */
async function search(query: Query, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  try {
    const found = await findFoods(query, (asked) => lookUp(asked, signal));
    if (signal.aborted) return;
    searchStore.set({ query, isBusy: false, found });
    void checkDataSet(found[0]?.tag ?? null);
  } catch (error) {
    const failure = await failureOf(error);
    if (signal.aborted || failure === undefined) return;
    searchStore.set({ query, isBusy: false, failure, found: searchStore.get().found });
    if (failure.kind !== 'answered-with-error') setTimeout(() => !signal.aborted && start(query, 0), RETRY);
  }
}

/** @throws SearchError */
export function lookUp({ text, isExact }: Query, signal?: AbortSignal): Promise<FoundFoods> {
  // The browser's own copy of an answer may be from another data set. Revalidating it costs next to nothing.
  return searchFoods(SERVICE, text, { signal, cache: 'no-cache', match: isExact ? undefined : 'words' });
}

// The foods of another data set replace those shown.
dataSetStore.listen((_, before) => before && tryAgain());
