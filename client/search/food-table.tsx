/**
 * Foods with their figures per 100 g. Each row has two buttons: one adds the food to the plate, one makes it a favourite.
 */
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { announce } from '../elements/announcer.tsx';
import { FigureCell, weightText } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { CELL, ColumnHead, ROW, ROW_GROUP, ROW_HEADER, TABLE } from '../elements/table.tsx';
import { type Amount, amountText } from '../foods/amount.ts';
import { type Food, foodKey, NUTRIENTS, type NutrientKey } from '../foods/food.ts';
import { useStore } from '../stores/local-store.ts';
import { addToPlate, favouriteStore, plateStore, toggleFavourite } from '../stores/page-stores.ts';
import { type Marks, matchedStretches } from './matched-text.ts';

interface Props {
  readonly name: string;
  readonly isNameVisible: boolean;
  readonly foods: readonly Food[];
  readonly marks?: Marks | undefined;
  /** Foods of an earlier text can be seen, but not added. */
  readonly isStale?: boolean;
}

/** Rows painted at once, more than most screens show. */
const FIRST_ROWS = 20;

/** ms without another text after which the other rows follow. */
const REST = 250;

interface Sort {
  readonly key: NutrientKey;
  readonly order: 'descending' | 'ascending';
}

export const FoodTable = memo(function FoodTable({ name, isNameVisible, foods, marks, isStale }: Props) {
  const [sort, setSort] = useState<Sort>();
  const sorted = useMemo(() => sortedFoods(foods, sort), [foods, sort]);
  const shown = useDeferredValue(useHasRested() ? sorted : sorted.slice(0, FIRST_ROWS));
  const favourites = useStore(favouriteStore);
  const favouriteKeys = useMemo(() => new Set(favourites.map(foodKey)), [favourites]);
  const plate = useStore(plateStore);
  const items = useMemo(() => new Map(plate.map((item) => [foodKey(item.food), item])), [plate]);
  return (
    <table className="foods" inert={isStale} {...TABLE}>
      <caption className={isNameVisible ? undefined : 'unseen'}>
        {name}
        <span className="unseen">, figures per 100 g. Choose a food to put it on the plate.</span>
      </caption>
      <FoodTableHead sort={sort} onSort={setSort} />
      <tbody {...ROW_GROUP}>
        {shown.map((food) => {
          const key = foodKey(food);
          return (
            <FoodRow
              key={key}
              food={food}
              marks={marks}
              amount={items.get(key)}
              isFavourite={favouriteKeys.has(key)}
            />
          );
        })}
      </tbody>
    </table>
  );
});

function useHasRested(): boolean {
  const [hasRested, setHasRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasRested(true), REST);
    return () => clearTimeout(timer);
  }, []);
  return hasRested;
}

/** Unknown figures come last. */
function sortedFoods(foods: readonly Food[], sort: Sort | undefined): readonly Food[] {
  if (sort === undefined) return foods;
  const { key, order } = sort;
  const sign = order === 'ascending' ? 1 : -1;
  const rank = (food: Food) => (food[key] === null ? Infinity : Number(food[key]) * sign);
  return foods.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

interface HeadProps {
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
}

/** A tap on a heading shows most first, the next one least first, a third one the order of the search. */
function FoodTableHead({ sort, onSort }: HeadProps) {
  const press = (key: NutrientKey, name: string) => {
    const order = sort?.key !== key ? 'descending' : sort.order === 'descending' ? 'ascending' : undefined;
    onSort(order && { key, order });
    announce(order ? `${order === 'ascending' ? 'Least' : 'Most'} ${name} first.` : 'Best matches first.');
  };
  return (
    <thead {...ROW_GROUP}>
      <tr {...ROW}>
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
  readonly food: Food;
  readonly marks: Marks | undefined;
  /** On the plate. */
  readonly amount: Amount | undefined;
  readonly isFavourite: boolean;
}

const FoodRow = memo(function FoodRow({ food, marks, amount, isFavourite }: RowProps) {
  return (
    <tr className={amount && 'on-plate'} {...ROW}>
      <th scope="row" {...ROW_HEADER}>
        <button type="button" className="add" data-add="" onClick={() => announce(addToPlate(food))}>
          <Icon name={amount ? 'check' : 'plus'} />
          <span className="description">
            {marks === undefined ? (
              food.description
            ) : (
              <MarkedText description={food.description} marks={marks} />
            )}
          </span>
        </button>
        {amount && (
          <span className="amount" title={amountText(amount)}>
            <span className="unseen">, on the plate: </span>
            {weightText(amount)} g
          </span>
        )}
      </th>
      {NUTRIENTS.map((nutrient) => (
        <FigureCell key={nutrient.key} figure={food[nutrient.key]} nutrient={nutrient} />
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

function MarkedText({ description, marks }: { readonly description: string; readonly marks: Marks }) {
  return matchedStretches(description, marks).map(({ start, text, isMatch }) =>
    isMatch ? <mark key={start}>{text}</mark> : <span key={start}>{text}</span>,
  );
}
