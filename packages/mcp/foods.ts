/** Where foods are looked up: in a running service, or in the built-in foods, which are beside this program. */
import { readFileSync } from 'node:fs';
import { LocalAnswers } from '../browser/open-index.ts';
import type { RequestOptions } from '../browser/search-foods.ts';

export interface Foods {
  readonly baseUrl: string;
  /** Of every request. */
  readonly options: RequestOptions;
}

/** @param address of a service; whether it is one is found out by the first lookup, whose error the assistant can show */
export const foodsOf = (address: string): Foods => ({ baseUrl: address, options: {} });

export function builtInFoods(): Foods {
  const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
  const [names, words] = ['other-names.json', 'amounts.txt'].map((name) => read(name).toString());
  const answers = new LocalAnswers(read('foods.idx'), JSON.parse(names ?? ''), words);
  // Nothing is requested there.
  return { baseUrl: 'http://built-in.invalid', options: { fetch: (asked) => answers.fetch(asked) } };
}
