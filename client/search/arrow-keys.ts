/**
 * Keys that lead from the search box through the foods and back. Focus really moves, so every row and button is
 * read out as what it is.
 */
import type { KeyboardEvent } from 'react';

/** Marks the button of a row that adds its food, and the one that makes it a favourite. */
export const ADD = 'data-add';
export const FAVOURITE = 'data-favourite';

export function moveThroughFoods(event: KeyboardEvent<HTMLElement>, box: HTMLInputElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
  const target = targetOf(event.key, event.target, event.currentTarget, box);
  if (target === undefined) return;
  // A letter goes into the box that it leads to.
  if (!isLetter(event.key)) event.preventDefault();
  target.focus();
  if (target !== box) target.scrollIntoView({ block: 'nearest' });
}

function targetOf(
  key: string,
  from: HTMLElement,
  panel: HTMLElement,
  box: HTMLInputElement,
): HTMLElement | undefined {
  const column = from.hasAttribute(FAVOURITE) ? FAVOURITE : ADD;
  const buttons = [...panel.querySelectorAll<HTMLElement>(`[${column}]`)];
  if (from === box) return key === 'ArrowDown' ? buttons[0] : undefined;
  const place = buttons.indexOf(from);
  if (place < 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return buttons[place + 1] ?? from;
    case 'ArrowUp':
      return buttons[place - 1] ?? box;
    case 'Home':
      return buttons[0];
    case 'End':
      return buttons.at(-1);
    case 'ArrowRight':
      return panel.querySelectorAll<HTMLElement>(`[${FAVOURITE}]`)[place];
    case 'ArrowLeft':
      return panel.querySelectorAll<HTMLElement>(`[${ADD}]`)[place];
    case 'Escape':
      return box;
    default:
      return isLetter(key) || key === 'Backspace' ? box : undefined;
  }
}

/** A key that writes something; the space presses the button that has the focus. */
const isLetter = (key: string): boolean => [...key].length === 1 && key !== ' ' && key !== '/';
