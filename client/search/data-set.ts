/**
 * The data set that the answers are from.
 */
import { useQuery } from '@tanstack/react-query';
import { IS_ELSEWHERE, SERVICE } from './service.ts';

export interface DataSet {
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
