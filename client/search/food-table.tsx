/**
 * Foods with their figures, per 100 g or for the amount that was typed. Each row has two buttons: one puts the food on the plate
 * or takes it off, one makes it a favourite.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { announce } from '../elements/announcer.tsx';
import { ColumnHead, FigureCell, localText, role, useIsSeen, weightText } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { type Amount, amountText, countText, isGrams } from '../foods/amount.ts';
import { type Food, foodKey, NUTRIENTS, type NutrientKey } from '../foods/food.ts';
import { figureOf } from '../foods/plate.ts';
import type { TypedAmount } from '../foods/typed-text.ts';
import { needsPortions, type Weighed, weigh } from '../foods/weigh.ts';
import { usePortions } from '../service/service.ts';
import {
  favouriteStore,
  plateStore,
  removeFromPlate,
  toggleFavourite,
  useStore,
} from '../stores/page-stores.ts';
import { enterFood, searchStore, sorted, sortStore } from './search-store.ts';

interface Row {
  readonly food: Food;
  readonly amount?: TypedAmount | undefined;
  /** The line of a list. */
  readonly text?: string;
}

interface Props {
  readonly name: string;
  readonly isNameVisible?: boolean;
  readonly rows: readonly Row[];
}

/** Rows painted at once: as many as the screen shows below the box, of two lines on narrow screens. */
const FIRST_ROWS = Math.ceil((window.innerHeight - 128) / (window.innerWidth < 544 ? 64 : 48));

/** ms without another text after which the other rows follow. */
const REST = 250;

export function FoodTable({ name, isNameVisible = false, rows }: Props) {
  const sort = useStore(sortStore);
  const [hasRested, setHasRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasRested(true), REST);
    return () => clearTimeout(timer);
  }, []);
  const shown = sorted(rows, sort).slice(0, hasRested ? undefined : FIRST_ROWS);
  const favourites = useStore(favouriteStore);
  const favouriteKeys = useMemo(() => new Set(favourites.map(foodKey)), [favourites]);
  const plate = useStore(plateStore);
  const items = useMemo(() => new Map(plate.map((item) => [foodKey(item.food), item])), [plate]);
  return (
    <table className="foods" {...role('table')}>
      <caption className={isNameVisible ? undefined : 'unseen'}>
        {name}
        <span className="unseen">. Choose a food to put it on the plate.</span>
      </caption>
      <FoodTableHead />
      <tbody {...role('rowgroup')}>
        {shown.map((row) => {
          const key = foodKey(row.food);
          return (
            <FoodRow
              key={`${row.text ?? ''}${key}`}
              row={row}
              onPlate={items.get(key)}
              isFavourite={favouriteKeys.has(key)}
              hasRested={hasRested}
            />
          );
        })}
      </tbody>
    </table>
  );
}

/** A tap on a heading shows most first, the next one least first, a third one the order of the search. */
function FoodTableHead() {
  const sort = useStore(sortStore);
  const press = (key: NutrientKey, name: string) => {
    const order = sort?.key !== key ? 'descending' : sort.order === 'descending' ? 'ascending' : undefined;
    sortStore.set(order && { key, order });
    announce(order ? `${order === 'ascending' ? 'Least' : 'Most'} ${name} first.` : 'Best matches first.');
  };
  return (
    <thead {...role('rowgroup')}>
      <tr {...role('row')}>
        <ColumnHead>Food</ColumnHead>
        {NUTRIENTS.map(({ key, name, shortName, unit }) => (
          <ColumnHead key={key} sort={sort?.key === key ? sort.order : undefined}>
            <button type="button" className="sort" onClick={() => press(key, name.toLowerCase())}>
              <span className={unit === 'kcal' ? 'unseen' : undefined}>{shortName} </span>
              <span className={unit === 'kcal' ? undefined : 'unseen'}>{unit}</span>
            </button>
          </ColumnHead>
        ))}
        <ColumnHead>
          <span className="unseen">Favourite</span>
        </ColumnHead>
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly row: Row;
  readonly onPlate: Amount | undefined;
  readonly isFavourite: boolean;
  readonly hasRested: boolean;
}

let pressed: EventTarget | null = null;

function FoodRow({ row: { food, amount, text }, onPlate, isFavourite, hasRested }: RowProps) {
  const place = useRef<HTMLTableRowElement>(null);
  const isCounted = amount !== undefined && needsPortions(amount);
  const isSeen = useIsSeen(place, isCounted && hasRested);
  const portions = usePortions(food, isSeen);
  const isWeighed = !isCounted || portions !== undefined;
  const weighed = amount && isWeighed ? weigh(amount, food.description, portions) : undefined;
  const press = (event: MouseEvent) => {
    // The second click of a double click changes nothing, unless it is on another food.
    const isSecond = event.detail > 1 && event.currentTarget === pressed;
    pressed = event.currentTarget;
    if (isSecond || searchStore.get().isBusy) return;
    if (onPlate) removeFromPlate(food);
    else enterFood(food, amount);
  };
  return (
    <tr ref={place} className={onPlate && 'on-plate'} {...role('row')}>
      <th scope="row" {...role('rowheader')}>
        <button type="button" className="add" aria-pressed={onPlate !== undefined} onClick={press}>
          <Icon name={onPlate ? 'check' : 'plus'} />
          <span className="description">
            {food.description}
            {(isCounted || text !== undefined) && (
              <small className="understood">
                {text !== undefined && `${text} · `}
                {weighed === undefined ? '…' : understood(weighed)}
              </small>
            )}
          </span>
        </button>
        {onPlate && (
          <span className="amount" title={amountText(onPlate)}>
            <span className="unseen">, on the plate: </span>
            {weightText(onPlate)} g
          </span>
        )}
      </th>
      {NUTRIENTS.map((nutrient) => (
        <FigureCell
          key={nutrient.key}
          figure={
            amount === undefined
              ? food[nutrient.key]
              : weighed && figureOf({ food, ...weighed.amount }, nutrient.key)
          }
          nutrient={nutrient}
        />
      ))}
      <td {...role('cell')}>
        <button
          type="button"
          className="favourite"
          aria-label={`Favourite: ${food.description}`}
          aria-pressed={isFavourite}
          onClick={() => toggleFavourite(food)}
        >
          <Icon name="star" />
        </button>
      </td>
    </tr>
  );
}

/** "2 large · 100 g", or why it is 100 g. */
function understood({ amount, note }: Weighed): string {
  const weight = isGrams(amount.unit) ? undefined : `${weightText(amount)} g`;
  return [localText(countText(amount)), weight, note].filter(Boolean).join(' · ');
}
