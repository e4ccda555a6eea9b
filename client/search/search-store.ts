/**
 * Search as you type: one search at a time, for the latest text. It starts in the event of the key, before anything is drawn.
 * Foods are added to the plate in the order in which they were entered, however late their answers come: a text is entered as it
 * stands, and the box is empty for the next one at once.
 */
import { atom } from 'nanostores';
import { needsPortions, type Reading } from '#amounts';
import {
  AnsweredWithError,
  type FoundFoods,
  findBarcode,
  searchFoods,
} from '../../packages/browser/search-foods.ts';
import type { Food, NutrientKey } from '../foods/food.ts';
import { type Weighed, weighReading } from '../foods/typed-amount.ts';
import { wordsFor } from '../service/amount-words.ts';
import {
  checkDataSet,
  dataSetStore,
  fromService,
  IS_ELSEWHERE,
  originalOf,
  otherNamesOf,
  portionsOf,
  SERVICE,
  shownLanguage,
} from '../service/service.ts';
import { addToPlate, notify } from '../stores/page-stores.ts';
import { LANGUAGE } from '../texts/language.ts';
import { t } from '../texts/texts.ts';
import { type Failure, failureOf } from './failure-message.tsx';
import { type Found, findFoods, isCode, type Query } from './find-foods.ts';

/** ms between keys in quick succession, which make one request together; other keys make theirs at once. */
const QUICK = 60;
/** ms after the last of such keys until its request. */
const REST = 25;

/** ms between attempts while the service is unreachable. */
const RETRY = 2000;

export interface SearchState {
  readonly query: Query;
  /** Whether the query has its outcome. Until then, the foods of an earlier one can be seen, but not added. */
  readonly isBusy: boolean;
  /** What was found last, an entry for each line of a list. */
  readonly found?: readonly Found[] | undefined;
  /** Why the latest search failed; the foods found before it stay. */
  readonly failure?: Failure;
}

/** The text in the box. */
export const typedStore = atom('');

export const searchStore = atom<SearchState>({ query: { text: '', isExact: false }, isBusy: false });

interface Sort {
  readonly key: NutrientKey;
  readonly order: 'descending' | 'ascending';
}

/** Of the foods found: Enter adds the first one as sorted. */
export const sortStore = atom<Sort | undefined>(undefined);

/** Unknown figures come last. */
export function sorted<Row extends { readonly food?: Food | undefined }>(
  rows: readonly Row[],
  sort: Sort | undefined,
): readonly Row[] {
  if (sort === undefined) return rows;
  const { key, order } = sort;
  const sign = order === 'ascending' ? 1 : -1;
  const rank = ({ food }: Row) => (food?.[key] ? Number(food[key]) * sign : Infinity);
  return rows.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

let latest = new AbortController();
let lastKey = -QUICK;

export function type(typed: string, isExact = false): void {
  // Blanks around words do not matter; keyboards of phones add them.
  const text = typed
    .trim()
    .replaceAll(/\s*\n\s*/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ');
  const { query, isBusy } = searchStore.get();
  if (text !== query.text || isExact !== query.isExact || (text !== '' && isBusy)) {
    const wait = performance.now() - lastKey < QUICK ? REST : 0;
    lastKey = performance.now();
    start({ text, isExact }, wait);
  }
  typedStore.set(typed);
}

export function tryAgain(): void {
  start(searchStore.get().query, 0);
}

function start(query: Query, wait: number): void {
  latest.abort();
  latest = new AbortController();
  const isBusy = query.text !== '';
  if (!isBusy) sortStore.set(undefined);
  searchStore.set({ ...(isBusy && searchStore.get()), query, isBusy });
  const { signal } = latest;
  if (isBusy && wait === 0) void search(query, signal);
  else if (isBusy) setTimeout(() => void search(query, signal), wait);
}

/** The next key cancels the search. */
async function search(query: Query, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  try {
    const found = await find(query, signal);
    if (signal.aborted) return;
    sortStore.set(undefined);
    searchStore.set({ query, isBusy: false, found });
    // Once the foods are drawn.
    setTimeout(checkDataSet, REST, found[0]?.tag ?? null);
  } catch (error) {
    const failure = await failureOf(error);
    if (signal.aborted || failure === undefined) return;
    searchStore.set({ query, isBusy: false, failure, found: searchStore.get().found });
    if (failure.kind !== 'answered-with-error') setTimeout(() => !signal.aborted && start(query, 0), RETRY);
  }
}

/** @throws SearchError */
async function find(query: Query, signal?: AbortSignal): Promise<readonly Found[]> {
  // Even a wait for nothing would let the page be drawn before the request.
  const words = wordsFor(query.text);
  if (words !== undefined) await words;
  const found = await findFoods(
    query,
    {
      lookUp: (asked) => lookUp(asked, signal),
      namesOf: IS_ELSEWHERE ? undefined : otherNamesOf,
      isTranslated: shownLanguage() !== dataSetStore.get()?.language,
    },
    LANGUAGE,
  );
  const own = dataSetStore.get()?.language;
  return found.map((each) => {
    const { language = own } = each;
    return { ...each, foods: each.foods.map((food) => ({ ...food, language })) };
  });
}

/** s after which an overloaded service asks to be asked again, which the page does before it reports anything. */
const OVERLOADED = 1;

/** No description contains it; so none contains a longer text that begins with it. */
let absent: string | undefined;

/** @throws SearchError */
async function lookUp({ text, isExact }: Query, signal?: AbortSignal): Promise<FoundFoods> {
  if (isExact && absent !== undefined && text.startsWith(absent)) return [];
  // The browser's own copy of an answer may be from another data set. Revalidating it costs next to nothing.
  const options = { signal, cache: 'no-cache', language: LANGUAGE } as const;
  const match = isExact ? undefined : 'words';
  if (isCode(text) && dataSetStore.get()?.codes) {
    const packets = await fromService((fetch) => findBarcode(SERVICE, text, { ...options, fetch }));
    if (packets.length > 0) return packets;
  }
  const ask = () => fromService((fetch) => searchFoods(SERVICE, text, { ...options, match, fetch }));
  const foods = await ask().catch(async (error) => {
    if (!(error instanceof AnsweredWithError) || error.retryAfter !== OVERLOADED) throw error;
    await new Promise((resolve) => setTimeout(resolve, OVERLOADED * 1000));
    return ask();
  });
  if (isExact && foods.length === 0) absent = text;
  return foods;
}

// The foods of another data set replace those shown, and so do those of a language that arrives late.
dataSetStore.listen((_, before) => {
  absent = undefined;
  if (before || searchStore.get().found) tryAgain();
});

/** Ends when everything entered so far is on the plate. */
let entered: Promise<void> = Promise.resolve();

/** Adds the first food of the text, or of each line of a list, and empties the box. */
export function enterText(): void {
  const { query, isBusy, found, failure } = searchStore.get();
  if (query.text === '') return;
  const isShown = !isBusy && failure === undefined && found !== undefined;
  const sort = isShown && found.length === 1 ? sortStore.get() : undefined;
  const answer = isShown ? Promise.resolve(found) : find(query);
  const additions = answer.then((lines) => Promise.all(lines.map((line) => additionOf(line, sort))));
  // A search that fails before its turn is reported in its turn.
  additions.catch(() => {});
  type('');
  if (!isShown) notify(t('adding', { text: brief(query.text) }));
  entered = entered.then(async () => {
    try {
      addToPlate(...(await additions));
    } catch (error) {
      giveBack(query, error instanceof NothingFound ? error.message : t('unreachable'));
    }
  });
}

/** Adds one food with the amount that its row shows. */
export function enterFood(food: Food, reading: Reading | undefined): void {
  const weighed = weighedOf(food, reading);
  entered = entered.then(async () => addToPlate({ food, weighed: await weighed }));
}

class NothingFound extends Error {}

async function additionOf({ foods, text, reading }: Found, sort: Sort | undefined) {
  const rows = foods.map((food) => ({ food }));
  const [first] = sorted(rows, sort);
  if (first === undefined) throw new NothingFound(t('noMatches', { text }));
  return { ...first, weighed: await weighedOf(first.food, reading) };
}

/** The amount that was typed, of a food whose portions may still be on their way. */
export async function weighedOf(food: Food, reading: Reading | undefined): Promise<Weighed | undefined> {
  const portions = reading?.amount && needsPortions(reading.amount) ? await portionsOf(food) : [];
  return reading && weighReading(reading, originalOf(food), portions);
}

/** Of lines the first: a list would cover the foods of a phone. */
const brief = (text: string): string => text.replace(/\n.*/s, ' …');

/** Nothing typed is lost: the text returns to the box, unless the next one is being typed. */
function giveBack({ text, isExact }: Query, reason: string): void {
  notify(t('notAdded', { text: brief(text), reason }));
  if (typedStore.get() === '') type(text, isExact);
}
