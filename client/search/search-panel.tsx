/**
 * The search box and its results.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../elements/icon.tsx';
import { useStore } from '../stores/local-store.ts';
import { shortcutStore } from '../stores/page-stores.ts';
import { enterText } from './additions.ts';
import { moveThroughFoods } from './arrow-keys.ts';
import { useTypedInAddress } from './query-in-address.ts';
import { focusResults, SearchResults } from './search-results.tsx';
import { type, typedStore } from './search-store.ts';

/** On a touch screen the keyboard covers the foods, and its Search key only hides it. */
const TOUCH = window.matchMedia('(hover: none)');

export function SearchPanel() {
  const box = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  useTypedInAddress();
  useSlashKey(box);
  const change = (text: string) => {
    type(text);
    // The best foods are at the top.
    if ((panel.current?.getBoundingClientRect().top ?? 0) < 0) panel.current?.scrollIntoView();
  };
  const suggest = (text: string) => {
    change(text);
    if (TOUCH.matches) focusResults();
    else box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // These keys belong to the list of words that the keyboard offers.
    if (event.isComposing || box.current === null || panel.current === null) return;
    if (event.key === 'Escape' && event.target === box.current) change('');
    else moveThroughFoods(event, panel.current, box.current);
  };
  return (
    <search className="search" ref={panel} onKeyDown={onKeyDown}>
      <SearchForm box={box} onType={change} />
      <SearchResults onSuggest={suggest} />
    </search>
  );
}

interface FormProps {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly onType: (text: string) => void;
}

function SearchForm({ box, onType }: FormProps) {
  const typed = useStore(typedStore);
  useEffect(() => {
    if (!TOUCH.matches) box.current?.focus();
  }, [box]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (TOUCH.matches) box.current?.blur();
    else enterText();
  };
  const clear = () => {
    onType('');
    box.current?.focus();
  };
  const paste = (event: ClipboardEvent) => {
    const lines =
      event.clipboardData
        ?.getData('text/plain')
        .trim()
        .split(/\s*[\r\n]+\s*/) ?? [];
    if (lines.length < 2 || box.current === null) return;
    // A field of one line would join them.
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = box.current;
    onType(
      value.slice(0, selectionStart ?? 0) + lines.join('; ') + value.slice(selectionEnd ?? value.length),
    );
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
        onInput={(event) => onType(event.currentTarget.value)}
        onPaste={paste}
        // A text whose food has been added is replaced by the next one.
        onFocus={(event) => TOUCH.matches && event.currentTarget.select()}
        placeholder="2 eggs, 100 g rice, banana …"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellcheck={false}
        enterkeyhint="search"
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
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!shortcutStore.get() || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [box]);
}
