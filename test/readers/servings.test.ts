/** Figures per serving that are not called so: what the foods weigh shows it, unless they only weigh a little too much. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { UserError } from '#core';
import { temporaryFolder } from '../support/files.ts';
import { importSources, refusalOf } from '../support/import.ts';
import { seeded } from '../support/random.ts';
import { describeWithShared, SHARED, SR28_SQLITE } from '../support/requirements.ts';
import { rowsOfSqlite } from '../support/rows.ts';

/** kcal, protein, carbohydrate and fat as cells; an unknown figure is empty. */
type Figures = readonly (string | number)[];

const folder = temporaryFolder();
const saved = (foods: readonly Figures[]): Promise<string> => {
  const rows = foods.map((food, i) => [`No. ${i}`, ...food].join());
  return folder.save(['Food,Calories,Protein,Carbs,Fat', ...rows].join('\n'));
};

/** Whether the import stops since the foods weigh too much. */
async function isStopped(file: string): Promise<boolean> {
  try {
    await importSources([file]);
    return false;
  } catch (error) {
    if (error instanceof UserError) return error.message.includes('Are the figures per serving?');
    throw error;
  }
}

const food = (protein: number, carbohydrate: number, fat: number): Figures => [
  4 * protein + 4 * carbohydrate + 9 * fat,
  protein,
  carbohydrate,
  fat,
];
const RICE = food(7, 80, 1);
const DRIED = food(20, 84.5, 2);
const REPORTED = 'protein, carbohydrate and fat are more than 105 g together';

describe('foods a little above 105 g', () => {
  it.each([
    [54, 584],
    [20, 320],
    [30, 30],
  ])('do not stop an import: %i of %i', async (odd, all) => {
    const foods = Array.from({ length: all }, (_, i) => (i < odd ? DRIED : RICE));
    const { report, foods: found } = await importSources([await saved(foods)]);
    expect(found).toHaveLength(all);
    const places = Array.from({ length: odd }, (_, i) => `line ${i + 2} (106.5 g)`);
    expect(report.sources[0]?.suspicious.entries()).toEqual([[REPORTED, { count: odd, first: places }]]);
    expect(report.lines()).toContain(
      `  suspicious     ${odd} ${REPORTED}: line 2 (106.5 g); line 3 (106.5 g); line 4 (106.5 g); …`,
    );
  });

  it('stop one if a third of them weighs far too much', async () => {
    const foods = Array.from({ length: 60 }, (_, i) => (i < 4 ? DRIED : i < 6 ? food(20, 90, 11) : RICE));
    expect(await refusalOf([await saved(foods)])).toContain(
      '6 of 60 foods have more than 105 g of protein, carbohydrate and fat, or 950 kcal, in 100 g (2 of them far more, first line 6). Are the figures per serving?',
    );
  });

  test('the line between the two', async () => {
    const random = seeded(46);
    /** At the limits of what is a little, and just above them. */
    const little = [food(15, 89, 1.25), food(0, 105, 15), food(15, 0, 90.25)];
    const heaviest = [food(0, 105.25, 0), food(105.25, 0, 5), [951, 1, 0, 104], [951, 0, 0, 105]];
    const farAbove = [food(15, 90, 15.25), ...heaviest];
    const right = [RICE, food(0, 105, 0), [950, 0, 0, 105], food(10.2, 81.4, 13.4), food(20, 0, 5)];
    const pick = (kind: readonly Figures[]): Figures => kind[random(kind.length)] as Figures;
    const answers = new Set<boolean>();
    for (let i = 0; i < 400; i++) {
      const all = 5 + random([20, 100, 300][i % 3] as number);
      const heavy = Math.min(all, Math.max(0, Math.floor(all / 20) + random(6) - 2));
      const far = i % 2 === 0 ? Math.floor(heavy / 3) + random(3) - 1 : heavy - random(6);
      const farHeavy = Math.min(heavy, Math.max(0, far));
      const kindAt = (at: number) => (at < farHeavy ? farAbove : at < heavy ? little : right);
      const foods = Array.from({ length: all }, (_, at) => pick(kindAt(at)));
      const areMany =
        (heavy >= (all < 20 ? 3 : 4) && heavy * 20 > all) || (farHeavy >= 5 && farHeavy * 40 > all);
      const expected = areMany && farHeavy * 3 >= heavy;
      expect(await isStopped(await saved(foods)), `${all}, ${heavy}, ${farHeavy}`).toBe(expected);
      answers.add(expected);
    }
    expect(answers.size).toBe(2);
  });
});

describeWithShared('of real tables', () => {
  it.each(['languages', 'wild', 'small', 'nutrients/own'])('%s: none is stopped', async (name) => {
    for (const file of await readdir(`${SHARED}/data/${name}`)) {
      if (!/\.(csv|json|xlsx|db)$/.test(file) || file === 'expected.json') continue;
      expect([file, await isStopped(`${SHARED}/data/${name}/${file}`)]).toEqual([file, false]);
    }
  });

  it('SR28 is stopped, each food per its own first portion', async () => {
    const usda = (await rowsOfSqlite(SR28_SQLITE)).filter((row) => Number(row.gmwt_1) > 0);
    const columns = ['kcal', 'protein_g', 'carbohydrate_g', 'lipid_total_g'];
    const foods = usda.map((row) => columns.map((name) => (Number(row[name]) * Number(row.gmwt_1)) / 100));
    expect(await isStopped(await saved(foods))).toBe(true);
  });
});
