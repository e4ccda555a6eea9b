/** The names of the built-in foods in other languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { readFoods, readTranslations } from '#tables';
import { LANGUAGES } from '../client/texts/languages.ts';
import { collect } from './support/collect.ts';
import { DISHES, INGREDIENTS, STARTER } from './support/starter-foods.ts';

const FOLDER = 'data/foods';
const CODES = readdirSync(FOLDER).map((name) => name.replace(/\.csv$/, ''));

/** What people write in another script than ours. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ja: /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u,
  'zh-Hans': /\p{sc=Han}/u,
};

const allFoods = Promise.all([STARTER, INGREDIENTS, DISHES].map((file) => collect(readFoods(file))));

/** As names are compared: "Café" and "café" are one. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase();

test('there are names in every language of the page, and there may be further ones', () => {
  expect([...CODES, 'en']).toEqual(expect.arrayContaining(Object.keys(LANGUAGES)));
});

describe.each(CODES)('in %s', (code) => {
  let foods: readonly string[];
  let names: ReadonlyMap<string, readonly [string, ...string[]]>;
  beforeAll(async () => {
    foods = (await allFoods).flat().map(({ description }) => description);
    names = await readTranslations(`${FOLDER}/${code}.csv`);
  });

  it('every food has a name, in a row of its own', () => {
    const lines = readFileSync(`${FOLDER}/${code}.csv`, 'utf8').trim().split('\n');
    expect(lines.length).toBe(foods.length + 1);
    expect([...names.keys()].toSorted()).toEqual([...foods].toSorted());
  });

  it('no name stands twice', () => {
    const owners = new Map<string, string>();
    const twice: string[] = [];
    for (const [food, all] of names)
      for (const name of all) {
        const other = owners.get(keyOf(name));
        if (other !== undefined) twice.push(`"${name}" of "${food}" is a name of "${other}", too`);
        owners.set(keyOf(name), food);
      }
    expect(twice).toEqual([]);
  });

  it('no name is English by oversight', () => {
    const english = /\b(?:raw|cooked|boiled|unsweetened|canned|roasted|with|without)\b/i;
    const script = SCRIPTS[code] ?? /\p{sc=Latin}/u;
    const wrong = (name: string) => english.test(name) || !script.test(name) || name.length >= 120;
    expect([...names.values()].flat().filter(wrong)).toEqual([]);
    const same = [...names].filter(([food, [name]]) => keyOf(food) === keyOf(name)).map(([food]) => food);
    // A comma sets off a state, which other languages have words for.
    expect(same.filter((food) => food.includes(','))).toEqual([]);
    expect(same.length).toBeLessThan(foods.length / 10);
  });
});
