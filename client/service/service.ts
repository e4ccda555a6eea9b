/**
 * The service, the data set that its answers are from, and the portions, other names and nutrients of its foods. Another data set
 * may replace it while the page is open.
 */
import { atom } from 'nanostores';
import { useEffect, useState } from 'preact/hooks';
import { type Nutrient, namesOf, nutrientsOf, portions } from '../../packages/browser/search-foods.ts';
import { isUnit, type Unit } from '../foods/amount.ts';
import type { Food } from '../foods/food.ts';
import { foundName } from '../foods/found-name.ts';
import { notify, renameFoods, useStore } from '../stores/page-stores.ts';
import { LANGUAGE } from '../texts/language.ts';
import { t } from '../texts/texts.ts';
import { fromIndex, hasIndexOf, openIndex } from './index-thread.ts';
import { askService, keepOffline, offlineStore, type Send } from './offline.ts';

const PAGE = new URL('.', location.href);

const CONFIGURED = new URLSearchParams(location.search).get('api') || import.meta.env.VITE_API || '';

/** `?api=ADDRESS`, or the build variable VITE_API; otherwise the folder of the page. */
export const SERVICE = serviceAt(CONFIGURED) ?? PAGE;

/** The configured address if it cannot be that of a service. */
export const REFUSED_ADDRESS = serviceAt(CONFIGURED) === undefined ? CONFIGURED : undefined;

/** The page can read nothing but foods from a service elsewhere. */
export const IS_ELSEWHERE = SERVICE.origin !== location.origin;

/** People write `localhost:3001`, and copy the address of the search. */
function serviceAt(configured: string): URL | undefined {
  const isHost = /^(\[[\da-f:]+\]|[\w-]+(\.[\w-]+)*)(:\d+)?(\/.*)?$/i.test(configured);
  const text = isHost ? `${location.protocol}//${configured}` : configured;
  if (!URL.canParse(text, PAGE)) return undefined;
  const address = new URL(text, PAGE);
  if (!/^https?:$/.test(address.protocol)) return undefined;
  return new URL(`${address.origin}${address.pathname.replace(/(\/api\/food)?\/*$/, '')}/`);
}

interface DataSet {
  readonly name: string;
  readonly date: string;
  readonly source: string | null;
  readonly licence: string | null;
  /** Of the descriptions, if they are in one. */
  readonly language?: string;
  /** Further ones in which foods have names. */
  readonly languages?: readonly string[];
  readonly foods: number;
  /** The tags of its answers begin with it. */
  readonly identity: string;
  /** Whether browsers may keep the page. */
  readonly offline: boolean;
  /** The number of its codes of packets; absent from a service of an earlier release. */
  readonly codes?: number;
  readonly hasNutrients?: boolean;
}

export const dataSetStore = atom<DataSet | undefined>(undefined);

/** An answer of the index, or else of the service. */
const sendToIndex: Send = async (address, options) => (await fromIndex(address)) ?? fetch(address, options);

/** @param ask asks {@link SERVICE}, what the page has of it, or, while it is away, what the browser has kept of it */
export const fromService = <Answer>(ask: (send: Send) => Promise<Answer>): Promise<Answer> =>
  IS_ELSEWHERE ? ask(fetch) : hasIndexOf(dataSetStore.get()) ? ask(sendToIndex) : askService(ask);

/** ms for which answers of the index need no look at the service, which may have another data set, or be away. */
const TRUSTED = 2000;

let isFetching = false;
let fetched = -TRUSTED;

/**
 * Requests the facts again if an answer is from another data set, or from the index.
 * @param tag of an answer; null if it cannot be read
 */
export async function checkDataSet(tag: string | null): Promise<void> {
  if (lacksNames) nameKept();
  const known = dataSetStore.get();
  const isKnown = known && (tag === null || tag.includes(known.identity));
  const isRecent = !offlineStore.get() && performance.now() - fetched < TRUSTED;
  if (IS_ELSEWHERE || isFetching || (isKnown && (isRecent || !hasIndexOf(known)))) return;
  isFetching = true;
  try {
    const response = await askService((send) => send(new URL('data-set', SERVICE)));
    fetched = performance.now();
    if (!response.ok) return;
    const dataSet: DataSet = await response.json();
    if (known?.identity === dataSet.identity) return;
    dataSetStore.set(dataSet);
    nameKept();
    const { name, date, foods, offline, identity } = dataSet;
    if (offline) void keepOffline(SERVICE, LANGUAGE).then(() => openIndex(identity));
    if (known) notify(t('dataSetChanged', { name, date, foods: t('foods', { count: foods }) }));
  } catch {
    // Without it the page has no footer, and learns of it by the next answer.
  } finally {
    isFetching = false;
  }
}

/** Whether the name of a kept food could not be read: the next answer tries it again. */
let lacksNames = false;

function nameKept(): void {
  lacksNames = false;
  void renameFoods(named);
}

/** Instead of an answer that could not be had. It is asked for again when the food is next shown. */
export const UNANSWERED: readonly never[] = [];

/** Asks for each food until there is an answer. */
function requestedOnce<Item>(
  ask: (...asked: Parameters<typeof namesOf>) => Promise<readonly Item[]>,
  language: () => string | undefined = () => LANGUAGE,
) {
  const answers = new Map<string, Promise<readonly Item[]>>();
  const of = (description: string): Promise<readonly Item[]> => {
    const asked =
      answers.get(description) ??
      fromService((send) =>
        ask(SERVICE, description, { cache: 'no-cache', fetch: send, language: language() }),
      );
    answers.set(description, asked);
    return asked.catch(() => {
      answers.delete(description);
      return UNANSWERED;
    });
  };
  return { of, clear: () => answers.clear() };
}

const names = requestedOnce(namesOf);
/** In the data set's own language first. */
const originals = requestedOnce(namesOf, () => dataSetStore.get()?.language ?? 'mul');
const nutrients = requestedOnce(nutrientsOf);
const units = requestedOnce(async (...asked) => {
  const found = await portions(...asked);
  return found.map((each) => ({ ...each, grams: String(each.grams) })).filter(isUnit);
});
/** Of each food whose portions have arrived, these and its description in the data set's own language. */
const known = new Map<string, { readonly portions: readonly Unit[]; readonly original: string }>();

/** Whether no word of a text is in the description of a food, so that another name may have found it. */
export const lacksWordsOf = ({ description }: Food, text: string): boolean =>
  text !== '' && !IS_ELSEWHERE && foundName([description], text) === undefined;

/** The other name by which a text found a food; undefined until it is known. @param isWanted again, each time the food is shown */
export function useFoundName(food: Food, isWanted: boolean, text: string): string | undefined {
  const [found, setFound] = useState<string>();
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    void names.of(food.description).then((all) => isCurrent && setFound(foundName(all, text)));
    return () => {
      isCurrent = false;
    };
  }, [food, isWanted, text]);
  return found;
}

/** Those of each food; undefined until all have arrived. */
export function useNutrients(
  foods: readonly Food[],
  isWanted: boolean,
): readonly (readonly Nutrient[])[] | undefined {
  const dataSet = useStore(dataSetStore);
  const key = JSON.stringify(foods.map(({ description }) => description));
  const [found, setFound] = useState<{ readonly key: string; readonly all: (readonly Nutrient[])[] }>();
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const asked = (JSON.parse(key) as string[]).map((each) =>
      dataSet?.hasNutrients ? nutrients.of(each) : [],
    );
    void Promise.all(asked).then((all) => isCurrent && setFound({ key, all }));
    return () => {
      isCurrent = false;
    };
  }, [key, isWanted, dataSet]);
  return found?.key === key ? found.all : undefined;
}

dataSetStore.listen(() => {
  for (const answers of [nutrients, names, originals, units, known]) answers.clear();
});

/** The language in which this page is told what foods are called; undefined until the data set is known, or if it does not say it. */
export function shownLanguage(): string | undefined {
  const { language, languages = [] } = dataSetStore.get() ?? {};
  return languages.includes(LANGUAGE) ? LANGUAGE : language;
}

/** The food under its name in the language of the page, if it was kept in another one. */
async function named(food: Food): Promise<Food> {
  const language = shownLanguage();
  if (language === undefined || food.language === undefined || food.language === language) return food;
  const all = await otherNamesOf(food.description);
  lacksNames ||= all === UNANSWERED;
  // The first is what the page calls it.
  const [description] = all;
  return description === undefined ? food : { ...food, description, language };
}

/** Other names of a food; none if they cannot be read. */
export const otherNamesOf = async (description: string): Promise<readonly string[]> =>
  IS_ELSEWHERE ? [] : names.of(description);

/** The description by which pieces are weighed: known once the portions of the food are. */
export const originalOf = ({ description }: Food): string => known.get(description)?.original ?? description;

/** None if they cannot be read, because an amount can always be in grams. */
export async function portionsOf(
  { description, language }: Food,
  dataSet = dataSetStore.get(),
): Promise<readonly Unit[]> {
  const isOwn = language === undefined || language === dataSet?.language;
  const [found, [original = description]] = await Promise.all([
    IS_ELSEWHERE ? [] : units.of(description),
    IS_ELSEWHERE || isOwn ? [] : originals.of(description),
  ]);
  known.set(description, { portions: found, original });
  return found;
}

/** Undefined until they arrive. @param wanted whether the food is shown; another value each time it is shown anew */
export function usePortions(food: Food, wanted: unknown): readonly Unit[] | undefined {
  const dataSet = useStore(dataSetStore);
  const [, render] = useState<readonly Unit[]>();
  useEffect(() => {
    if (wanted) void portionsOf(food, dataSet).then(render);
  }, [food, wanted, dataSet]);
  return known.get(food.description)?.portions;
}
