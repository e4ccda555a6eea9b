/**
 * The search box and its results.
 */
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '../elements/icon.tsx';
import { useStore } from '../stores/local-store.ts';
import { shortcutStore } from '../stores/page-stores.ts';
import { ADD, moveThroughFoods } from './arrow-keys.ts';
import { typedInAddress, useTypedInAddress } from './query-in-address.ts';
import { focusResults, SearchResults } from './search-results.tsx';
import { queryOf, useFoodSearch } from './use-food-search.ts';

export function SearchPanel() {
  const [typed, setTyped] = useState(typedInAddress);
  const [exact, setExact] = useState('');
  const query = queryOf(typed);
  const { state, tryAgain } = useFoodSearch(query, exact !== '' && exact === query);
  const box = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  useTypedInAddress(typed);
  useSlashKey(box);

  const isFound = state.kind === 'found' && !state.isStale;
  // Enter adds the first food once the foods of the typed text have arrived.
  const [isAdding, setIsAdding] = useState(false);
  useEffect(() => {
    if (!isAdding || !isFound) return;
    setIsAdding(false);
    panel.current?.querySelector<HTMLElement>(`[${ADD}]`)?.click();
    // Typing the next query replaces this one.
    box.current?.select();
  }, [isAdding, isFound]);
  const type = (text: string) => {
    setTyped(text);
    setIsAdding(false);
    // The best foods are at the top.
    if ((panel.current?.getBoundingClientRect().top ?? 0) < 0) panel.current?.scrollIntoView();
  };
  const suggest = (text: string) => {
    type(text);
    // The keyboard of a phone would cover the foods.
    const isTouched = window.matchMedia('(hover: none)').matches;
    if (isTouched) focusResults();
    else box.current?.focus();
  };
  // The button disappears with the failure, so the focus moves.
  const tryOnce = () => {
    void tryAgain();
    focusResults();
  };
  const searchExactly = () => {
    setExact(query);
    focusResults();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // These keys belong to the list of words that the keyboard offers.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && event.target === box.current) type('');
    else if (box.current !== null) moveThroughFoods(event, box.current);
  };
  return (
    <search className="search" ref={panel} onKeyDown={onKeyDown}>
      <SearchForm box={box} typed={typed} onType={type} onSubmit={() => setIsAdding(query !== '')} />
      <SearchResults state={state} onTryAgain={tryOnce} onSuggest={suggest} onExact={searchExactly} />
    </search>
  );
}

interface FormProps {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly onSubmit: () => void;
}

function SearchForm({ box, typed, onType, onSubmit }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const clear = () => {
    onType('');
    box.current?.focus();
  };
  return (
    <form className="search-form" onSubmit={submit}>
      <label className="unseen" htmlFor="box">
        Food
      </label>
      <Icon name="search" />
      <input
        ref={box}
        id="box"
        type="search"
        value={typed}
        onChange={(event) => onType(event.target.value)}
        placeholder="Search foods"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        aria-controls="results"
      />
      <span className="key" aria-hidden="true">
        /
      </span>
      <button
        type="button"
        className="clear-box"
        aria-label="Clear the search box"
        hidden={typed === ''}
        onClick={clear}
      >
        <Icon name="cross" />
      </button>
    </form>
  );
}

/** `/` jumps to the box, unless it is typed into a field or turned off. */
function useSlashKey(box: RefObject<HTMLInputElement | null>): void {
  const isOn = useStore(shortcutStore);
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn, box]);
}
