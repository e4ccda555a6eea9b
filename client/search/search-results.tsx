/**
 * The results below the search box: foods, or a message.
 */
import { type ReactNode, useEffect } from 'react';
import { MAX_FOODS } from '../../src/browser/search-foods.ts';
import { AmountField } from '../elements/amount-field.tsx';
import { announce, announceAtRest } from '../elements/announcer.tsx';
import { foodCount } from '../elements/figure.tsx';
import { REFUSED_ADDRESS } from '../service/address.ts';
import { useStore } from '../stores/local-store.ts';
import { amountStore, favouriteStore, recentStore, USUAL_AMOUNT } from '../stores/page-stores.ts';
import { FailureMessage, Message, RefusedAddress } from './failure-message.tsx';
import type { FoundFoods } from './find-foods.ts';
import { FoodTable } from './food-table.tsx';
import type { SearchState } from './use-food-search.ts';

interface Props {
  readonly state: SearchState;
  readonly onTryAgain: () => void;
  readonly onSuggest: (text: string) => void;
  readonly onExact: () => void;
}

export function SearchResults({ state, onTryAgain, onSuggest, onExact }: Props) {
  const isBusy = state.kind === 'loading' || (state.kind !== 'idle' && state.isStale);
  useAnnouncement(state, isBusy);
  return (
    <div id="results" className={`results ${state.kind}`} aria-busy={isBusy} tabIndex={-1}>
      <div className="progress" />
      {REFUSED_ADDRESS !== undefined && <RefusedAddress />}
      {state.kind === 'idle' && <StartPage onSuggest={onSuggest} />}
      {/* The style sheet shows these rows only if the answer takes longer than most. */}
      {state.kind === 'loading' && <div className="loading-rows" />}
      {/* Each query has its own table, so that rows appear instead of moving. */}
      {state.kind === 'found' && (
        <Found key={state.query.text} found={state} isStale={state.isStale} onExact={onExact} />
      )}
      {state.kind === 'failed' && (
        <FailureMessage failure={state.failure} isTrying={state.isTrying} onTryAgain={onTryAgain} />
      )}
    </div>
  );
}

/** For buttons that disappear when pressed, so that the focus is not lost. */
export const focusResults = (): void => document.getElementById('results')?.focus({ preventScroll: true });

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

function summary({ query, foods, corrected, isPartial, mayHaveMore }: FoundFoods): string {
  if (foods.length === 0) return `No matches for “${query.text}”.`;
  const count = mayHaveMore
    ? `The first ${MAX_FOODS} foods: type more to narrow them down.`
    : foodCount(foods.length);
  if (isPartial) return `No food has all these words. ${count}`;
  return corrected === undefined ? count : `${count} for ${corrected}.`;
}

interface FoundProps {
  readonly found: FoundFoods;
  readonly isStale: boolean;
  readonly onExact: () => void;
}

function Found({ found, isStale, onExact }: FoundProps) {
  const { query, foods, corrected, marks } = found;
  if (foods.length === 0) {
    return (
      <Message title={`No matches for “${query.text}”`}>
        <p>Try a shorter text or another word.</p>
      </Message>
    );
  }
  return (
    <>
      <SummaryLine>{summary(found)}</SummaryLine>
      {corrected !== undefined && (
        <p className="corrected">
          Showing results for <strong>{corrected}</strong>.{' '}
          <button type="button" className="link-button" onClick={onExact}>
            Search for “{query.text}” instead
          </button>
        </p>
      )}
      <FoodTable
        name={`Foods for “${query.text}”`}
        isNameVisible={false}
        foods={foods}
        marks={marks}
        isStale={isStale}
      />
    </>
  );
}

/** Describes the results, and takes the amount of the next food. */
function SummaryLine({ children }: { readonly children: ReactNode }) {
  const amount = useStore(amountStore);
  return (
    <div className="line">
      <p className="summary">{children}</p>
      <p className="per-100">Per 100 g</p>
      <div className="next-amount">
        <span aria-hidden="true">Add</span>
        <AmountField
          label="Amount to add, in grams"
          amount={amount ?? USUAL_AMOUNT}
          onChange={amountStore.set}
          onEnter={() => document.getElementById('box')?.focus()}
        >
          <span aria-hidden="true">g</span>
        </AmountField>
      </div>
    </div>
  );
}

/** What people look up first, in any data set. */
const SUGGESTIONS = ['Egg', 'Banana', 'Chicken breast', 'Brown rice', 'Olive oil', 'Greek yogurt'];

function StartPage({ onSuggest }: Pick<Props, 'onSuggest'>) {
  const favourites = useStore(favouriteStore);
  const recent = useStore(recentStore);
  if (favourites.length === 0 && recent.length === 0) {
    return (
      <div className="start">
        <h2>Know what is on your plate.</h2>
        <p>Look up the energy, protein, fat and carbohydrate of a food, and add up your meal.</p>
        {SUGGESTIONS.map((text) => (
          <button key={text} type="button" className="suggestion" onClick={() => onSuggest(text)}>
            {text}
          </button>
        ))}
      </div>
    );
  }
  const forget = () => {
    recentStore.set([]);
    focusResults();
  };
  return (
    <>
      <SummaryLine>Your foods</SummaryLine>
      {favourites.length > 0 && <FoodTable name="Favourites" isNameVisible foods={favourites} />}
      {recent.length > 0 && <FoodTable name="Recent" isNameVisible foods={recent} />}
      {recent.length > 0 && (
        <button type="button" className="quiet-button" onClick={forget}>
          Forget recent foods
        </button>
      )}
    </>
  );
}
