/**
 * What stands under the search box: foods, or why there are none.
 */
import { useEffect, useMemo } from 'react';
import { MAX_FOODS } from '../../src/browser/search-foods.ts';
import { announce, announceAtRest } from '../announce.tsx';
import { localCount } from '../figure.tsx';
import type { Food } from '../food.ts';
import { useStored } from '../local-store.ts';
import { favouriteStore, recentStore } from '../page-stores.ts';
import { FailureMessage } from './failure-message.tsx';
import type { FoundFoods } from './find-foods.ts';
import { FoodTable } from './food-table.tsx';
import { Message } from './message.tsx';
import type { SearchState } from './use-food-search.ts';

interface Props {
  readonly state: SearchState;
  readonly onAdd: (food: Food) => void;
  readonly onTryAgain: () => void;
}

export function SearchResults({ state, onAdd, onTryAgain }: Props) {
  const isBusy = state.kind === 'loading' || (state.kind !== 'idle' && state.isWaiting);
  useAnnouncement(state, isBusy);
  return (
    <div id="results" className={`results ${state.kind}`} aria-busy={isBusy}>
      <div className="progress" />
      {state.kind === 'idle' && <KeptFoods onAdd={onAdd} />}
      {state.kind === 'loading' && <LoadingRows />}
      {/* Another text makes another table: its rows appear, and do not move. */}
      {state.kind === 'found' && <Found key={state.found.text} found={state.found} onAdd={onAdd} />}
      {state.kind === 'failed' && (
        <FailureMessage failure={state.failure} isTrying={state.isTrying} onTryAgain={onTryAgain} />
      )}
    </div>
  );
}

/** Counts are told when typing rests; a failure is told by its own message. */
function useAnnouncement(state: SearchState, isBusy: boolean): void {
  const isWaiting = state.kind !== 'found' || state.isWaiting;
  const text = isWaiting ? '' : summary(state.found);
  useEffect(() => {
    if (text !== '') announceAtRest(text);
  }, [text]);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => announce('Searching …'), 2000);
    return () => clearTimeout(timer);
  }, [isBusy]);
}

function summary({ text, foods, words, mayHaveMore }: FoundFoods): string {
  const count = `${localCount(foods.length)} ${foods.length === 1 ? 'food' : 'foods'}`;
  if (words !== undefined && foods.length > 0) {
    const more = mayHaveMore ? ' There may be more.' : '';
    return `No food holds “${text}” as typed. ${count} with ${listed(words)}.${more}`;
  }
  if (foods.length === 0) return `No food holds “${text}”.`;
  return mayHaveMore ? `The first ${MAX_FOODS} foods. There are more: a longer text finds fewer.` : count;
}

const listed = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(words.map((word) => `“${word}”`));

function Found({ found, onAdd }: { readonly found: FoundFoods; readonly onAdd: (food: Food) => void }) {
  const marked = useMemo(() => found.words ?? [found.text], [found]);
  if (found.foods.length === 0) return <NoMatch found={found} />;
  return (
    <>
      <div className="line">
        <p className="summary">{summary(found)}</p>
        <p className="per-100">Figures per 100 g</p>
      </div>
      <FoodTable
        name={`Foods for “${found.text}”`}
        isNameSeen={false}
        foods={found.foods}
        marked={marked}
        onAdd={onAdd}
      />
    </>
  );
}

function NoMatch({ found: { text, words, mayHaveMore } }: { readonly found: FoundFoods }) {
  return (
    <Message title={`No food holds “${text}”`}>
      {words === undefined ? (
        <p>Try a shorter text, or another word for it.</p>
      ) : (
        <p>
          {mayHaveMore
            ? `None of the first foods with ${listed(words)} holds all of these words either. One more letter or word may find it.`
            : `No food holds ${listed(words)} together either. Try fewer words.`}
        </p>
      )}
    </Message>
  );
}

/** Stands still for the moment in which most answers arrive, and only then shows itself. */
function LoadingRows() {
  return (
    <div className="loading-rows" aria-hidden="true">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <div key={row} />
      ))}
    </div>
  );
}

function KeptFoods({ onAdd }: Pick<Props, 'onAdd'>) {
  const favourites = useStored(favouriteStore);
  const recent = useStored(recentStore);
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
      <div className="line">
        <p className="summary">Type any part of a food’s name.</p>
        <p className="per-100">Figures per 100 g</p>
      </div>
      {favourites.length > 0 && <FoodTable name="Favourites" isNameSeen foods={favourites} onAdd={onAdd} />}
      {recent.length > 0 && (
        <>
          <FoodTable name="Recent" isNameSeen foods={recent} onAdd={onAdd} />
          <button type="button" className="quiet-button" onClick={() => recentStore.set([])}>
            Forget recent foods
          </button>
        </>
      )}
    </>
  );
}
