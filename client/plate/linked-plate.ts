/**
 * Opens the plate of a link. It replaces the stored plate, which the notice can restore.
 */
import { changePlate, noticeStore, plateStore } from '../stores/page-stores.ts';
import { PREFIX, plateOfLink } from './plate-link.ts';

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
    noticeStore.set({ text: 'The link contains no readable plate. It may have been cut off.' });
    return;
  }
  const isReplaced = before.length > 0 && JSON.stringify(before) !== JSON.stringify(plate);
  changePlate(plate, { text: 'This plate came from a link.', ...(isReplaced && { before }) });
}
