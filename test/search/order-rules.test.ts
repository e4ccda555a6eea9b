/**
 * An example of two foods for every rule of the order, which fails if the rule is dropped or reversed.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { type FoodRecord, textOfUtf8 } from '#core';
import { EverydayFoods } from '#engine';
import { KINDS, type Kind } from '../../src/engine/order/kinds.ts';
import { POINTS } from '../../src/engine/order/points.ts';
import { casesOf } from '../support/cases.ts';
import { indexOf } from '../support/index.ts';
import { food } from '../support/service.ts';

type Named = Pick<FoodRecord, 'description' | 'name' | 'popularity'>;

interface Example {
  readonly query: string;
  readonly better: string | Named;
  readonly worse: string | Named;
  readonly others?: readonly string[];
  readonly everyday?: readonly string[];
}

const times = (count: number, description: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => description(i));

/** Foods from which a data set learns that kinds follow commas. */
const WITH_COMMAS = times(40, (i) => `Goat${i}, zap`);

/** Each food that many times, with its number for #: `9 × Duck, #; 3 × Egg`. */
const manyOf = (text = ''): string[] =>
  Array.from(text.matchAll(/(\d+) × ([^;]+)/g), ([, count, food = '']) =>
    times(Number(count), (i) => food.replace('#', String(i))),
  ).flat();

const RULES: Readonly<Record<string, Example>> = {
  wholeName: {
    query: 'egg',
    better: { description: 'Egg, Acme', name: 'Egg' },
    worse: 'Egg, raw',
    others: WITH_COMMAS,
  },
  popularity: {
    query: 'egg',
    better: { description: 'Egg curly', popularity: 3 },
    worse: { description: 'Egg wurly', popularity: 0 },
  },
  everyday: { query: 'egg', better: 'Egg curly', worse: 'Egg wurly', everyday: ['Egg curly', 'Milk'] },
  // The rule, a text, the better food and the worse, and other foods.
  ...Object.fromEntries(
    casesOf(`
      textStart | egg | Egg, zed zaps | Nuts, egg, zed | 40 × Goat#, zap
      front | egg | Fresh Eggplants | Rolls, dinner, egg
      behindShelf | egg | Fast foods, egg, scrambled | Pork Egg Roll
      second | butter | Jumbo Biscuits, Butter | Peanut Butter Syrup
      brackets | honey | Milk, zed, honey extraordinary | Milk, zed (honey x) | 40 × Goat#, zap
      otherName | fava | Broadbeans (fava), raw | Broadbeans, fava, raw
      whole | egg | Egg, whole, fried | Pork Egg Roll
      wholeFront | egg | Egg, yolk, dried | Eggplant Appetizer
      begins | butter | Butter zed, zop | All Butter raw cooked | 40 × Goat#, zap
      beginsOnlyWord | butter | Buttertoast | Butter-Maple Syrup
      ends | honey | Graham crackers, plain or honey | Oats 'n Honey
      endsFront | honey | Organic Honey | Honey Roasted Peanuts
      wholeWord | butter | All Butter zed | Butternut zed
      plural | egg | Egg, zeds | Eggs, zed
      otherFoodBefore | crackers | Zice crackers | Rice crackers | 9 × Rice
      otherFoodBehind | coffee | Coffee zreamer | Coffee creamer | 9 × Creamer
      addition | honey | Oats zz honey bars | Oats in honey bars
      beganWord | cu | Curly, zap | Cubic, zap | 9 × Goat#, zap, curly
      family | zed | Duck, zed | Goat, zed | 9 × Duck, #
      subfamily | zed | Duck, curly, zed | Duck, wurly, zed | 9 × Duck, curly, #; 9 × Goat, wurly, #
      secondWord | zed | Duck, curly, zed | Duck, wurly, zed | 9 × Goat, zap#, curly
      sameName | egg | Egg curly | Egg wu | 3 × Egg curly
      flavour | egg | Large Eggs | Egg, goose, zed | 40 × Goat# zap
      mainForm | butter | Buttermilk, whole | Butterscotch Discs
      brand | butter | Buttermilk Bread | PEANUT BUTTER Creamy
      length | honey | Honey Duke | Honey Roasted Peanuts
    `).map(([rule, query = '', better = '', worse = '', rest]) => {
      return [rule, { query, better, worse, others: manyOf(rest) }];
    }),
  ),
};

/** Two kinds of egg that differ in a word, of which a rule knows one. */
const kind = (better: string, worse: string): Example => ({
  query: 'egg',
  better: `Egg, ${better}`,
  worse: `Egg, ${worse}`,
  others: WITH_COMMAS,
});

const KIND_RULES: Readonly<Record<string, Example>> = {
  raw: kind('raw', 'zaw'),
  'plain form': kind('plain', 'zlain'),
  average: kind('(aliment moyen)', '(zliment moyen)'),
  cooked: kind('cooked', 'zooked'),
  'fresh or whole': kind('fresh', 'zresh'),
  'baby food': kind('zabyfood', 'babyfood'),
  regional: kind('zavajo', 'navajo'),
  'for big kitchens': kind('zommodity', 'commodity'),
  imitation: kind('zmitation', 'imitation'),
  'eaten out': kind('zestaurant', 'restaurant'),
  'a part': kind('ziver', 'liver'),
  'made from it': { query: 'egg', better: 'Egg zlour', worse: 'Egg flour' },
  dried: kind('zried', 'dried'),
  'diet form': kind('zowfat', 'lowfat'),
  'special form': kind('zmoked', 'smoked'),
  'sweetened, coated or flavoured': kind('zreaded', 'breaded'),
  salted: kind('zalted', 'salted'),
  'canned or pickled': kind('zanned', 'canned'),
  frozen: kind('zrozen', 'frozen'),
  'with something': kind('zith salsa', 'with salsa'),
};

const named = (each: string | Named): Named => (typeof each === 'string' ? { description: each } : each);

async function orderOf(
  query: string,
  foods: readonly (string | Named)[],
  everyday?: Example['everyday'],
): Promise<string[]> {
  const records = foods.map(named).map((each) => ({ ...food(each.description), ...each }));
  const answer = (await indexOf(records, everyday && new EverydayFoods(everyday))).search(query);
  return (JSON.parse(textOfUtf8(answer)) as Named[]).map(({ description }) => description);
}

/** Returns which of the two foods the answer has first; the data set has the worse one first. */
async function firstOf(example: Example): Promise<string | undefined> {
  const { query, better, worse, others = [], everyday } = example;
  const pair = [better, worse].map((each) => named(each).description);
  return (await orderOf(query, [worse, better, ...others], everyday)).find((each) => pair.includes(each));
}

describe('the weight', () => {
  const weights: Record<string, number> = POINTS;
  const original = { ...weights };
  afterEach(() => void Object.assign(weights, original));

  test('of every rule has an example', () => {
    expect(Object.keys(RULES).toSorted()).toEqual(Object.keys(POINTS).toSorted());
  });

  test.each(Object.entries(RULES))('%s matters', async (rule, example) => {
    const { description } = named(example.better);
    expect(await firstOf(example)).toBe(description);
    weights[rule] = 0;
    expect(await firstOf(example), 'without the rule').not.toBe(description);
    weights[rule] = -(original[rule] ?? 0);
    expect(await firstOf(example), 'with the rule reversed').not.toBe(description);
  });
});

describe('the kind of word', () => {
  const rules = KINDS as { -readonly [Field in keyof Kind]: Kind[Field] }[];
  const original = rules.map((rule) => ({ ...rule }));
  afterEach(() => {
    for (const [i, rule] of rules.entries()) Object.assign(rule, original[i]);
  });

  test('always has an example, or no points', () => {
    const counted = rules.filter(({ points }) => points !== 0).map(({ reason }) => reason);
    expect(Object.keys(KIND_RULES)).toEqual(counted);
  });

  test.each(Object.entries(KIND_RULES))('“%s” matters', async (reason, example) => {
    const rule = rules.find((each) => each.reason === reason)!;
    const { points } = rule;
    expect(await firstOf(example)).toBe(example.better);
    rule.points = 0;
    expect(await firstOf(example), 'without the rule').not.toBe(example.better);
    rule.points = -points;
    expect(await firstOf(example), 'with the rule reversed').not.toBe(example.better);
  });
});

describe('before all points', () => {
  test('a match at the beginning of a word comes before one inside a word', async () => {
    expect(await orderOf('tea', ['Steak, raw', 'Imitation babyfood with instant tea mix'])).toEqual([
      'Imitation babyfood with instant tea mix',
      'Steak, raw',
    ]);
  });

  test('every name comes once before any comes twice, even inside words', async () => {
    const foods = 'Milk|milk| Milk|Milk  shake|Milk shake|Buttermilk|BUTTERMILK|Milk, raw'.split('|');
    expect((await orderOf('milk', foods)).join('|')).toBe(
      'Milk|Milk, raw|Milk  shake|Buttermilk|milk| Milk|Milk shake|BUTTERMILK',
    );
  });

  test('a name is counted without its brand', async () => {
    const foods = ['Acme', 'Best', 'Core'].map((brand) => ({ description: `Milk, ${brand}`, name: 'Milk' }));
    const [, second] = await orderOf('milk', [...foods, 'Imitation milk substitute']);
    expect(second).toBe('Imitation milk substitute');
  });

  test('the most popular food of a name comes first', async () => {
    const foods = [
      { description: 'Milk, Acme', name: 'Milk', popularity: 2 },
      { description: 'Milk, Best', name: 'Milk', popularity: 9 },
      'Milkshake',
    ];
    expect(await orderOf('milk', foods)).toEqual(['Milk, Best', 'Milkshake', 'Milk, Acme']);
  });

  test.each([
    ['imitation babyfood', ['Imitation babyfood, raw', 'Imitation babyfood']],
    ['milk, whole', ['Milk, whole, raw', 'Milk, whole']],
    ['milk (whole)', ['Milk (whole), raw', 'Milk (whole)']],
    ['% fat', ['% fat, raw', '% fat']],
    ['babyfood meal', ['Babyfood meal, raw, plain', 'Babyfood meals']],
    ['nuts, almond', ['Nuts, almond, raw', 'Nuts, almonds']],
    ['raw, potato', ['Raw, potato, plain', 'Raw, potatoes', 'Raw, potatos']],
  ])('a description that is “%s” comes before longer ones', async (query, foods) => {
    expect(await orderOf(query, foods)).toEqual(foods.toReversed());
  });

  test('a description that is the query comes before any number that end with it', async () => {
    const foods = times(6000, (i) => `Brand ${i} raw (milk)`);
    expect((await orderOf('(milk)', [...foods, '(Milk)', 'Zucchini'])).at(0)).toBe('(Milk)');
  });
});

describe('a part of the name', () => {
  // Longer: it comes first only if “Egg” is all of its first part.
  test.each([', ', '; ', ' (', ' - ', ' – ', ' — '])('ends at “%s”', async (separator) => {
    const foods = ['Egg zed', `Egg${separator}zed`];
    expect(await orderOf('egg', [...foods, ...WITH_COMMAS])).toEqual(foods.toReversed());
  });

  test.each([' ', '-', ' -', '- ', ' –', '— ', ' / ', '. '])('goes on after “%s”', async (separator) => {
    const foods = ['Egg ze', `Egg${separator}zed`];
    expect(await orderOf('egg', [...foods, ...WITH_COMMAS])).toEqual(foods);
  });
});

test.each([
  ['butter', 'Butter, whipped, w/ salt', 'Butter, lt, stk, w/ salt'],
  ['milk', 'Milk, whl, 3.25% milkfat', 'Milk, choc, fluid, whl'],
  ['egg', 'Egg, whl, ckd, poached', 'Egg, white, dried, pdr'],
  ['beans', 'Beans, kidney, raw', 'Beans, kidney, cnd'],
])('USDA’s abbreviations are read as words: for %s', async (query, better, worse) => {
  expect(await orderOf(query, [worse, better])).toEqual([better, worse]);
});
