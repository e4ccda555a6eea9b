/**
 * The page's values in local storage: the plate, recent and favourite foods, and one preference.
 */
import { type Food, foodKey, readFood } from '../foods/food.ts';
import { type Plate, readPlate, withFood } from '../foods/plate.ts';
import { localStore } from './local-store.ts';

export const plateStore = localStore<Plate>('plate', [], readPlate);
export const recentStore = localStore<readonly Food[]>('recent', [], readFoods);
export const favouriteStore = localStore<readonly Food[]>('favourites', [], readFoods);

/** Whether `/` jumps to the search box. WCAG 2.1.4 requires that a shortcut of one character can be turned off. */
export const shortcutStore = localStore<boolean>('shortcut', true, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

const MAX_RECENT = 10;

export function addToPlate(food: Food): void {
  plateStore.set(withFood(plateStore.get(), food));
  recentStore.set([food, ...without(recentStore.get(), food)].slice(0, MAX_RECENT));
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
  return value.map(readFood).filter((food) => food !== undefined);
}
