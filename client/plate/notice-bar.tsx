/**
 * The last change of the plate, and a way to undo it.
 */
import { announce } from '../elements/announcer.tsx';
import { Icon } from '../elements/icon.tsx';
import { useStore } from '../stores/local-store.ts';
import { changesStore, undo } from '../stores/page-stores.ts';
import { focusPlate } from './plate-place.ts';

export function NoticeBar() {
  const change = useStore(changesStore).at(-1);
  if (change === undefined) return null;
  return (
    <p className="notice">
      <span>{change.text}</span>
      {change.before !== undefined && (
        <button type="button" className="quiet-button" onClick={restore}>
          Undo
        </button>
      )}
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={dismiss}>
        <Icon name="cross" />
      </button>
    </p>
  );
}

function restore(): void {
  undo();
  focusPlate();
  announce('The plate is restored.');
}

function dismiss(): void {
  changesStore.set([]);
  focusPlate();
}
