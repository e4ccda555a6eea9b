/**
 * The place of the plate: beside the search on wide screens, in a sheet at the bottom on narrow ones. It is a target of
 * links, keys and focus.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { foodKey } from '../foods/food.ts';
import { addedStore, plateStore } from '../stores/page-stores.ts';

export const PLATE_ID = 'plate';
export const PLATE_HEADING_ID = 'plate-heading';
export const PLATE_BAR_ID = 'plate-bar';

/** As in the style sheets. */
const WIDE = window.matchMedia('(min-width: 64rem)');

function subscribe(listener: () => void): () => void {
  WIDE.addEventListener('change', listener);
  return () => WIDE.removeEventListener('change', listener);
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => WIDE.matches);

const sheet = (): HTMLDialogElement | undefined => {
  const plate = document.getElementById(PLATE_ID);
  return plate instanceof HTMLDialogElement ? plate : undefined;
};

/** For buttons that disappear when pressed, so that the focus is not lost. */
export function focusPlate(): void {
  const id = sheet()?.open === false ? PLATE_BAR_ID : PLATE_HEADING_ID;
  document.getElementById(id)?.focus({ preventScroll: true });
}

export function showPlate(): void {
  if (sheet()?.open === false) sheet()?.showModal();
  focusPlate();
}

export const closeSheet = (): void => sheet()?.close();

export function returnToSearch(): void {
  closeSheet();
  const box = document.getElementById('box');
  if (box instanceof HTMLInputElement) {
    box.focus();
    box.select();
  }
}

/** Ctrl+Enter, or ⌘ Enter, goes to the amount of the food added last. */
export function usePlateKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      showPlate();
      const added = addedStore.get()?.key;
      const index = plateStore.get().findIndex(({ food }) => foodKey(food) === added);
      const fields = document.querySelectorAll<HTMLInputElement>(`#${PLATE_ID} .amount-input`);
      const field = fields[index] ?? fields[0];
      field?.focus();
      field?.select();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
