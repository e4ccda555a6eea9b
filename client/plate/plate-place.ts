/**
 * Where the plate stands on the page, for what leads there.
 */
export const PLATE_ID = 'plate';
export const PLATE_HEADING_ID = 'plate-heading';

/** For a button that goes away with what it removes: the focus stays with the plate. */
export function focusPlate(): void {
  document.getElementById(PLATE_HEADING_ID)?.focus({ preventScroll: true });
}

export function showPlate(): void {
  document.getElementById(PLATE_ID)?.scrollIntoView({ block: 'start' });
  focusPlate();
}
