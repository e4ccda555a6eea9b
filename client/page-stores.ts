/**
 * What this browser keeps for its user: the plate, recent and favourite foods, and one preference.
 */
import { type Food, foodKey, readFood } from './food.ts';
import { stored } from './local-store.ts';
import { type Plate, readPlate, withFood } from './plate/plate.ts';

export const plateStore = stored<Plate>('plate', [], readPlate);
export const recentStore = stored<readonly Food[]>('recent', [], readFoods);
export const favouriteStore = stored<readonly Food[]>('favourites', [], readFoods);

/** Whether `/` leads to the search box; a key of one character must be possible to turn off. */
export const shortcutStore = stored<boolean>('shortcut', true, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

const MAX_RECENT = 10;

export function addToPlate(food: Food): void {
  plateStore.set(withFood(plateStore.get(), food));
  const key = foodKey(food);
  const others = recentStore.get().filter((other) => foodKey(other) !== key);
  recentStore.set([food, ...others].slice(0, MAX_RECENT));
}

export function toggleFavourite(food: Food): void {
  const key = foodKey(food);
  const favourites = favouriteStore.get();
  const others = favourites.filter((other) => foodKey(other) !== key);
  favouriteStore.set(others.length < favourites.length ? others : [...favourites, food]);
}

function readFoods(value: unknown): readonly Food[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(readFood).filter((food) => food !== undefined);
}
