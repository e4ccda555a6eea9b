/** Tables whose figures, as a whole, show that a column is not what its heading says. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { columnOptions, type ReadOptions } from '#tables';
import { temporaryFolder } from '../support/files.ts';
import { importSources, refusalOf } from '../support/import.ts';
import { describeWithShared, SHARED, SR28_CSV, SR28_SQLITE } from '../support/requirements.ts';
import { rowsOfSqlite } from '../support/rows.ts';

type Row = readonly [food: string, kcal: number, protein: number, carbohydrate: number, fat: number];

/** Foods between bars, in one word each. */
const rowsIn = (text: string): Row[] =>
  text.split(/[|\n]/).map((row) => {
    const [food = '', ...figures] = row.trim().split(' ');
    return [food, ...figures.map(Number)] as never;
  });

/** Per 100 g. */
const FOODS = rowsIn(`Egg 143 12.6 0.7 9.5 | Milk 61 3.2 4.8 3.3 | Rice 365 7.1 80 0.7 | Bread 266 8.9 49 3.3
  Butter 717 0.9 0.1 81 | Lentils 352 24.6 63.4 1.1 | Chicken 239 27 0 14 | Cheese 403 23 3.1 33
  Walnuts 654 15 13.7 65 | Olives 115 0.8 6.3 10.7 | Salmon 208 20 0 13 | Chocolate 546 4.9 61 31`);
/** Their energy is partly alcohol. */
const LIQUEURS =
  rowsIn(`Irish 327 3 25 13 | Marula 320 2.6 21 12.5 | Coffee 336 2.8 20.9 15.7 | Egg 286 4.4 27.5 6.4
  Strawberry 301 2.1 19 11 | Rum 330 3.1 20 14.5 | Chocolate 345 3.4 24 14 | Whisky 318 3 19.5 13.9
  Caramel 329 2.7 23.5 12.9 | Salted 341 3.2 22.4 15 | Russian 250 1.1 15 8.1 | Eggnog 224 4.6 15.2 7.8`);

const folder = temporaryFolder();
const HEADER = 'Food,Calories,Protein,Carbs,Fat';
const write = (rows: readonly (readonly (string | number)[])[], header = HEADER) =>
  folder.save([header, ...rows.map((row) => `"${row.join('","')}"`)].join('\n'));
const each = (change: (row: Row, i: number) => Row): Row[] => FOODS.map(change);
const inKj = each(([food, kcal, ...others]) => [food, Math.round(kcal * 4.184), ...others]);
const refused = async (rows: readonly Row[], header?: string, options?: ReadOptions) =>
  refusalOf([await write(rows, header)], options);

describe('an import stops, and says what would explain it, if', () => {
  const kcalAreKj =
    'line 1, column "Calories": its figures fit the others as kJ, not as kcal. Say which they are: --column kJ="Calories", or --column kcal="Calories".';
  const kJAreKcal =
    'the figures of column "Energy (kJ)" fit the others as kcal, not as kJ. Correct its heading, or import the figures as they are with --force-figures.';
  const perServing =
    'Are the figures per serving? Convert them with --per 30g, the weight of a serving, or --per-column HEADING';
  const amounts = [0.15, 0.3, 2.5];
  it.each<[string, readonly Row[], string?]>([
    [kcalAreKj, inKj],
    ['its figures fit the others as kJ', inKj.slice(0, 3)],
    [kJAreKcal, FOODS, 'Food,Energy (kJ),Protein,Carbs,Fat'],
    ['energy fits only if fat_g and carbohydrate_g are swapped', FOODS, 'Food,Calories,Protein,Fat,Carbs'],
    [
      'fits only if fat_g and protein_g are swapped. Name their columns with --column',
      ...([FOODS, 'Food,Calories,Fat,Carbs,Protein'] as const),
    ],
    [
      'the energy of 11 of 12 foods is not what their protein, carbohydrate and fat give',
      each(([food, kcal, ...others], i) => [food, kcal * (amounts[i % 3] ?? 1), ...others]),
    ],
    [
      perServing,
      each(([food, ...row], i) => [food, ...row.map((figure) => figure * (i % 2 === 0 ? 0.3 : 3))] as never),
    ],
  ])('%s', async (message, rows, header) => {
    expect(await refused(rows, header)).toContain(message);
    const file = await write(rows, header);
    expect((await importSources([file], { forceFigures: true })).foods).toHaveLength(rows.length);
  });

  test('kcal are kJ in a table without carbohydrate', async () => {
    const options = columnOptions(['carbohydrate_g='], undefined);
    const header = 'Food,Calories,Protein,x,Fat';
    expect(await refused(inKj, header, options)).toContain('fit the others as kJ');
    expect((await importSources([await write(FOODS, header)], options)).foods).toHaveLength(12);
  });
});

describe('an import goes on', () => {
  it.each<[string, readonly Row[]]>([
    ['for right figures', FOODS],
    ['for wines and spirits', each(([food], i) => [food, 80 + 20 * i, 0.1, 2.6 + i, 0])],
    ['for cream liqueurs', LIQUEURS],
    ['for sweeteners', each(([food], i) => [food, 20 * i, 0, 99, 0])],
    ['for brans and other fibre', each(([food], i) => [food, 190 + i, 15, 64, 4])],
    ['for a small table of mistakes', each(([food, kcal, ...row]) => [food, 5 * kcal, ...row]).slice(0, 2)],
    ['for a few mistakes', each(([food, kcal, ...others], i) => [food, i < 3 ? kcal / 10 : kcal, ...others])],
  ])('%s', async (_what, rows) => {
    expect((await importSources([await write(rows)])).foods).toHaveLength(rows.length);
  });

  test("in the contract's own form, whatever the figures", async () => {
    const own = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g';
    const file = await write(
      inKj.map((row) => [...row, 0, 0]),
      own,
    );
    expect((await importSources([file])).foods).toHaveLength(12);
  });

  test('if the user says what the energy is', async () => {
    const file = await write(inKj);
    for (const [unit, kcal] of Object.entries({ kJ: '142.93', kcal: '598' })) {
      const { foods } = await importSources([file], columnOptions([`${unit}=Calories`], undefined));
      expect(foods[0]?.kcal).toBe(kcal);
    }
  });
});

const offText = async () => gunzipSync(await readFile(`${SHARED}/data/off-2019.csv.gz`)).toString();
const OTHER_HEADINGS: Readonly<Record<string, string>> = {
  ...{ description: 'Food', kcal: 'Calories', protein_g: 'Protein', carbohydrate_g: 'Carbs' },
  ...{ fa_sat_g: 'Saturated fat', fa_mono_g: 'Monounsaturated fat', fa_poly_g: 'Polyunsaturated fat' },
};

describeWithShared('real tables under other headings are not stopped', () => {
  it.each([
    ['SR28', () => readFile(SR28_CSV, 'utf8'), 8790],
    ['Open Food Facts', async () => (await offText()).slice(0, 9_000_000), 120_000],
  ])('%s', async (_name, read, least) => {
    const text = await read();
    const end = text.indexOf('\n');
    const header = text.slice(0, end).replace(/\w+/g, (name) => OTHER_HEADINGS[name] ?? name);
    const file = await folder.save(header + text.slice(end, text.lastIndexOf('\n')));
    const { report } = await importSources([file]);
    expect(report.sources[0]?.rows).toBeGreaterThanOrEqual(least);
  });

  test("SR28's total fat, and its figures in the right unit only", async () => {
    const columns = ['description', 'kcal', 'protein_g', 'carbohydrate_g', 'lipid_total_g'];
    const found = await rowsOfSqlite(SR28_SQLITE);
    const rows = found.map((row) => columns.map((column) => (row[column] ?? '').replaceAll('"', '""')));
    expect((await importSources([await write(rows)])).report.sources[0]?.rows).toBe(8790);
    const inKilojoules = (kcal = '') => (kcal === '' ? '' : Number(kcal) * 4.184);
    const kJ = rows.map(([food = '', kcal, ...others]) => [food, inKilojoules(kcal), ...others]);
    expect(await refusalOf([await write(kJ)])).toContain('fit the others as kJ');
  });
});
