/**
 * The last change of the plate, and a way to undo it.
 */
import { useEffect } from 'react';
import { announce } from '../elements/announcer.tsx';
import { Icon } from '../elements/icon.tsx';
import type { Plate } from '../foods/plate.ts';
import { useStore } from '../stores/local-store.ts';
import { changePlate, noticeStore } from '../stores/page-stores.ts';
import { focusPlate } from './plate-place.ts';

export function NoticeBar() {
  const notice = useStore(noticeStore);
  useEffect(() => {
    if (notice !== null) announce(notice.text);
  }, [notice]);
  if (notice === null) return null;
  const { text, before } = notice;
  return (
    <p className="notice">
      <span>{text}</span>
      {before !== undefined && (
        <button type="button" className="quiet-button" onClick={() => restore(before)}>
          Undo
        </button>
      )}
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={dismiss}>
        <Icon name="cross" />
      </button>
    </p>
  );
}

function restore(before: Plate): void {
  changePlate(before);
  focusPlate();
  announce('The plate is restored.');
}

function dismiss(): void {
  noticeStore.set(null);
  focusPlate();
}
