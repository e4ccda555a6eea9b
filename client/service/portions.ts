/**
 * The portions of a food, in which its amount may be counted instead of in grams.
 */
import { useEffect, useState } from 'preact/hooks';
import { portions } from '../../src/browser/search-foods.ts';
import { isUnit, type Unit } from '../foods/amount.ts';
import type { Food } from '../foods/food.ts';
import { useStore } from '../stores/local-store.ts';
import { IS_ELSEWHERE, SERVICE } from './address.ts';
import { dataSetStore } from './data-set.ts';

const requested = new Map<string, Promise<readonly Unit[]>>();
const known = new Map<string, readonly Unit[]>();

dataSetStore.listen(() => {
  requested.clear();
  known.clear();
});

/** Requested once; none if they cannot be read, because an amount can always be in grams. */
export function portionsOf({ description }: Food): Promise<readonly Unit[]> {
  if (IS_ELSEWHERE) return Promise.resolve([]);
  const answer = requested.get(description) ?? request(description);
  requested.set(description, answer);
  return answer;
}

async function request(description: string): Promise<readonly Unit[]> {
  try {
    const found = await portions(SERVICE, description, { cache: 'no-cache' });
    const units = found.map((each) => ({ ...each, grams: String(each.grams) })).filter(isUnit);
    known.set(description, units);
    return units;
  } catch {
    requested.delete(description);
    return [];
  }
}

/** Undefined until they arrive. */
export function usePortions(food: Food, isWanted: boolean): readonly Unit[] | undefined {
  const dataSet = useStore(dataSetStore);
  const [arrived, setArrived] = useState<{ readonly of: unknown; readonly units: readonly Unit[] }>();
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    void portionsOf(food).then((units) => isCurrent && setArrived({ of: dataSet, units }));
    return () => {
      isCurrent = false;
    };
  }, [food, isWanted, dataSet]);
  return known.get(food.description) ?? (arrived?.of === dataSet ? arrived?.units : undefined);
}
