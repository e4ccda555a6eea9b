/**
 * The data set that the answers are from. Another one may replace it while the page is open.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { foodCount } from '../elements/figure.tsx';
import { noticeStore } from '../stores/page-stores.ts';
import { IS_ELSEWHERE, SERVICE } from './service.ts';

interface DataSet {
  readonly name: string;
  readonly date: string;
  readonly source: string | null;
  readonly licence: string | null;
  readonly foods: number;
  /** The tags of its answers begin with it. */
  readonly identity: string;
}

/** Services elsewhere keep these facts from the page. */
export function useDataSet(): DataSet | undefined {
  return useQuery({
    queryKey: ['data-set'],
    queryFn: fetchDataSet,
    networkMode: 'always',
    enabled: !IS_ELSEWHERE,
  }).data;
}

async function fetchDataSet(): Promise<DataSet> {
  const response = await fetch(new URL('data-set', SERVICE));
  if (!response.ok) throw new Error(`GET data-set: status ${response.status}`);
  return response.json();
}

/**
 * Asks for the facts again if an answer is from another data set, and for all answers again if the facts have changed.
 * @param tag of the answer that is shown
 */
export function useOneDataSet(tag: string | null): void {
  const client = useQueryClient();
  const dataSet = useDataSet();
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (dataSet === undefined) return;
    if (tag?.includes(dataSet.identity) === false) void client.invalidateQueries({ queryKey: ['data-set'] });
    const before = known.current;
    known.current = dataSet.identity;
    if (before === undefined || before === dataSet.identity) return;
    void client.invalidateQueries({ queryKey: ['foods'] });
    const { name, date, foods } = dataSet;
    noticeStore.set({
      text: `The data set has changed. Foods are now from ${name}, ${date}, ${foodCount(foods)}.`,
    });
  }, [client, dataSet, tag]);
}
