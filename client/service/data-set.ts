/**
 * The service, and the data set that its answers are from. Another one may replace it while the page is open.
 */
import { atom } from 'nanostores';
import { foodCount } from '../elements/figure.ts';
import { notify } from '../stores/page-stores.ts';

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
  address.pathname = `${address.pathname.replace(/(\/api\/food)?\/*$/, '')}/`;
  address.search = '';
  address.hash = '';
  return address;
}

interface DataSet {
  readonly name: string;
  readonly date: string;
  readonly source: string | null;
  readonly licence: string | null;
  readonly foods: number;
  /** The tags of its answers begin with it. */
  readonly identity: string;
}

export const dataSetStore = atom<DataSet | undefined>(undefined);

let isFetching = false;

/**
 * Requests the facts again if an answer is from another data set.
 * @param tag of an answer; null if it cannot be read
 */
export async function checkDataSet(tag: string | null): Promise<void> {
  const known = dataSetStore.get();
  if (IS_ELSEWHERE || isFetching || (known && (tag === null || tag.includes(known.identity)))) return;
  isFetching = true;
  try {
    const response = await fetch(new URL('data-set', SERVICE));
    if (!response.ok) return;
    const dataSet: DataSet = await response.json();
    if (known?.identity === dataSet.identity) return;
    dataSetStore.set(dataSet);
    const { name, date, foods } = dataSet;
    if (known) notify(`The data set has changed. Foods are now from ${name}, ${date}, ${foodCount(foods)}.`);
  } catch {
    // Without it the page has no footer, and learns of it by the next answer.
  } finally {
    isFetching = false;
  }
}
