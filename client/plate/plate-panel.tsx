/**
 * The plate: its totals, its foods, and ways to share it.
 */
import { useEffect, useReducer } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '../elements/icon.tsx';
import { GRAMS } from '../foods/amount.ts';
import { energyParts } from '../foods/plate.ts';
import { storedStore, useStore } from '../stores/local-store.ts';
import { plateStore } from '../stores/page-stores.ts';
import { NoticeBar } from './notice-bar.tsx';
import { closeSheet, PLATE_HEADING_ID, PLATE_ID, useIsWide, usePlateKey } from './plate-place.ts';
import { PlateSheet } from './plate-sheet.tsx';
import { PlateTable } from './plate-table.tsx';
import { PlateToolbar } from './plate-toolbar.tsx';
import { EnergyRing, PlateTotals } from './plate-totals.tsx';

export function PlatePanel() {
  usePlateKey();
  if (!useIsWide()) {
    return (
      <PlateSheet>
        <PlateContent />
      </PlateSheet>
    );
  }
  return (
    <section className="plate" id={PLATE_ID} aria-labelledby={PLATE_HEADING_ID}>
      <PlateContent />
    </section>
  );
}

function PlateContent() {
  useRenderedForPrint();
  const plate = useStore(plateStore);
  const isStored = useStore(storedStore);
  return (
    <>
      <div className="plate-head">
        <h2 id={PLATE_HEADING_ID} tabIndex={-1}>
          Plate
        </h2>
        <p className="printed-date">{new Date().toLocaleDateString(undefined, { dateStyle: 'long' })}</p>
        <button type="button" className="icon-button close" aria-label="Close the plate" onClick={closeSheet}>
          <Icon name="cross" />
        </button>
        {plate.length > 0 && <PlateTotals plate={plate} />}
      </div>
      <div className="plate-list">
        <NoticeBar />
        {!isStored && (
          <p className="notice" role="alert">
            <span>This browser has no room to store the plate. It is lost when you close the page.</span>
          </p>
        )}
        {plate.length > 0 ? <PlateTable plate={plate} /> : <EmptyPlate />}
      </div>
      {plate.length > 0 && <PlateToolbar plate={plate} />}
    </>
  );
}

/** Renders again before printing, for the date on paper. */
function useRenderedForPrint(): void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const listen = () => flushSync(render);
    window.addEventListener('beforeprint', listen);
    return () => window.removeEventListener('beforeprint', listen);
  }, []);
}

/** A possible meal, for the ring of an empty plate. */
const MEAL = { description: '', kcal: '144', protein: '9', fat: '4', carbohydrate: '18' };
const EXAMPLE = energyParts([{ food: MEAL, count: '100', unit: GRAMS }]);

function EmptyPlate() {
  return (
    <div className="empty-plate">
      <EnergyRing parts={EXAMPLE ?? []} />
      <p>
        <strong>Nothing on it yet.</strong> Add a food, and its energy, protein, fat and carbohydrate add up
        here.
      </p>
    </div>
  );
}
