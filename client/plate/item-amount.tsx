/**
 * The amount of a food on the plate: a field, and a list of grams and the portions of the food.
 */
import { useRef } from 'preact/hooks';
import { AmountField } from '../elements/amount-field.tsx';
import { useIsSeen, weightText } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { GRAMS, inUnit, isGrams, type Unit } from '../foods/amount.ts';
import type { Item } from '../foods/plate.ts';
import { weigh } from '../foods/weigh.ts';
import { usePortions } from '../service/portions.ts';
import { setAmount } from '../stores/page-stores.ts';
import { returnToSearch } from './plate-place.ts';

export function ItemAmount({ item }: { readonly item: Item }) {
  const { food, unit } = item;
  const place = useRef<HTMLSpanElement>(null);
  const portions = usePortions(food, useIsSeen(place)) ?? [];
  // The data set may no longer have the chosen portion.
  const units = new Map([GRAMS, ...portions, unit].map((each) => [unitText(each), each]));
  return (
    <AmountField
      label={`Amount of ${food.description}`}
      amount={item}
      weigh={(typed) => {
        const { amount, note } = weigh(typed, food.description, [...portions, unit]);
        return note === undefined || note.startsWith('as') ? amount : undefined;
      }}
      onChange={(changed) => setAmount(food, changed)}
      onEnter={returnToSearch}
    >
      {/* The browser's list lies invisibly over the icon, because by itself it would be as wide as its longest portion. */}
      <span className="unit" ref={place}>
        {units.size > 1 && (
          <>
            <Icon name="down" />
            <select
              aria-label={`Unit of ${food.description}`}
              value={unitText(unit)}
              onChange={({ currentTarget }) =>
                setAmount(food, inUnit(item, units.get(currentTarget.value) ?? unit))
              }
            >
              {Array.from(units.keys(), (text) => (
                <option key={text}>{text}</option>
              ))}
            </select>
          </>
        )}
      </span>
      {!isGrams(unit) && <span className="weight">{weightText(item)} g</span>}
    </AmountField>
  );
}

const unitText = (unit: Unit): string =>
  isGrams(unit) ? 'grams' : `${unit.portion} (${weightText({ count: '1', unit })} g)`;
