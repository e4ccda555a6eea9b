/**
 * An example of two foods for every rule of the order, which fails if the rule is dropped or reversed.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { type FoodRecord, textOfUtf8 } from '#core';
import { EverydayFoods } from '#engine';
import { KINDS, type Kind } from '../../src/engine/order/kinds.ts';
import { POINTS } from '../../src/engine/order/points.ts';
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

/** Foods from which a data set learns that kinds follow commas, or that it has no commas. */
const WITH_COMMAS = times(40, (i) => `Goat${i}, zap`);
const WITHOUT_COMMAS = times(40, (i) => `Goat${i} zap`);

const RULES: { readonly [Rule in keyof typeof POINTS]: Example } = {
  textStart: { query: 'egg', better: 'Egg, zed zaps', worse: 'Nuts, egg, zed', others: WITH_COMMAS },
  front: { query: 'egg', better: 'Fresh Eggplants', worse: 'Rolls, dinner, egg' },
  behindShelf: { query: 'egg', better: 'Fast foods, egg, scrambled', worse: 'Pork Egg Roll' },
  second: { query: 'butter', better: 'Jumbo Biscuits, Butter', worse: 'Peanut Butter Syrup' },
  brackets: {
    query: 'honey',
    better: 'Milk, zed, honey extraordinary',
    worse: 'Milk, zed (honey x)',
    others: WITH_COMMAS,
  },
  otherName: { query: 'fava', better: 'Broadbeans (fava), raw', worse: 'Broadbeans, fava, raw' },
  whole: { query: 'egg', better: 'Egg, whole, fried', worse: 'Pork Egg Roll' },
  wholeFront: { query: 'egg', better: 'Egg, yolk, dried', worse: 'Eggplant Appetizer' },
  wholeName: {
    query: 'egg',
    better: { description: 'Egg, Acme', name: 'Egg' },
    worse: 'Egg, raw',
    others: WITH_COMMAS,
  },
  begins: { query: 'butter', better: 'Butter zed, zop', worse: 'All Butter raw cooked', others: WITH_COMMAS },
  beginsOnlyWord: { query: 'butter', better: 'Buttertoast', worse: 'Butter-Maple Syrup' },
  ends: { query: 'honey', better: 'Graham crackers, plain or honey', worse: "Oats 'n Honey" },
  endsFront: { query: 'honey', better: 'Organic Honey', worse: 'Honey Roasted Peanuts' },
  wholeWord: { query: 'butter', better: 'All Butter zed', worse: 'Butternut zed' },
  plural: { query: 'egg', better: 'Egg, zeds', worse: 'Eggs, zed' },
  otherFoodBefore: {
    query: 'crackers',
    better: 'Zice crackers',
    worse: 'Rice crackers',
    others: times(9, () => 'Rice'),
  },
  otherFoodBehind: {
    query: 'coffee',
    better: 'Coffee zreamer',
    worse: 'Coffee creamer',
    others: times(9, () => 'Creamer'),
  },
  addition: { query: 'honey', better: 'Oats zz honey bars', worse: 'Oats in honey bars' },
  beganWord: {
    query: 'cu',
    better: 'Curly, zap',
    worse: 'Cubic, zap',
    others: times(9, (i) => `Goat${i}, zap, curly`),
  },
  family: { query: 'zed', better: 'Duck, zed', worse: 'Goat, zed', others: times(9, (i) => `Duck, ${i}`) },
  subfamily: {
    query: 'zed',
    better: 'Duck, curly, zed',
    worse: 'Duck, wurly, zed',
    others: times(9, (i) => `Duck, curly, ${i}`).concat(times(9, (i) => `Goat, wurly, ${i}`)),
  },
  secondWord: {
    query: 'zed',
    better: 'Duck, curly, zed',
    worse: 'Duck, wurly, zed',
    others: times(9, (i) => `Goat, zap${i}, curly`),
  },
  sameName: { query: 'egg', better: 'Egg curly', worse: 'Egg wu', others: times(3, () => 'Egg curly') },
  popularity: {
    query: 'egg',
    better: { description: 'Egg curly', popularity: 3 },
    worse: { description: 'Egg wurly', popularity: 0 },
  },
  flavour: { query: 'egg', better: 'Large Eggs', worse: 'Egg, goose, zed', others: WITHOUT_COMMAS },
  mainForm: { query: 'butter', better: 'Buttermilk, whole', worse: 'Butterscotch Discs' },
  everyday: { query: 'egg', better: 'Egg curly', worse: 'Egg wurly', everyday: ['Egg curly', 'Milk'] },
  brand: { query: 'butter', better: 'Buttermilk Bread', worse: 'PEANUT BUTTER Creamy' },
  length: { query: 'honey', better: 'Honey Duke', worse: 'Honey Roasted Peanuts' },
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
    expect((await orderOf('milk', [...foods, 'Imitation milk substitute'])).at(1)).toBe(
      'Imitation milk substitute',
    );
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
