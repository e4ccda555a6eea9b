/**
 * The page's values: the plate, recent and favourite foods, amounts, and one preference.
 */
import { atom } from 'nanostores';
import { type Amount, amountText, GRAMS, isGrams } from '../foods/amount.ts';
import { type Food, foodKey, readFood } from '../foods/food.ts';
import {
  itemOf,
  MAX_ITEMS,
  type Plate,
  readPlate,
  withAmount,
  withFood,
  withoutFood,
} from '../foods/plate.ts';
import { localStore } from './local-store.ts';

/** A message about the last change of the plate. It stays until the next one, so that nobody has to be quick. */
interface Notice {
  readonly text: string;
  /** The plate before the change, to undo it. */
  readonly before?: Plate;
}

export const plateStore = localStore<Plate>('plate', [], readPlate);
export const noticeStore = localStore<Notice | null>('notice', null, readNotice);
export const recentStore = localStore<readonly Food[]>('recent', [], readFoods);
export const favouriteStore = localStore<readonly Food[]>('favourites', [], readFoods);

/** Whether `/` jumps to the search box. WCAG 2.1.4 requires that a shortcut of one character can be turned off. */
export const shortcutStore = localStore<boolean>('shortcut', true, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

export const USUAL_AMOUNT: Amount = { count: '100', unit: GRAMS };

/** The amount typed for the next food; its count is null if it will be typed on the plate. */
export const amountStore = atom<Amount | undefined>(undefined);

/** Foods that were last counted in portions, with the amount. */
const choiceStore = localStore<Plate>('choices', [], readPlate);

/** The food added last; a new object each time. */
export const addedStore = atom<{ readonly key: string } | undefined>(undefined);

const MAX_RECENT = 10;

export function changePlate(plate: Plate, notice: Notice | null = null): void {
  plateStore.set(plate);
  noticeStore.set(notice);
}

/**
 * Adds the amount typed for the next food; otherwise one more portion, or as much as the last time.
 * @returns what happened, in one sentence
 */
export function addToPlate(food: Food): string {
  const present = itemOf(plateStore.get(), food);
  const another = present && !isGrams(present.unit) ? { ...present, count: '1' } : undefined;
  const amount = amountStore.get() ?? another ?? itemOf(choiceStore.get(), food) ?? USUAL_AMOUNT;
  const plate = withFood(plateStore.get(), food, amount);
  if (plate === undefined) {
    const text = `The plate is full: it holds ${MAX_ITEMS} foods. Remove one to add another.`;
    noticeStore.set({ text });
    return text;
  }
  changePlate(plate);
  addedStore.set({ key: foodKey(food) });
  amountStore.set(undefined);
  recentStore.set([food, ...without(recentStore.get(), food)].slice(0, MAX_RECENT));
  return `${food.description}: ${amountText(amount)} added to the plate.`.replace(/ {2,}/, ' ');
}

/** Changes the amount of a food on the plate, and remembers portions for the next time. */
export function setAmount(food: Food, amount: Amount): void {
  changePlate(withAmount(plateStore.get(), food, amount));
  const others = withoutFood(choiceStore.get(), food);
  if (isGrams(amount.unit)) choiceStore.set(others);
  else if (Number(amount.count) > 0) choiceStore.set([{ food, ...amount }, ...others].slice(0, MAX_ITEMS));
}

export function toggleFavourite(food: Food): void {
  const favourites = favouriteStore.get();
  const others = without(favourites, food);
  favouriteStore.set(others.length < favourites.length ? others : [...favourites, food]);
}

function without(foods: readonly Food[], food: Food): readonly Food[] {
  const key = foodKey(food);
  return foods.filter((other) => foodKey(other) !== key);
}

function readFoods(value: unknown): readonly Food[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const foods = value.map(readFood).filter((food) => food !== undefined);
  return [...new Map(foods.map((food) => [foodKey(food), food])).values()];
}

function readNotice(value: unknown): Notice | undefined {
  const { text, before } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const plate = readPlate(before);
  return typeof text === 'string' && plate !== undefined ? { text, before: plate } : undefined;
}
