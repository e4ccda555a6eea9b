/**
 * Foods with their figures per 100 g. Each row has two buttons: one adds the food to the plate, one makes it a favourite.
 */
import { memo, useDeferredValue, useMemo } from 'react';
import { announce } from '../elements/announcer.tsx';
import { columnDigits, Figure } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { CELL, ColumnHead, NutrientHeads, ROW, ROW_GROUP, ROW_HEADER, TABLE } from '../elements/table.tsx';
import { type Food, foodKey, NUTRIENTS } from '../foods/food.ts';
import { useStore } from '../stores/local-store.ts';
import { addToPlate, favouriteStore, toggleFavourite } from '../stores/page-stores.ts';
import { matchedStretches } from './matched-text.ts';

interface Props {
  readonly name: string;
  readonly isNameVisible: boolean;
  readonly foods: readonly Food[];
  /** Texts to mark in the descriptions. */
  readonly marked?: readonly string[];
}

/** Rows painted at once, more than a screen shows. The browser paints the others when it is idle. */
const FIRST_ROWS = 20;

export const FoodTable = memo(function FoodTable({ name, isNameVisible, foods, marked }: Props) {
  const favourites = useStore(favouriteStore);
  const favouriteKeys = useMemo(() => new Set(favourites.map(foodKey)), [favourites]);
  const digits = useMemo(
    () => NUTRIENTS.map(({ key }) => columnDigits(foods.map((food) => food[key]))),
    [foods],
  );
  const shown = useDeferredValue(
    foods,
    useMemo(() => foods.slice(0, FIRST_ROWS), [foods]),
  );
  return (
    <table className="foods" {...TABLE}>
      <caption className={isNameVisible ? undefined : 'unseen'}>
        {name}
        <span className="unseen">, figures per 100 g. Choose a food to put it on the plate.</span>
      </caption>
      <thead {...ROW_GROUP}>
        <tr {...ROW}>
          <ColumnHead>
            <span className="wide-only">Food</span>
          </ColumnHead>
          <NutrientHeads />
          <ColumnHead>
            <span className="unseen">Favourite</span>
          </ColumnHead>
        </tr>
      </thead>
      <tbody {...ROW_GROUP}>
        {shown.map((food) => {
          const key = foodKey(food);
          return (
            <FoodRow
              key={key}
              food={food}
              marked={marked}
              digits={digits}
              isFavourite={favouriteKeys.has(key)}
            />
          );
        })}
      </tbody>
    </table>
  );
});

interface RowProps {
  readonly food: Food;
  readonly marked: readonly string[] | undefined;
  readonly digits: readonly number[];
  readonly isFavourite: boolean;
}

const FoodRow = memo(function FoodRow({ food, marked, digits, isFavourite }: RowProps) {
  return (
    <tr {...ROW}>
      <th scope="row" {...ROW_HEADER}>
        <button type="button" className="add" data-add="" onClick={() => addFood(food)}>
          <Icon name="plus" />
          <Icon name="enter" />
          <span className="description">
            <MarkedText description={food.description} marked={marked} />
          </span>
        </button>
      </th>
      {NUTRIENTS.map(({ key }, column) => (
        <td key={key} {...CELL}>
          <Figure text={food[key]} digits={digits[column] ?? 0} />
        </td>
      ))}
      <td {...CELL}>
        <button
          type="button"
          className="favourite"
          data-favourite=""
          aria-label={`Favourite: ${food.description}`}
          aria-pressed={isFavourite}
          onClick={() => toggleFavourite(food)}
        >
          <Icon name="star" />
        </button>
      </td>
    </tr>
  );
});

export function addFood(food: Food): void {
  addToPlate(food);
  announce(`${food.description}: 100 g added to the plate.`);
}

function MarkedText({ description, marked = [] }: Pick<RowProps, 'marked'> & Pick<Food, 'description'>) {
  return matchedStretches(description, marked).map(({ start, text, isMatch }) =>
    isMatch ? <mark key={start}>{text}</mark> : <span key={start}>{text}</span>,
  );
}
