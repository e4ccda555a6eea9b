import { describe, expect, it, test } from 'vitest';
import { fatOf as fatOfFood } from '#core';
import { ImportReport } from '#tables';
import { OwnFoods } from '../../src/tables/own/own-foods.ts';
import { planColumns } from '../../src/tables/own/plan.ts';
import { columnText } from '../../src/tables/report/source-report.ts';

const OTHERS = ['protein_g', 'carbohydrate_g', 'fat_g'];
const FATTY_ACIDS = ['fa_sat_g', 'fa_mono_g', 'fa_poly_g'];

/** The field of a heading among columns that have all others. */
function fieldOf(heading: string): string | undefined {
  try {
    const { taken } = planColumns([heading], {}, 'FILE');
    return taken[0]?.field;
  } catch (error) {
    const missing = /lacks ([^;]*);/.exec(String(error))?.[1]?.split(', ') ?? [];
    const fat = missing.some((field) => FATTY_ACIDS.includes(field)) ? FATTY_ACIDS : ['fat_g'];
    return [...fat, ...OTHERS.slice(0, 2), 'kcal', 'description'].find((field) => !missing.includes(field));
  }
}

const HEADINGS = {
  description: `
    description | Food | name | Food Name | FOOD_NAME | foodName | Produkt | alim_nom_fr |
    Commonly consumed food | label`,
  kcal: `
    kcal | Calories (kcal) | energy_kcal | kcal_per_100g | Energy (kJ) | energy-kj_100g |
    caloriesPer100Grams | Brennwert in kJ | kJ/100g | Cal | Énergie (kcal/100 g) |
    Energy, kilocalories (kcal) | Calories (NotMass)`,
  protein_g: `
    protein | nf_protein | proteins_100g | Eiweiß (g) | EIWEISS | proteínas |
    Protein (g) per 100 g of food | Protein [mg]`,
  carbohydrate_g: `
    Carbs | nf_total_carbohydrate | Carbohydrates (g) | glucides | Kohlenhydrate g/100g | Carbohydrt_(g) |
    KH (g) | Hidratos (g)`,
  fat_g: `
    Total fat (g) | Fat, total (g) | Fett | lipides | Matières grasses | totalFat | TotFat | Tot. Fat (g)`,
  fa_sat_g: `
    of which saturates | davon gesättigte Fettsäuren | saturated-fat_100g | AG saturés (g/100 g) |
    Satd FA /100g fd (g) | di cui acidi grassi saturi | waarvan verzadigd vet`,
  fa_mono_g: `Monounsaturated Fat | FA mono (g/100 g) | einfach ungesättigte Fettsäuren`,
  fa_poly_g: `polyunsaturated_fat | Polyunsaturated | acides gras polyinsaturés`,
  none: `
    id | Calories from fat | Calories (from fat) | Calories (% of fat) | Fat % | Protein (kcal) |
    Net weight (g) | Satd FA /100g FA (g) | Total saturated fatty acids, equated (%T) | Protein % DV |
    Energy (kJ/kcal) | Trans fat | Food group | g`,
};

it.each(Object.entries(HEADINGS))(
  'headings of %s, by any case, accents, unit and order of words',
  (field, headings) => {
    for (const heading of headings.split('|').map((each) => each.trim()))
      expect([heading, fieldOf(heading) ?? 'none']).toEqual([heading, field]);
  },
);

test('the more exact column is chosen, and the choice is reported', () => {
  const { taken } = planColumns(['Energy (kJ)', 'name', 'Energy (kcal)', 'fat', ...OTHERS], {}, 'FILE');
  expect(taken.filter(({ note }) => note !== '').map(columnText)).toEqual([
    'kcal: column 3, "Energy (kcal)", rather than column 1, "Energy (kJ)"',
    'fat_g: column 7, "fat_g", rather than column 4, "fat"',
  ]);
});

type Options = ConstructorParameters<typeof OwnFoods>[0]['options'];

/** Reads rows of cells, as from any container. */
function read(rows: readonly (readonly (string | number | null)[])[], options: Options = {}) {
  const report = new ImportReport().source('table');
  const own = new OwnFoods({ where: 'FILE', report, options, commas: false });
  for (const [i, cells] of rows.entries())
    own.row({ width: cells.length, cell: (index) => cells[index], place: () => `row ${i + 1}` });
  return { foods: own.end(), report };
}

test('energy without a unit is read as kcal, and reported', () => {
  const header = ['Food', 'Energy', 'Protein', 'Carbs', 'Fat'];
  const { foods, report } = read([header, ['Egg', 143, 12.6, 0.7, 9.5]]);
  expect(foods).toMatchObject([{ kcal: '143' }]);
  expect(report.lines()).toContain('  column         kcal: column 2, "Energy", read as kcal');
});

describe('total fat', () => {
  const fatOf = (headings: string[], cells: string[], options: Options = {}) => {
    const names = ['name', 'kcal', 'protein', 'carbs', ...headings];
    const { foods, report } = read([names, ['Food', '', '', '', ...cells]], options);
    return { fat: foods[0] && fatOfFood(foods[0]), report };
  };

  it.each([
    ['is alone', ['fat'], ['9.515'], '9.52'],
    ['is beside a kind of fat', ['fat', 'saturates'], ['9.515', '3.1'], '9.52'],
    ['is beside all kinds of fat', ['fat', 'saturates', 'mono', 'poly'], ['50', '9', '', ''], '50.00'],
    ['is beside all kinds of fat', ['fat', 'FA_Sat', 'FA_Mono', 'FA_Poly'], ['9.5', '3', '3', '2'], '9.50'],
    ['is not stated, so that the kinds stand', ['fat', 'saturates'], ['', '3.1'], '3.10'],
    ['has many digits', ['fat', 'saturates'], ['9007199254740993', '0.005'], '9007199254740993.00'],
    ["is beside the contract's own columns", ['fat_g', ...FATTY_ACIDS], ['9.5', '3', '', '2'], '5.00'],
  ])('%s', (_what, headings, cells, fat) => expect(fatOf(headings, cells).fat).toBe(fat));

  test('may be less than a kind of fat, which is suspicious', () => {
    const { fat, report } = fatOf(['fat', 'saturates'], ['3', '3.1']);
    expect(fat).toBe('3.00');
    expect(report.suspicious.count('fatty acids above total fat')).toBe(1);
  });

  test('stands aside on request', () => {
    const headings = ['fat', 'saturates', 'mono fat', 'poly fat'];
    const { fat, report } = fatOf(headings, ['9.5', '3.1', '', '1.9'], { fatFromAcids: true });
    expect(fat).toBe('5.00');
    expect(report.lines().join()).toContain(
      'fat_g: column 5, "fat", not used: the sum of the fatty acids stands, by --fat-from-acids',
    );
  });
});
