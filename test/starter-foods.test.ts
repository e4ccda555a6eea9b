import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { openCatalog } from '../src/cli/open-catalog.ts';
import { FIGURE_COLUMNS, type FoodEntry } from '../src/food.ts';
import { readFoods } from '../src/readers/read-foods.ts';
import { collect } from './support/collect.ts';
import { describeWithShared, SR28_CSV, SR28_SQLITE } from './support/requirements.ts';
import { rowsOfCsv, rowsOfSqlite } from './support/rows.ts';

const FILE = 'data/starter-foods.csv';
const README = 'data/README.md';

describe('the starter foods', () => {
  test('are about 1,000, with distinct names in alphabetical order', async () => {
    const names = (await collect(readFoods(FILE))).map((food) => food.description.toLowerCase());
    expect(names.length).toBeGreaterThan(950);
    expect(names.length).toBeLessThan(1100);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(names.toSorted());
    expect(await readFile(README, 'utf8')).toContain(names.length.toLocaleString('en'));
  });

  test('have plain names without abbreviations or stray spaces', async () => {
    for await (const { description } of readFoods(FILE)) {
      expect(description).toMatch(/^[A-Z][^\t\n]*[a-z0-9)%]$/);
      expect(description).not.toMatch(/ {2}|\b(w\/|NFS|USDA|[A-Z]{3,})/);
    }
  });

  test('have one to four portions each, as people say them', async () => {
    for await (const { description, portions = [] } of readFoods(FILE)) {
      expect(portions.length, description).toBeGreaterThan(0);
      expect(portions.length, description).toBeLessThan(5);
      for (const { portion } of portions) {
        expect(portion).toMatch(/^\d\S* [a-zA-Z]/);
        expect(portion).not.toMatch(/NLEA|NFS|yields| {2}|, *\(|[\s,;]$/);
      }
    }
  });

  describe('include what a household looks for:', () => {
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

/** Pieces that people count. The release has them in its table of weights; the folder with real data has two portions of each food. */
const PIECES: Readonly<Record<string, number>> = {
  '1009 1 slice (1 oz)': 28,
  '1129 1 large': 50,
  '9003 1 medium (3" dia)': 182,
  '9021 1 apricot': 35,
  '9037 1 avocado': 201,
  '9040 1 medium (7" to 7-7/8" long)': 118,
  '9252 1 medium': 178,
  '9316 1 medium (1-1/4" dia)': 12,
  '11124 1 medium': 61,
  '11143 1 stalk, medium': 40,
  '11215 1 clove': 3,
  '11260 1 medium': 18,
  '11282 1 medium (2-1/2" dia)': 110,
  '11333 1 medium': 119,
  '11477 1 medium': 196,
  '11529 1 medium (2-3/5" dia)': 123,
  '11821 1 medium': 119,
};

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

  test('has the portions of every row and their weights; a food without any has an ounce instead', async () => {
    const source = new Map((await rowsOfSqlite(SR28_SQLITE)).map((row) => [row.ndb_no, row]));
    const counted = { portions: 0, pieces: 0, ounces: 0 };
    for (const row of await rowsOfCsv(FILE)) {
      const original = source.get(row.ndb_no ?? '') ?? {};
      const known = [1, 2].flatMap((n) => {
        const text = original[`gmwt_desc${n}`];
        return text ? [`${saidBy(text)}: ${Number(original[`gmwt_${n}`])}`] : [];
      });
      if (known.length === 0) {
        expect([row.portion_1, row.portion_1_g, row.portion_2], row.description ?? '').toEqual([
          '1 oz',
          '28.35',
          '',
        ]);
        counted.ounces++;
        continue;
      }
      for (const n of [1, 2]) {
        const text = row[`portion_${n}`];
        if (!text) continue;
        if (PIECES[`${row.ndb_no} ${text}`] === Number(row[`portion_${n}_g`])) {
          counted.pieces++;
          continue;
        }
        expect(known, row.description ?? '').toContain(`${saidBy(text)}: ${row[`portion_${n}_g`]}`);
        counted.portions++;
      }
    }
    expect(counted).toEqual({ portions: 1771, pieces: Object.keys(PIECES).length, ounces: 8 });
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
