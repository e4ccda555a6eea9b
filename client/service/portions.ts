/**
 * The portions of a food, in which its amount may be counted instead of in grams.
 */
import { useEffect, useState } from 'preact/hooks';
import { portions } from '../../src/browser/search-foods.ts';
import { isUnit, type Unit } from '../foods/amount.ts';
import type { Food } from '../foods/food.ts';
import { useStore } from '../stores/local-store.ts';
import { dataSetStore, IS_ELSEWHERE, SERVICE } from './data-set.ts';

const requested = new Map<string, Promise<readonly Unit[]>>();
const known = new Map<string, readonly Unit[]>();

dataSetStore.listen(() => {
  requested.clear();
  known.clear();
});

/** Requested once; none if they cannot be read, because an amount can always be in grams. */
export function portionsOf({ description }: Food): Promise<readonly Unit[]> {
  const answer = requested.get(description) ?? request(description);
  requested.set(description, answer);
  return answer;
}

async function request(description: string): Promise<readonly Unit[]> {
  let units: readonly Unit[] = [];
  try {
    const found = IS_ELSEWHERE ? [] : await portions(SERVICE, description, { cache: 'no-cache' });
    units = found.map((each) => ({ ...each, grams: String(each.grams) })).filter(isUnit);
  } catch {
    requested.delete(description);
  }
  known.set(description, units);
  return units;
}

/** Undefined until they arrive. */
export function usePortions(food: Food, isWanted: boolean): readonly Unit[] | undefined {
  useStore(dataSetStore);
  const [, render] = useState<readonly Unit[]>();
  const units = known.get(food.description);
  useEffect(() => {
    if (isWanted && units === undefined) void portionsOf(food).then(render);
  });
  return units;
}
