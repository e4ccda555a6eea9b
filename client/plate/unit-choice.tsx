/**
 * The unit of an amount: grams, or one of the portions of the food.
 */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { weightText } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { GRAMS, inUnit, isGrams, type Unit } from '../foods/amount.ts';
import type { Item } from '../foods/plate.ts';
import { usePortions } from '../service/portions.ts';
import { setAmount } from '../stores/page-stores.ts';

/** The browser's list lies invisibly over the text, because by itself it would be as wide as its longest portion. */
export function UnitChoice({ item }: { readonly item: Item }) {
  const { food, unit } = item;
  const place = useRef<HTMLSpanElement>(null);
  const portions = usePortions(food, useIsSeen(place)) ?? [];
  // The data set may no longer have the chosen portion.
  const units = new Map([GRAMS, ...portions, unit].map((each) => [unitText(each), each]));
  return (
    <>
      <span className="unit" ref={place}>
        <span aria-hidden="true">{isGrams(unit) ? 'g' : `× ${unit.portion}`}</span>
        {units.size > 1 && (
          <>
            <Icon name="down" />
            <select
              aria-label={`Unit of ${food.description}`}
              value={unitText(unit)}
              onChange={({ target }) => setAmount(food, inUnit(item, units.get(target.value) ?? unit))}
            >
              {Array.from(units.keys(), (text) => (
                <option key={text}>{text}</option>
              ))}
            </select>
          </>
        )}
      </span>
      {!isGrams(unit) && <span className="weight">({weightText(item)} g)</span>}
    </>
  );
}

const unitText = (unit: Unit): string =>
  isGrams(unit) ? 'grams' : `${unit.portion} (${weightText({ count: '1', unit })} g)`;

/** Whether the element has been visible: not in a closed sheet, nor far down a long plate. */
function useIsSeen(place: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (isSeen || place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen, place]);
  return isSeen;
}
