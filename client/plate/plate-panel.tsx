/**
 * The plate: its foods, their sums, and ways to share it.
 */
import { Icon } from '../elements/icon.tsx';
import { useStore } from '../stores/local-store.ts';
import { plateStore } from '../stores/page-stores.ts';
import { EnergyChart } from './energy-chart.tsx';
import { noticeStore, restorePlate } from './notice.ts';
import { PLATE_HEADING_ID, PLATE_ID } from './plate-anchor.ts';
import { PlateTable } from './plate-table.tsx';
import { PlateToolbar } from './plate-toolbar.tsx';

export function PlatePanel() {
  const plate = useStore(plateStore);
  return (
    <section className="plate" id={PLATE_ID} aria-labelledby={PLATE_HEADING_ID}>
      <div className="plate-head">
        <h2 id={PLATE_HEADING_ID} tabIndex={-1}>
          Plate
        </h2>
        {plate.length > 0 && <PlateToolbar plate={plate} />}
      </div>
      <NoticeBar />
      {plate.length === 0 ? (
        <EmptyPlate />
      ) : (
        <>
          <EnergyChart plate={plate} />
          <PlateTable plate={plate} />
        </>
      )}
    </section>
  );
}

function EmptyPlate() {
  return (
    <div className="empty-plate">
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle cx="60" cy="60" r="52" />
        <circle cx="60" cy="60" r="34" />
      </svg>
      <p>Nothing on it yet. Choose a food to add 100 g of it. You can change the amount here.</p>
    </div>
  );
}

function NoticeBar() {
  const notice = useStore(noticeStore);
  if (notice === null) return null;
  const { text, before } = notice;
  return (
    <p className="notice">
      <span>{text}</span>
      {before !== undefined && (
        <button type="button" className="quiet-button" onClick={() => restorePlate(before)}>
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
