/** `food-lookup import … --dry-run`: its output, that it writes nothing, and that the printed command works. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { importLine } from '../../src/service/cli/dry-run.ts';
import { casesOf } from '../support/cases.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { zipOf } from '../support/packing.ts';
import { execute } from '../support/programs.ts';
import { ONE_EGG } from '../support/usda.ts';

const folder = temporaryFolder();
const HEADER = 'Food,Energy (kJ),Energy (kcal),Protein,Carbs,Fat,Brand';
const FOODS = [
  HEADER,
  'Egg,598,143,12.56,0.72,9.51,',
  'Milk,255,61,3.15,4.8,3.27,Dairy',
  'Butter,3000,717,0.85,0.06,81.11,Dairy',
  'Bread,,259,8.5,48.3,3.3,',
  'Tea,4,1,0.22,,0,',
  'Rice,1527,365,7.13,79.95,0.66,',
].join('\n');

const dryRun = (file: string, ...flags: string[]) => run(['import', file, '--dry-run', ...flags]);

/** The lines of the report, without their indentation. */
const linesOf = (stdout: string): string[] => stdout.split('\n').map((line) => line.trim());

describe('it prints', () => {
  test('the source with its columns, rows and findings, the first five foods, and the command', async () => {
    const file = await folder.write('foods.csv', FOODS);
    const before = await readdir(folder.path(''));
    const { code, stdout, stderr } = await dryRun(file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(linesOf(stdout)).toEqual([
      `${file} (CSV)`,
      'column         description: column 1, "Food"',
      'column         kcal: column 3, "Energy (kcal)", rather than column 2, "Energy (kJ)"',
      'column         protein_g: column 4, "Protein"',
      'column         carbohydrate_g: column 5, "Carbs"',
      'column         fat_g: column 6, "Fat"',
      'not used       "Brand"',
      'rows read      6, 6 foods kept',
      '',
      'First foods',
      '┌───────────┬──────┬───────────┬─────────┬───────┐',
      '│ per 100 g │ kcal │ protein g │ carbs g │ fat g │',
      '├───────────┼──────┼───────────┼─────────┼───────┤',
      '│ Egg       │  143 │     12.56 │    0.72 │  9.51 │',
      '│ Milk      │   61 │      3.15 │     4.8 │  3.27 │',
      '│ Butter    │  717 │      0.85 │    0.06 │ 81.11 │',
      '│ Bread     │  259 │       8.5 │    48.3 │  3.30 │',
      '│ Tea       │    1 │      0.22 │       – │  0.00 │',
      '└───────────┴──────┴───────────┴─────────┴───────┘',
      '',
      'Nothing was written. To import:',
      '',
      `food-lookup import ${file} --to foods.idx`,
      '',
    ]);
    expect(await readdir(folder.path(''))).toEqual(before);
  });

  test('every digit', async () => {
    const cells = '"Egg ""kcal"":1";9007199254740993;0.10000000000000000001;1e-7;1';
    const file = await folder.write('digits.csv', `Food;kcal;Protein;Carbs;Fat\n${cells}`);
    const { stdout } = await dryRun(file);
    for (const shown of ['9007199254740993', '0.10000000000000000001', '0.0000001', 'Egg "kcal":1'])
      expect(stdout).toContain(` ${shown} `);
  });

  test('everything suspicious, and portions', async () => {
    const rows = [
      'Food,kcal,Protein,Carbs,Fat,portion_1,Portion 1 (g),Measure,Weight',
      'Too much energy,500,1,1,1,1 large,50,1 cup,243',
      'All empty,,,,,1 pot,25000,1 cup,',
      ',1,1,1,1',
      'Egg,143,12.56,0.72,9.51',
      'Egg,143.0,12.56,0.72,9.510',
    ];
    const filled = (row: string) => row + ','.repeat(9 - row.split(',').length);
    const file = await folder.write('odd.csv', rows.map(filled).join('\n'));
    const chosen = ['--column', 'portion_2=Measure', '--column', 'portion_2_g=Weight'];
    const { stdout } = await dryRun(file, ...chosen);
    expect(linesOf(stdout).slice(6, 18)).toEqual([
      'column         portion_1: column 6, "portion_1"',
      'column         portion_1_g: column 7, "Portion 1 (g)"',
      'column         portion_2: column 8, "Measure"',
      'column         portion_2_g: column 9, "Weight"',
      'rows read      5, 3 foods kept',
      'portions       3',
      'duplicate      1 of an equal food: Egg',
      'suspicious     1 energy and macronutrients contradict each other: line 2',
      'suspicious     1 portion of more than 10,000 g: line 3, column "Portion 1 (g)"',
      'suspicious     1 no figure is known: line 3',
      'dropped        1 no description: line 4',
      'left out       1 portion whose weight is not known: line 3, column "Weight"',
    ]);
    expect(stdout).toContain(` --to odd.idx ${chosen.join(' ')}\n`);
  });

  test('public data too, which has no columns to choose', async () => {
    const zip = await zipOf(ONE_EGG);
    const { code, stdout } = await dryRun(await folder.write('usda.zip', zip));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S+usda\.zip \(USDA FoodData Central\)\n {2}rows read {6}1, 1 food kept\n/);
  });
});

describe('the printed command', () => {
  /** The arguments of the command as a shell reads it. */
  async function inShell(command: string): Promise<string[]> {
    const bin = folder.path('bin');
    await mkdir(bin, { recursive: true });
    await writeFile(`${bin}/food-lookup`, '#!/bin/sh\nprintf "%s\\0" "$@"\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const { stdout } = await execute('sh', ['-c', command], { env });
    return stdout.split('\0').slice(0, -1);
  }
  const commandOf = async (args: string[]): Promise<string> => {
    const { stdout } = await run(['import', ...args, '--dry-run']);
    return stdout.trimEnd().split('\n').at(-1)?.trim() ?? '';
  };

  it.each(
    casesOf(`
      a plain file | foods.csv
      a name with blanks, quotes and a sign | my $foods' "list".v2.csv
      flags | flags.csv | --column | kJ=Energy (kJ) | --per | 50g | --name | Eve's foods
        | --fat-from-acids | --strict
      the column of weights | weights.csv | --per-column | Energy (kJ)
      a target | to.csv | --to | other name.idx`),
  )('imports %s', async (_what, name = '', ...flags) => {
    const cwd = folder.path(`in ${name}`);
    await mkdir(cwd);
    const file = await folder.write(name, FOODS.replace(/^(Bread|Tea).*\n/gm, ''));
    const command = await commandOf([file, ...flags]);
    expect(command).not.toContain('--dry-run');
    const args = await inShell(command);
    // The target is in the folder where the command runs.
    const to = args.indexOf('--to') + 1;
    const target = `${cwd}/${args[to]}`;
    const { stdout } = await run(args.with(to, target));
    expect(stdout).toContain(': 4 foods, ');
    for (const flag of flags.filter((each) => each.startsWith('--'))) expect(command).toContain(flag);
    expect(await readdir(cwd)).toEqual([basename(target)]);
  });

  it.each([
    ['usda:foundation', '--to foundation.idx'],
    ['https://a.example/data/my-foods.csv.gz?x=1', '--to my-foods.idx'],
    ['-', '--to foods.idx'],
    ['data/foods.idx', '--to new-foods.idx'],
    ['https://eve:hunter2@a.example/foods.csv', 'https://***@a.example/foods.csv'],
  ])('for %s contains %s', (source, part) => {
    const command = importLine([source], { column: [] });
    expect(command).toContain(part);
    expect(command).not.toContain('hunter2');
  });

  test('shows no password', async () => {
    const file = await folder.write('secret.csv', FOODS);
    const { stdout } = await dryRun(file, '--to', 'postgres://eve:hunter2@db.example/foods');
    expect(stdout).toContain('--to postgres://USER:PASSWORD@db.example/foods');
    expect(stdout).not.toContain('hunter2');
  });
});

test.each<[string, string, RegExp, RegExp, string[]?]>([
  [
    'an invalid figure',
    FOODS.replace('12.56', 'much'),
    /^ +column +kcal: column 3/m,
    /line 2, column "Protein": "much" is not/,
  ],
  ['another header', 'a,b\n1,2\n', /^$/, /the header lacks/],
  ['no food', `${HEADER}\n`, /^ +rows read +0, 0 foods kept$/m, /has no food.* would write nothing\./],
  [
    'a dropped row, with --strict',
    `${FOODS}\n,1,1,1,1,1,`,
    /^ +dropped +1 no description/m,
    /--strict: rows were dropped/,
    ['--strict'],
  ],
  ['a flag that needs an import', FOODS, /^$/, /'--dry-run' cannot be used with option '--json'/, ['--json']],
])(
  'for an import that would fail, it says why alone: %s',
  async (_what, content, shown, message, flags = []) => {
    const { code, stdout, stderr } = await dryRun(await folder.write('failing.csv', content), ...flags);
    expect(code).toBe(flags.includes('--json') ? 2 : 1);
    expect(stdout).toMatch(shown);
    expect(stdout).not.toContain('food-lookup import');
    expect(stderr).toMatch(message);
  },
);

test('an existing index file stays unchanged', async () => {
  const file = await folder.write('kept.csv', FOODS);
  const to = folder.path('kept.idx');
  await run(['import', file, '--to', to]);
  const before = await readFile(to);
  await dryRun(file, '--to', to);
  expect((await readFile(to)).equals(before)).toBe(true);
});
