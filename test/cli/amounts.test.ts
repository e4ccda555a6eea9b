/**
 * `food-lookup amounts`: a table or JSON of the foods of lines, and of recipes as tools keep them what is read of each, a portion,
 * and the nutrition to paste.
 */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { refused } from '../support/refused.ts';

const folder = temporaryFolder();

async function amounts(name: string, text: string | Uint8Array, ...flags: string[]) {
  const ended = await run(['amounts', await folder.write(name, text), ...flags]);
  return { ...ended, stdout: ended.stdout.replaceAll(folder.path(''), '') };
}

/** The lines that are read of a recipe, and its nutrition. */
async function read(name: string, text: string | Uint8Array, ...flags: string[]) {
  const { code, stdout, stderr } = await amounts(name, text, '--json', ...flags);
  expect([code, stderr.match(/^food-lookup: .*/)]).toEqual([0, null]);
  const answer = JSON.parse(stdout);
  const texts: string[] = answer.foods.map((food: { text: string }) => food.text);
  return { texts, stderr, ...answer };
}

const script = (content: string, type = 'application/ld+json') =>
  `<script type="${type}">${content}</script>`;
const page = (...scripts: string[]) => `<!DOCTYPE html>\n<html><head>${scripts.join('\n')}</head></html>`;
const recipe = (...ingredients: unknown[]) => ({
  '@context': 'https://schema.org',
  '@type': 'Recipe',
  recipeIngredient: ingredients,
});
const EGGS = JSON.stringify(recipe('2 eggs'));

describe('Schema.org', () => {
  test.each([
    ['alone', script(EGGS)],
    ['in @graph', script(JSON.stringify({ '@graph': [{ '@type': 'WebSite' }, JSON.parse(EGGS)] }))],
    ['in an array', script(`[{"@type":"Person"},${EGGS}]`)],
    ['of several types', script(EGGS.replace('"Recipe"', '["NewsArticle","Recipe"]'))],
    ['with the address of its type', script(EGGS.replace('"Recipe"', '"http://schema.org/Recipe"'))],
    ['in CDATA', script(`\n//<![CDATA[\n${EGGS}\n//]]>\n`)],
    ['in CDATA of XHTML', script(`/*<![CDATA[*/${EGGS}/*]]>*/`)],
    ['in a comment of its script', script(`<!--\n${EGGS}\n-->`)],
    ['with a semicolon', script(`${EGGS};`)],
    ['with an encoded type', script(EGGS, 'application&#x2F;ld&#x2B;json')],
    ['with a type that has a parameter', script(EGGS, 'application/ld+json; charset=utf-8')],
    ['with an unquoted type', `<SCRIPT id=a type=application/ld+json>${EGGS}</SCRIPT >`],
    ['after a damaged one', script('{"@type":"Recipe",') + script(EGGS)],
    ['after one without ingredients', script(JSON.stringify(recipe())) + script(EGGS)],
    ['after one in a comment', `<!-- ${script(JSON.stringify(recipe('5 apples')))} -->${script(EGGS)}`],
    ['after another script', `<script>if (a < b) "<!--"</script>${script(EGGS)}`],
    ['with a line break in a string', script(EGGS.replace('2 eggs', '2\neggs'))],
  ])('is read %s', async (_, html) => {
    expect((await read('recipe.html', page(html))).texts).toEqual(['2 eggs']);
  });

  test('has entities, tags, quantities and lists of ingredients', async () => {
    const quantity = { '@type': 'PropertyValue', value: '3/4', unitCode: 'G21', name: 'sugar' };
    const named = { '@type': 'PropertyValue', value: 100, unitText: 'g', name: 'rice' };
    const all = recipe('&frac12; cup milk', '<b>2</b> eggs &amp; more', quantity, ['1 apple', named]);
    const lines = ['½ cup milk', '2 eggs & more', '3/4 cup sugar', '1 apple', '100 g rice'];
    expect((await read('recipe.json', JSON.stringify(all))).texts.join(' ')).toBe(lines.join(' '));
    const old = { '@type': 'Recipe', ingredients: '2 eggs\n1 apple' };
    expect((await read('old.json', JSON.stringify([old]))).texts).toEqual(['2 eggs', '1 apple']);
  });

  test('is refused without ingredients, with what to do', async () => {
    const without = { 'empty.html': page('<p>2 eggs</p>'), 'cut.json': EGGS.slice(0, -2) };
    for (const [name, text] of Object.entries(without))
      expect(await refused(amounts(name, text))).toMatch(
        /has no Schema\.org recipe with ingredients.*\. Put its ingredients into a text file/,
      );
  });
});

test('docs/recipes.md has what the command prints of its recipe', async () => {
  const document = await readFile('docs/recipes.md', 'utf8');
  const blockOf = (kind: string) =>
    new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(document)?.[1] ?? '';
  expect((await amounts('pancakes.cook', blockOf('cook'))).stdout).toBe(blockOf('text'));
  const { nutrition } = await read('pancakes.cook', blockOf('cook'));
  expect(JSON.parse(blockOf('json'))).toEqual({ nutrition });
});

test('Cooklang is read with its amounts, preparations and servings', async () => {
  const text = [
    '---',
    'title: Pancakes',
    'servings: 4',
    '---',
    'Crack the @eggs{3} into a #large bowl{}, add @plain flour{125%g} and @milk{250%ml}. [- not @cream{1%cup} -]',
    'Add @&milk{50%ml}, @salt, @?white onion{1}(finely chopped) and @./sauces/ketchup{=2%tbsp}. -- or @mayonnaise{1%tbsp}',
    '> Not with @cream{1%cup}, which burns.',
    'Fold the @eggs in, and fry for ~{5%minutes}.',
  ].join('\n');
  const { texts, nutrition, total } = await read('pancakes.cook', text);
  expect(texts).toEqual([
    ...['3 eggs', '125 g plain flour', '250 ml milk', '50 ml milk', 'salt'],
    ...['1 white onion, finely chopped', '2 tbsp ketchup'],
  ]);
  expect(nutrition.calories).toBe(`${new Big(total.kcal).div(4).toFixed(2)} kcal`);
  const older = await read('older.cook', '>> servings: 2|4\nBoil @eggs{2}.\r\n');
  expect([older.texts, older.nutrition.calories]).toEqual([['2 eggs'], '71.50 kcal']);
});

const RICE = { name: 'rice' };
const GRAMS = { name: 'g' };
const APPS: Readonly<Record<string, [text: unknown, texts: string[], portions: number]>> = {
  Mealie: [
    {
      ...{ slug: 'rice', name: 'Rice', recipe_yield: '', recipe_servings: 4 },
      recipe_ingredient: [
        { quantity: 1.125, unit: { name: 'cup' }, food: RICE, note: 'rinsed', display: '1 ¹⁄₈ cup' },
        { quantity: 1, unit: null, food: null, note: '2-3 eggs', disable_amount: true, title: 'Top' },
        { quantity: 0, unit: null, food: { name: 'salt' }, note: '' },
      ],
    },
    ['1.1250 cup rice, rinsed', '2-3 eggs', 'salt'],
    4,
  ],
  'Mealie’s API': [
    {
      recipeServings: 0,
      recipeYield: '2 servings',
      recipeIngredient: [{ quantity: 2, unit: null, food: { name: 'eggs' }, note: '' }],
    },
    ['2 eggs'],
    2,
  ],
  Tandoor: [
    {
      ...{ name: 'Rice', servings: 3, servings_text: 'people', keywords: [{ name: 'lunch' }] },
      steps: [
        {
          instruction: 'Boil.',
          ingredients: [
            { food: null, unit: null, amount: '0', note: 'Base', is_header: true, no_amount: true },
            { food: RICE, unit: GRAMS, amount: '200.0000000000000000', note: 'dry', is_header: false },
          ],
        },
        { instruction: 'Fry.', ingredients: [{ food: { name: 'egg' }, unit: null, amount: 2, note: null }] },
      ],
    },
    ['200 g rice, dry', '2 egg'],
    3,
  ],
  Paprika: [
    { name: 'Rice', servings: '2 servings', ingredients: 'Base:\n200 g rice\n\n2 eggs', directions: 'Boil.' },
    ['200 g rice', '2 eggs'],
    2,
  ],
  KitchenOwl: [
    {
      ...{ name: 'Home', items: [{ name: 'soap', category: 'bath' }] },
      recipes: [{ name: 'Rice', yields: 2, items: [{ ...RICE, description: '200 g', optional: false }] }],
    },
    ['200 g rice'],
    2,
  ],
  'Nextcloud Cookbook': [{ ...recipe('## Base', '200 g rice'), recipeYield: 2 }, ['200 g rice'], 2],
};

describe('an export of', () => {
  test.each(Object.entries(APPS))('%s is read', async (_, [exported, texts, portions]) => {
    const answer = await read('export.json', JSON.stringify(exported));
    expect(answer.texts).toEqual(texts);
    const grams = new Big(answer.total.grams).div(portions).round(2);
    expect(answer.nutrition.servingSize).toBe(`${grams} g`);
  });

  test('Paprika is read compressed, and refused if it is damaged', async () => {
    const packed = gzipSync(JSON.stringify(APPS.Paprika?.[0]));
    expect((await read('rice.paprikarecipe', packed)).texts).toEqual(['200 g rice', '2 eggs']);
    expect(await refused(amounts('cut.paprikarecipe', packed.subarray(0, 40)))).toMatch(
      /cannot be unpacked\. Export the recipe again/,
    );
  });

  test('several recipes is refused, and so is an archive, with what to do', async () => {
    const household = JSON.parse(JSON.stringify(APPS.KitchenOwl?.[0]));
    household.recipes.push({ ...household.recipes[0], name: 'Soup' });
    expect(await refused(amounts('all.json', JSON.stringify(household)))).toMatch(
      /all\.json has 2 recipes, "Rice" first\. Put the ingredients of one into a text file/,
    );
    const archive = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]);
    expect(await refused(amounts('export.zip', archive))).toContain('is an archive. Unpack it');
  });
});

describe('a portion', () => {
  const yielding = (recipeYield: unknown) =>
    JSON.stringify({ ...recipe('4 eggs', '1 knob of butter'), recipeYield });

  test('is a row of the table, and the nutrition of a recipe in JSON', async () => {
    const { stdout } = await amounts('eggs.json', yielding('Serves 4'));
    expect(stdout).toMatch(/a portion of 4 +│ +│ +50 │ +71\.50 │ +0\.36 │ +6\.28 │ +4\.35/);
    const { nutrition, total } = await read('eggs.json', yielding('Serves 4'));
    expect(nutrition).toEqual({
      '@type': 'NutritionInformation',
      servingSize: '50 g',
      calories: '71.50 kcal',
      carbohydrateContent: '0.36 g',
      proteinContent: '6.28 g',
      fatContent: '4.35 g',
      description: 'Without 1 knob of butter',
    });
    expect(nutrition.fatContent).toBe(`${new Big(total.fat_g).div(4).toFixed(2)} g`);
  });

  test.each([
    ...[4, '4', ['4', '4 portions'], '24 cookies', { value: 4, unitText: 'servings' }, 'Für 4 Personen'],
  ])('is found in the yield %j', async (stated) => {
    expect((await read('eggs.json', yielding(stated))).nutrition.servingSize).toBe(
      stated === '24 cookies' ? '8.33 g' : '50 g',
    );
  });

  test.each(['4 to 6 servings', '1 loaf (12 slices)', '500 g', 'makes 2 cups', '0', 'several'])(
    'is not guessed from the yield %j',
    async (stated) => {
      const { nutrition, stderr } = await read('eggs.json', yielding(stated));
      expect(nutrition).toBeUndefined();
      expect(stderr).toContain(`The number of portions in “${stated}” is not known. Name it: --portions 4`);
      const named = await read('eggs.json', yielding(stated), '--portions', '2');
      expect(named.nutrition.servingSize).toBe('100 g');
    },
  );

  test('of plain lines is named', async () => {
    expect((await read('eggs.txt', '4 eggs')).nutrition).toBeUndefined();
    expect((await read('eggs.txt', '4 eggs', '--portions', '2')).nutrition.calories).toBe('143.00 kcal');
    expect(await refused(amounts('eggs.txt', '4 eggs', '--portions', 'few'), 2)).toBe(
      'food-lookup: --portions: "few" cannot be used: expected a whole number from 1 to 9999, such as 4.\n',
    );
  });
});

test('food-lookup amounts prints a table with sums, or the JSON of the route', async () => {
  const text = '2 eggs, beaten\n\n1 handful of almonds\n';
  const { code, stdout, stderr } = await amounts('recipe.txt', text);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Egg, whole, raw +│ 2 +│ +100 │ 143.00 │ +0.72 │ +12.56 │ +8.70/);
  expect(stdout).toMatch(/total without 1 of 2 │ +│ +100 │ 143.00/);
  expect(stderr).toBe('1 handful of almonds: The weight of “handful” is not known.\n');
  const asJson = await amounts('recipe.txt', text, '--json');
  const weighed = { foods: [{ grams: 100 }, { grams: null }], total: { unknown: 1 } };
  expect(JSON.parse(asJson.stdout)).toMatchObject(weighed);
  expect(await refused(run(['amounts', folder.path('none.txt')]))).toMatch(
    /none\.txt": there is no such file; check the path\.$/m,
  );
  const said = await refused(run(['amounts', await folder.write('empty.txt', '\n \n')]));
  expect(said).toMatch(/empty\.txt is empty\. Write one food on each line, such as: 2 eggs$/m);
});

test('food-lookup amounts weighs lean meat, toast, whole heads, spices and contradictory weights as they are meant', async () => {
  const lines = [
    ['1 lb ground beef (85/15)', 'Ground beef (mince), 15% fat, raw', 453.592, undefined],
    ['100 g lean ground beef 95/5', 'Ground beef (mince), 5% fat, raw', 100, undefined],
    ['100 g 90% lean ground beef', 'Ground beef (mince), 10% fat, raw', 100, undefined],
    ['100 g ground beef 73/27', 'Ground beef (mince), 30% fat, raw', 100, undefined],
    ['100 g ground beef 90% lean', 'Ground beef (mince), 10% fat, raw', 100, undefined],
    ['100 g lean ground beef (93%)', 'Ground beef (mince), 5% fat, raw', 100, undefined],
    ['100 g lean (93%) ground beef', 'Ground beef (mince), 5% fat, raw', 100, undefined],
    ['100 g 85% lean ground turkey', 'Ground turkey (mince), raw', 100, undefined],
    ['100 g beef mince (5% fat)', 'Ground beef (mince), 5% fat, raw', 100, undefined],
    ['100 g ham, 95% fat-free', 'Ham, boneless, extra lean, 5% fat, roasted', 100, undefined],
    ['100 g cottage cheese 4%', 'Cottage cheese, creamed', 100, undefined],
    ['100 g milk (2%)', 'Milk, reduced fat, 2% fat', 100, undefined],
    ['100 g 0% Greek yogurt', 'Greek yogurt (yoghurt), plain, fat-free', 100, undefined],
    ['100 g toast', 'Bread, whole wheat (wholemeal), toasted', 100, undefined],
    ['100 g Melba toast', 'Melba toast, plain', 100, undefined],
    ['100 g rye bread, toasted', 'Bread, rye', 100, undefined],
    ['1 slice sourdough', 'Bread, French (baguette) or sourdough', 64, undefined],
    ['2 slices wholemeal toast', 'Bread, whole wheat (wholemeal), toasted', 50, undefined],
    ['2 slices French toast', 'French toast, homemade', 130, undefined],
    ['100 g chocolate milk', 'Chocolate milk, whole', 100, undefined],
    ['100 g milk chocolate', 'Milk chocolate', 100, undefined],
    ['100 g tomato juice', 'Tomato juice, canned, with salt', 100, undefined],
    ['100 g fish sticks', 'Fish sticks (fish fingers), frozen, prepared', 100, undefined],
    ['100 g salsa', 'Salsa (tomato salsa)', 100, undefined],
    ['100 g taco shells', 'Taco shells, baked', 100, undefined],
    ['100 g pork leg', 'Pork leg (fresh ham), roasted', 100, undefined],
    ['100 g chuck roast', 'Beef chuck (stewing beef), raw', 100, undefined],
    ['100 g sugar-free cola', 'Cola, diet, with aspartame', 100, undefined],
    ['100 g fat-free mayonnaise', null, 100, 'No food was found with “fat” and “free”.'],
    ['1 red pepper, diced', 'Bell pepper (sweet pepper, capsicum), red, raw', 119, undefined],
    ['1 tsp red pepper', 'Cayenne pepper (red pepper), ground', 1.8, undefined],
    ['20 g ginger', 'Ginger root, raw', 20, undefined],
    ['1 tsp ginger', 'Ginger, ground', 1.8, undefined],
    ['100 g cinnamon', 'Cinnamon, ground', 100, undefined],
    ['500 g mince', 'Ground beef (mince), 20% fat, raw', 500, undefined],
    ['1 cauliflower', 'Cauliflower, raw', 588, undefined],
    ['3 cauliflower florets', 'Cauliflower, raw', 39, undefined],
    ['1/2 cabbage', 'Cabbage, raw', 454, undefined],
    ['1 burger', 'Hamburger, plain', 78, undefined],
    ['1 chocolate bar', 'Milk chocolate', 44, undefined],
    ['100 g porridge', 'Oatmeal (porridge), instant, plain, prepared with water', 100, undefined],
    ['1-2-3 cups sugar', 'Sugar, white, granulated', null, 'The number can be read in two ways.'],
    ['100 g sugar 200 g', 'Sugar, white, granulated', null, 'The text states two weights that differ.'],
  ] as const;
  const { foods } = await read('lines.txt', lines.map(([line]) => line).join('\n'));
  expect(foods).toHaveLength(lines.length);
  for (const [i, line] of lines.entries()) {
    const { text, description, grams, note } = foods[i];
    expect([text, description, grams, note]).toEqual(line);
  }
});
