import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { SETTINGS } from '../../src/settings/settings.ts';
import { run, runAlone, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();

describe('food-lookup search', () => {
  test('prints a table for people', async () => {
    const { code, stdout } = await runAlone(['search', 'egg, whole, raw']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/per 100 g.*kcal.*protein g.*carbs g.*fat g/);
    expect(stdout).toMatch(/Egg, whole, raw +│ +143 │ +12.56 │ +0.72 │ +8.70/);
    expect(stdout).toMatch(/\d+ foods?\n$/);
  });

  test('prints the very bytes of the HTTP answer with --json', async () => {
    const service = await serve([]);
    const answer = await (await fetch(`${service.url}/api/food?q=milk`)).text();
    await service.stop();
    expect((await run(['search', 'milk', '--json'])).stdout).toBe(`${answer}\n`);
  });

  test('shows an unknown figure as a dash', async () => {
    const file = await folder.write(
      'unknown.csv',
      'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g\nMystery,,,,,,\n',
    );
    const { stdout } = await run(['search', 'mystery', '--food-data', file]);
    expect(stdout).toMatch(/Mystery +│ +– │ +– │ +– │ +0.00/);
    expect((await run(['search', 'mystery'], { FOOD_DATA: file })).stdout).toBe(stdout);
  });

  test('puts the more popular of two like foods first, and of two of one name', async () => {
    const header = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g,popularity';
    const file = await folder.write(
      'popular.csv',
      `${header}\nAlmond cream,1,,,,,,\nWalnut cream,2,,,,,,90\nWalnut cream,3,,,,,,700\nPeanut cream,4,,,,,,8\n`,
    );
    const kcalOf = (answer: string) => (JSON.parse(answer) as { kcal: number }[]).map(({ kcal }) => kcal);
    const { stdout } = await run(['search', 'cream', '--json', '--food-data', file]);
    expect(kcalOf(stdout)).toEqual([3, 4, 1, 2]);
    const service = await serve(['--food-data', file]);
    const answer = await (await fetch(`${service.url}/api/food?q=walnut`)).text();
    await service.stop();
    expect(kcalOf(answer)).toEqual([3, 2]);
  });

  test('says so where nothing matches, and where there may be more', async () => {
    expect((await run(['search', 'zzzz'])).stdout).toBe('No food\'s description contains "zzzz".\n');
    expect((await run(['search', 'a'])).stdout).toContain('100 foods (the first 100;');
  });

  it.each([
    [['search', ''], 'TEXT is empty'],
    [['search', 'egg', '--food-data', '/nowhere.csv'], 'there is no such file'],
  ])('refuses %j with exit code 1 and one line', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^food-lookup: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });
});

describe('food-lookup', () => {
  test('prints its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([[['--help']], [['serve', '--help']], [['search', '--help']]])('helps with %j', async (args) => {
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: food-lookup');
  });

  test('names every setting as flag and variable in the help of serve', async () => {
    const { stdout } = await run(['serve', '--help']);
    for (const { flag, variable } of Object.values(SETTINGS)) {
      expect(stdout).toContain(flag);
      expect(stdout).toContain(variable);
    }
  });
});
