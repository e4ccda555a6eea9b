/**
 * The search box and its results.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../elements/icon.tsx';
import { useStore } from '../stores/local-store.ts';
import { shortcutStore } from '../stores/page-stores.ts';
import { enterText } from './additions.ts';
import { useTypedInAddress } from './query-in-address.ts';
import { focusResults, SearchResults } from './search-results.tsx';
import { type, typedStore } from './search-store.ts';

/** On a touch screen the keyboard covers the foods, and its Search key only hides it. */
const TOUCH = window.matchMedia('(hover: none)');

export function SearchPanel() {
  const box = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  useTypedInAddress();
  useEffect(() => document.addEventListener('keydown', pressSlash), []);
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
    const lines = event.clipboardData?.getData('text/plain').trim() ?? '';
    if (!/[\r\n]/.test(lines)) return;
    // A field of one line would join them.
    event.preventDefault();
    document.execCommand('insertText', false, lines.replaceAll(/\s*[\r\n]+\s*/g, '; '));
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
function pressSlash(event: KeyboardEvent): void {
  if (!shortcutStore.get() || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
  event.preventDefault();
  const box = document.querySelector<HTMLInputElement>('#box');
  box?.focus();
  box?.select();
}

/** Moves the focus between the search box and the foods: the real one, so that screen readers read out every row and button. */
function moveThroughFoods(event: KeyboardEvent, panel: HTMLElement, box: HTMLInputElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
  const target = targetOf(event.key, event.target, panel, box);
  if (target === undefined) return;
  // A character moves the focus to the box and is typed there.
  if (!isCharacter(event.key)) event.preventDefault();
  target.focus();
  if (target !== box) target.scrollIntoView({ block: 'nearest' });
}

function targetOf(
  key: string,
  from: HTMLElement,
  panel: HTMLElement,
  box: HTMLInputElement,
): HTMLElement | undefined {
  const buttonsOf = (name: string) => [...panel.querySelectorAll<HTMLElement>(`.foods .${name}`)];
  const buttons = buttonsOf(from.matches('.favourite') ? 'favourite' : 'add');
  if (from === box)
    return key === 'ArrowDown' && panel.querySelector('[aria-busy="true"]') === null ? buttons[0] : undefined;
  const index = buttons.indexOf(from);
  if (index < 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return buttons[index + 1] ?? from;
    case 'ArrowUp':
      return buttons[index - 1] ?? box;
    case 'Home':
      return buttons[0];
    case 'End':
      return buttons.at(-1);
    case 'ArrowRight':
      return buttonsOf('favourite')[index];
    case 'ArrowLeft':
      return buttonsOf('add')[index];
    case 'Escape':
      return box;
    default:
      return isCharacter(key) || key === 'Backspace' ? box : undefined;
  }
}

/** A space presses the focused button, and `/` is a shortcut. */
const isCharacter = (key: string): boolean => [...key].length === 1 && key !== ' ' && key !== '/';
