/**
 * Opens the plate of a link. It replaces the stored plate, which the notice can restore.
 */
import { changePlate, notify, plateStore } from '../stores/page-stores.ts';
import { PREFIX, plateOfLink } from './plate-link.ts';
import { showPlate } from './plate-place.ts';

export function openLinkedPlate(): void {
  openPlate(location.hash);
  window.addEventListener('hashchange', () => openPlate(location.hash));
}

function openPlate(hash: string): void {
  if (!hash.startsWith(PREFIX)) return;
  const before = plateStore.get();
  const plate = plateOfLink(hash);
  // A reload must not replace later changes by the plate of the link.
  const address = new URL(location.href);
  address.hash = '';
  history.replaceState(null, '', address);
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
