/**
 * The place of the plate: beside the search on wide screens, in a sheet at the bottom on narrow ones. It is the same element, a
 * target of links, keys and focus.
 */
import { useLayoutEffect } from 'preact/hooks';
import { foodKey } from '../foods/food.ts';
import { addedStore, changePlate, notify, plateStore, undo } from '../stores/page-stores.ts';
import { t } from '../texts/texts.ts';
import { makesOfLink, PREFIX, plateOfLink } from './plate-link.ts';

export const HEADING_ID = 'plate-heading';
export const BAR_ID = 'plate-bar';

/** As in the style sheets. */
const WIDE = window.matchMedia('(min-width: 64rem)');

const plateElement = () => document.querySelector<HTMLDialogElement>('dialog.plate');

/** Keeps it open beside the search, as a sheet it is closed at first; and listens to its keys. */
export function usePlace(): void {
  useLayoutEffect(() => {
    const place = () => {
      plateElement()?.close();
      plateElement()?.toggleAttribute('open', WIDE.matches);
      // A tap beside the sheet closes it.
      plateElement()?.setAttribute('closedby', WIDE.matches ? 'none' : 'any');
    };
    place();
    WIDE.addEventListener('change', place);
    document.addEventListener('keydown', pressKey);
  }, []);
}

function focusPlate(): void {
  const id = plateElement()?.open ? HEADING_ID : BAR_ID;
  document.getElementById(id)?.focus({ preventScroll: true });
}

/** For buttons that disappear when pressed, so that the focus is not lost. */
export const thenFocusPlate = (act: () => void) => () => {
  act();
  focusPlate();
};

export function showPlate(): void {
  if (plateElement()?.open === false) plateElement()?.showModal();
  focusPlate();
}

export function closeSheet(): void {
  if (!WIDE.matches) plateElement()?.close();
}

export function returnToSearch(): void {
  closeSheet();
  focusField(document.querySelector<Field>('#box'));
}

/**
 * Alt+Enter opens the label of the food with the focus, or of the first one. Ctrl+Enter, or ⌘ Enter, goes to the amount of the food
 * added last; Ctrl+Z undoes, where no text is typed.
 */
function pressKey(event: KeyboardEvent): void {
  const { ctrlKey, metaKey, shiftKey, altKey, key, target } = event;
  if (shiftKey || altKey === (ctrlKey || metaKey)) return;
  if (altKey) {
    const row =
      (target instanceof Element && target.closest('tr')) || document.querySelector('.foods tbody tr');
    if (key === 'Enter') row?.querySelector<HTMLElement>('.label-button, .name-button')?.click();
    return;
  }
  if (key === 'Enter') goToAmount();
  else if (key !== 'z' || isTyping(target) || !undo()) return;
  event.preventDefault();
}

type Field = HTMLInputElement | HTMLTextAreaElement;

export const isField = (target: EventTarget | null): target is Field =>
  target instanceof Element && target.matches('textarea, input:not([type="checkbox"])');

const isTyping = (target: EventTarget | null): boolean => isField(target) && target.value !== '';

function goToAmount(): void {
  showPlate();
  focusField((addedRow() ?? plateElement())?.querySelector<HTMLInputElement>('.amount-input'));
}

/** Where the amount is not known, it is typed next, unless another food is being typed. */
function askForAmount(): void {
  const added = plateStore.get().find(({ food }) => foodKey(food) === addedStore.get()?.key);
  if (added?.count === null && !isTyping(document.activeElement)) goToAmount();
}

function addedRow(): Element | undefined {
  const added = addedStore.get()?.key;
  const index = plateStore.get().findIndex(({ food }) => foodKey(food) === added);
  return plateElement()?.querySelectorAll('.portions tbody tr')[index];
}

function focusField(field: Field | null | undefined): void {
  field?.focus();
  field?.select();
}

/** ms of the highlight of an added food. */
const LIGHT = 1200;

// Highlights the food that has just been added, and the bar. By then the page is rendered.
addedStore.listen(() =>
  setTimeout(() => {
    askForAmount();
    for (const place of [addedRow(), document.getElementById(BAR_ID)]) {
      place?.scrollIntoView({ block: 'nearest' });
      place?.animate([{ backgroundColor: 'var(--lit)', offset: 0 }], LIGHT);
    }
  }),
);

/** Opens the plate of a link. It replaces the stored plate, which the notice can restore. */
export function openLinkedPlate(): void {
  const { hash } = location;
  if (!hash.startsWith(PREFIX)) return;
  const plate = plateOfLink(hash);
  // A reload must not replace later changes by the plate of the link.
  history.replaceState(null, '', location.pathname + location.search);
  if (plate === undefined) {
    notify(t('unreadableLink'));
    return;
  }
  changePlate(plate, t('fromLink'), undefined, makesOfLink(hash));
  // After the page is rendered, which has the sheet of narrow screens.
  setTimeout(showPlate);
}

window.addEventListener('hashchange', openLinkedPlate);
