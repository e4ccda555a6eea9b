/**
 * The data set that the answers are from. Another one may replace it while the page is open.
 */
import { atom } from 'nanostores';
import { foodCount } from '../elements/figure.tsx';
import { notify } from '../stores/page-stores.ts';
import { IS_ELSEWHERE, SERVICE } from './address.ts';

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
