/**
 * Foods with their figures per 100 g. Each row adds its food to the plate, or makes it a favourite.
 */
import { memo, useDeferredValue, useMemo } from 'react';
import { columnDigits, Figure } from '../figure.tsx';
import { type Food, foodKey, NUTRIENTS } from '../food.ts';
import { Icon } from '../icons.tsx';
import { useStored } from '../local-store.ts';
import { favouriteStore, toggleFavourite } from '../page-stores.ts';
import { ColumnHead, NutrientHeads } from '../table-heads.tsx';
import { CELL, ROW, ROW_GROUP, ROW_HEADER, TABLE } from '../table-roles.ts';
import { matchedStretches } from './matched-text.ts';

interface Props {
  readonly name: string;
  readonly isNameSeen: boolean;
  readonly foods: readonly Food[];
  /** Texts to be marked in the descriptions. */
  readonly marked?: readonly string[];
  readonly onAdd: (food: Food) => void;
}

/** Rows that are painted at once: more than a screen shows. The others follow when the browser is idle. */
const FIRST_ROWS = 20;

export const FoodTable = memo(function FoodTable({ name, isNameSeen, foods, marked, onAdd }: Props) {
  const favourites = useStored(favouriteStore);
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
      <caption className={isNameSeen ? undefined : 'unseen'}>
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
              onAdd={onAdd}
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
  readonly onAdd: (food: Food) => void;
}

const FoodRow = memo(function FoodRow({ food, marked, digits, isFavourite, onAdd }: RowProps) {
  return (
    <tr {...ROW}>
      <th scope="row" {...ROW_HEADER}>
        <button type="button" className="add" data-add="" onClick={() => onAdd(food)}>
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

function MarkedText({ description, marked = [] }: Pick<RowProps, 'marked'> & Pick<Food, 'description'>) {
  let at = 0;
  return matchedStretches(description, marked).map(({ text, isMatch }) => {
    const start = at;
    at += text.length;
    return isMatch ? <mark key={start}>{text}</mark> : <span key={start}>{text}</span>;
  });
}
