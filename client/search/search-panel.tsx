/** The search box and its results. */
import { useLayoutEffect } from 'preact/hooks';
import { Icon } from '../elements/icon.tsx';
import { readTyped } from '../foods/typed-amount.ts';
import { isField } from '../plate/plate-place.ts';
import { shortcutStore, useStore } from '../stores/page-stores.ts';
import { t } from '../texts/texts.ts';
import { ScanButton } from './scanner.tsx';
import { boxElement, SearchResults, TOUCH } from './search-results.tsx';
import { enterText, searchStore, type, typedStore } from './search-store.ts';

export function SearchPanel() {
  // As it is drawn, since an effect after the next frame would lose the first letters.
  useLayoutEffect(() => {
    document.addEventListener('keydown', pressSlash);
    if (!TOUCH.matches) boxElement()?.focus();
  }, []);
  return (
    <search className="search" onKeyDown={moveThroughFoods}>
      <SearchForm />
      <SearchResults />
    </search>
  );
}

function change(text: string): void {
  type(text);
  // The best foods are at the top. With the next frame, which lays the page out in any case.
  requestAnimationFrame(() => {
    const panel = document.querySelector('.search');
    if ((panel?.getBoundingClientRect().top ?? 0) < 0) panel?.scrollIntoView();
  });
}

/** Not yet in the Safari of many phones. */
const CAN_FIT = CSS.supports('field-sizing', 'content');

function SearchForm() {
  const typed = useStore(typedStore);
  useLayoutEffect(() => {
    const box = boxElement();
    if (CAN_FIT || box === null) return;
    box.style.height = 'auto';
    // With its edges.
    box.style.height = `${box.scrollHeight + 2}px`;
  });
  const clear = () => {
    change('');
    boxElement()?.focus();
  };
  return (
    <div className="search-form">
      <label className="unseen" htmlFor="box">
        {t('food')}
      </label>
      <Icon name="search" />
      <textarea
        id="box"
        // Where its size cannot follow its content.
        rows={typed.split('\n').length}
        value={typed}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={pressEnter}
        // A list is read from its beginning.
        onPaste={() => setTimeout(() => boxElement()?.scrollTo(0, 0))}
        // A text whose food has been added is replaced by the next one; a list is edited.
        onFocus={(event) => TOUCH.matches && readTyped(typed).length < 2 && event.currentTarget.select()}
        placeholder={t('placeholder')}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellcheck={false}
        enterkeyhint="search"
        aria-controls="results"
      />
      {typed === '' && !TOUCH.matches && <span aria-hidden="true">/</span>}
      {typed === '' && <ScanButton />}
      {typed !== '' && (
        // Escape does the same.
        <button type="button" className="clear-box" tabIndex={-1} aria-label={t('clearBox')} onClick={clear}>
          <Icon name="cross" />
        </button>
      )}
    </div>
  );
}

/** Adds the text. Keys on a screen have no code: there, Enter only hides the keyboard, which covers the foods. */
function pressEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  const isOnScreen = !/Enter$/.test(event.code);
  // That of a composition belongs to it.
  if (event.isComposing && !isOnScreen) return;
  event.preventDefault();
  if (isOnScreen) boxElement()?.blur();
  else enterText();
}

/** `/` jumps to the box, unless it is typed into a field or turned off. */
function pressSlash(event: KeyboardEvent): void {
  if (!shortcutStore.get() || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isField(event.target)) return;
  event.preventDefault();
  boxElement()?.focus();
  boxElement()?.select();
}

/** Moves the focus between the search box and the foods: the real one, so that screen readers read out every row and button. */
function moveThroughFoods(event: KeyboardEvent): void {
  // While a word is composed, these keys belong to the list of words that the keyboard offers.
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof HTMLElement && targetOf(event.key, event.target);
  if (!target) return;
  // A character moves the focus to the box and is typed there.
  if (!isCharacter(event.key)) event.preventDefault();
  if (event.key === 'Escape' && event.target === target) change('');
  target.focus();
  if (target.id !== 'box') target.scrollIntoView({ block: 'nearest' });
}

function targetOf(key: string, from: HTMLElement): HTMLElement | null | undefined {
  const columnOf = (name: string) => [...document.querySelectorAll<HTMLElement>(`.foods .${name}`)];
  if (from.id === 'box') {
    if (key === 'Escape') return from;
    const isLastLine = !boxElement()?.value.slice(boxElement()?.selectionEnd).includes('\n');
    return key === 'ArrowDown' && isLastLine && !searchStore.get().isBusy ? columnOf('add')[0] : undefined;
  }
  const row = [...(from.closest('.foods tr')?.querySelectorAll<HTMLElement>('button') ?? [])];
  const place = row.indexOf(from);
  if (place < 0) return undefined;
  // Below the headings are the foods.
  const column = columnOf(from.matches('.sort') ? 'add' : from.className);
  const index = column.indexOf(from);
  const targets: Readonly<Record<string, HTMLElement | null | undefined>> = {
    ArrowDown: column[index + 1] ?? from,
    ArrowUp: column[index - 1] ?? boxElement(),
    Home: column[0],
    End: column.at(-1),
    ArrowRight: row[place + 1] ?? from,
    ArrowLeft: row[place - 1] ?? from,
    Escape: boxElement(),
    Backspace: boxElement(),
  };
  return isCharacter(key) ? boxElement() : targets[key];
}

/** A space presses the focused button, and `/` is a shortcut. */
const isCharacter = (key: string): boolean => [...key].length === 1 && key !== ' ' && key !== '/';

// The typed text is in the page's address (`?q=egg`), for reloads, bookmarks and the Back button, and in its title.

/** ms without a key press before the address changes; browsers limit how often it may. */
const REST = 250;

/** ms for which a text must stand so that Back returns to it. */
const READ = 1500;

/** Where the text is until then, for a reload. */
const KEY = 'food-lookup.typed';

const inAddress = (): string => new URLSearchParams(location.search).get('q') ?? '';

function typedBefore(): string {
  const [entry] = performance.getEntriesByType('navigation');
  const isReload = entry instanceof PerformanceNavigationTiming && entry.type === 'reload';
  try {
    return (isReload ? sessionStorage.getItem(KEY) : null) ?? inAddress();
  } catch {
    return inAddress();
  }
}

/** Continues with the text of before, and keeps the typed one. */
export function openTypedText(): void {
  // The box is drawn before this script arrives, so a text may be in it already.
  type(boxElement()?.value || typedBefore());
  typedStore.subscribe(keep);
  // Not at each key, before its search.
  window.addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(KEY, typedStore.get());
    } catch {
      // Without storage, the address is all that a reload has.
    }
  });
  window.addEventListener('popstate', () => {
    // A link to a plate changes only what follows: the address may not have the newest text yet.
    if (inAddress() === known) return;
    known = inAddress();
    type(known);
  });
}

/** The text of the address. */
let known = inAddress();
let changed = -READ;
let timer: ReturnType<typeof setTimeout> | undefined;

function keep(typed: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const address = new URL(location.href);
    if (typed === '') address.searchParams.delete('q');
    else address.searchParams.set('q', typed);
    if (address.href !== location.href) {
      const isNew = inAddress() === '' || performance.now() - changed > READ;
      if (isNew) history.pushState(null, '', address);
      else history.replaceState(null, '', address);
      known = typed;
      changed = performance.now();
    }
    // Afterwards, since it is that of the address.
    document.title = typed.trim() === '' ? 'Food lookup' : `${typed.trim()} – Food lookup`;
  }, REST);
}
