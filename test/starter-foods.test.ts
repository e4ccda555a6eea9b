import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { FIGURE_COLUMNS } from '#core';
import { openCatalog } from '#service';
import { readFoods } from '#tables';
import { collect } from './support/collect.ts';
import { describeWithShared, SR28_CSV, SR28_SQLITE, SURVEY_CSV } from './support/requirements.ts';
import { rowsOfCsv, rowsOfSqlite } from './support/rows.ts';
import { BUILT_IN_COUNT, DISHES, INGREDIENTS, STARTER } from './support/starter-foods.ts';

const FILES = [STARTER, INGREDIENTS, DISHES];
const read = Promise.all(FILES.map((file) => collect(readFoods(file))));
const all = async () => (await read).flat();
/** The rows of release 28. */
const release28 = async () => [...(await rowsOfCsv(STARTER)), ...(await rowsOfCsv(INGREDIENTS))];

describe('the starter foods', () => {
  test('are some 2,000, with distinct names, in alphabetical order in each file', async () => {
    const files = (await read).map((foods) => foods.map((food) => food.description.toLowerCase()));
    const names = files.flat();
    expect(BUILT_IN_COUNT).toBeGreaterThan(1900);
    expect(names.length).toBe(BUILT_IN_COUNT);
    expect(new Set(names).size).toBe(names.length);
    for (const file of files) expect(file).toEqual(file.toSorted());
    for (const page of ['README.md', 'data/README.md', 'packages/mcp/README.md'])
      expect(await readFile(page, 'utf8')).toContain(`${names.length.toLocaleString('en')} everyday foods`);
  });

  test('have plain names without abbreviations or stray spaces', async () => {
    for (const { description } of await all()) {
      expect(description).toMatch(/^[A-Z][^\t\n]*[a-z0-9)%]$/);
      expect(description).not.toMatch(/ {2}|\b(w\/|NFS|USDA|[A-Z]{3,})/);
    }
  });

  test('have one to twelve portions each, as people say them', async () => {
    for (const { description, portions = [] } of await all()) {
      expect(portions.length, description).toBeGreaterThan(0);
      expect(portions.length, description).toBeLessThan(13);
      for (const { portion } of portions) {
        expect(portion).toMatch(/^\d\S* [a-zA-Z]/);
        expect(portion).not.toMatch(/NLEA|NFS|yields| {2}|, *\(|[\s,;]$/);
      }
    }
  });

  test('weigh more the larger they are: small, medium, large, and three teaspoons about a tablespoon', async () => {
    for (const { description, portions = [] } of await all()) {
      const grams = new Map(portions.map((each) => [saidBy(each.portion).toLowerCase(), Number(each.grams)]));
      for (const [portion, weight] of grams) {
        const [, size = ''] = /\b((?:extra )?small|medium|(?:extra )?large)\b/.exec(portion) ?? [];
        const larger = grams.get(portion.replace(size, LARGER.get(size) ?? ''));
        if (size !== '' && larger !== undefined && !portion.includes('curd'))
          expect(larger, `${description}: more than ${portion}`).toBeGreaterThan(weight);
        const spoon = portion.startsWith('1 tsp') && grams.get(portion.replace('tsp', 'tbsp'));
        if (spoon) expect(Math.abs(spoon / weight - 3), `${description}: ${portion}`).toBeLessThan(0.6);
      }
    }
  });

  describe('include what a household looks for:', () => {
    let catalog: Awaited<ReturnType<typeof openCatalog>>;
    beforeAll(async () => {
      catalog = await openCatalog(undefined);
    });
    it.each(
      'egg, milk, banana, chicken breast, rice, oats, avocado, tofu, peanut butter, salmon, tuna, yogurt, cheddar, mozzarella, feta, coffee, tea, wine, beer, vodka, quinoa, couscous, hummus, sweet potato, spinach, kale, honey, maple syrup, dark chocolate, almond, soy, tortilla, pita, bagel, ham, bacon, sausage, turkey, lamb, shrimp, prawn, cod, tilapia, mushroom, garlic, ginger, cinnamon, pepper, salt, vinegar, mustard, ketchup, soy sauce, mayonnaise, butter, olive oil, apple, orange, grape, strawberr, tomato, cucumber, carrot, onion, courgette, aubergine, lentil, chickpea, bread, croissant, pizza, burger, ice cream, popcorn, sushi, pho, samosa, paneer, kebab, spring roll, pad thai, bibimbap, biryani, empanada, risotto, borscht, gyoza, chicken curry, paella, goulash, moussaka, latte'.split(
        ', ',
      ),
    )('%s', async (text) => expect(Buffer.from(await catalog.search(text)).toString()).not.toBe('[]'));
  });
});

/** Columns of nutrients beside the figures of every food, with their names in the source. */
const NUTRIENTS = {
  'Fibre (g)': 'fiber_td_g',
  'Sugars (g)': 'sugar_g',
  'Sodium (mg)': 'sodium_mg',
  'Calcium (mg)': 'calcium_mg',
  'Iron (mg)': 'iron_mg',
  'Potassium (mg)': 'potassium_mg',
  'Vitamin C (mg)': 'vit_c_mg',
};

const SIZES = ['extra small', 'small', 'medium', 'large', 'extra large'];
const LARGER = new Map(SIZES.slice(1).map((size, i) => [SIZES[i], size]));

describeWithShared('the sources of the starter foods', () => {
  test('have every row, once: release 28 under ndb_no, the survey under fndds_code, Foundation Foods under foundation_id', async () => {
    const dishes = await rowsOfCsv(DISHES);
    for (const [rows, column, form] of [
      [await release28(), 'ndb_no', /^\d{4,5}$/],
      [dishes.filter((row) => row.foundation_id === ''), 'fndds_code', /^\d{8}$/],
      [dishes.filter((row) => row.fndds_code === ''), 'foundation_id', /^\d{6,7}$/],
    ] as const) {
      expect(rows).not.toEqual([]);
      const keys = rows.map((row) => row[column] ?? '');
      expect(new Set(keys).size).toBe(keys.length);
      for (const key of keys) expect(key).toMatch(form);
    }
  });

  test('release 28 has every figure and nutrient of its rows', async () => {
    const texts = new Map((await rowsOfCsv(SR28_CSV)).map((row) => [row.ndb_no, row]));
    const nutrients = new Map((await rowsOfSqlite(SR28_SQLITE)).map((row) => [row.ndb_no, row]));
    for (const row of await release28()) {
      const [text, values] = [texts, nutrients].map((each) => each.get(row.ndb_no ?? '') ?? {});
      const figures = FIGURE_COLUMNS.map((column) => [column, text?.[column]] as const);
      const others = Object.entries(NUTRIENTS).map(([column, name]) => [column, values?.[name]] as const);
      for (const [column, expected] of [...figures, ...others]) {
        expect(row[column] === '', `${row.description}: ${column}`).toBe((expected ?? '') === '');
        expect(Number(row[column]), `${row.description}: ${column}`).toBe(Number(expected));
      }
    }
  });

  test('the survey has the figures of its rows', async () => {
    const source = new Map((await rowsOfCsv(SURVEY_CSV)).map((row) => [row.id, row]));
    const dishes = await rowsOfCsv(DISHES);
    expect(dishes.length).toBeGreaterThan(200);
    const bare: string[] = [];
    for (const row of dishes.filter((each) => each.fndds_code !== '')) {
      const { kcal, protein, carbs, fat } = source.get(row.fndds_code ?? '') ?? {};
      const figures = [row.kcal, row.protein_g, row.carbohydrate_g, row.fat_g].map(Number);
      expect(figures, row.description ?? '').toEqual([kcal, protein, carbs, fat].map(Number));
      expect(Number(row['Saturated fat (g)'])).toBeLessThan(Number(fat) + 0.01);
      const known = Object.keys(NUTRIENTS).filter((column) => row[column] !== '');
      expect(known, row.description ?? '').toHaveLength(row['Saturated fat (g)'] === '' ? 0 : 7);
      if (known.length === 0) bare.push(row.description ?? '');
    }
    expect(bare).toEqual(['Creamed spinach', 'Semolina porridge (cream of wheat), made with milk']);
  });

  test('release 28 has the weights of the portions that its abbreviated table has', async () => {
    const source = new Map((await rowsOfSqlite(SR28_SQLITE)).map((row) => [row.ndb_no, row]));
    const counted = { equal: 0, others: 0, ounces: 0 };
    for (const row of await release28()) {
      const original = source.get(row.ndb_no ?? '') ?? {};
      const known = [1, 2].flatMap((n) => {
        const text = original[`gmwt_desc${n}`];
        return text ? [{ text: saidBy(text), grams: Number(original[`gmwt_${n}`]) }] : [];
      });
      if (known.length === 0) {
        expect([row.portion_1, row.portion_1_g], row.description ?? '').toEqual(['1 oz', '28.35']);
        counted.ounces++;
      }
      for (let n = 1; row[`portion_${n}`]; n++) {
        const text = saidBy(row[`portion_${n}`] ?? '');
        const weights = known.flatMap((each) => (each.text === text ? each.grams : []));
        if (weights.length > 0)
          expect(weights, `${row.description}: ${text}`).toContain(Number(row[`portion_${n}_g`]));
        counted[weights.length > 0 ? 'equal' : 'others']++;
      }
    }
    expect(counted).toEqual({ equal: 2549, others: 876, ounces: 19 });
  });
});

/** The letters and digits of a portion, with its amount as a decimal. */
function saidBy(portion: string): string {
  const amount = portion
    .replace(/^(\d+)\/(\d+)(?= )/, (_, above, below) => (Number(above) / Number(below)).toFixed(2))
    .replace(/^\d*\.\d+(?= )/, (decimal) => Number(decimal).toFixed(2));
  return amount
    .replace(/^\d+ grams, |NLEA|yields?$/g, '')
    .replace(/[\s,()]+/g, ' ')
    .trim();
}
