/** The results below the search box: foods, or a message. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { amountText, needsPortions } from '#amounts';
import { MAX_FOODS } from '../../packages/browser/search-foods.ts';
import { announceAtRest } from '../elements/announcer.tsx';
import { REFUSED_ADDRESS, SERVICE } from '../service/service.ts';
import { favouriteStore, recentStore, useStore } from '../stores/page-stores.ts';
import { parts, t } from '../texts/texts.ts';
import { FailureMessage, Message } from './failure-message.tsx';
import { type Found, MAX_LINES } from './find-foods.ts';
import { FoodTable } from './food-table.tsx';
import { enterText, type SearchState, searchStore, tryAgain, type } from './search-store.ts';

export function SearchResults() {
  const state = useStore(searchStore);
  const { query, isBusy, found, failure } = state;
  useAnnouncement(state);
  const isLate = useIsLate(isBusy);
  // Keys and progress draw nothing of the foods anew.
  const foods = useMemo(() => found && <FoundFoods lines={found} />, [found]);
  const kind = query.text === '' ? 'idle' : failure ? 'failed' : found ? 'found' : 'loading';
  return (
    <div id="results" className={`results ${kind} ${isLate ? 'late' : ''}`} aria-busy={isBusy} tabIndex={-1}>
      <div className="progress" />
      {REFUSED_ADDRESS && (
        <Message title={t('refusedAddress')} isAlert>
          <p>
            {parts('refusedBecause', {
              address: REFUSED_ADDRESS,
              parameter: <code>?api=</code>,
              service: SERVICE.href,
              example: <code>?api=https://food.example</code>,
            })}
          </p>
        </Message>
      )}
      {kind === 'idle' && <StartPage />}
      {failure && <FailureMessage failure={failure} isTrying={isBusy} onTryAgain={thenFocus(tryAgain)} />}
      {foods}
    </div>
  );
}

/** ms after which the page shows that it waits. A quick answer shows nothing, which would cost as much as its foods. */
const LATE = 250;

function useIsLate(isBusy: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isBusy) return setIsLate(false);
    const timer = setTimeout(setIsLate, LATE, true);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return isLate && isBusy;
}

/** On a touch screen the keyboard covers the foods, and its Search key only hides it. */
export const TOUCH = window.matchMedia('(hover: none)');

export const boxElement = () => document.querySelector<HTMLTextAreaElement>('#box');

/** For buttons that disappear when pressed, so that the focus is not lost. */
const focusResults = (): void => document.getElementById('results')?.focus({ preventScroll: true });

function suggest(text: string): void {
  type(text);
  if (TOUCH.matches) focusResults();
  else boxElement()?.focus();
}

const thenFocus = (act: () => void) => () => {
  act();
  focusResults();
};

/** Announces counts after a pause in typing. A failure announces itself. */
function useAnnouncement({ isBusy, found, failure }: SearchState): void {
  const [first, second] = isBusy || failure !== undefined ? [] : (found ?? []);
  const text = first === undefined ? '' : second ? t('list') : spoken(first);
  useEffect(() => {
    if (text !== '') announceAtRest(text);
  }, [text]);
}

const mayHaveMore = ({ foods }: Found): boolean => foods.length >= MAX_FOODS;

const countOf = (found: Found): string =>
  mayHaveMore(found) ? t('first', { count: MAX_FOODS }) : t('foods', { count: found.foods.length });

const lackOf = ({ missing }: Found): string => missing && t('lacks', { words: missing });

function spoken(found: Found): string {
  const { foods, text, sought, isCorrected, missing } = found;
  if (foods.length === 0) return t('noMatches', { text });
  if (isCorrected || missing)
    return `${isCorrected ? t('foodsFor', { foods: countOf(found), text: sought }) : countOf(found)}${lackOf(found)}`;
  return mayHaveMore(found) ? t('firstFoods', { count: MAX_FOODS }) : countOf(found);
}

function FoundFoods({ lines }: { readonly lines: readonly Found[] }) {
  const [found] = lines;
  if (found === undefined) return null;
  if (lines.length > 1) return <FoundList lines={lines} />;
  if (found.foods.length === 0) {
    return (
      <Message title={t('noMatches', { text: found.text })}>
        <p>{t('shorter')}</p>
      </Message>
    );
  }
  const { sought, reading, isCorrected, text } = found;
  const amount = reading?.amount;
  return (
    <>
      {/* Another line appears instead of moving. */}
      <p key={text} className="line">
        <span className="summary">
          {isCorrected || amount !== undefined
            ? t('foodsFor', { foods: countOf(found), text: sought })
            : countOf(found)}
          {found.missing && <span className="lack">{lackOf(found)}</span>}
          {/* Of pieces, each row says how many and what they weigh. */}
          {!(amount && needsPortions(amount)) && ` · ${amount ? amountText(amount) : t('per100')}`}
        </span>
        {isCorrected && (
          <button type="button" className="link-button" onClick={thenFocus(() => type(text, true))}>
            {t('searchTyped', { text })}
          </button>
        )}
      </p>
      <FoodTable name={text} rows={found.foods.map((food) => ({ food, reading, sought }))} />
    </>
  );
}

/** A row for each line of a list, with the food found first and what was understood. */
function FoundList({ lines }: { readonly lines: readonly Found[] }) {
  const rows = lines.map(({ foods: [food], text, sought, reading, missing }) => ({
    food,
    reading,
    sought,
    text: !missing ? text : food ? `${text} · ${t('without', { words: missing })}` : missing,
  }));
  const unknown = lines.filter(({ foods }) => foods.length === 0);
  return (
    <>
      <p className="line">
        <span className="summary">
          {unknown.length > 0 && (
            <b>{t('noMatches', { text: unknown.map(({ text }) => text).join(', ') })} · </b>
          )}
          {lines.length === MAX_LINES && `${t('firstLines', { count: MAX_LINES })} `}
          {t('forThese')}
        </span>
        {/* Enter in the box does the same. */}
        <button
          type="button"
          className="button"
          tabIndex={-1}
          disabled={unknown.length > 0}
          onClick={enterText}
        >
          {t('add', { count: rows.length - unknown.length })}
        </button>
      </p>
      <FoodTable name={t('list')} rows={rows} />
    </>
  );
}

function StartPage() {
  const favourites = useStore(favouriteStore);
  const recent = useStore(recentStore);
  const favouriteRows = useMemo(() => favourites.map((food) => ({ food })), [favourites]);
  const recentRows = useMemo(() => recent.map((food) => ({ food })), [recent]);
  if (favourites.length === 0 && recent.length === 0) {
    const [intro, ...suggestions] = t('startText').split('\n');
    return (
      <div className="start">
        <h2>{t('startTitle')}</h2>
        <p>{intro}</p>
        {suggestions.map((text) => (
          <button key={text} type="button" className="suggestion" onClick={() => suggest(text)}>
            {text}
          </button>
        ))}
      </div>
    );
  }
  return (
    <>
      <p className="line">
        <span className="summary">
          {t('yourFoods')} · {t('per100')}
        </span>
      </p>
      {favourites.length > 0 && <FoodTable name={t('favourites')} isNameVisible rows={favouriteRows} />}
      {recent.length > 0 && <FoodTable name={t('recent')} isNameVisible rows={recentRows} />}
      {recent.length > 0 && (
        <button type="button" className="quiet-button" onClick={thenFocus(() => recentStore.set([]))}>
          {t('forget')}
        </button>
      )}
    </>
  );
}
