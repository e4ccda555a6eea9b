/**
 * Search as you type: one search at a time, for the latest text. It starts in the event of the key, before anything is drawn.
 */
import { atom } from 'nanostores';
import type { NutrientKey } from '../foods/food.ts';
import { checkDataSet, dataSetStore } from '../service/data-set.ts';
import { type Found, findFoods, type Query } from './find-foods.ts';
import { type Failure, failureOf, lookUp } from './service.ts';

/** ms between keys in quick succession, which make one request together; other keys make theirs at once. */
const QUICK = 100;
/** ms after the last of such keys until its request. */
const REST = 25;

/** ms between attempts while the service is unreachable. */
const RETRY = 2000;

export interface Sort {
  readonly key: NutrientKey;
  readonly order: 'descending' | 'ascending';
}

export interface SearchState {
  readonly query: Query;
  /** Whether the query has its outcome. Until then, the foods of an earlier one can be seen, but not added. */
  readonly isBusy: boolean;
  /** What was found last, an entry for each line of a list. */
  readonly found?: readonly Found[];
  /** Why the latest search failed; the foods found before it stay. */
  readonly failure?: Failure;
  readonly sort?: Sort | undefined;
}

/** The text in the box. */
export const typedStore = atom('');

export const searchStore = atom<SearchState>({ query: { text: '', isExact: false }, isBusy: false });

let latest = new AbortController();
let lastKey = -QUICK;

/** Blanks around words do not matter; keyboards of phones add them. */
const textOf = (typed: string): string => typed.trim().replaceAll(/\s+/g, ' ');

export function type(typed: string, isExact = false): void {
  typedStore.set(typed);
  const text = textOf(typed);
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
  const { found, failure } = searchStore.get();
  if (query.text === '') {
    searchStore.set({ query, isBusy: false });
    return;
  }
  searchStore.set({ query, isBusy: true, ...(found && { found }), ...(failure && { failure }) });
  const { signal } = latest;
  if (wait === 0) void search(query, signal);
  else setTimeout(() => void search(query, signal), wait);
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
    const failure = signal.aborted ? undefined : await failureOf(error, signal).catch(() => undefined);
    if (signal.aborted || failure === undefined) return;
    const { found } = searchStore.get();
    searchStore.set({ query, isBusy: false, failure, ...(found && { found }) });
    if (failure.kind === 'answered') return;
    setTimeout(() => !signal.aborted && start(query, 0), RETRY);
  }
}

// The foods of another data set replace those shown.
dataSetStore.listen((_, before) => before && tryAgain());
