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
  expect(missing.stderr).toMatch(/none\.txt cannot be read \(ENOENT\)/);
});
