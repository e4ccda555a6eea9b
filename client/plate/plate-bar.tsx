/**
 * On narrow screens, where the plate stands below the foods: what is on it, and the way there.
 */
import { useEffect, useState } from 'react';
import { computedText, localCount, localText } from '../figure.tsx';
import { useStored } from '../local-store.ts';
import { plateStore } from '../page-stores.ts';
import { total } from './plate.ts';
import { PLATE_ID, showPlate } from './plate-place.ts';

export function PlateBar() {
  const plate = useStored(plateStore);
  const isPlateSeen = useIsPlateSeen();
  if (plate.length === 0 || isPlateSeen) return null;
  const { sum, unknown } = total(plate, 'kcal');
  return (
    <nav className="plate-bar" aria-label="Plate">
      <button type="button" onClick={showPlate}>
        <span>
          {localCount(plate.length)} {plate.length === 1 ? 'food' : 'foods'}
        </span>
        <b>
          {localText(computedText(sum))} kcal{unknown > 0 ? '*' : ''}
        </b>
        <span>Show the plate</span>
      </button>
    </nav>
  );
}

/** Whether the plate itself is on the screen, and says it all. */
function useIsPlateSeen(): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const plate = document.getElementById(PLATE_ID);
    if (plate === null) return;
    const observer = new IntersectionObserver(([entry]) => setIsSeen(entry?.isIntersecting ?? false), {
      // Some of it under the bar does not count.
      rootMargin: '0px 0px -96px',
    });
    observer.observe(plate);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}
