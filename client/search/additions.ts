/**
 * Adds foods to the plate in the order in which they were entered, however late their answers come: a text is entered as it
 * stands, and the box is empty for the next one at once.
 */
import { atom } from 'nanostores';
import type { Food } from '../foods/food.ts';
import type { TypedAmount } from '../foods/typed-text.ts';
import { needsPortions, type Weighed, weigh } from '../foods/weigh.ts';
import { portionsOf } from '../service/portions.ts';
import { addToPlate, notify } from '../stores/page-stores.ts';
import { type Found, findFoods, type Query } from './find-foods.ts';
import { type Sort, searchStore, type, typedStore } from './search-store.ts';
import { lookUp } from './service.ts';

/** Texts whose foods are being added. */
export const pendingStore = atom<readonly string[]>([]);

/** Ends when everything entered so far is on the plate. */
let entered: Promise<void> = Promise.resolve();

/** Adds the first food of the text, or of each line of a list, and empties the box. */
export function enterText(): void {
  const { query, isBusy, found, failure, sort } = searchStore.get();
  if (query.text === '') return;
  const isShown = !isBusy && failure === undefined && found !== undefined;
  const answer = isShown ? Promise.resolve(found) : findFoods(query, (asked) => lookUp(asked));
  type('');
  const additions = answer.then((lines) => additionsOf(lines, isShown ? sort : undefined));
  // A search that fails before its turn is reported in its turn.
  additions.catch(() => {});
  pendingStore.set([...pendingStore.get(), query.text]);
  entered = entered.then(async () => {
    try {
      for (const { food, weighed } of await additions) addToPlate(food, weighed);
    } catch (error) {
      giveBack(query, error instanceof NothingFound ? error.message : 'The food service does not answer.');
    }
    pendingStore.set(pendingStore.get().slice(1));
  });
}

/** Adds one food with the amount that its row shows. */
export function enterFood(food: Food, amount: TypedAmount | undefined): void {
  const weighed = amount && weighedOf(food, amount);
  entered = entered.then(async () => addToPlate(food, await weighed));
}

class NothingFound extends Error {}

async function additionsOf(
  lines: readonly Found[],
  sort: Sort | undefined,
): Promise<readonly { readonly food: Food; readonly weighed: Weighed | undefined }[]> {
  const foods = lines.map(({ foods: found, text, amount }) => {
    const [food] = sortedFoods(found, sort);
    if (food === undefined) throw new NothingFound(`No matches for “${text}”.`);
    return { food, amount };
  });
  return Promise.all(
    foods.map(async ({ food, amount }) => ({ food, weighed: amount && (await weighedOf(food, amount)) })),
  );
}

async function weighedOf(food: Food, amount: TypedAmount): Promise<Weighed> {
  return weigh(amount, food.description, needsPortions(amount) ? await portionsOf(food) : []);
}

/** Nothing typed is lost: the text returns to the box, unless the next one is being typed. */
function giveBack({ text, isExact }: Query, reason: string): void {
  notify(`“${text}” was not added. ${reason}`);
  if (typedStore.get() === '') type(text, isExact);
}

/** Unknown figures come last. */
export function sortedFoods(foods: readonly Food[], sort: Sort | undefined): readonly Food[] {
  if (sort === undefined) return foods;
  const { key, order } = sort;
  const sign = order === 'ascending' ? 1 : -1;
  const rank = (food: Food) => (food[key] === null ? Infinity : Number(food[key]) * sign);
  return foods.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}
