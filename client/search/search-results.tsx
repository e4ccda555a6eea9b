/**
 * The results below the search box: foods, or a message.
 */
import { useEffect, useMemo } from 'react';
import { MAX_FOODS } from '../../src/browser/search-foods.ts';
import { announce, announceAtRest } from '../elements/announcer.tsx';
import { foodCount } from '../elements/figure.tsx';
import { useStore } from '../stores/local-store.ts';
import { favouriteStore, recentStore } from '../stores/page-stores.ts';
import { FailureMessage } from './failure-message.tsx';
import type { FoundFoods } from './find-foods.ts';
import { FoodTable } from './food-table.tsx';
import { Message } from './message.tsx';
import type { SearchState } from './use-food-search.ts';

interface Props {
  readonly state: SearchState;
  readonly onTryAgain: () => void;
}

export function SearchResults({ state, onTryAgain }: Props) {
  const isBusy = state.kind === 'loading' || (state.kind !== 'idle' && state.isStale);
  useAnnouncement(state, isBusy);
  return (
    <div id="results" className={`results ${state.kind}`} aria-busy={isBusy}>
      <div className="progress" />
      {state.kind === 'idle' && <SavedFoods />}
      {state.kind === 'loading' && <LoadingRows />}
      {/* Each query has a table of its own, so that rows appear instead of moving. */}
      {state.kind === 'found' && <Found key={state.query} found={state} />}
      {state.kind === 'failed' && (
        <FailureMessage failure={state.failure} isTrying={state.isTrying} onTryAgain={onTryAgain} />
      )}
    </div>
  );
}

/** Announces counts after a pause in typing. A failure announces itself. */
function useAnnouncement(state: SearchState, isBusy: boolean): void {
  const text = state.kind === 'found' && !isBusy ? summary(state) : '';
  useEffect(() => {
    if (text !== '') announceAtRest(text);
  }, [text]);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => announce('Searching …'), 2000);
    return () => clearTimeout(timer);
  }, [isBusy]);
}

function summary({ query, foods, words, mayHaveMore }: FoundFoods): string {
  if (foods.length === 0) return `No matches for “${query}”.`;
  const count = foodCount(foods.length);
  if (words !== undefined) {
    const more = mayHaveMore ? ' There may be more.' : '';
    return `No matches for “${query}” as typed. ${count} with ${listed(words)}.${more}`;
  }
  return mayHaveMore
    ? `The first ${MAX_FOODS} foods. There may be more: type more to narrow them down.`
    : count;
}

const listed = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(words.map((word) => `“${word}”`));

function Found({ found }: { readonly found: FoundFoods }) {
  const { query, foods, words } = found;
  const marked = useMemo(() => words ?? [query], [words, query]);
  if (foods.length === 0) return <NoMatches found={found} />;
  return (
    <>
      <SummaryLine text={summary(found)} />
      <FoodTable name={`Foods for “${query}”`} isNameVisible={false} foods={foods} marked={marked} />
    </>
  );
}

function SummaryLine({ text }: { readonly text: string }) {
  return (
    <div className="line">
      <p className="summary">{text}</p>
      <p className="per-100">Figures per 100 g</p>
    </div>
  );
}

function NoMatches({ found: { query, words, mayHaveMore } }: { readonly found: FoundFoods }) {
  return (
    <Message title={`No matches for “${query}”`}>
      {words === undefined ? (
        <p>Try a shorter text or another word.</p>
      ) : (
        <p>
          {mayHaveMore
            ? `The first ${MAX_FOODS} matches for each of ${listed(words)} have no food in common. Another letter or word may find one.`
            : `No matches for ${listed(words)} together either. Try fewer words.`}
        </p>
      )}
    </Message>
  );
}

/** The style sheet shows these rows only if the answer takes longer than most. */
function LoadingRows() {
  return (
    <div className="loading-rows" aria-hidden="true">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <div key={row} />
      ))}
    </div>
  );
}

function SavedFoods() {
  const favourites = useStore(favouriteStore);
  const recent = useStore(recentStore);
  if (favourites.length === 0 && recent.length === 0) {
    return (
      <Message title="What would you like to look up?">
        <p>
          Type any part of a food’s name, such as <q>egg</q>, <q>olive oil</q> or <q>rice, brown</q>.
        </p>
      </Message>
    );
  }
  return (
    <>
      <SummaryLine text="Type any part of a food’s name." />
      {favourites.length > 0 && <FoodTable name="Favourites" isNameVisible foods={favourites} />}
      {recent.length > 0 && (
        <>
          <FoodTable name="Recent" isNameVisible foods={recent} />
          <button type="button" className="quiet-button" onClick={() => recentStore.set([])}>
            Forget recent foods
          </button>
        </>
      )}
    </>
  );
}
