/** Tables as strangers keep them: for each kind of trap at least two that nobody made for this program. */
import { describe, expect, it } from 'vitest';
import { casesOf, tablesOf } from '../support/cases.ts';
import { ownTables } from '../support/own-table.ts';
import { rowOf, workbookOf } from '../support/workbook.ts';

const { importTable, read, refused, testReads, testRefuses } = ownTables();

const BAR = 'Bar 250/5/30/12.50';
const EGG = 'Egg 143/12.6/0.7/9.50';
const BOTH = `${BAR}; ${EGG}`;
const HEADER = 'Food,kcal,Protein,Carbs,Fat';
const PER_100_G = { kcal: 250, protein: 5, carbs: 30, fat: 12.5 };
describe('columns that fit a field equally well', () => {
  it.each(
    casesOf(`
      by the same heading | Food,Fat,Protein,kcal,Carbs,Protein | Bar,12.5,5,250,30,5.0 | Egg,9.5,12.6,143,.7,12.60
      by other spellings | Food,FAT,fat,Protein,kcal,Carbs | Bar,12.5,12.50,5,250,30 | Egg,9.5,9.5,12.6,143,.7
      of names | Food,FOOD,Fat,Protein,kcal,Carbs | Bar, Bar,12.5,5,250,30 | Egg,Egg,9.5,12.6,143,0.7
      in another unit | Food,Fat (g),Fat (mg),Protein,kcal,Carbs | Bar,12.5,12500,5,250,30
        | Egg,,9500,12.6,143,0.7
      three times | Food;kcal;Fat;kcal;Protein;kcal;Carbs | Bar;250;12,5;;5;250;30 | Egg;;9,5;;12,6;143,0;0,7
    `),
  )('are one if they agree in every row: %s', async (_what, ...lines) => {
    const { foods, says } = await importTable(lines);
    expect(foods).toEqual([BAR, EGG]);
    expect(says).toContain('the same as column');
  });

  testRefuses(`
    twins that differ, by their letters and a row | line 1: columns B, "Protein", and F, "Protein", fit protein_g
      equally well, but differ: line 3 has "12.6" and "13". Rename one of the two.
      | Food,Protein,kcal,Carbs,Fat,Protein | Bar,5,250,30,12.5,5 | Egg,12.6,143,.7,9.5,13
    twins that differ and have other names | line 1: columns B, "Protein", and F, "PROTEIN", fit protein_g equally
      well, but differ: line 3 has "12.6" and "13". Choose one: --column protein_g=HEADING
      | Food,Protein,kcal,Carbs,Fat,PROTEIN | Bar,5,250,30,12.5,5 | Egg,12.6,143,.7,9.5,13
  `);
});

describe('figures per 100 g win over those per 100 ml', () => {
  const per100ml = { kcal: 260, protein: 5.2, carbs: 31, fat: 13 };
  const perMl = Object.values(per100ml).join();
  const both = { per_100_ml: per100ml, per_100_g: PER_100_G };
  it.each<[string, string[] | object]>([
    ['in JSON', [{ name: 'Bar', per100ml, per100g: PER_100_G }]],
    ['in JSON by other names', [{ name: 'Bar', nutrition: both }]],
    ...tablesOf(`
      in headings
        | Name,kcal/100 ml,protein_100ml,Carbs (per 100 ml),Fat per 100 ml,kcal/100 g,protein_100g,Carbs/100 g,Fat/100 g
        | Bar,${perMl},250,5,30,12.5
      in a heading with both | Name,kcal (per 100 ml / 100 g),Protein,Carbs,Fat | Bar,250,5,30,12.5
      in rows of groups | ,pro 100 ml,,,,pro 100 g,,,
        | Name,kcal,Eiweiß,Kohlenhydrate,Fett,kcal,Eiweiß,Kohlenhydrate,Fett | Bar,${perMl},250,5,30,12.5
    `),
  ])('%s', async (_what, content) => expect(await read(content)).toEqual([BAR]));

  it('as do others, by a name around them', async () => {
    const nutrition_per_serving = { kcal: 100, protein: 2, carbs: 12, fat: 5 };
    const bar = { name: 'Bar', nutrition_per_serving, nutrition_per_100g: PER_100_G };
    expect(await read([bar])).toEqual([BAR]);
    expect(await refused([{ ...bar, nutrition_per_100g: undefined }])).toContain(
      'is per serving, whose weight is not known.',
    );
  });

  it('which stand where nothing else is known, and are reported', async () => {
    const { foods, says } = await importTable([
      { name: 'Bar', per100g: PER_100_G, per100ml: {} },
      { name: 'Juice', per100g: {}, per100ml },
    ]);
    expect(foods).toEqual([BAR, 'Juice 260/5.2/31/13.00']);
    expect(says).toContain('4 figures per 100 ml, as none per 100 g is known: line 1, object 2');
  });
});

describe('the food is named by the plainest heading', () => {
  it.each<[string, string[] | object]>([
    ['"name", rather than column 1', [{ 'serving description': 'half a mug', name: 'Bar', ...PER_100_G }]],
    ['"product", rather than column 1', [{ description: 'Crisp and sweet', product: 'Bar', ...PER_100_G }]],
    ...tablesOf(`
      "Alimento", rather | Descripción de la porción,Alimento,kcal,Proteínas,Hidratos,Grasas | 1,Bar,250,5,30,12.5
      "Food", rather than column 1, "Portion name" | Portion name,Food,kcal,Protein,Carbs,Fat | ½,Bar,250,5,30,12.5
    `),
  ])('%s', async (says, content) => {
    const found = await importTable(content);
    expect(found.foods).toEqual([BAR]);
    expect(found.says).toContain(`description: column 2, ${says}`);
  });

  it('that has texts, unless its numbers are certainly the names', async () => {
    const lines = ['Food,Description,kcal,Protein,Carbs,Fat', '1664,Bar,250,5,30,12.5'];
    const { foods, says } = await importTable(lines);
    expect(foods).toEqual([BAR]);
    expect(says).toContain('"Description", rather than column 1, "Food", which has numbers');
    const columns = new Map([['description', 'Food']] as const);
    expect(await read(lines, { columns })).toEqual([BAR.replace('Bar', '1664')]);
    expect(await read(['Food,kcal,Protein,Carbs,Fat', '1664,250,5,30,12.5'])).toHaveLength(1);
  });

  testReads(`what its heading says the figures of the row are for | ${BAR}
    | Food (per 40 g),kcal,Protein,Carbs,Fat | Bar,100,2,12,5`);
  testRefuses(`
    a table with names of servings | line 1: the header lacks description; it names "serving name,kcal,Protein,Carbs,Fat".
      | serving name,kcal,Protein,Carbs,Fat | half a mug,250,5,30,12.5
    a heading of names per serving | the title "Item (per serving)" says that kcal is per serving
      | Item (per serving),kcal,Protein,Carbs,Fat | Bar,100,2,12,5
  `);
});

describe('a header with more names than the rows have cells', () => {
  testReads(`
    by commas | ${BOTH} | Food,kcal,Protein,Carbs,Fat,Notes,Source | Bar,250,5,30,12.5 | Egg,143,12.6,.7,9.5
    by commas with spaces | ${BOTH}
      | Food, kcal, Protein, Carbs, Fat, Notes | Bar, 250, 5, 30, 12.5 | Egg, 143, 12.6, .7, 9.5
    by tabs | ${BOTH} | Food\tkcal\tProtein\tCarbs\tFat\tNotes | Bar\t250\t5\t30\t12.5 |  | Egg\t143\t12.6\t.7\t9.5
    with units | ${BOTH} | Food;kcal;Protein;Carbs;Fat;X | ;kcal;g;g;g | Bar;250;5;30;12,5 | Egg;143;12,6;0,7;9,5
  `);

  it.each(
    casesOf(`
      where a row is cut off | Food,kcal,Protein,Carbs,Fat,Notes | Bar,250,5,30,12.5 | Egg,143,12.6,.7
      where the rest may stand in some rows | Food,kcal,Protein,Carbs,Fat,Notes | Bar,250,5,30,12.5
        | Egg,143,12.6,.7,9.5,x
      where figures would be missing | Food,kcal,Protein,Notes,Carbs,Fat | Bar,250,5,,30 | Egg,143,12.6,,9.5
      where a name has a comma without quotes | Food,kcal,Fat, total,Protein,Carbs,Notes | Bar,250,12.5,5,30,
    `),
  )('is refused %s', async (_what, ...lines) =>
    expect(await refused(lines)).toMatch(/line 2: \d cells where the header names \d/),
  );
});

describe('a diary beside the foods is not read', () => {
  const food = { food: 'Bar', ...PER_100_G };
  const entry = { ...food, date: '1 May', meal: 'Lunch', saturates: 1 };
  it('in JSON', async () => expect(await read({ entries: [entry], foods: [food] })).toEqual([BAR]));

  it('in a workbook', async () => {
    const sheets = Object.entries({ Diary: entry, Foods: food }).map(([name, row]) => {
      return { name, data: rowOf(...Object.keys(row)) + rowOf(...Object.values(row)) };
    });
    const { foods, says } = await importTable(await workbookOf({ sheets }));
    expect(foods).toEqual([BAR]);
    expect(says).toContain('sheet "Foods" rather than "Diary"');
  });
});

describe('weights with separators of thousands', () => {
  const WEIGHTS = 'Food;Weight (g);kcal;Protein;Carbs;Fat';
  const bar = { food: 'Bar', grams: '1,400', kcal: 3500, protein: 70, carbs: 420, fat: 175 };
  const egg = { food: 'Egg', grams: 100, kcal: 143, protein: 12.6, carbs: 0.7, fat: 9.5 };
  const kilogram = { food: 'Egg', grams: 1000, kcal: 1430, protein: 126, carbs: 7, fat: 95 };
  it.each<[string, string[] | object]>([
    ['in texts of JSON', [bar, egg]],
    ['which alone are possible', [bar, kilogram]],
    ...tablesOf(`
      between commas | ${WEIGHTS.replaceAll(';', ',')} | Bar,"1,400",3500,70,420,175 | Egg,100,143,12.6,.7,9.5
      with points | ${WEIGHTS} | Bar;1.400;3500;70;420;175 | Egg;100;143;12,6;0,7;9,5
      with blanks | ${WEIGHTS} | Bar;1 400;3500;70;420;175 | Egg;100;143;12,6;0,7;9,5
      with apostrophes | ${WEIGHTS} | Bar;1’400 g;3500;70;420;175 | Egg;100;143;12.6;0.7;9.5
      in cells with units | Food,Serving,kcal,Protein,Carbs,Fat
        | Bar,"1 tray (1,400 g)",3500,70,420,175 | Egg,0.1 kg,143,12.6,.7,9.5
    `),
  ])('are read %s', async (_what, content) => expect(await read(content)).toEqual([BAR, EGG]));

  it('but not where they may be decimals', async () => {
    expect(await refused([{ ...bar, kcal: 4, protein: 0, carbs: 1, fat: 0 }])).toContain(
      'line 1, object 1, column "grams": "1,400 g" may mean thousands or decimals. Write weights without separators of thousands.',
    );
  });

  testRefuses(`
    a number of weights | whose weight is not known | Food,Serving,kcal,Protein,Carbs,Fat | Bar,2 100 g,100,2,12,5
  `);
  testReads(`
    a decimal of three digits | ${BAR} | Food,Grams,kcal,Protein,Carbs,Fat | Bar,28.350,70.875,1.4175,8.505,3.54375
  `);
});

describe('rows by the piece', () => {
  const lines = (weight: string, pieces: number) => [
    'Food,Quantity,kcal,Protein,Carbs,Fat',
    ...Array.from({ length: 20 }, (_, i) => `Food ${i},${i < pieces ? '1 piece' : weight},50,1,6,2.5`),
  ];
  it.each(['100 g', '20 g'])('are left out where nearly all others are for %s', async (weight) => {
    const { foods, says } = await importTable(lines(weight, 2));
    expect(foods).toHaveLength(18);
    expect(says).toContain(
      'dropped        2 amounts without a weight in column "Quantity": line 2, "1 piece"; line 3, "1 piece"',
    );
  });

  it('in JSON', async () => {
    const amounts = [{ amount: 1, unit: 'pc' }, ...Array<object>(9).fill({ amount: 100, unit: 'g' })];
    const figures = { kcal: 50, protein: 1, carbs: 6, fat: 2 };
    const foods = amounts.map((amount, i) => ({ food: `Food ${i}`, ...amount, ...figures }));
    const { foods: found, says } = await importTable(foods);
    expect(found).toHaveLength(9);
    expect(says).toContain('line 1, object 1, "1 pc"');
  });

  it('stop the import where they are many, or weights differ', async () => {
    const unknown = 'whose weight is not known.';
    expect(await refused(lines('100 g', 3))).toContain(
      `line 2, column "Quantity": the figures are for "1 piece", ${unknown}`,
    );
    expect(await refused([...lines('100 g', 1), 'Other,50 g,50,1,6,2.5'])).toContain(unknown);
  });
});

describe('a weight that may be another', () => {
  const table = (heading: string, ...weights: (number | string)[]) => [
    `Food,"${heading}",kcal,Protein,Carbs,Fat`,
    ...weights.map((weight, i) => `Food ${i},${weight},${140 + 10 * i},2,${14 + i / 2},5`),
  ];
  it.each(
    'Label Wt (g)|Label (g)|Wt.|Net weight (g)|Net Wt, g|Label|Peso de la etiqueta (g)|Gewicht laut Etikett (g)'.split(
      '|',
    ),
  )('is that of the row by its heading: %s', async (heading) =>
    expect((await read(table(heading, '40 g', '50 g')))[0]).toBe('Food 0 350/5/35/12.50'),
  );

  it.each([
    ...['Drained weight (g)', 'Weight of one (g)', 'Pack size (g)', 'Portion of bar (g)'],
    'Abtropfgewicht (g)',
  ])('stops the import and asks: %s', async (heading) => {
    const lines = table(heading, 40, 50);
    expect(await refused(lines)).toContain(
      `line 1, column "${heading}": no heading says whether the figures are for this weight or for 100 g. Say which: --per-column "${heading}", or --per 100g`,
    );
    const per100 = lines.map((row) => row.replace(/kcal|Protein|Carbs|Fat/g, '$&/100 g'));
    expect(await read(per100)).toHaveLength(2);
  });

  const two = 'Food,Weight (g),kcal,Protein,Carbs,Fat,Serving (g)';
  const packages = Array.from({ length: 10 }, (_, i) => `Food ${i},${(i + 1) * 50},250,5,30,12.5`);
  testReads(`
    one of two columns with the same weight | ${BAR} | ${two} | Bar,40,100,2,12,5,40
    no weight with a number, or as an amount of something else | ${BAR}
      | ${HEADER},Serving Weight 1 (g),200 Calorie Weight (g),Amount of sugar (g) | Bar,250,5,30,12.5,90,80,60
  `);
  testRefuses(`
    a table with two columns of weights | line 1: the columns "Weight (g)" and "Serving (g)" have different weights.
      Say which one the figures are for: --per-column "Weight (g)" | ${two} | Bar,40,100,2,12,5,50
    a table whose heavier packages have no more in them | column "Net weight (g)": no heading says
      | Food,Net weight (g),kcal,Protein,Carbs,Fat | ${packages.join(' | ')}
  `);

  it('is that of the row if 100 g could not have its figures, and is none if the food would weigh less than its parts', async () => {
    const header = 'Food,Drained weight (g),kcal,Protein,Carbs,Fat';
    expect((await read([header, 'Bar,400,1000,20,120,50', 'Nut,50,100,2,12,5']))[0]).toBe(BAR);
    const { foods, says } = await importTable([header, 'Bar,40,250,5,30,12.5']);
    expect(foods).toEqual([BAR]);
    expect(says).toContain('"Drained weight (g)", not used: 1 of 1 foods would weigh less');
  });
});

describe('errors beside means', () => {
  it.each(
    casesOf(`
      name,kcal,protein,protein_e,carbs,carbs_e,fat,fat_e
      name,kcal,Protein (g),SD (g),Carbs (g),SD (g),Fat (g),SD (g)
      name,kcal,Protein,±,Carbs,±,Fat,±
      name,kcal,Protein (g),Protein ± (g),Carbs (g),Carbs ± (g),Fat (g),Fat ± (g)
      name,kcal,Protein,Protein (std. error),Carbs,Carbs stdev,Fat,Fat standard deviation
      Lebensmittel,kcal,Eiweiß,Eiweiß Standardabweichung,Kohlenhydrate,Kohlenhydrate ±SD,Fett,Fett SE
      Alimento,kcal,Proteínas,Proteínas desviación estándar,Carbohidratos,Error estándar,Grasas,Grasas (±)
    `),
  )('are left out, and named: %s', async (header = '') => {
    const lines = ['Bar,250,5,0.1,30,0.1,12.5,0.1', 'Egg,143,12.6,0.1,0.7,0.1,9.5,0.1'];
    const { foods, says } = await importTable([header, ...lines], { nutrients: true });
    expect(foods).toEqual([BAR, EGG]);
    expect(says.match(/the error of another column/g) ?? []).toHaveLength(3);
  });

  it('are left out above a row of units', async () => {
    const header = 'Food,Energy,Energy_e,Protein,Protein_e,Carbs,Fat';
    expect(await read([header, ',kcal,,g,,g,g', 'Bar,250,1,5,.1,30,12.5'])).toEqual([BAR]);
  });

  it('are left out below two rows of headings, of which the second is longer', async () => {
    const rows = [
      ['Food', 'Energy (kcal)', '', 'Protein (g)', '', 'Carbs (g)', '', 'Fat (g)'],
      ['', 'Mean', 'SD', 'Mean', 'SD', 'Mean', 'SD', 'Mean', 'SD'],
      ['Bar', 250, 3, 5, 0.1, 30, 0.2, 12.5, 0.1],
    ];
    const data = rows.map((cells) => rowOf(...cells)).join('');
    expect(await read(await workbookOf({ sheets: [{ name: 'A', data }] }))).toEqual([BAR]);
  });

  it('are left out of nutrients with units', async () => {
    const header = 'name,kcal,protein,carbs,fat,ca (mg),ca_e (mg),fe_mg,fe_e_mg';
    const { says } = await importTable([header, 'Bar,250,5,30,12.5,9,0.1,2,0.1'], { nutrients: true });
    const why = 'the error of another column';
    expect(says).toContain(`"ca_e (mg)", ${why}; "fe_e_mg", ${why}`);
  });

  it('are left out in objects', async () => {
    const of = (mean: number) => ({ mean, sd: 0.1 });
    const bar = { name: 'Bar', kcal: of(250), protein: of(5), carbs: of(30), fat: of(12.5) };
    expect(await read([bar])).toEqual([BAR]);
  });

  it.each(
    '30±0.6|30 ± 0,6|30 (0.6)|30 (±0.6)|30 +/- 0.6 g|30±0.6a|30 ± 0.6 bc|30±2%|30+-.6|30±0.6ᵃ|30 (SD 0.6)|30±0.6 (3)|30 [0.6]'.split(
      '|',
    ),
  )('in a cell leave its mean, which is said: %s', async (cell) => {
    const header = 'name;kcal;protein (mean ± SD);carbs;fat';
    const { foods, says } = await importTable([header, `Bar;250;5;${cell};12.5`]);
    expect(foods).toEqual([BAR]);
    expect(says).toContain('1 figure with its error (±), read as the mean: line 2');
  });

  it('are not selenium or vitamin E', async () => {
    const { says } = await importTable(
      ['name,kcal,protein,carbs,fat,Se (µg),vitamin,vitamin_e (mg)', 'Bar,250,5,30,12.5,1,x,2'],
      { nutrients: true },
    );
    expect(says).toContain('"Se (µg)"; "vitamin_e (mg)"');
  });
});

describe('headings with a group in front', () => {
  it.each(
    casesOf(`
      Food_name_and_Description,Proximates_Energy_calculated_kcal,Proximates_Protein_g,Proximates_Carbohydrate_total_g,Proximates_Total_Fat_g
      Food - Name,Macros - Energy (kcal),Macros - Protein,Macros - Carbs (g),Macros - Fat
      Lebensmittel,Energie (kcal),Hauptnährstoffe: Eiweiß,Hauptnährstoffe: Kohlenhydrate,Hauptnährstoffe: Fett
      food.name,nutrients.energy_kcal,nutrients.protein,nutrients.carbohydrate,nutrients.fat
      name,macrosCalories,macrosProtein,macrosCarbs,macrosFat
      Nom et description,Composition (énergie kcal),Composition (protéines),Composition (glucides),Composition (lipides)
      General_Food_Name,Nutrients_Energy_kcal,Nutrients_Macro_Protein,Nutrients_Macro_Carbs,Nutrients_Macro_Fat
      1. Food,2. Energy (kcal),3. Protein (g),4. Carbs (g),5. Fat (g)
      Food,Energy_kcal,Macros_Protein_g,Carbs_total_g,Macros_Fat_g
      name,kcal,protein,carbs,fat,DV_kcal,DV_protein,DV_carbs,DV_fat
      food,kcal,Protein,Carbs,Fat,Trans fat,Animal protein,Animal fat,Calories from fat
    `),
  )('%s', async (header = '') => {
    const more = ',1'.repeat(header.split(',').length - 5);
    const rows = ['Bar,250,5,30,12.5', 'Egg,143,12.6,.7,9.5'].map((row) => row + more);
    expect(await read([header, ...rows])).toEqual([BAR, EGG]);
  });

  it('in objects, unless it is further in than others', async () => {
    const dailyValues = { protein: 10, carbs: 12, fat: 19 };
    expect(await read([{ dailyValues, name: 'Bar', ...PER_100_G }])).toEqual([BAR]);
    expect(await read([{ name: 'Bar', nutrients: PER_100_G }])).toEqual([BAR]);
  });

  it.each([
    'Food,kcal,Protein,Carbs,Animal fat,Animal protein',
    'Food,DV_kcal,DV_protein,DV_carbs,DV_fat,x',
    'Food,Target_kcal,Target_protein,Target_carbs,Target_fat,x',
    'Food,% daily: kcal,% daily: protein,% daily: carbs,% daily: fat,x',
  ])('which is more than a group is none: %s', async (header) =>
    expect(await refused([header, 'Bar,250,5,30,12.5,1'])).toContain('the header lacks'),
  );
});

describe('a message names what is there:', () => {
  const figure = (
    cell: string,
  ) => `"${cell}" is not a plain decimal number such as 1.5. Write one figure into each cell.
      | ${HEADER} | Bar,250,${cell},30,12.5`;
  testRefuses(`
    unknown headings rather than figures | line 1: the header lacks carbohydrate_g, protein_g, fat_g, kcal,
      description; it names ",Xa,Xb,Xc,Xd". Column 1 has no heading | ,Xa,Xb,Xc,Xd | Bar,250,5,30,12.5 | Egg,143,12.6,.7,9.5
    a date | took the figure for a date | ${HEADER} | Bar,250,12-05-2024,30,12.5
    two figures between blanks | ${figure('18.0  21.5')}
    a fraction | ${figure('18 / 21')}
    a range | ${figure('18-21')}
    a figure behind another | ${figure('18 (21)')}
    two figures between bars | ${figure('18|21')}
  `);

  it.each(['250 mL', '25 cl', '0.25 l', '0.25 kg', '1 cup (250 g)'])(
    'the amount as its cell states it: %s',
    async (amount) => {
      const lines = ['Food,Serving,kcal,Protein,Carbs,Fat', `Juice,${amount},115,0.3,28,0.3`];
      expect((await importTable(lines)).says).toContain(`line 2, 115 in ${amount} are 46 kcal`);
    },
  );
});
