/**
 * Keys that move the focus between the search box and the foods. The real focus moves, so that screen readers read out
 * every row and button as such.
 */
/** Attributes of the two buttons of a row. */
export const ADD = 'data-add';
const FAVOURITE = 'data-favourite';

export function moveThroughFoods(event: KeyboardEvent, panel: HTMLElement, box: HTMLInputElement): void {
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
  const column = from.hasAttribute(FAVOURITE) ? FAVOURITE : ADD;
  const buttons = [...panel.querySelectorAll<HTMLElement>(`[${column}]`)];
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
    case 'ArrowLeft':
      return panel.querySelectorAll<HTMLElement>(`[${key === 'ArrowRight' ? FAVOURITE : ADD}]`)[index];
    case 'Escape':
      return box;
    default:
      return isCharacter(key) || key === 'Backspace' ? box : undefined;
  }
}

/** A space presses the focused button, and `/` is a shortcut. */
const isCharacter = (key: string): boolean => [...key].length === 1 && key !== ' ' && key !== '/';
