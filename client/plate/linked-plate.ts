/**
 * A plate that came by a link takes the place of the one that is kept, which the notice can bring back.
 */
import { plateStore } from '../page-stores.ts';
import { noticeStore } from './notice.ts';
import { plateOfLink } from './plate-link.ts';

export function openLinkedPlate(): void {
  openPlateOf(location.hash);
  window.addEventListener('hashchange', () => openPlateOf(location.hash));
}

function openPlateOf(hash: string): void {
  if (!hash.startsWith('#plate=')) return;
  const before = plateStore.get();
  const plate = plateOfLink(hash);
  // What is changed from here on is kept by the browser; a reload must not bring the link's plate back over it.
  const address = new URL(location.href);
  address.hash = '';
  history.replaceState(null, '', address);
  if (plate === undefined) {
    noticeStore.set({ text: 'The link holds no plate that can be read. It may have been cut off.' });
    return;
  }
  const isOther = before.length > 0 && JSON.stringify(before) !== JSON.stringify(plate);
  plateStore.set(plate);
  noticeStore.set(
    isOther ? { text: 'This plate came by a link.', before } : { text: 'This plate came by a link.' },
  );
}
