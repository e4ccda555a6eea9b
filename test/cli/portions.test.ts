/** Portions from a table, through an import into an index file, in the commands. */
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();

const TABLE = `description,kcal,protein,carbs,fat,portion_1,portion_1_g,portion_2,portion_2_g
"Egg, whole, raw",143,12.56,0.72,9.51,1 large,50,"1 cup, chopped",136.25
Salt,0,0,0,0,,,,
"Ōkra \u001b[31m",33,1.93,7.45,0.19,½ cup,50.125,,
`;

let index: string;
beforeAll(async () => {
  const source = await folder.write('foods.csv', TABLE);
  index = folder.path('foods.idx');
  expect((await run(['import', source, '--to', index])).code).toBe(0);
});

const search = async (text: string, ...flags: string[]): Promise<string> =>
  (await run(['search', text, '--food-data', index, ...flags])).stdout;

describe('portions', () => {
  test('are counted by inspect', async () => {
    expect((await run(['inspect', index])).stdout).toMatch(/^portions +3, of 2 foods$/m);
    expect(JSON.parse((await run(['inspect', index, '--json'])).stdout)).toMatchObject({
      portions: { foods: 2, portions: 3 },
    });
    const few = await folder.write('few.csv', 'description,kcal,protein,carbs,fat\nSalt,0,0,0,0\n');
    await run(['import', few, '--to', folder.path('few.idx')]);
    expect((await run(['inspect', folder.path('few.idx')])).stdout).toMatch(/^portions +none$/m);
  });

  test('are shown below their food by search --portions, with control characters escaped', async () => {
    expect(await search('e', '--portions')).toMatch(
      /Egg, whole, raw +│ +143 .*\n│ {3}1 large: 50 g +│.*\n│ {3}1 cup, chopped: 136.25 g +│/,
    );
    expect(await search('kra', '--portions')).toMatch(/Ōkra \\u001b\[31m +│ +33 .*\n│ {3}½ cup: 50.125 g +│/);
    expect(await search('salt', '--portions')).toBe(await search('salt'));
    for (const flag of ['--json', '--explain'])
      expect((await run(['search', 'egg', '--portions', flag])).code).toBe(2);
  });
});
