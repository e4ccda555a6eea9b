/**
 * Adds foods to the plate in the order in which they were entered, however late their answers come: a text is entered as it
 * stands, and the box is empty for the next one at once.
 */
import { atom } from 'nanostores';
import type { Food, NutrientKey } from '../foods/food.ts';
import type { TypedAmount } from '../foods/typed-text.ts';
import { needsPortions, type Weighed, weigh } from '../foods/weigh.ts';
import { portionsOf } from '../service/portions.ts';
import { addToPlate, notify } from '../stores/page-stores.ts';
import { type Found, findFoods, type Query } from './find-foods.ts';
import { lookUp, searchStore, type, typedStore } from './search-store.ts';

interface Sort {
  readonly key: NutrientKey;
  readonly order: 'descending' | 'ascending';
}

/** Of the foods found: Enter adds the first one as sorted. */
export const sortStore = atom<Sort | undefined>(undefined);

searchStore.listen(({ found }, before) => found !== before?.found && sortStore.set(undefined));

/** Unknown figures come last. */
export function sorted<Row extends { readonly food: Food }>(
  rows: readonly Row[],
  sort: Sort | undefined,
): readonly Row[] {
  if (sort === undefined) return rows;
  const { key, order } = sort;
  const sign = order === 'ascending' ? 1 : -1;
  const rank = ({ food }: Row) => (food[key] === null ? Infinity : Number(food[key]) * sign);
  return rows.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** Ends when everything entered so far is on the plate. */
let entered: Promise<void> = Promise.resolve();

/** Adds the first food of the text, or of each line of a list, and empties the box. */
export function enterText(): void {
  const { query, isBusy, found, failure } = searchStore.get();
  if (query.text === '') return;
  const isShown = !isBusy && failure === undefined && found !== undefined;
  const sort = isShown ? sortStore.get() : undefined;
  const answer = isShown ? Promise.resolve(found) : findFoods(query, lookUp);
  const additions = answer.then((lines) => Promise.all(lines.map((line) => additionOf(line, sort))));
  // A search that fails before its turn is reported in its turn.
  additions.catch(() => {});
  type('');
  if (!isShown) notify(`Adding ${query.text} …`);
  entered = entered.then(async () => {
    try {
      for (const { food, weighed } of await additions) addToPlate(food, weighed);
    } catch (error) {
      giveBack(query, error instanceof NothingFound ? error.message : 'The food service does not answer.');
    }
  });
}

/** Adds one food with the amount that its row shows. */
export function enterFood(food: Food, amount: TypedAmount | undefined): void {
  const weighed = weighedOf(food, amount);
  entered = entered.then(async () => addToPlate(food, await weighed));
}

class NothingFound extends Error {}

async function additionOf({ foods, text, amount }: Found, sort: Sort | undefined) {
  const [first] = sorted(
    foods.map((food) => ({ food })),
    sort,
  );
  if (first === undefined) throw new NothingFound(`No matches for “${text}”.`);
  return { ...first, weighed: await weighedOf(first.food, amount) };
}

async function weighedOf(food: Food, amount: TypedAmount | undefined): Promise<Weighed | undefined> {
  return amount && weigh(amount, food.description, needsPortions(amount) ? await portionsOf(food) : []);
}

/** Nothing typed is lost: the text returns to the box, unless the next one is being typed. */
function giveBack({ text, isExact }: Query, reason: string): void {
  notify(`“${text}” was not added. ${reason}`);
  if (typedStore.get() === '') type(text, isExact);
}
