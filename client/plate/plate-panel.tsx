/**
 * The plate: what is on it, what it adds up to, and ways to take it along.
 */

import { Icon } from '../icons.tsx';
import { useStored } from '../local-store.ts';
import { plateStore } from '../page-stores.ts';
import { EnergyPicture } from './energy-picture.tsx';
import { noticeStore, undo } from './notice.ts';
import type { Plate } from './plate.ts';
import { PLATE_HEADING_ID, PLATE_ID } from './plate-place.ts';
import { PlateTable } from './plate-table.tsx';
import { PlateToolbar } from './plate-toolbar.tsx';

export function PlatePanel() {
  const plate = useStored(plateStore);
  return (
    <section className="plate" id={PLATE_ID} aria-labelledby={PLATE_HEADING_ID}>
      <div className="plate-head">
        <h2 id={PLATE_HEADING_ID} tabIndex={-1}>
          Plate
        </h2>
        {plate.length > 0 && <PlateToolbar plate={plate} />}
      </div>
      <NoticeLine />
      {plate.length === 0 ? <EmptyPlate /> : <FullPlate plate={plate} />}
    </section>
  );
}

function FullPlate({ plate }: { readonly plate: Plate }) {
  return (
    <>
      <EnergyPicture plate={plate} />
      <PlateTable plate={plate} />
    </>
  );
}

function EmptyPlate() {
  return (
    <div className="empty-plate">
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle cx="60" cy="60" r="52" />
        <circle cx="60" cy="60" r="34" />
      </svg>
      <p>Nothing on it yet. Choose a food to add 100 g of it; the amount can be changed here.</p>
    </div>
  );
}

function NoticeLine() {
  const notice = useStored(noticeStore);
  if (notice === null) return null;
  const { text, before } = notice;
  return (
    <p className="notice">
      <span>{text}</span>
      {before !== undefined && (
        <button type="button" className="quiet-button" onClick={() => undo(before)}>
          Undo
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label="Dismiss"
        onClick={() => noticeStore.set(null)}
      >
        <Icon name="cross" />
      </button>
    </p>
  );
}
