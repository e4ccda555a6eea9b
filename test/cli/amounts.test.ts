/** `food-lookup amounts`: a table or JSON of the foods of lines, and what was not understood on standard error. */
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();

test('food-lookup amounts prints a table with sums, or the JSON of the route', async () => {
  await folder.write('recipe.txt', '2 eggs, beaten\n\n1 handful of almonds\n');
  const { code, stdout, stderr } = await run(['amounts', folder.path('recipe.txt')]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Egg, whole, raw +│ 2 +│ +100 │ 143.00 │ +0.72 │ +12.56 │ +8.70/);
  expect(stdout).toMatch(/total without 1 of 2 │ +│ +100 │ 143.00/);
  expect(stderr).toBe('1 handful of almonds: The weight of “handful” is not known.\n');
  const asJson = await run(['amounts', folder.path('recipe.txt'), '--json']);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    foods: [{ grams: 100 }, { grams: null }],
    total: { unknown: 1 },
  });
  const missing = await run(['amounts', folder.path('none.txt')]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toMatch(/none\.txt": there is no such file; check the path\.$/m);
  const empty = await run(['amounts', await folder.write('empty.txt', '\n \n')]);
  expect(empty).toMatchObject({ code: 1, stdout: '' });
  expect(empty.stderr).toMatch(/empty\.txt is empty\. Write a food a line, such as: 2 eggs\n$/);
});

test('food-lookup amounts weighs lean meat, toast of a bread and contradictory weights as they are meant', async () => {
  const lines = [
    ['1 lb ground beef (85/15)', 'Ground beef (mince), 15% fat, raw', 453.592, undefined],
    ['100 g lean ground beef 95/5', 'Ground beef (mince), 5% fat, raw', 100, undefined],
    ['100 g 90% lean ground beef', 'Ground beef (mince), 10% fat, raw', 100, undefined],
    ['100 g ground beef 73/27', 'Ground beef (mince), 20% fat, raw', 100, undefined],
    ['2 slices wholemeal toast', 'Bread, whole wheat (wholemeal), toasted', 50, undefined],
    ['2 slices French toast', 'French toast, homemade', 130, undefined],
    ['1-2-3 cups sugar', 'Sugar, white, granulated', null, 'The number can be read in two ways.'],
    ['100 g sugar 200 g', 'Sugar, white, granulated', null, 'The text states two weights that differ.'],
  ] as const;
  const file = await folder.write('lines.txt', lines.map(([line]) => line).join('\n'));
  const { foods } = JSON.parse((await run(['amounts', file, '--json'])).stdout);
  const read = foods.map((food: Record<string, unknown>) => [
    food.text,
    food.description,
    food.grams,
    food.note,
  ]);
  expect(read).toEqual(lines);
});
