/**
 * The plate on narrow screens: a sheet at the bottom, and a bar that opens it and keeps the totals visible.
 */
import type { ReactNode } from 'react';
import { Announcer } from '../elements/announcer.tsx';
import { foodCount, totalText } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { totals } from '../foods/plate.ts';
import { useStore } from '../stores/local-store.ts';
import { noticeStore, plateStore } from '../stores/page-stores.ts';
import { NoticeBar } from './notice-bar.tsx';
import { PLATE_BAR_ID, PLATE_HEADING_ID, PLATE_ID, showPlate } from './plate-place.ts';
import { useLight } from './use-light.ts';

export function PlateSheet({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <PlateBar />
      <dialog className="plate" id={PLATE_ID} aria-labelledby={PLATE_HEADING_ID} closedby="any">
        {children}
        {/* An open sheet hides the rest of the page from screen readers, including the other announcer. */}
        <Announcer />
      </dialog>
    </>
  );
}

function PlateBar() {
  const plate = useStore(plateStore);
  const notice = useStore(noticeStore);
  const bar = useLight<HTMLButtonElement>((element) => element);
  if (plate.length === 0 && notice === null) return null;
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
        {totals(plate).map((total) => (
          <span key={total.key} className={`bar-figure ${total.key}`}>
            {total.unit === 'g' && `${total.letter} `}
            <b>{totalText(total)}</b>
            {total.unit === 'kcal' && ' kcal'}
          </span>
        ))}
        <Icon name="up" />
      </button>
    </nav>
  );
}
