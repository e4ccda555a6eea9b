/** What the figures of users' tables are for: 100 g, an amount in each row, or an unknown weight, which is refused. */
import { describe, expect, it, test } from 'vitest';
import { columnOptions, type ReadOptions } from '#tables';
import { casesOf } from '../support/cases.ts';
import { counts } from '../support/import.ts';
import { ownTables } from '../support/own-table.ts';
import { rowOf, type Sheet, workbookOf } from '../support/workbook.ts';

const { importTable, read, refused, testReads, testRefuses } = ownTables();

const HEADER = 'Name,Calories,Protein,Carbs,Fat';
/** 250 kcal, 5 g, 30 g and 12.5 g in 100 g. */
const PER_40 = 'Bar,100,2,12,5';
const BAR = 'Bar 250/5/30/12.50';
const AS_IT_STANDS = 'Bar 100/2/12/5.00';
/** Reads the bar with more columns. */
const bar = (headings: string, cells: string, options?: ReadOptions): Promise<string[]> =>
  read([`${HEADER},${headings}`, `${PER_40},${cells}`], options);

const WAYS_ON =
  'Say what they are for: --per 30g if it is the same for all foods, --per-column HEADING for a column of weights in grams, or --per 100g if they are per 100 g after all.';

describe('an amount in each row converts the row:', () => {
  it.each(
    'Size_g|Serving_(g)|Serving Size (g)|serving_size_g|Grams|Weight (g)|Portion (g)|Menge (g)|Porción (g)|Quantité (g)|Peso (g)|Gewicht [g]|份量(克)|Вес, г|重量(g)|Portionsgröße in g|servingSizeG|portion_weight_grams|ref_amount_g|portionsgroesse_g|Bezugsmenge (g)|values_for_g|For (g)|per_g|perGrams|Serving (mL)|Mängd (g)|Tamaño de porción (g)'.split(
      '|',
    ),
  )('%s', async (heading) => expect(await bar(`"${heading}"`, '40')).toEqual([BAR]));

  it.each(
    'Serving size|Per Serve Size|serving_qty|Amount|Quantity|Measure|Porción|Quantité|份量|Serv|Svg size|Per|Basis|Reference amount'.split(
      '|',
    ),
  )('%s, with the unit in the cell', async (heading) => {
    for (const cell of ['40 g', '40g', '1 bar (40 g)', '40 Gramm', '40.0 g (1 slice)', '0.04 kg'])
      expect([cell, ...(await bar(heading, cell))]).toEqual([cell, BAR]);
  });

  it('with its unit in a column of its own', async () => {
    for (const names of ['standardQuantity,unit', 'nutrition_basis_amount,nutrition_basis_unit'])
      expect([names, ...(await bar(names, '40,g'))]).toEqual([names, BAR]);
    for (const names of ['serving_size,serving_size_unit', 'metric_serving_amount,metric_serving_unit']) {
      expect(await bar(names, '40,g')).toEqual([BAR]);
      expect(await bar(names, '1,oz')).toEqual(['Bar 352.74/7.0548/42.3288/17.64']);
    }
  });

  it('as an object with its unit', async () => {
    const food = { name: 'Bar', nutrition: { calories: 100, protein: 2, carbs: 12, fat: 5 } };
    expect(await read([{ ...food, standardQuantity: { value: 40, unit: 'g' } }])).toEqual([BAR]);
  });

  it('is asked for where an amount and its unit have a name of their own', async () => {
    expect(await refused([`${HEADER},defaultAmount,defaultUnit`, `${PER_40},40,g`])).toContain(
      'column "defaultAmount": no heading says whether the figures are for this weight or for 100 g',
    );
    expect(await bar('defaultAmount,defaultUnit', '100,g')).toEqual([AS_IT_STANDS]);
  });

  it('and drops a row without one, and says so', async () => {
    const rows = [`${PER_40},40`, 'Nut,10,1,1,1,', 'Zero,10,1,1,1,0'];
    const { foods, report, says } = await importTable([`${HEADER},Serving (g)`, ...rows]);
    expect(foods).toEqual([BAR]);
    expect(counts(report.sources[0]?.dropped)).toEqual({ 'no amount in column "Serving (g)"': 2 });
    const amount = 'amount: column 6, "Serving (g)", the amount that the figures of each row are for';
    expect(says).toContain(`column         ${amount}\n`);
    expect(says).toContain('line 2, 100 in 40 g are 250 kcal');
  });

  it('in thousands of rows, in their order', async () => {
    const row = (i: number) => `No. ${i},${17 + (i % 3)},1,1,1,${i % 7 ? 50 : ''}`;
    const rows = Array.from({ length: 12_000 }, (_, i) => row(i));
    const expected = rows.flatMap((_, i) => (i % 7 === 0 ? [] : `No. ${i} ${34 + (i % 3) * 2}/2/2/2.00`));
    expect(await read([`${HEADER},Grams`, ...rows])).toEqual(expected);
  });
});

describe('a column of weights whose heading is not known', () => {
  const rows = (...weights: (number | string)[]) =>
    weights.map((weight, i) => `Bar ${i},${100 + 5 * i},2,12,5,${weight}`);
  const table = (heading: string, ...weights: (number | string)[]) => [
    `${HEADER},"${heading}"`,
    ...rows(...weights),
  ];
  it.each(
    'Einwaage (g)|zorp_g|Nährwerte für (g)|nährwerte_pro_g|Pro (g)|je_g|grams per unit|gr/szt|Glas (ml)|1 piece (g)'.split(
      '|',
    ),
  )('stops the import and asks: %s', async (heading) => {
    const lines = table(heading, 40, 50, 45);
    expect(await refused(lines)).toContain(
      `line 1, column "${heading}": its heading is not known, and the figures may be for the weights in it, or for 100 g. Say which: --per-column "${heading}", or --per 100g`,
    );
    expect((await read(lines, columnOptions([], '100g')))[0]).toBe('Bar 0 100/2/12/5.00');
    const stated = lines.map((line) => line.replace(/Calories|Protein|Carbs|Fat/g, '$&/100 g'));
    expect(await read(stated)).toHaveLength(3);
  });

  it('asks by the units of its cells, in any container', async () => {
    const message = '"Zorp": its heading is not known';
    expect(await refused(table('Zorp (oz)', 1.5, 2))).toContain('"Zorp (oz)": its heading is not known');
    for (const cells of ['40 g|50 g', '1 bar (40 g)|1 bar (50 g)', '1.5 oz|2 oz', '40 g|40 g|40 g'])
      expect(await refused(table('Zorp', ...cells.split('|')))).toContain(message);
    for (const name of ['Zorp', 'nutritionBasis']) {
      const foods = [40, 50].map((value) => ({
        ...{ name: `Bar ${value}`, calories: 100, protein: 2, carbs: 12, fat: 5 },
        [name]: { value, unit: 'g' },
      }));
      expect(await refused(foods)).toContain(`"${name}": its heading is not known`);
    }
  });

  it.each<[string, string, (number | string)[]]>([
    ['the weights are all 100 g', 'Zorp (g)', [100, 100, 100]],
    ['foods would weigh less than their parts', 'Zorp (g)', [4, 5, 60]],
    ['most foods have none', 'Zorp (g)', [40, '', '', '', 50]],
    ['the heading names what the food consists of', 'Wasser (g)', [80, 81, 79]],
    ['the cells have no unit', 'Zorp', [40, 50, 45]],
  ])('does not ask where %s', async (_what, heading, weights) =>
    expect((await read(table(heading, ...weights)))[0]).toBe('Bar 0 100/2/12/5.00'),
  );
});

describe('figures per gram are converted, where it is said by', () => {
  const gram = 'Roti,3,0.1,0.6,0.03';
  const headings = (per: string) => HEADER.replace(/(?<=,)\w+/g, `$& ${per}`);
  it.each<[string, readonly string[] | object]>([
    ['a title 1 g', ['1 g,,,,', HEADER, gram]],
    ...['per gram', 'per g', 'per 1 g', 'pro Gramm'].flatMap((per): [string, readonly string[]][] => [
      [`a title ${per}`, [`Nutrition ${per},,,,`, HEADER, gram]],
      [`headings ${per}`, [headings(per), gram]],
    ]),
    ['keys', [{ name: 'Roti', nutrientsPerGram: { calories: 3, protein: 0.1, carbs: 0.6, fat: 0.03 } }]],
  ])('%s', async (_, table) => expect(await read(table)).toEqual(['Roti 300/10/60/3.00']));

  it('nothing, after the user was asked', async () => {
    const lines = [HEADER, gram, 'Dal,1.05,0.07,0.15,0.02'];
    for (const some of [lines, lines.slice(0, 2)])
      expect(await refused(some)).toContain('Are the figures for 1 g? Say what they are for: --per 1g, or');
    expect((await read(lines, { per: '1' }))[0]).toBe('Roti 300/10/60/3.00');
    expect(await read([...lines, 'Rice,130,2.7,28,0.3'])).toHaveLength(3);
  });
});

test('a line of metadata above the headings hides no weight', async () => {
  const lines = ['name,serving_size_g,calories,protein,carbohydrate,fat', 'Bar,40,100,2,12,5'];
  for (const line of [
    ...['user,Anna', ',App,1.0', 'Title,,,Values', 'export,2', 'com.health.food_info,6313004,8'],
    ...['Exported,2026-01-05', 'foods,version,2', 'name,Anna,calories,2000', 'Food,Energy'],
  ])
    expect([line, ...(await read([line, ...lines]))]).toEqual([line, BAR]);
});

test('a line of metadata above the headings changes no name of a nutrient', async () => {
  const lines = ['name,fibre (g),calories,protein,carbohydrate,fat', 'Bar,4,250,5,30,12.5'];
  const { says } = await importTable(['user,Anna', ...lines], { nutrients: true });
  expect(says).toContain('nutrients      "fibre (g)" as Fibre');
});

test('many such foods are named where heavier foods have more in them', async () => {
  const row = (i: number) => `Food ${i},${50 + 20 * i},1,${5 + 3 * i},2,${i < 3 ? 4 : 40 * i}`;
  const rows = Array.from({ length: 12 }, (_, i) => row(i));
  expect(await refused([`${HEADER},Serving size (g)`, ...rows])).toContain('3 of 12 foods would weigh less');
});

describe('figures are per 100 g', () => {
  it('where each row says so', async () => {
    for (const cell of ['100', '100 g', '100g', 'per 100g', '100 ml', '100 g (1 cup)'])
      expect([cell, ...(await bar('Quantity', cell))]).toEqual([cell, AS_IT_STANDS]);
  });

  it.each(
    'Refuse %|Yield|Portion 1|household_serving_fulltext|Min_Servings|Reference|References|Base'.split('|'),
  )('beside a column %s', async (heading) => expect(await bar(heading, '40')).toEqual([AS_IT_STANDS]));

  it('where the foods would weigh less than their parts', async () => {
    const foods = ['Butter,717,0.9,0.1,81,14', 'Cheese,353,21,2,29,28.35', 'Egg,143,12.6,0.7,9.5,50'];
    const { foods: found, says } = await importTable([`${HEADER},GmWeight`, ...foods]);
    expect(found.map((food) => food.split('/', 1)[0])).toEqual(['Butter 717', 'Cheese 353', 'Egg 143']);
    expect(says).toContain(
      'column 6, "GmWeight", not used: 2 of 3 foods would weigh less than their protein, carbohydrate and fat',
    );
  });

  it('by the flag', async () => {
    const lines = ['Values per serving', `${HEADER},Amount`, `${PER_40},1 cup`];
    expect(await read(lines, columnOptions([], '100g'))).toEqual([AS_IT_STANDS]);
  });
});

test('lists of tags are no dates, unlike days of the week', async () => {
  const rows = (tag: string) => [`${PER_40},${tag}`, `${PER_40},${tag}`, `${PER_40},`];
  for (const tag of ['vegan', 'B12', 'E250'])
    expect(await read([`${HEADER},Tags`, ...rows(tag)])).toContain(AS_IT_STANDS);
  for (const tag of ['Montag', '1.5.', '2026-05-01', '1 May', 'Day 3', '46143', '12:30'])
    expect(await refused([`${HEADER},Tag`, ...rows(tag)])).toContain('this is a diary');
});

test('lists of tags and of variants in JSON are neither dates nor foods', async () => {
  const bar = { name: 'Bar', calories: 100, protein: 2, carbs: 12, fat: 5, tags: ['gluten-free'] };
  const variantsOf = (i: number) => [{ name: `Bar ${i}`, date: '1 May' }];
  const foods = [1, 2, 3].map((i) => ({ ...bar, carbs: 12 + i, variants: variantsOf(i) }));
  expect(await read(foods)).toEqual(['Bar 100/2/13/5.00', 'Bar 100/2/14/5.00', 'Bar 100/2/15/5.00']);
});

test('a field has one --column, and so has the energy', () => {
  expect(() => columnOptions(['kcal=A', 'kcal=B'], undefined)).toThrow('--column kcal=… is given twice');
  expect(() => columnOptions(['kcal=A', 'kJ=B'], undefined)).toThrow('both name the energy');
});

describe('refused, with the ways on, are', () => {
  it('headings per serving without a weight', async () => {
    const headings = 'Name,Calories per serving,Protein per serving,Carbs per serving,Fat per serving';
    expect(await refused([headings, PER_40])).toContain(
      `line 1: the heading "Calories per serving" says that kcal is per serving, whose weight is not known. ${WAYS_ON}`,
    );
    expect(await read([`${headings},Grams`, `${PER_40},40`])).toEqual([BAR]);
  });

  it.each(['Meal', 'meal_type', 'Mahlzeit', 'Repas', 'Comida'])(
    'a diary in which no food occurs again, by its dates and its column %s',
    async (meal) => {
      const days = [`Date,${meal},${HEADER}`, '1 May,Breakfast,Bar,100,2,12,5', '1 May,Lunch,Egg,70,6,0,5'];
      expect(await refused([...days])).toContain(
        `line 1: this is a diary: it has dates (column "Date") and meals (column "${meal}"), so that figures are for what was eaten`,
      );
      expect(await read(days, columnOptions([], '100g'))).toHaveLength(2);
      // Foods have meals, too.
      expect(await read(days.map((row) => row.replace(/[^,]*,/, '')))).toHaveLength(2);
    },
  );

  it('a diary, by that name', async () => {
    const rows = ['1 May,Bar,100,2,12,5', '1 May,Egg,70,6,0,5', '2 May,Bar,200,4,24,10'];
    const days = `Date,${HEADER}`;
    const diary =
      'line 1: this is a diary: it has dates (column "Date"), and 1 of 3 rows name a food of an earlier row';
    expect(await refused([days, ...rows])).toContain(diary);
    const amounts = [`${days},Amount`, ...rows.map((row) => `${row},1 bar`)];
    expect(await refused([...amounts])).toContain(diary);
    const weights = rows.map((row, i) => `${row},${i + 4}0 g`);
    expect(await refused([`${days},Amount`, ...weights])).toContain(diary);
    expect(await read(amounts, columnOptions([], '100g'))).toHaveLength(3);
    // Dates alone make none.
    expect(await read([days, ...rows.slice(0, 2)])).toHaveLength(2);
  });
});

describe('--per-column names the column of weights', () => {
  it('whatever its heading, in grams', async () => {
    const lines = [`${HEADER},Stück`, `${PER_40},40`];
    expect(await read(lines)).toEqual([AS_IT_STANDS]);
    expect(await read(lines, { perColumn: 'Stück' })).toEqual([BAR]);
    expect(await refused(lines, { perColumn: 'Piece' })).toContain(
      'line 1: "--per-column Piece": there is no such column; the header names "Name,Calories,Protein,Carbs,Fat,Stück".',
    );
  });

  it('even where another seems to be one', async () => {
    expect(await bar('Grams,Quantity', '1,40', { perColumn: 'Quantity' })).toEqual([BAR]);
  });
});

const BAR_CELLS = ['Bar', 250, 5, 30, 12.5];

describe('a table', () => {
  const stated = 'Name,kcal per 40 g,Protein (per 40g),Carbs/40 g,Fat per 40 g';
  const fibre = 'Name,"Energy, without dietary fibre","Energy, with dietary fibre",Protein,Carbs,Fat';
  const tea = (amount: string) => `Tea 10/0/2.5/0.00 | ${HEADER},Amount | Tea,24,0,6,0,"${amount}"`;
  testReads(`
      an amount in grams rather than pieces or ounces | ${BAR}
        | ${HEADER},Size,Size_unit,serving_oz,Size_g | ${PER_40},2,pieces,1.4,40
      an amount, but not for a figure that is per 100 g by its heading | ${BAR}
        | Name,Calories per 100 g,Protein,Carbs,Fat,Serving (g) | Bar,250,2,12,5,40
      no amount, as all figures are per 100 g by their headings | ${BAR}
        | Name,kcal_100g,protein_100g,carbs_100g,fat_100g,Serving size | Bar,250,5,30,12.5,1 bar
      an amount beside figures per serving and per 100 g, neither of which is lost | ${BAR}
        | Name,kcal,kcal per serving,Protein,Carbs,Fat,Serving (g) | Bar,250,100,5,30,12.5,40
      an amount of a few grams that are all sugar | Sugar 400/0/100/0.00 | ${HEADER},Grams | Sugar,16,0,4,0,4
      an amount, to the digit | Bar 31771425942649.01/0.3527/0.7055/0.25
        | ${HEADER},Grams | Bar,9007199254740.993,0.1,0.2,0.07,28.35
      an amount that is a volume, 1 | ${tea('240 ml (1 cup)')}
      an amount that is a volume, 2 | ${tea('1 cup (8 fl oz/240 ml)')}
      an amount that is a volume, 3 | ${tea('1 bottle, 240 ml')}
      an amount that is a volume, 4 | ${tea('1 cup = 240 mL')}
      an amount that is a volume, 5 | ${tea('1 cup [about 240 ml]')}
      an amount that is a volume, 6 | ${tea('1 Tasse (240ml)')}
      an amount with its volume in brackets | Bar 50/1/6/2.50; Tea 0.83/0/0/0.00
        | ${HEADER},Amount | ${PER_40},1 cup (200 ml) | Tea,2,0,0,0,1 cup (240 ml)
      energy without fibre before energy with it | ${BAR} | ${fibre} | ,kJ,kJ,g,g,g | Bar,1000,1046,5,30,12.5
      energy without fibre | ${BAR}
        | Name,"Energy, excluding fibre (kcal)",Protein,Carbs,Fat | Bar,250,5,30,12.5
      energy with fibre | ${BAR} | Name,"Total energy (Atwater) (kcal)",Protein,Carbs,Fat | Bar,250,5,30,12.5
${['Energy, incl. fibre', 'Energie ohne Ballaststoffe', 'Énergie (avec fibres)', 'Energi (exkl. fiber)'].map((each) => `      ${each} | ${BAR} | Name,"${each} (kJ)",Protein,Carbs,Fat | Bar,1046,5,30,12.5`).join('\n')}
      energy with fibre before energy without it in another language | ${BAR}
        | Namn,Energi (exkl. fiber) (kJ),Energi (inkl. fiber) (kJ),Protein,Kolhydrater,Fett | Bar,1000,1046,5,30,12.5
      energy without a unit, which is kcal beside one in kJ | ${BAR}
        | Name,Energy,Energy (kJ),Protein,Carbs,Fat | Bar,250,1045,5,30,12.5
      a column of kcal as the last resort | ${BAR}
        | Name,Basal (kcal),kJ,Energy from fat (kcal),Protein,Carbs,Fat | Bar,7,1046,9,5,30,12.5
      available carbohydrate | ${BAR}
        | Alimento,kcal,Proteína,Carboidrato disponível,Carboidrato total,Lipídios | Bar,250,5,9,30,12.5
      the weight of each heading | ${BAR} | ${stated} | ${PER_40}
      the weight of a title | ${BAR} | Values per 40 g serving | ${HEADER} | ${PER_40}
      the weight of a title that ends with it | ${BAR} | Nährwerte für 40 g | ${HEADER} | ${PER_40}
      the weight of a serving in brackets in a title | ${BAR} | Values per portion (40 g) | ${HEADER} | ${PER_40}
      the weight of a serving in headings | ${BAR}
        | Name,kcal per serving (40 g),Protein/serving (40g),Carbs per serving of 40 g,Fat per 40 g serving | ${PER_40}
      the 100 g of headings below the weight of a serving | ${BAR} | Serving size: 40 g
        | Name,kcal/100 g,Protein/100 g,Carbs/100 g,Fat/100 g | Bar,250,5,30,12.5
      the weight of a line of two cells | ${BAR} | per 40 g,2026 | ${HEADER} | ${PER_40}
      the 100 g of a title | ${AS_IT_STANDS} | Angaben pro 100 g | ${HEADER},Serving size | ${PER_40},1 bar
      the weight of a row of units | ${BAR} | ${HEADER} | ,kcal/40 g,g/40 g,g/40 g,g/40 g | ${PER_40}
      the 100 g of a row of units | ${AS_IT_STANDS}
        | ${HEADER},Size (g) | ,kcal/100g,g/100g,g/100g,g/100g, | ${PER_40},40
      a row of groups | ${BAR} | ,Per serving,,,,Per 100 g,,,
        | Name,Energy (kcal),Protein,Carbs,Fat,Energy (kcal),Protein,Carbs,Fat | Bar,100,2,12,5,250,5,30,12.5
      kcal per 100 g before others | ${BAR} | Name,Calories per 100g,Protein,Carbs,Fat,kcal | ${BAR_CELLS},7
      fat per 100 g before other fat | ${BAR} | Name,Calories,Protein,Carbs,fat_100g,total fat | ${BAR_CELLS},7
      carbohydrate per 100 g before other | ${BAR}
        | Name,Calories,Protein,carbs_100g,Fat,carbohydrate | ${BAR_CELLS},7
      two rows of headings with merged cells | ${BAR} | Food,kcal,Protein,Fat,,Carbohydrate,
        | ,,,saturated,total,sugars,total | Bar,250,5,3,12.5,9,30
      two rows of headings with the names in the second | ${BAR} | Food,Energy,,Fat,,Macronutrients,
        | ,kJ,kcal,saturated,total,Protein,Carbs | Bar,1046,250,3,12.5,5,30
      two rows of headings with the names of foods in the second | ${BAR} | ,Energy,Fat,,Carbohydrate,,
        | Food,kcal,saturated,total,sugars,total,Protein | Bar,250,3,12.5,9,30,5
      the own form of the contract per 100 g, whatever else it has | ${AS_IT_STANDS}; Bar 110/2/12/5.00
        | Values per serving
        | description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g,Serving size,date
        | Bar,100,2,12,5,,,1 cup,1 May | Bar,110,2,12,5,,,1 cup,2 May
      words and numbers as names, unlike what stands for nothing | Nan 100/2/12/5.00; 1664 100/2/12/5.00
        | ${HEADER} | ${['-', 'n/a', 'N.A.', '?', 'null', 'NULL', 'None', 'NaN', '#N/A', 'Nan', '1664'].map((name) => PER_40.replace('Bar', name)).join(' | ')}
      a food named like headings | Fat 900/0/0/100.00; Protein 400/100/0/0.00
        | Name,Group,Calories,Protein,Carbs,Fat | Fat,Food,900,0,0,100 | Protein,Food,400,100,0,0
      a food without figures that is named like headings | Protein null/null/null/0.00; Egg 143/12.6/0.7/9.50
        | name,category,kcal,protein,carbs,fat | Protein,Food,,,, | Egg,Food,143,12.6,0.7,9.5
      rows of units, codes and names as no foods | Egg 142.93/12.6/0.7/9.50; Water null/null/0/0.00
        | name,emoji,Energy,protein,carbohydrate,fat | unit,,kJ,g,g,mg | code,,KJ,PROT,CHO,FAT
        | detail,,Energy,Protein,Carbohydrate,Fat | Egg,,598,12.6,0.7,9500 | Water,,N,N,Tr,Tr
      a name before one in a language | ${BAR} | nome_de,nome,kcal,Protein,Carbs,Fat | Riegel,${BAR_CELLS}
      an English name | ${BAR} | name_de,name_en,kcal,Protein,Carbs,Fat | Riegel,${BAR_CELLS}
      the first of two languages | ${BAR} | name_it,name_de,kcal,Protein,Carbs,Fat | Bar,Riegel,250,5,30,12.5
      a name before one in a stated language | ${BAR}
        | Food (German),Food,kcal,Protein,Carbs,Fat | Riegel,${BAR_CELLS}
  `);

  const unknown = (heading: string, amount: string) =>
    `line 2, column "${heading}": the figures are for "${amount}", whose weight is not known. ${WAYS_ON}
      | ${HEADER},${heading} | ${PER_40},${amount}`;
  const titled = (title: string) =>
    `line 3: the title "${title}" says that kcal is per serving, whose weight is not known. ${WAYS_ON}
      | ${title} |  | ${HEADER} | ${PER_40}`;
  const light = Array.from({ length: 11 }, (_, i) => `Food ${i},100,2,12,5,${40 + i}`);
  testRefuses(`
    an amount of cups | ${unknown('Amount', '1 cup')}
    an amount of pieces | ${unknown('Amount', '1 piece')}
    an amount without a unit | ${unknown('Amount', '40')}
    an amount of two | ${unknown('Amount', '2 x 15 g')}
    an amount that is a range | ${unknown('Amount', '20-30 g')}
    an amount of each | ${unknown('Amount', '3 bars (40 g each)')}
    an amount with two weights | ${unknown('Amount', '40 g (50 g)')}
    a size of a serving | ${unknown('Serving size', '1 cup')}
    a quantity | ${unknown('Quantity', '40')}
    a unit | ${unknown('Unit', 'piece')}
    a title | ${titled('Values per serving')}
${['Serving size: 40 g', 'Portion,40 g', '1 serving = 40 g', 'Serving size,40,g', 'Amount: 40 g'].map((title) => `    what a title may say: ${title} | the title "${title.replaceAll(',', ' ')}" may say what the figures are for. ${WAYS_ON} | ${title} | ${HEADER} | ${PER_40}`).join('\n')}
    a line of three cells | the title "per serving 2026 Anna" says that kcal | per serving,2026,Anna | ${HEADER} | ${PER_40}
    a title in German | ${titled('Nährwerte pro Portion')}
    a title in Spanish | ${titled('Valores por porción')}
    a title in French | ${titled('Valeurs par portion')}
    a title in Chinese | ${titled('每份营养成分')}
    a diary of few meals, by its dates of meals | line 1: this is a diary: it has dates (column "meal_date"), so
      that figures are for what was eaten | meal_date,${HEADER} | 2025-01-05,Beef stew sandwich,550,30,50,20
    headings of which one says what it is for | says that protein_g is per 30 g, but column 2, "kcal", does not say
      what it is for. Say what they are for: --per 30g
      | name,kcal,carbohydrate_g,fat_g,Protein (per 30g) | Bar,250,30,12.5,5
    headings of which one seems to | line 1: the heading "kcal/g" says that kcal is per 1 g, but column 3,
      "protein/g", does not say | name,kcal/g,protein/g,carbs/g,fat/g | Bar,2.5,0.05,0.3,0.125
    the same with a word for kcal | the heading "calories/g" says that kcal is per 1 g, but column 3
      | name,calories/g,protein/g,carbs/g,fat/g | Bar,2.5,0.05,0.3,0.125
    a table with a row for each figure | has a row for each figure, which the column "EUFDNAME" names; its headings
      are "FOODID,EUFDNAME,BESTLOC"
      | FOODID,EUFDNAME,BESTLOC | 1,PROT,3 | 1,FAT,2 | 1,CHO,5 | 2,PROT,3 | 2,FAT,1
    the same below a title | which the column "nutrient" names; its headings are "food,nutrient,value"
      | Foods of 2026,, | food,nutrient,value | Bar,Protein,5 | Bar,Fat,12.5 | Bar,Carbs,30 | Egg,Protein,12.6
    a table of three foods of which one would weigh less than its parts | 1 of 3 foods would weigh less
      | ${HEADER},Serving size (g) | Light,150,3,26,4,30 | ${light.slice(0, 2).join(' | ')}
    a table with a food that would weigh less than its parts | column "Serving size (g)": 1 of 12 foods would weigh
      less than their protein, carbohydrate and fat (first line 2), the others would not. Mend them, or say
      | ${HEADER},Serving size (g) | Light,150,3,26,4,30 | ${light.join(' | ')}
  `);

  it('the weight of each heading, whatever the flag says, and of a cell with a line break', async () => {
    expect(await read([stated, PER_40], columnOptions([], '30g'))).toEqual([BAR]);
    expect(await read([',"Values\nper 40 g of the edible part",,,', HEADER, PER_40])).toEqual([BAR]);
  });
});

describe('headings are known by rules:', () => {
  it.each(
    casesOf(`
      Kilokalorier (kcal) | Protein | Karbohydrat | Fett | Matvare
      energyKCal | proteinG | carboG | fatG | foodName
      Caloric Value | Protein | Carbohydrates | Fat | food
      Total Calories | Total Protein | Total Carbs | Total Fat | Item
      ENERCKCAL | PROCNT | CHOCDF | FAT | ALIMENTO
      ENERC_KCAL | PROCNT | CHOAVL | FAT | Food name
      KCALS | PROT | CHO | FAT | Food Name
      에너지(kcal) | 단백질(g) | 탄수화물(g) | 지방(g) | 식품명
      Energia (kcal) | Proteína (g) | Carboidrato (g) | Lipídeos (g) | Alimento
      Energi (kcal) | Protein (g) | Kolhydrater, tillgängliga (g) | Fett, totalt (g) | Livsmedelsnamn
      热量(千卡) | 蛋白质(g) | 碳水(g) | 脂肪(g) | 食物
      熱量(kcal) | 粗蛋白(g) | 總碳水化合物(g) | 粗脂肪(g) | 樣品名稱
      Калорийность, ккал | Белки, г | Углеводы, г | Жиры, г | Название
      kcal | białko | węgle | tłuszcz | nazwa produktu
      Something else (kcal) | Protein | Carbs | Fat | Name
    `),
  )('%s, %s, %s, %s, %s', async (...[kcal, protein, carbs, fat, name]) => {
    const quoted = [name, kcal, protein, carbs, fat].map((heading) => `"${heading}"`).join(',');
    expect(await read([quoted, BAR_CELLS.join(',')])).toEqual([BAR]);
  });
});

describe('a workbook', () => {
  const header = rowOf(...HEADER.split(','));
  const per40 = rowOf('Bar', 100, 2, 12, 5);
  const per100 = rowOf('Bar', 250, 5, 30, 12.5);
  const more = rowOf(...HEADER.split(','), 'Saturated fat') + rowOf('Old', 1, 1, 1, 1, 1);
  const hidden: Sheet = { name: 'Old', data: more, state: 'hidden' };
  const write = (...sheets: Sheet[]): Promise<Buffer> => workbookOf({ sheets });

  const perPortion: Sheet = { name: 'Per portion', data: header + per40 };
  const right: Sheet = { name: 'Per 100 g', data: header + per100 };
  it.each<[string, Sheet]>([
    ['a sheet per portion', perPortion],
    ['a title per serving', { name: 'A', data: rowOf('Per serving') + header + per40 }],
    ['a hidden sheet that has more columns', hidden],
  ])('with %s', async (_what, other) => expect(await read(await write(other, right))).toEqual([BAR]));

  it('with a sheet per portion alone is refused', async () =>
    expect(await refused(await write(perPortion))).toContain(
      'the title "Per portion" says that kcal is per serving, whose weight is not known.',
    ));
  it('with a sheet for each group of foods', async () => {
    const file = await write(
      { name: 'Sweets', data: header + per100 },
      { name: 'Eggs', data: rowOf('Eggs') + header + rowOf('Egg', 143, 12.6, 0.7, 9.5) },
      { name: 'Notes', data: rowOf('Food', 'Calories') + rowOf('See', 'above') },
    );
    const { foods, says } = await importTable(file);
    expect(foods).toEqual([BAR, 'Egg 143/12.6/0.7/9.50']);
    expect(says).toContain('sheets "Sweets", "Eggs" rather than "Notes"');
  });
});
