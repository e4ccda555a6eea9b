/**
 * The page's values: the plate and its changes, recent and favourite foods, amounts, and one preference. They are in the
 * browser's local storage, where all tabs share them, and never leave it.
 */
import { atom, type ReadableAtom, type WritableAtom } from 'nanostores';
import { useLayoutEffect, useReducer } from 'preact/hooks';
import { type Amount, amountText, HUNDRED_GRAMS, isGrams, weightText } from '../foods/amount.ts';
import { type Food, foodKey, nameOf, readFood } from '../foods/food.ts';
import {
  itemOf,
  MAX_ITEMS,
  type Plate,
  readPlate,
  withAmount,
  withChange,
  withFood,
  withoutFood,
} from '../foods/plate.ts';
import type { Weighed } from '../foods/typed-amount.ts';
import { t } from '../texts/texts.ts';

/** What happened last. It stays until the next change, so that nobody has to be quick. */
export interface Change {
  readonly text: string;
  /** The plate before the change, to undo it. */
  readonly before?: Plate;
  /** The portions that it made, if the change made them others. */
  readonly makes?: number;
  /** Further changes with this key belong to this one: the letters of an amount. */
  readonly key?: string;
}

export const MOST_MADE = 99;

/** Whether the browser stores the values: not in some private modes, and not if its storage is full. */
export const storedStore = atom(true);

const PLATE = 'plate';
export const plateStore = localStore<Plate>(PLATE, [], readPlate);
/** The portions that a plate makes, for one of which totals are: of a new plate one. */
export const makesStore = localStore<number>('makes', 1, (value) => (isMakes(value) ? value : undefined));
plateStore.listen((plate) => plate.length === 0 && makesStore.get() > 1 && makesStore.set(1));
export const changesStore = localStore<readonly Change[]>('changes', [], readChanges);
export const recentStore = localStore<readonly Food[]>('recent', [], readFoods);
export const favouriteStore = localStore<readonly Food[]>('favourites', [], readFoods);

/** Whether `/` jumps to the search box. WCAG 2.1.4 requires that a shortcut of one character can be turned off. */
export const shortcutStore = localStore<boolean>('shortcut', true, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

/** Foods that were last counted in portions, with the amount. */
const choiceStore = localStore<Plate>('choices', [], readPlate);

/** The food added last; a new object each time. */
export const addedStore = atom<{ readonly key: string } | undefined>(undefined);

interface Addition {
  readonly food: Food;
  readonly weighed?: Weighed | undefined;
}

const MAX_RECENT = 10;

export function isMakes(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_MADE;
}

/** To the other tabs; absent where the browser blocks storage, and none has this plate. */
let tabs: BroadcastChannel | undefined;
try {
  tabs = new BroadcastChannel(PLATE);
  // Each tab makes the changes of others to its own plate, so that two in the same instant are both kept.
  tabs.onmessage = ({ data: [before, after] }: MessageEvent<readonly [Plate, Plate]>) => {
    const plate = plateStore.get();
    if (JSON.stringify(plate) === JSON.stringify(before)) plateStore.show(after);
    else plateStore.set(withChange(plate, before, after));
  };
} catch {
  // The plate is in this tab alone.
}

function setPlate(plate: Plate): void {
  tabs?.postMessage([plateStore.get(), plate]);
  plateStore.set(plate);
}

/** Changes that can be undone. */
const MAX_CHANGES = 10;

/** Says something that is no change of the plate. */
export function notify(text: string): void {
  changesStore.set([...changesStore.get().filter(({ before }) => before), { text }].slice(-MAX_CHANGES));
}

/** @param makes portions; an empty plate makes one */
export function changePlate(
  plate: Plate,
  text: string,
  key?: string,
  makes = plate.length > 0 ? makesStore.get() : 1,
): void {
  const changes = changesStore.get().filter((each) => each.before);
  const last = changes.at(-1);
  const isSame = key !== undefined && last?.key === key;
  const before = (isSame ? last.before : undefined) ?? plateStore.get();
  const made = makesStore.get();
  const change = {
    text,
    before,
    ...(makes !== made && { makes: made }),
    ...(key !== undefined && { key }),
  };
  changesStore.set([...(isSame ? changes.slice(0, -1) : changes), change].slice(-MAX_CHANGES));
  setPlate(plate);
  if (makes !== made) makesStore.set(makes);
}

/** Undoes the last change of the plate, then the one before it. */
export function undo(): boolean {
  const changes = changesStore.get();
  const place = changes.findLastIndex(({ before }) => before);
  const { before, makes } = changes[place] ?? {};
  if (before === undefined) return false;
  setPlate(before);
  if (makes !== undefined) makesStore.set(makes);
  changesStore.set(changes.slice(0, place));
  return true;
}

/** The amount; if none is given, one more portion, or as much as the last time. */
function amountFor(plate: Plate, { food, weighed }: Addition): Amount {
  const present = itemOf(plate, food);
  const another = present && !isGrams(present.unit) ? { ...present, count: '1' } : undefined;
  return weighed?.amount ?? another ?? itemOf(choiceStore.get(), food) ?? HUNDRED_GRAMS;
}

/** All additions are one change. */
export function addToPlate(...additions: readonly Addition[]): void {
  let plate = plateStore.get();
  const added = additions.flatMap((addition) => {
    const { food, weighed } = addition;
    const amount = amountFor(plate, addition);
    const changed = withFood(plate, food, amount);
    if (changed === undefined) return [];
    plate = changed;
    return [{ food, amount, note: weighed?.note }];
  });
  const full = t('full', { count: MAX_ITEMS });
  const last = added.at(-1);
  if (last === undefined) {
    notify(full);
    return;
  }
  // Without a weight it counts for nothing yet.
  const isUnknown = ({ amount }: (typeof added)[number]): boolean => amount.count === null;
  const [first, ...others] = added.filter((each) => !isUnknown(each));
  const texts = [
    first &&
      t('added', { food: others.length > 0 ? t('foods', { count: others.length + 1 }) : changeText(first) }),
    ...added.filter(isUnknown).map(({ food, note }) => `${nameOf(food)}: ${note}`),
    added.length < additions.length && full,
  ];
  changePlate(plate, texts.filter(Boolean).join(' '));
  // Of a list the first whose amount is to be typed.
  const { food: unknown } = added.find(isUnknown) ?? last;
  addedStore.set({ key: foodKey(unknown) });
  const recent = added.reduce((foods, { food }) => [food, ...without(foods, food)], recentStore.get());
  recentStore.set(recent.slice(0, MAX_RECENT));
}

export function removeFromPlate(food: Food): void {
  changePlate(withoutFood(plateStore.get(), food), t('removed', { food: nameOf(food) }));
}

const changeText = ({ food, amount }: { readonly food: Food; readonly amount: Amount }): string =>
  `${nameOf(food)}: ${amountText(amount, weightText(amount)) || t('noAmount')}`;

/** Changes the amount of a food on the plate, and remembers portions for the next time. */
export function setAmount(food: Food, amount: Amount): void {
  changePlate(withAmount(plateStore.get(), food, amount), changeText({ food, amount }), foodKey(food));
  const others = withoutFood(choiceStore.get(), food);
  if (isGrams(amount.unit)) choiceStore.set(others);
  else if (Number(amount.count) > 0) choiceStore.set([{ food, ...amount }, ...others].slice(0, MAX_ITEMS));
}

export function toggleFavourite(food: Food): void {
  const favourites = favouriteStore.get();
  const others = without(favourites, food);
  favouriteStore.set(others.length < favourites.length ? others : [...favourites, food]);
}

/** Gives kept foods other names, without a change that could be undone: what they are does not change. */
export async function renameFoods(nameOfFood: (food: Food) => Promise<Food>): Promise<void> {
  const all = [plateStore, choiceStore].flatMap((store) => store.get().map(({ food }) => food));
  const kept = [...all, ...favouriteStore.get(), ...recentStore.get()];
  const named = new Map<string, Food>();
  await Promise.all(kept.map(async (food) => named.set(foodKey(food), await nameOfFood(food))));
  const renamed = (food: Food): Food => named.get(foodKey(food)) ?? food;
  const change = <Item>(store: LocalStore<readonly Item[]>, rename: (item: Item) => Item) => {
    const items = store.get().map(rename);
    if (JSON.stringify(items) !== JSON.stringify(store.get())) store.set(items);
  };
  for (const store of [plateStore, choiceStore])
    change(store, (item) => ({ ...item, food: renamed(item.food) }));
  for (const store of [favouriteStore, recentStore]) change(store, renamed);
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

function readChanges(value: unknown): readonly Change[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(-MAX_CHANGES).flatMap((stored) => {
    const { text, before, makes } = (stored ?? {}) as Readonly<Record<string, unknown>>;
    const plate = readPlate(before);
    if (typeof text !== 'string' || plate === undefined) return [];
    return [{ text, before: plate, ...(isMakes(makes) && { makes }) }];
  });
}

interface LocalStore<Value> extends WritableAtom<Value> {
  /** Sets what another tab has stored. */
  show(value: Value): void;
}

/** @param read returns undefined for anything that is not a value, for example one that an older page has stored */
export function localStore<Value>(
  name: string,
  fallback: Value,
  read: (value: unknown) => Value | undefined,
): LocalStore<Value> {
  const key = `food-lookup.${name}`;
  const memory = atom(load(key, read) ?? fallback);
  window.addEventListener('storage', (event) => {
    // A null key: another tab has cleared the storage.
    const isTold = name === PLATE && tabs !== undefined;
    if ((event.key === key && !isTold) || event.key === null) memory.set(load(key, read) ?? fallback);
  });
  return {
    ...memory,
    show: memory.set,
    set: (value) => {
      save(key, value);
      memory.set(value);
    },
  };
}

export function useStore<Value>(store: ReadableAtom<Value>): Value {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => store.listen(() => render(undefined)), [store]);
  return store.get();
}

function load<Value>(key: string, read: (value: unknown) => Value | undefined): Value | undefined {
  try {
    return read(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return undefined;
  }
}

function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    storedStore.set(true);
  } catch {
    storedStore.set(false);
  }
}
