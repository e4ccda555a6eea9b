/**
 * The page's values: the plate, recent and favourite foods, and one preference.
 */
import { type Food, foodKey, readFood } from '../foods/food.ts';
import { MAX_PORTIONS, type Plate, readPlate, withFood } from '../foods/plate.ts';
import { localStore, memoryStore } from './local-store.ts';

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

const USUAL_GRAMS = '100';

/** The grams that the next food is added with; null: to be typed on the plate. */
export const amountStore = memoryStore<string | null>(USUAL_GRAMS);

/** The food added last; a new object each time. */
export const addedStore = memoryStore<{ readonly key: string } | undefined>(undefined);

const MAX_RECENT = 10;

export function changePlate(plate: Plate, notice: Notice | null = null): void {
  plateStore.set(plate);
  noticeStore.set(notice);
}

/** @returns what happened, in one sentence */
export function addToPlate(food: Food): string {
  const grams = amountStore.get();
  const plate = withFood(plateStore.get(), food, grams);
  if (plate === undefined) {
    const text = `The plate is full: it holds ${MAX_PORTIONS} foods. Remove one to add another.`;
    noticeStore.set({ text });
    return text;
  }
  changePlate(plate);
  addedStore.set({ key: foodKey(food) });
  amountStore.set(USUAL_GRAMS);
  recentStore.set([food, ...without(recentStore.get(), food)].slice(0, MAX_RECENT));
  return `${food.description}: ${grams === null ? '' : `${grams} g `}added to the plate.`;
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
