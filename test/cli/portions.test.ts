/** Portions from a table, through an import into an index file or PostgreSQL, in the commands. */
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { newDatabase } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';

const folder = temporaryFolder();

const TABLE = `description,kcal,protein,carbs,fat,portion_1,portion_1_g,portion_2,portion_2_g
"Egg, whole, raw",143,12.56,0.72,9.51,1 large,50,"1 cup, chopped",136.25
Salt,0,0,0,0,,,,
"Ōkra \u001b[31m",33,1.93,7.45,0.19,½ cup,50.125,,
`;

let source: string;
let index: string;
beforeAll(async () => {
  source = await folder.write('foods.csv', TABLE);
  index = folder.path('foods.idx');
  expect((await run(['import', source, '--to', index])).code).toBe(0);
});

const search = async (text: string, data = index, ...flags: string[]): Promise<string> =>
  (await run(['search', text, '--food-data', data, ...flags])).stdout;

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
    expect(await search('e', index, '--portions')).toMatch(
      /Egg, whole, raw +│ +143 .*\n│ {3}1 large: 50 g +│.*\n│ {3}1 cup, chopped: 136.25 g +│/,
    );
    expect(await search('kra', index, '--portions')).toMatch(
      /Ōkra \\u001b\[31m +│ +33 .*\n│ {3}½ cup: 50.125 g +│/,
    );
    expect(await search('salt', index, '--portions')).toBe(await search('salt'));
    for (const flag of ['--json', '--explain'])
      expect((await run(['search', 'egg', '--portions', flag])).code).toBe(2);
  });

  test('come through an index of an index', async () => {
    const again = folder.path('again.idx');
    await run(['import', index, '--to', again]);
    expect(await search('a', again, '--portions')).toBe(await search('a', index, '--portions'));
  });
});

describeWithPostgres('portions in PostgreSQL', () => {
  test('are counted and shown as from an index file', async () => {
    const url = await newDatabase();
    expect(await run(['import', source, '--to', url])).toMatchObject({ code: 0 });
    expect(JSON.parse((await run(['inspect', url, '--json'])).stdout)).toMatchObject({
      portions: { foods: 2, portions: 3 },
    });
    expect(await search('egg', url, '--portions')).toBe(await search('egg', index, '--portions'));
  });
});
