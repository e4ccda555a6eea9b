/**
 * The data set that the answers are from. Another one may replace it while the page is open.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { foodCount } from '../elements/figure.tsx';
import { noticeStore } from '../stores/page-stores.ts';
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

export function useDataSet(): DataSet | undefined {
  return useQuery({ queryKey: ['data-set'], queryFn: fetchDataSet, enabled: !IS_ELSEWHERE }).data;
}

async function fetchDataSet(): Promise<DataSet> {
  const response = await fetch(new URL('data-set', SERVICE));
  if (!response.ok) throw new Error(`GET data-set: status ${response.status}`);
  return response.json();
}

/**
 * Requests the facts again if an answer is from another data set, and everything again if the facts have changed.
 * @param tag of the answer that is shown
 */
export function useOneDataSet(tag: string | null): void {
  const client = useQueryClient();
  const dataSet = useDataSet();
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (tag !== null && !(dataSet && tag.includes(dataSet.identity)))
      void client.invalidateQueries({ queryKey: ['data-set'] });
    if (dataSet === undefined) return;
    const before = known.current;
    known.current = dataSet.identity;
    if (before === undefined || before === dataSet.identity) return;
    void client.invalidateQueries();
    const { name, date, foods } = dataSet;
    noticeStore.set({
      text: `The data set has changed. Foods are now from ${name}, ${date}, ${foodCount(foods)}.`,
    });
  }, [client, dataSet, tag]);
}
