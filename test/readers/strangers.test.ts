/** Tables as strangers keep them: for each kind of trap at least two that nobody made for this program. */
import { describe, expect, it } from 'vitest';
import { renderEntry } from '../../src/foods/food.ts';
import { temporaryFolder } from '../support/files.ts';
import { importSources, refusalOf } from '../support/import.ts';
import { rowOf, workbookOf } from '../support/workbook.ts';

const folder = temporaryFolder();
const saved = (lines: readonly string[]): Promise<string> => folder.save(`${lines.join('\n')}\n`);

/** Each food as `NAME KCAL/PROTEIN/CARBOHYDRATE/FAT`, and what the report says. */
async function read(content: readonly string[] | object) {
  const file = await (Array.isArray(content) && typeof content[0] === 'string'
    ? saved(content)
    : folder.save(JSON.stringify(content)));
  const { foods, report } = await importSources([file]);
  const texts = foods.map((food) => {
    const entry = JSON.parse(renderEntry(food)) as Record<string, unknown>;
    return `${entry.description} ${entry.kcal}/${entry.protein_g}/${entry.carbohydrate_g}/${entry.fat_g}`;
  });
  return { foods: texts, says: report.lines().join('\n') };
}
const refused = async (...lines: string[]): Promise<string> => refusalOf([await saved(lines)]);

const BAR = 'Bar 250/5/30/12.50';
const EGG = 'Egg 143/12.6/0.7/9.50';

describe('columns that fit a field equally well', () => {
  it.each<[string, string[]]>([
    [
      'by the same heading',
      ['Food,Fat,Protein,kcal,Carbs,Protein', 'Bar,12.5,5,250,30,5.0', 'Egg,9.5,12.6,143,.7,12.60'],
    ],
    [
      'by other spellings',
      ['Food,FAT,fat,Protein,kcal,Carbs', 'Bar,12.5,12.50,5,250,30', 'Egg,9.5,9.5,12.6,143,.7'],
    ],
    ['of names', ['Food,FOOD,Fat,Protein,kcal,Carbs', 'Bar, Bar,12.5,5,250,30', 'Egg,Egg,9.5,12.6,143,0.7']],
    [
      'in another unit',
      ['Food,Fat (g),Fat (mg),Protein,kcal,Carbs', 'Bar,12.5,12500,5,250,30', 'Egg,,9500,12.6,143,0.7'],
    ],
    [
      'three times',
      ['Food;kcal;Fat;kcal;Protein;kcal;Carbs', 'Bar;250;12,5;;5;250;30', 'Egg;;9,5;;12,6;143,0;0,7'],
    ],
  ])('are one if they agree in every row: %s', async (_what, lines) => {
    const { foods, says } = await read(lines);
    expect(foods).toEqual([BAR, EGG]);
    expect(says).toContain('the same as column');
  });

  it('are refused by their letters and a row where they differ', async () => {
    const rows = ['Bar,5,250,30,12.5,5', 'Egg,12.6,143,.7,9.5,13'];
    expect(await refused('Food,Protein,kcal,Carbs,Fat,Protein', ...rows)).toContain(
      'line 1: columns B, "Protein", and F, "Protein", fit protein_g equally well, but differ: line 3 has "12.6" and "13". Rename one of the two.',
    );
    expect(await refused('Food,Protein,kcal,Carbs,Fat,PROTEIN', ...rows)).toContain(
      'columns B, "Protein", and F, "PROTEIN", fit protein_g equally well, but differ: line 3 has "12.6" and "13". Choose one: --column protein_g=HEADING',
    );
  });

  it('in a workbook', async () => {
    const cells = (...last: (string | number)[]) => rowOf('Bar', 250, 30, 12.5, ...last);
    const book = async (...last: (string | number)[]) =>
      folder.save(
        await workbookOf({
          sheets: [
            {
              name: 'Foods',
              data: rowOf('Food', 'kcal', 'Carbs', 'Fat', 'Protein', 'Protein') + cells(...last),
            },
          ],
        }),
      );
    expect((await importSources([await book(5, '5.0')])).foods).toHaveLength(1);
    expect(await refusalOf([await book(5, 6)])).toContain('columns E, "Protein", and F, "Protein",');
  });
});

describe('figures per 100 g win over those per 100 ml', () => {
  const per100g = { kcal: 250, protein: 5, carbs: 30, fat: 12.5 };
  const per100ml = { kcal: 260, protein: 5.2, carbs: 31, fat: 13 };
  const perMl = Object.values(per100ml).join();
  it.each<[string, string[] | object]>([
    ['in JSON', [{ name: 'Bar', per100ml, per100g }]],
    ['in JSON by other names', [{ name: 'Bar', nutrition: { per_100_ml: per100ml, per_100_g: per100g } }]],
    [
      'in headings',
      [
        'Name,kcal/100 ml,protein_100ml,Carbs (per 100 ml),Fat per 100 ml,kcal/100 g,protein_100g,Carbs (per 100 g),Fat per 100 g',
        `Bar,${perMl},250,5,30,12.5`,
      ],
    ],
    ['in a heading with both', ['Name,kcal (per 100 ml / 100 g),Protein,Carbs,Fat', 'Bar,250,5,30,12.5']],
    [
      'in rows of groups',
      [
        ',pro 100 ml,,,,pro 100 g,,,',
        'Name,kcal,Eiweiß,Kohlenhydrate,Fett,kcal,Eiweiß,Kohlenhydrate,Fett',
        `Bar,${perMl},250,5,30,12.5`,
      ],
    ],
  ])('%s', async (_what, content) => expect((await read(content)).foods).toEqual([BAR]));

  it('which stand where nothing else is known, and are reported', async () => {
    const { foods, says } = await read([
      { name: 'Bar', per100g, per100ml: {} },
      { name: 'Juice', per100g: {}, per100ml },
    ]);
    expect(foods).toEqual([BAR, 'Juice 260/5.2/31/13.00']);
    expect(says).toContain('4 figures per 100 ml, as none per 100 g is known: line 1, object 2');
  });
});

describe('the food is named by the plainest heading', () => {
  const rest = { calories: 250, protein: 5, carbs: 30, fat: 12.5 };
  it.each<[string, string[] | object, string]>([
    [
      'a name',
      [{ 'serving description': 'half a mug', name: 'Bar', ...rest }],
      'column 2, "name", rather than column 1, "serving description"',
    ],
    [
      'a product',
      [{ description: 'Crisp and sweet', product: 'Bar', ...rest }],
      'column 2, "product", rather than column 1, "description"',
    ],
    [
      'an alimento',
      ['Descripción de la porción,Alimento,kcal,Proteínas,Hidratos,Grasas', 'una barra,Bar,250,5,30,12.5'],
      '"Alimento", rather than column 1',
    ],
    [
      'a food',
      ['Portion name;Food;kcal;Protein;Carbs;Fat', 'half;Bar;250;5;30;12,5'],
      '"Food", rather than column 1, "Portion name"',
    ],
  ])('%s', async (_what, content, says) => {
    const found = await read(content);
    expect(found.foods).toEqual([BAR]);
    expect(found.says).toContain(`description: ${says.startsWith('"') ? 'column 2, ' : ''}${says}`);
  });

  it('and by no heading of servings', async () =>
    expect(await refused('serving name,kcal,Protein,Carbs,Fat', 'half a mug,250,5,30,12.5')).toContain(
      'line 1: the header lacks description; it names "serving name,kcal,Protein,Carbs,Fat".',
    ));

  it('which may say what the figures of the row are for', async () => {
    expect((await read(['Food (per 40 g),kcal,Protein,Carbs,Fat', 'Bar,100,2,12,5'])).foods).toEqual([BAR]);
    expect(await refused('Item (per serving),kcal,Protein,Carbs,Fat', 'Bar,100,2,12,5')).toContain(
      'the title "Item (per serving)" says that kcal is per serving',
    );
  });
});

describe('a header with more names than the rows have cells', () => {
  it.each([
    ['by commas', 'Food,kcal,Protein,Carbs,Fat,Notes,Source', 'Bar,250,5,30,12.5', 'Egg,143,12.6,.7,9.5'],
    [
      'by tabs',
      'Food\tkcal\tProtein\tCarbs\tFat\tNotes',
      'Bar\t250\t5\t30\t12.5',
      '',
      'Egg\t143\t12.6\t.7\t9.5',
    ],
    [
      'with units',
      'Food;kcal;Protein;Carbs;Fat;X',
      ';kcal;g;g;g',
      'Bar;250;5;30;12,5',
      'Egg;143;12,6;0,7;9,5',
    ],
  ])('is read %s', async (_what, ...lines) => expect((await read(lines)).foods).toEqual([BAR, EGG]));

  it.each([
    ['where a row is cut off', 'Food,kcal,Protein,Carbs,Fat,Notes', 'Bar,250,5,30,12.5', 'Egg,143,12.6,.7'],
    [
      'where the rest may stand in some rows',
      'Food,kcal,Protein,Carbs,Fat,Notes',
      'Bar,250,5,30,12.5',
      'Egg,143,12.6,.7,9.5,x',
    ],
    [
      'where figures would be missing',
      'Food,kcal,Protein,Notes,Carbs,Fat',
      'Bar,250,5,,30',
      'Egg,143,12.6,,9.5',
    ],
    [
      'where a name has a comma without quotes',
      'Food,kcal,Fat, total,Protein,Carbs,Notes',
      'Bar,250,12.5,5,30,',
    ],
  ])('is refused %s', async (_what, ...lines) =>
    expect(await refused(...lines)).toMatch(/line 2: \d cells where the header names \d/),
  );
});

describe('a diary beside the foods is not read', () => {
  const food = { food: 'Bar', kcal: 250, protein: 5, carbs: 30, fat: 12.5 };
  const entry = { ...food, date: '1 May', meal: 'Lunch', saturates: 1 };
  it('in JSON', async () => expect((await read({ entries: [entry], foods: [food] })).foods).toEqual([BAR]));

  it('in a workbook', async () => {
    const sheet = (name: string, row: object) => ({
      name,
      data: rowOf(...Object.keys(row)) + rowOf(...Object.values(row)),
    });
    const file = await folder.save(
      await workbookOf({ sheets: [sheet('Diary', entry), sheet('Foods', food)] }),
    );
    const { foods, report } = await importSources([file]);
    expect(foods).toHaveLength(1);
    expect(report.lines()[0]).toContain('sheet "Foods" rather than "Diary"');
  });
});
