/**
 * The search box and what it finds.
 */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { announce } from '../announce.tsx';
import type { Food } from '../food.ts';
import { Icon } from '../icons.tsx';
import { useStored } from '../local-store.ts';
import { addToPlate, shortcutStore } from '../page-stores.ts';
import { moveThroughFoods } from './arrow-keys.ts';
import { SearchResults } from './search-results.tsx';
import { textOfAddress, useTextInAddress } from './text-in-address.ts';
import { useFoodSearch } from './use-food-search.ts';

export function SearchPanel() {
  const [typed, setTyped] = useState(textOfAddress);
  const { state, searchNow, tryAgain } = useFoodSearch(typed);
  const box = useRef<HTMLInputElement>(null);
  useTextInAddress(typed);
  useSlashKey(box);

  const found = state.kind === 'found' && !state.isWaiting ? state.found : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [best] = found?.foods ?? [];
    if (best === undefined) return searchNow(typed);
    add(best);
    // The next food is typed over this one.
    box.current?.select();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && event.target === box.current) setTyped('');
    else if (box.current !== null) moveThroughFoods(event, box.current);
  };

  return (
    <search className="search" onKeyDown={onKeyDown}>
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
          onChange={(event) => setTyped(event.target.value)}
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
          onClick={() => {
            setTyped('');
            box.current?.focus();
          }}
        >
          <Icon name="cross" />
        </button>
      </form>
      <SearchResults state={state} onAdd={add} onTryAgain={tryAgain} />
    </search>
  );
}

function add(food: Food): void {
  addToPlate(food);
  announce(`${food.description}: 100 g added to the plate.`);
}

/** `/` leads to the box from everywhere but another field, unless it is turned off. */
function useSlashKey(box: { readonly current: HTMLInputElement | null }): void {
  const isOn = useStored(shortcutStore);
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
