import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { flagOf } from '#core';
import { SETTING_NAMES, variableOf } from '../../src/service/settings/settings.ts';
import { run, serve } from '../support/command.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { refused } from '../support/refused.ts';

const folder = temporaryFolder();

describe('food-lookup search', () => {
  test('prints a table for people', async () => {
    const { code, stdout } = await run(['search', 'egg, whole, raw']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/per 100 g.*kcal.*protein g.*carbs g.*fat g/);
    expect(stdout).toMatch(/Egg, whole, raw +│ +143 │ +12.56 │ +0.72 │ +8.70/);
    expect(stdout).toMatch(/\d+ foods?\n$/);
  });

  test('prints the bytes of the HTTP answer with --json', async () => {
    const service = await serve([]);
    const answerTo = async (query: string) =>
      `${await (await fetch(`${service.url}/api/food?${query}`)).text()}\n`;
    expect((await run(['search', 'milk', '--json'])).stdout).toBe(await answerTo('q=milk'));
    const byWords = await run(['search', 'raw chiken breast', '--words', '--json']);
    expect(byWords.stdout).toBe(await answerTo('q=raw+chiken+breast&match=words'));
    await service.stop();
  });

  test('shows an unknown figure as a dash', async () => {
    const file = await folder.write('unknown.csv', `${HEADER}\nMystery,,,,,,\n`);
    const { stdout } = await run(['search', 'mystery', '--food-data', file]);
    expect(stdout).toMatch(/Mystery +│ +– │ +– │ +– │ +0.00/);
    expect((await run(['search', 'mystery'], { FOOD_DATA: file })).stdout).toBe(stdout);
  });

  test('finds foods by words, and says what it searched for instead', async () => {
    const { stdout } = await run(['search', 'raw chiken breast', '--words']);
    expect(stdout).toMatch(/^Read “chiken” as “chicken”.\n/);
    expect(stdout).toMatch(/Chicken.*breast.*raw/);
    for (const option of ['--words', '--language=de'])
      expect((await run(['search', 'xyzzy', option])).stdout).toBe('No food matches the words "xyzzy".\n');
  });

  test('says which languages the foods have names in, if it is not the one asked for', async () => {
    const languages = 'en, de, es, fr, it, ja, nl, pt, zh-Hans';
    for (const [tag, said] of [
      ['sv', `--language sv: no food has a name in it. Names are in: ${languages}\n`],
      ['pt-BR', ''],
      ['en-GB', ''],
    ] as const) {
      const { code, stdout, stderr } = await run(['search', 'mango', '--language', tag]);
      expect([code, stderr], tag).toEqual([0, said]);
      expect(stdout).toContain(tag === 'pt-BR' ? 'Manga' : 'Mango');
    }
    const file = await folder.write('unlabelled.csv', `${HEADER}\nRis,,,,,,\n`);
    const { code, stderr } = await run(['search', 'ris', '--language', 'sv', '--food-data', file]);
    expect(code).toBe(0);
    expect(stderr).toBe('--language sv: the data set does not say in which language its foods are named.\n');
  });

  test('explains the order of a search by words with points that add up', async () => {
    const texts = ['rice white', 'chicken br', 'beans', 'chiken braest', 'xyzzy prawn salad', 'no such rice'];
    for (const text of texts) {
      const { stdout } = await run(['search', text, '--words', '--explain']);
      const points = Array.from(stdout.matchAll(/^\d+\. .*: (-?\d+\.\d)(,.*)?$/gm), ([, sum]) => Number(sum));
      const summands = stdout.split('\n').filter((line) => line.startsWith('   '));
      expect(points.length).toBeGreaterThan(1);
      // The index stores points in steps of an eighth.
      for (const [i, sum] of points.entries()) expect(sum, text).toBeLessThan((points[i - 1] ?? 99) + 0.5);
      for (const [i, line] of summands.entries()) {
        let sum = 0;
        for (const [, each] of line.matchAll(/ ([+-]\d+\.\d)(?=,|$)/g)) sum += Number(each);
        expect(sum, line).toBeCloseTo(points[i] ?? 0, 0);
      }
    }
    const { stdout } = await run(['search', 'rice white', '--words', '--explain']);
    expect(stdout).toMatch(/a whole word \(white\) \+\d/);
    const eggs = await run(['search', 'eggs', '--words', '--explain']);
    expect(eggs.stdout).toMatch(/^1\. Egg, whole, raw: .*\n.* plural -0\.5/);
    const prawns = await run(['search', 'xyzzy prawn salad', '--words', '--explain']);
    expect(prawns.stdout).toMatch(/No food has all of the words. The first one lacks .*“xyzzy”/);
    expect(prawns.stdout).toMatch(/lacks \(xyzzy\) -\d/);
    expect(prawns.stdout).toMatch(/read as \(xyzzy shrimp salad\) [+-]\d/);
  });

  test('explains which words count, such as one in capitals as a brand', async () => {
    const file = await folder.write('brands.csv', `${HEADER}\n"Butter, powder GREAT",1,,,,,\n`);
    const { stdout } = await run(['search', 'butter', '--explain', '--food-data', file]);
    expect(stdout).toContain('brand (great) -1.5, dried (powder) -1.2');
  });

  test('explains that a food with the word in letters of full width comes later', async () => {
    const file = await folder.write('wide.csv', `${HEADER}\nＡＢＣ tea,1,,,,,\nabc soup,2,,,,,\n`);
    const { stdout } = await run(['search', 'abc', '--words', '--explain', '--food-data', file]);
    expect(stdout).toMatch(/^1\. abc soup: -?\d+\.\d$/m);
    expect(stdout).toMatch(
      /^2\. ＡＢＣ tea: .*, in letters of full width: after all that have it as typed$/m,
    );
  });

  test('reads other names from a file, or none', async () => {
    const file = await folder.write('names.csv', 'note,name,other\nmine,henfruit,egg\n');
    const found = await run(['search', 'henfruits raw', '--words', '--other-names', file]);
    expect(found.stdout).toContain('Read “henfruits” as “egg”.');
    const without = await run(['search', 'henfruits', '--words'], { OTHER_NAMES: 'none' });
    expect(without.stdout).toBe('No food matches the words "henfruits".\n');
  });

  it.each([
    ['name,othr\na,b\n', '"name,othr". A table of other names is a CSV file with the columns name and other'],
    ['name,other\na\n', 'line 2: the number of cells'],
    ['name,other\na,b\nc, \n', 'line 3: a name is empty'],
    [undefined, 'there is no such file'],
  ])('refuses a file of other names with the content %j', async (content, message) => {
    const file = content === undefined ? folder.path('no.csv') : await folder.write('bad.csv', content);
    const line = await refused(run(['search', 'egg', '--words', '--other-names', file]));
    expect(line).toMatch(/^food-lookup: OTHER_NAMES: /);
    expect(line).toContain(message);
  });

  test('says if nothing matches, and if there may be more', async () => {
    expect((await run(['search', 'zzzz'])).stdout).toBe('No food\'s description contains "zzzz".\n');
    expect((await run(['search', 'a'])).stdout).toContain('100 foods (the first 100;');
  });

  it.each([
    [2, ['search', ''], 'TEXT is empty'],
    [1, ['search', 'egg', '--food-data', '/nowhere.csv'], 'there is no such file'],
  ])('refuses with exit code %i and one line: %j', async (expected, args, message) => {
    expect(await refused(run(args), expected)).toContain(message);
  });
});

describe('food-lookup', () => {
  test('prints its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('names every setting as a flag and a variable in the help of serve', async () => {
    const { stdout } = await run(['serve', '--help']);
    for (const name of SETTING_NAMES) {
      expect(stdout).toContain(flagOf(name));
      expect(stdout).toContain(variableOf(name));
    }
  });
});

const TABLE = `description,kcal,protein,carbs,fat,portion_1,portion_1_g,portion_2,portion_2_g
"Egg, whole, raw",143,12.56,0.72,9.51,1 large,50,"1 cup, chopped",136.25
Salt,0,0,0,0,,,,
"Ōkra \u001b[31m",33,1.93,7.45,0.19,½ cup,50.125,,
`;

describe('portions', () => {
  let index: string;
  beforeAll(async () => {
    const source = await folder.write('foods.csv', TABLE);
    index = folder.path('foods.idx');
    expect((await run(['import', source, '--to', index])).code).toBe(0);
  });

  const search = async (text: string, ...flags: string[]): Promise<string> =>
    (await run(['search', text, '--food-data', index, ...flags])).stdout;

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
