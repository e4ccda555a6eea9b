import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { FIGURE_COLUMNS, type FoodEntry } from '#core';
import { openCatalog } from '#service';
import { readFoods } from '#tables';
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

/** A portion that is no piece: a volume, a weight, or what a shop or a kitchen puts together. */
const NO_PIECE =
  /^\S+ (?:cups?|oz|fl|tbsp|tsp|(?:table|tea)spoons?|cubic|inch|lb|quart|serving|packet|package|box|container)\b/i;

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
    const counted = { portions: 0, ounces: 0 };
    const pieces: number[] = [];
    for (const row of await rowsOfCsv(FILE)) {
      const original = source.get(row.ndb_no ?? '') ?? {};
      const known = [1, 2].flatMap((n) => {
        const text = original[`gmwt_desc${n}`];
        return text ? [`${saidBy(text)}: ${Number(original[`gmwt_${n}`])}`] : [];
      });
      if (known.length === 0) {
        expect([row.portion_1, row.portion_1_g], row.description ?? '').toEqual(['1 oz', '28.35']);
        counted.ounces++;
      }
      for (const n of known.length === 0 ? [2] : [1, 2]) {
        const text = row[`portion_${n}`];
        if (!text) continue;
        const said = `${saidBy(text)}: ${row[`portion_${n}_g`]}`;
        if (known.includes(said)) counted.portions++;
        else {
          // From the table of weights, which the folder with real data lacks: one piece, as the second portion.
          expect(`${n} ${NO_PIECE.test(text)}`, `${row.description}: ${text}`).toBe('2 false');
          pieces.push(Number(row.ndb_no));
        }
      }
    }
    expect({ ...counted, pieces: pieces.length }).toEqual({ portions: 1684, pieces: 113, ounces: 8 });
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
