/**
 * Foods with their figures, per 100 g or for the amount that was typed. Each row has two buttons: one puts the food on the plate
 * or takes it off, one makes it a favourite; where nutrients are known, a third one opens its label.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { needsPortions, type Reading, amountText as typedAmountText } from '#amounts';
import { announce } from '../elements/announcer.tsx';
import { ColumnHead, FigureCell, localText, role, useIsSeen } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { type Amount, amountText, countText, HUNDRED_GRAMS, isGrams, weightText } from '../foods/amount.ts';
import { type Food, foodKey, NUTRIENTS, type NutrientKey, nameOf } from '../foods/food.ts';
import { figureOf, itemOf } from '../foods/plate.ts';
import { type Weighed, weighReading } from '../foods/typed-amount.ts';
import { openLabel } from '../label/food-label.tsx';
import { dataSetStore, lacksWordsOf, originalOf, useFoundName, usePortions } from '../service/service.ts';
import {
  favouriteStore,
  plateStore,
  removeFromPlate,
  toggleFavourite,
  useStore,
} from '../stores/page-stores.ts';
import { LANGUAGE } from '../texts/language.ts';
import { t } from '../texts/texts.ts';
import { enterFood, searchStore, sorted, sortStore, typedStore, weighedOf } from './search-store.ts';

interface Row {
  /** Absent if none was found for the line. */
  readonly food?: Food | undefined;
  readonly reading?: Reading | undefined;
  /** The line of a list. */
  readonly text?: string;
  /** What was searched for, without the amount. */
  readonly sought?: string;
}

interface Props {
  readonly name: string;
  readonly isNameVisible?: boolean;
  readonly rows: readonly Row[];
}

/** Rows painted at once: as many as the screen shows below the box, of two lines on narrow screens. */
const FIRST_ROWS = Math.ceil((window.innerHeight - 120) / (window.innerWidth < 544 ? 74 : 49));

/** ms without a key after which the other rows follow. */
const REST = 250;

/** So few in each frame that a key pressed meanwhile hardly waits. */
const MORE_ROWS = 8;

/** The number of rows to draw: few again for each answer. */
function useRowCount(rows: readonly Row[]): number {
  const [drawn, setDrawn] = useState({ rows, count: FIRST_ROWS });
  const count = drawn.rows === rows ? drawn.count : FIRST_ROWS;
  useEffect(() => {
    if (count > FIRST_ROWS && count >= rows.length) return;
    let timer: ReturnType<typeof setTimeout>;
    const drawMore = (wait: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => setDrawn({ rows, count: count + MORE_ROWS }), wait);
    };
    drawMore(count === FIRST_ROWS ? REST : 0);
    const ignoreKeys = typedStore.listen(() => drawMore(REST));
    return () => {
      clearTimeout(timer);
      ignoreKeys();
    };
  }, [count, rows]);
  return count;
}

/** A food that keeps its place keeps its row; others appear instead of moving. */
const placeKey = ({ food, text = '' }: Row, place: number): string =>
  `${place} ${text} ${food && foodKey(food)}`;

/** The foods are one stop of the Tab key, where the focus was last, and so are their headings; arrows lead to the others. */
function moveStop({ currentTarget, target }: FocusEvent): void {
  if (!(currentTarget instanceof Element && target instanceof HTMLElement)) return;
  for (const stop of currentTarget.querySelectorAll<HTMLElement>('[tabindex="0"]')) stop.tabIndex = -1;
  target.tabIndex = 0;
}

export function FoodTable({ name, isNameVisible = false, rows }: Props) {
  const hasLabels = useStore(dataSetStore)?.hasNutrients ?? false;
  const sort = useStore(sortStore);
  const count = useRowCount(rows);
  const shown = sorted(rows, sort).slice(0, count);
  const favourites = useStore(favouriteStore);
  const favouriteKeys = useMemo(() => new Set(favourites.map(foodKey)), [favourites]);
  const plate = useStore(plateStore);
  const items = useMemo(() => new Map(plate.map((item) => [foodKey(item.food), item])), [plate]);
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    if (!body.current?.querySelector('[tabindex="0"]'))
      body.current?.querySelector('.add')?.setAttribute('tabindex', '0');
  });
  return (
    <table className="foods" data-labels={hasLabels || undefined} {...role('table')}>
      <caption className={isNameVisible ? undefined : 'unseen'}>
        {name}
        <span className="unseen">. {t('choose')}</span>
      </caption>
      <FoodTableHead />
      <tbody ref={body} onFocusIn={moveStop} {...role('rowgroup')}>
        {shown.map((row, place) => {
          const { food, text = '' } = row;
          if (food === undefined)
            return (
              <tr key={placeKey(row, place)} className="none" {...role('row')}>
                <th scope="row" {...role('rowheader')}>
                  {t('noMatches', { text })}
                </th>
              </tr>
            );
          const key = foodKey(food);
          return (
            <FoodRow
              key={placeKey(row, place)}
              row={{ ...row, food }}
              onPlate={items.get(key)}
              isFavourite={favouriteKeys.has(key)}
              hasRested={count > FIRST_ROWS}
              hasLabel={hasLabels}
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
    announce(order ? t(order === 'ascending' ? 'leastFirst' : 'mostFirst', { name }) : t('bestFirst'));
  };
  return (
    <thead onFocusIn={moveStop} {...role('rowgroup')}>
      <tr {...role('row')}>
        <ColumnHead>{t('food')}</ColumnHead>
        {NUTRIENTS.map(({ key, name, shortName, unit }, place) => (
          <ColumnHead key={key} sort={sort?.key === key ? sort.order : undefined}>
            <button
              type="button"
              className="sort"
              tabIndex={place === 0 ? 0 : -1}
              onClick={() => press(key, t(name))}
            >
              <span className={unit === 'kcal' ? 'unseen' : undefined}>{t(shortName)} </span>
              <span className={unit === 'kcal' ? undefined : 'unseen'}>{unit}</span>
            </button>
          </ColumnHead>
        ))}
        <ColumnHead>
          <span className="unseen">{t('favourite')}</span>
        </ColumnHead>
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly row: Row & { readonly food: Food };
  readonly onPlate: Amount | undefined;
  readonly isFavourite: boolean;
  readonly hasRested: boolean;
  readonly hasLabel: boolean;
}

let pressed: EventTarget | null = null;

function press({ currentTarget, detail }: MouseEvent, food: Food, reading: Reading | undefined): void {
  // The second click of a double click changes nothing, unless it is on another food.
  const isSecond = detail > 1 && currentTarget === pressed;
  pressed = currentTarget;
  // For the keys that follow a click beside the button.
  if (currentTarget instanceof Element)
    currentTarget.querySelector<HTMLElement>('.add')?.focus({ preventScroll: true });
  if (isSecond || searchStore.get().isBusy) return;
  if (itemOf(plateStore.get(), food)) removeFromPlate(food);
  else enterFood(food, reading);
}

function FoodRow({ row, onPlate, isFavourite, hasRested, hasLabel }: RowProps) {
  const { reading, text, sought = '' } = row;
  // The same in each answer, which has its own copy.
  const [food] = useState(row.food);
  const place = useRef<HTMLTableRowElement>(null);
  const isCounted = reading?.amount !== undefined && needsPortions(reading.amount);
  const isFoundByName = lacksWordsOf(food, sought);
  const isSeen = useIsSeen(place, (isCounted || isFoundByName) && hasRested);
  const portions = usePortions(food, isSeen && isCounted && reading);
  const name = useFoundName(food, isSeen && isFoundByName, sought);
  const foundBy = isFoundByName && name;
  const isWeighed = !isCounted || portions !== undefined;
  // Further rows and other changes draw nothing of this one anew.
  return useMemo(() => {
    const weighed = reading && isWeighed ? weighReading(reading, originalOf(food), portions) : undefined;
    return (
      // The whole row is the button, without a layer over it, which every key would have to paint.
      <tr
        ref={place}
        className={onPlate && 'on-plate'}
        {...role('row')}
        onClick={(event) => press(event, food, reading)}
      >
        <th scope="row" {...role('rowheader')}>
          <button type="button" className="add" tabIndex={-1} aria-pressed={onPlate !== undefined}>
            <Icon name={onPlate ? 'check' : 'plus'} />
            <span className="description" lang={food.language}>
              {nameOf(food)}
              {(isCounted || text !== undefined) && (
                <small className="understood" lang={LANGUAGE}>
                  {text !== undefined && `${text} · `}
                  {weighed === undefined ? '…' : understood(weighed, reading)}
                </small>
              )}
              {foundBy && (
                <small className="understood" lang={LANGUAGE}>
                  {t('alsoCalled', { name: foundBy })}
                </small>
              )}
            </span>
          </button>
          {onPlate && (
            <span className="amount" title={amountText(onPlate)}>
              <span className="unseen">, {t('onPlate')}: </span>
              {weightText(onPlate)} g
            </span>
          )}
        </th>
        {NUTRIENTS.map((nutrient) => (
          <FigureCell
            key={nutrient.key}
            figure={
              reading === undefined
                ? food[nutrient.key]
                : weighed && figureOf({ food, ...weighed.amount }, nutrient.key)
            }
            nutrient={nutrient}
          />
        ))}
        <td {...role('cell')}>
          {hasLabel && (
            <button
              type="button"
              className="label-button"
              tabIndex={-1}
              aria-label={`${t('label')}: ${nameOf(food)}`}
              aria-haspopup="dialog"
              onClick={async (event) => {
                event.stopPropagation();
                const { amount } = weighed ?? (await weighedOf(food, reading)) ?? {};
                openLabel(food, amount ?? HUNDRED_GRAMS);
              }}
            >
              <Icon name="label" />
            </button>
          )}
          <button
            type="button"
            className="favourite"
            tabIndex={-1}
            aria-label={`${t('favourite')}: ${nameOf(food)}`}
            aria-pressed={isFavourite}
            onClick={(event) => {
              event.stopPropagation();
              toggleFavourite(food);
            }}
          >
            <Icon name="star" />
          </button>
        </td>
      </tr>
    );
  }, [food, reading, text, onPlate, isFavourite, isCounted, isWeighed, portions, foundBy, hasLabel]);
}

/** "2 large · 100 g", or the amount as read, and why its weight is unknown. */
function understood({ amount, note }: Weighed, reading: Reading | undefined): string {
  const weight = isGrams(amount.unit) ? undefined : `${weightText(amount)} g`;
  const shown =
    amount.count === null ? reading?.amount && typedAmountText(reading.amount) : countText(amount);
  return [localText(shown ?? ''), weight, note].filter(Boolean).join(' · ');
}
