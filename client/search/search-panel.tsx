/**
 * The search box and its results.
 */
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '../elements/icon.tsx';
import { useStore } from '../stores/local-store.ts';
import { shortcutStore } from '../stores/page-stores.ts';
import { moveThroughFoods } from './arrow-keys.ts';
import { addFood } from './food-table.tsx';
import { queryOfAddress, useQueryInAddress } from './query-in-address.ts';
import { SearchResults } from './search-results.tsx';
import { useFoodSearch } from './use-food-search.ts';

export function SearchPanel() {
  const [typed, setTyped] = useState(queryOfAddress);
  const { state, searchNow, tryAgain } = useFoodSearch(typed);
  const box = useRef<HTMLInputElement>(null);
  useQueryInAddress(typed);
  useSlashKey(box);

  const submit = () => {
    const [best] = state.kind === 'found' && !state.isStale ? state.foods : [];
    if (best === undefined) return searchNow(typed);
    addFood(best);
    // Typing the next query replaces this one.
    box.current?.select();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && event.target === box.current) setTyped('');
    else if (box.current !== null) moveThroughFoods(event, box.current);
  };
  return (
    <search className="search" onKeyDown={onKeyDown}>
      <SearchForm box={box} typed={typed} onType={setTyped} onSubmit={submit} />
      <SearchResults state={state} onTryAgain={tryAgain} />
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
        placeholder="Egg, rice, olive oil …"
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
