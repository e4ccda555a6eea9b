import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { openCatalog } from '../src/cli/open-catalog.ts';
import { FIGURE_COLUMNS, type FoodEntry } from '../src/food.ts';
import { readFoods } from '../src/readers/read-foods.ts';
import { collect } from './support/collect.ts';
import { describeWithShared, SR28_CSV } from './support/requirements.ts';
import { rowsOfCsv } from './support/rows.ts';

const FILE = 'data/starter-foods.csv';
const README = 'data/README.md';

describe('the starter foods', () => {
  test('are about 1,000, each with a name of its own, in order', async () => {
    const names = (await collect(readFoods(FILE))).map((food) => food.description.toLowerCase());
    expect(names.length).toBeGreaterThan(950);
    expect(names.length).toBeLessThan(1100);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(names.toSorted());
    expect(await readFile(README, 'utf8')).toContain(names.length.toLocaleString('en'));
  });

  test('have plain names: no abbreviation, no stray space', async () => {
    for await (const { description } of readFoods(FILE)) {
      expect(description).toMatch(/^[A-Z][^\t\n]*[a-z0-9)%]$/);
      expect(description).not.toMatch(/ {2}|\b(w\/|NFS|USDA|[A-Z]{3,})/);
    }
  });

  describe('answer what a household looks for', () => {
    let catalog: Awaited<ReturnType<typeof openCatalog>>;
    beforeAll(async () => {
      catalog = await openCatalog(undefined);
    });
    it.each(
      'egg, milk, banana, chicken breast, rice, oats, avocado, tofu, peanut butter, salmon, tuna, yogurt, cheddar, mozzarella, feta, coffee, tea, wine, beer, vodka, quinoa, couscous, hummus, sweet potato, spinach, kale, honey, maple syrup, dark chocolate, almond, soy, tortilla, pita, bagel, ham, bacon, sausage, turkey, lamb, shrimp, prawn, cod, tilapia, mushroom, garlic, ginger, cinnamon, pepper, salt, vinegar, mustard, ketchup, soy sauce, mayonnaise, butter, olive oil, apple, orange, grape, strawberr, tomato, cucumber, carrot, onion, courgette, aubergine, lentil, chickpea, bread, croissant, pizza, burger, ice cream, popcorn'.split(
        ', ',
      ),
    )('%s', async (text) => {
      const foods = JSON.parse(Buffer.from(await catalog.search(text)).toString()) as FoodEntry[];
      expect(foods).not.toEqual([]);
    });
  });
});

describeWithShared('the source of the starter foods', () => {
  test('has every figure of every row, under the ndb_no of the row', async () => {
    const source = new Map((await rowsOfCsv(SR28_CSV)).map((row) => [row.ndb_no, row]));
    const starters = await rowsOfCsv(FILE);
    expect(new Set(starters.map((row) => row.ndb_no)).size).toBe(starters.length);
    for (const row of starters) {
      const original = source.get(row.ndb_no ?? '');
      expect(original, `ndb_no ${row.ndb_no}`).toBeDefined();
      for (const column of FIGURE_COLUMNS) {
        const [figure, expected] = [row[column] ?? '', original?.[column] ?? ''];
        expect(figure === '', `${row.description}: ${column}`).toBe(expected === '');
        expect(Number(figure), `${row.description}: ${column}`).toBe(Number(expected));
      }
    }
  });
});
