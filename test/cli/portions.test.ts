/** Portions from a table, through an import into an index file or PostgreSQL, to the service and the commands. */
import { beforeAll, describe, expect, test } from 'vitest';
import { portions } from '../../src/browser/search-foods.ts';
import { run, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { newDatabase } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';

const folder = temporaryFolder();

const TABLE = `description,kcal,protein,carbs,fat,portion_1,portion_1_g,portion_2,portion_2_g
"Egg, whole, raw",143,12.56,0.72,9.51,1 large,50,"1 cup, chopped",136.25
Salt,0,0,0,0,,,,
"Ōkra \u001b[31m",33,1.93,7.45,0.19,½ cup,50.125,,
`;
const DESCRIPTIONS = ['Egg, whole, raw', 'egg, whole, raw', 'Salt', 'Ōkra \u001b[31m', 'zzz'];
const EGG = [
  { portion: '1 large', grams: 50 },
  { portion: '1 cup, chopped', grams: 136.25 },
];

let index: string;
let source: string;
/** The answers of a service of the index. */
let answers: unknown[];
beforeAll(async () => {
  source = await folder.write('foods.csv', TABLE);
  index = folder.path('foods.idx');
  expect((await run(['import', source, '--to', index])).code).toBe(0);
  answers = await answersFrom(index);
});

/** The answers of a service, with all headers that do not vary. */
async function answersFrom(foodData: string): Promise<unknown[]> {
  const service = await serve(['--food-data', foodData]);
  const found: unknown[] = [];
  for (const description of DESCRIPTIONS) {
    const response = await fetch(`${service.url}/portions?${new URLSearchParams({ description })}`);
    const { date: _, ...headers } = Object.fromEntries(response.headers);
    found.push({ status: response.status, headers, body: await response.text() });
  }
  expect(await portions(service.url, 'Egg, whole, raw')).toEqual(EGG);
  await service.stop();
  return found;
}

describe('portions of a table', () => {
  test('are served from its index, and shown the same from an index of that index', async () => {
    const bodies = answers.map((answer) => (answer as { body: string }).body);
    expect(bodies).toEqual([
      '[{"portion":"1 large","grams":50},{"portion":"1 cup, chopped","grams":136.25}]',
      '[]',
      '[]',
      '[{"portion":"½ cup","grams":50.125}]',
      '[]',
    ]);
    const again = folder.path('again.idx');
    await run(['import', index, '--to', again]);
    const { stdout } = await run(['search', 'a', '--portions', '--food-data', again]);
    expect(stdout).toBe((await run(['search', 'a', '--portions', '--food-data', index])).stdout);
  });

  test('are counted by inspect', async () => {
    expect((await run(['inspect', index])).stdout).toMatch(/^portions +3, of 2 foods$/m);
    expect(JSON.parse((await run(['inspect', index, '--json'])).stdout)).toMatchObject({
      portions: { foods: 2, portions: 3 },
    });
    const without = folder.path('without.idx');
    await run([
      'import',
      await folder.write('without.csv', 'description,kcal,protein,carbs,fat\nSalt,0,0,0,0\n'),
      '--to',
      without,
    ]);
    expect((await run(['inspect', without])).stdout).toMatch(/^portions +none$/m);
  });

  test('are shown below their food by search --portions, with control characters escaped', async () => {
    const { stdout } = await run(['search', 'e', '--portions', '--food-data', index]);
    expect(stdout).toMatch(
      /Egg, whole, raw +│ +143 .*\n│ {3}1 large: 50 g +│.*\n│ {3}1 cup, chopped: 136.25 g +│/,
    );
    const okra = (await run(['search', 'kra', '--portions', '--food-data', index])).stdout;
    expect(okra).toMatch(/Ōkra \\u001b\[31m +│ +33 .*\n│ {3}½ cup: 50.125 g +│/);
    expect((await run(['search', 'salt', '--portions', '--food-data', index])).stdout).toBe(
      (await run(['search', 'salt', '--food-data', index])).stdout,
    );
    for (const flag of ['--json', '--explain'])
      expect((await run(['search', 'egg', '--portions', flag])).code).toBe(2);
  });
});

describeWithPostgres('portions of a table in PostgreSQL', () => {
  test('are served with the same bytes and headers', async () => {
    const url = await newDatabase();
    expect(await run(['import', source, '--to', url])).toMatchObject({ code: 0 });
    expect(await answersFrom(url)).toEqual(answers);
    const inspected = JSON.parse((await run(['inspect', url, '--json'])).stdout) as object;
    expect(inspected).toMatchObject({ portions: { foods: 2, portions: 3 } });
    const search = ['search', 'egg', '--portions', '--food-data'];
    expect(await run([...search, url])).toEqual(await run([...search, index]));
  });
});
