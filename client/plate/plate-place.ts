/**
 * The place of the plate: beside the search on wide screens, in a sheet at the bottom on narrow ones. It is the same element, a
 * target of links, keys and focus.
 */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { foodKey } from '../foods/food.ts';
import { addedStore, plateStore, undo } from '../stores/page-stores.ts';

export const PLATE_ID = 'plate';
export const PLATE_HEADING_ID = 'plate-heading';
export const PLATE_BAR_ID = 'plate-bar';

/** As in the style sheets. */
const WIDE = window.matchMedia('(min-width: 64rem)');

const plateElement = (): HTMLDialogElement | undefined => {
  const plate = document.getElementById(PLATE_ID);
  return plate instanceof HTMLDialogElement ? plate : undefined;
};

/** Keeps it open beside the search, as a sheet it is closed at first. */
export function usePlace(plate: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const place = () => {
      plate.current?.close();
      plate.current?.toggleAttribute('open', WIDE.matches);
      // A tap beside the sheet closes it.
      plate.current?.setAttribute('closedby', WIDE.matches ? 'none' : 'any');
    };
    place();
    WIDE.addEventListener('change', place);
    return () => WIDE.removeEventListener('change', place);
  }, [plate]);
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
  const box = document.getElementById('box');
  if (box instanceof HTMLInputElement) {
    box.focus();
    box.select();
  }
}

/** Ctrl+Enter, or ⌘ Enter, goes to the amount of the food added last; Ctrl+Z undoes, where no text is typed. */
export function usePlateKeys(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (event.key === 'Enter') goToAmount();
      else if (event.key !== 'z' || isTyping(event.target) || !undo()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type !== 'checkbox' && target.value !== '';

function goToAmount(): void {
  showPlate();
  const added = addedStore.get()?.key;
  const index = plateStore.get().findIndex(({ food }) => foodKey(food) === added);
  const fields = document.querySelectorAll<HTMLInputElement>(`#${PLATE_ID} .amount-input`);
  const field = fields[index] ?? fields[0];
  field?.focus();
  field?.select();
}
