/**
 * A summary of the plate, and the way to it, for narrow screens, where the plate is below the foods.
 */
import { useEffect, useState } from 'react';
import { computedText, foodCount, localText } from '../elements/figure.tsx';
import { total } from '../foods/plate.ts';
import { useStore } from '../stores/local-store.ts';
import { plateStore } from '../stores/page-stores.ts';
import { PLATE_ID, showPlate } from './plate-anchor.ts';

export function PlateBar() {
  const plate = useStore(plateStore);
  const isPlateVisible = useIsPlateVisible();
  if (plate.length === 0 || isPlateVisible) return null;
  const { sum, unknown } = total(plate, 'kcal');
  return (
    <nav className="plate-bar" aria-label="Plate">
      <button type="button" onClick={showPlate}>
        <span>{foodCount(plate.length)}</span>
        <b>
          {localText(computedText(sum))} kcal{unknown > 0 ? '*' : ''}
        </b>
        <span>Show the plate</span>
      </button>
    </nav>
  );
}

function useIsPlateVisible(): boolean {
  const [isVisible, setIsVisible] = useState(false);
  useEffect(() => {
    const plate = document.getElementById(PLATE_ID);
    if (plate === null) return;
    const observer = new IntersectionObserver(([entry]) => setIsVisible(entry?.isIntersecting ?? false), {
      // What the bar covers is not visible.
      rootMargin: '0px 0px -96px',
    });
    observer.observe(plate);
    return () => observer.disconnect();
  }, []);
  return isVisible;
}
