/**
 * The plate: its totals, its foods, and ways to share it. On narrow screens a bar opens it and keeps its energy visible.
 */
import { useEffect, useState } from 'preact/hooks';
import { Announcer, announce, announceAtRest } from '../elements/announcer.tsx';
import { foodCount, totalText } from '../elements/figure.ts';
import { Icon } from '../elements/icon.tsx';
import { type Plate, totals } from '../foods/plate.ts';
import { storedStore, useStore } from '../stores/local-store.ts';
import { changesStore, plateStore, undo } from '../stores/page-stores.ts';
import {
  closeSheet,
  focusPlate,
  PLATE_BAR_ID,
  PLATE_HEADING_ID,
  showPlate,
  useLight,
  usePlace,
} from './plate-place.ts';
import { PlateTable } from './plate-table.tsx';
import { PlateToolbar } from './plate-toolbar.tsx';
import { EnergyRing, PlateTotals } from './plate-totals.tsx';

export function PlatePanel() {
  usePlace();
  // For the date on paper.
  const [, render] = useState<Event>();
  useEffect(() => window.addEventListener('beforeprint', render), []);
  const plate = useStore(plateStore);
  const isStored = useStore(storedStore);
  const change = useStore(changesStore).at(-1);
  useEffect(() => {
    if (change?.key !== undefined) announceAtRest(change.text);
    else if (change !== undefined) announce(change.text);
  }, [change]);
  return (
    <>
      <dialog className="plate" aria-labelledby={PLATE_HEADING_ID}>
        <div className="plate-head">
          <h2 id={PLATE_HEADING_ID} tabIndex={-1}>
            Plate
          </h2>
          <p className="printed-date">{new Date().toLocaleDateString(undefined, { dateStyle: 'long' })}</p>
          <button
            type="button"
            className="icon-button close"
            aria-label="Close the plate"
            onClick={closeSheet}
          >
            <Icon name="cross" />
          </button>
          {plate.length > 0 && <PlateTotals plate={plate} />}
        </div>
        <div className="plate-list">{plate.length > 0 ? <PlateTable plate={plate} /> : <EmptyPlate />}</div>
        {!isStored && (
          <p className="notice" role="alert">
            <span>This browser has no room to store the plate. It is lost when you close the page.</span>
          </p>
        )}
        <NoticeBar />
        {plate.length > 0 && <PlateToolbar plate={plate} />}
        {/* An open sheet hides the rest of the page from screen readers, including the other announcer. */}
        <Announcer />
      </dialog>
      <PlateBar plate={plate} />
    </>
  );
}

/** The last change of the plate, and a way to undo it. */
function NoticeBar() {
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

function EmptyPlate() {
  return (
    <div className="empty-plate">
      <EnergyRing parts={[]} />
      <p>
        <strong>Nothing on it yet.</strong> Add a food, and its energy, protein, fat and carbohydrate add up
        here. Your plate stays in this browser; nothing is tracked.
      </p>
    </div>
  );
}

function PlateBar({ plate }: { readonly plate: Plate }) {
  const changes = useStore(changesStore);
  const bar = useLight<HTMLButtonElement>((element) => element);
  if (plate.length === 0 && changes.length === 0) return null;
  const [energy] = totals(plate);
  return (
    <nav className="plate-bar" aria-label="Plate">
      <NoticeBar />
      <button
        type="button"
        id={PLATE_BAR_ID}
        ref={bar}
        className="bar-button"
        aria-haspopup="dialog"
        onClick={showPlate}
      >
        <span className="unseen">Show the plate: {foodCount(plate.length)}, </span>
        <span aria-hidden="true">
          Plate · <b>{plate.length}</b>
        </span>
        {energy && (
          <span className="bar-figure">
            <b>{totalText(energy)}</b> kcal
          </span>
        )}
        <Icon name="up" />
      </button>
    </nav>
  );
}
