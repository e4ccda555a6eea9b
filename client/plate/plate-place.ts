/**
 * The place of the plate: beside the search on wide screens, in a sheet at the bottom on narrow ones. It is the same element, a
 * target of links, keys and focus.
 */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { foodKey } from '../foods/food.ts';
import { useStore } from '../stores/local-store.ts';
import { addedStore, changePlate, notify, plateStore, undo } from '../stores/page-stores.ts';
import { PREFIX, plateOfLink } from './plate-link.ts';

export const PLATE_HEADING_ID = 'plate-heading';
export const PLATE_BAR_ID = 'plate-bar';

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

/** For buttons that disappear when pressed, so that the focus is not lost. */
export function focusPlate(): void {
  const id = plateElement()?.open ? PLATE_HEADING_ID : PLATE_BAR_ID;
  document.getElementById(id)?.focus({ preventScroll: true });
}

export function showPlate(): void {
  if (plateElement()?.open === false) plateElement()?.showModal();
  focusPlate();
}

export function closeSheet(): void {
  if (!WIDE.matches) plateElement()?.close();
}

export function returnToSearch(): void {
  closeSheet();
  focusField(document.querySelector<HTMLInputElement>('#box'));
}

/** Ctrl+Enter, or ⌘ Enter, goes to the amount of the food added last; Ctrl+Z undoes, where no text is typed. */
function pressKey(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  if (event.key === 'Enter') goToAmount();
  else if (event.key !== 'z' || isTyping(event.target) || !undo()) return;
  event.preventDefault();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type !== 'checkbox' && target.value !== '';

function goToAmount(): void {
  showPlate();
  const added = addedStore.get()?.key;
  const index = plateStore.get().findIndex(({ food }) => foodKey(food) === added);
  const fields = plateElement()?.querySelectorAll<HTMLInputElement>('.amount-input');
  focusField(fields?.[index] ?? fields?.[0]);
}

function focusField(field: HTMLInputElement | null | undefined): void {
  field?.focus();
  field?.select();
}

/** ms of the highlight of an added food. */
const LIGHT = 1200;

/**
 * Highlights the place where a food has just been added, and scrolls to it.
 * @param find the element to highlight, in the element of the returned reference
 */
export function useLight<Element extends HTMLElement>(
  find: (element: Element, key: string) => HTMLElement | undefined,
): RefObject<Element | null> {
  const added = useStore(addedStore);
  const shown = useRef<typeof added>(undefined);
  const place = useRef<Element>(null);
  useEffect(() => {
    if (added === undefined || added === shown.current || place.current === null) return;
    shown.current = added;
    const element = find(place.current, added.key);
    element?.scrollIntoView({ block: 'nearest' });
    element?.animate([{ backgroundColor: 'var(--lit)', offset: 0 }], LIGHT);
  });
  return place;
}

/** Opens the plate of a link. It replaces the stored plate, which the notice can restore. */
export function openLinkedPlate(): void {
  openPlate();
  window.addEventListener('hashchange', openPlate);
}

function openPlate(): void {
  const { hash } = location;
  if (!hash.startsWith(PREFIX)) return;
  const before = plateStore.get();
  const plate = plateOfLink(hash);
  // A reload must not replace later changes by the plate of the link.
  history.replaceState(null, '', location.pathname + location.search);
  if (plate === undefined) {
    notify('The link contains no readable plate. It may have been cut off.');
    return;
  }
  const isReplaced = before.length > 0 && JSON.stringify(before) !== JSON.stringify(plate);
  if (isReplaced) changePlate(plate, 'This plate came from a link.');
  else {
    plateStore.set(plate);
    notify('This plate came from a link.');
  }
  // After the page is rendered, which has the sheet of narrow screens.
  setTimeout(showPlate);
}
