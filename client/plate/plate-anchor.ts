/**
 * The plate as a target of links and focus.
 */
export const PLATE_ID = 'plate';
export const PLATE_HEADING_ID = 'plate-heading';

/** For buttons that disappear when pressed, so that the focus is not lost. */
export function focusPlate(): void {
  document.getElementById(PLATE_HEADING_ID)?.focus({ preventScroll: true });
}

export function showPlate(): void {
  document.getElementById(PLATE_ID)?.scrollIntoView({ block: 'start' });
  focusPlate();
}
