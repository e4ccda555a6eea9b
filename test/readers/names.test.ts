/** Other names of foods: from columns of own tables, from public data, and from the user's own table of names. */
import { describe, expect, it, test } from 'vitest';
import { temporaryFolder } from '../support/files.ts';
import { importSources, refusalOf } from '../support/import.ts';
import { tablesOf, writeZip } from '../support/usda.ts';

const folder = temporaryFolder();

async function namesIn(text: string | Uint8Array, ending = 'csv', options = {}) {
  const { foods, report } = await importSources([await folder.save(text, ending)], options);
  return { names: foods.map(({ names }) => names), lines: report.lines() };
}

const FIGURES = 'kcal,protein_g,carbohydrate_g,fat_g';
const table = (heading: string, ...cells: string[]) =>
  [`Food,${heading},${FIGURES}`, ...cells.map((cell, i) => `Food ${i},"${cell}",10,1,1,1`)].join('\n');

describe('a cell of other names', () => {
  it.each([
    ['semicolons', 'Synonyms', ['a; b, c'], [['a', 'b, c']]],
    ['bars', 'Also known as', ['a|b'], [['a', 'b']]],
    ['ideographic commas', '別名', ['番茄、西红柿'], [['番茄', '西红柿']]],
    ['line breaks', 'Sinonimi', ['a\nb'], [['a', 'b']]],
    ['commas where no cell has others', 'Alias', ['a, b', 'c', ''], [['a', 'b'], ['c'], undefined]],
    ['no comma where one has', 'Alias', ['a, b', 'c; d'], [['a, b'], ['c', 'd']]],
    ['no comma of a figure', 'Alias', ['1,5 % milk'], [['1,5 % milk']]],
    ['a JSON array', 'Synonyme', ['[""a"",""b, c""]'], [['a', 'b, c']]],
    ['nothing twice, and not the description', '俗名', ['A; a; Food 0; b; -'], [['A', 'b']]],
    ['no name of more than 250 characters', 'Other names', ['x'.repeat(251)], [undefined]],
  ])('has %s', async (_what, heading, cells, names) => {
    expect((await namesIn(table(heading, ...cells))).names).toEqual(names);
  });

  test('in a table whose descriptions have commas keeps its own', async () => {
    const text = `Food,ComName,Alias,${FIGURES}\n"Milk, whole","cow milk, full milk","milk, full",1,1,1,1\n`;
    expect((await namesIn(text)).names).toEqual([['cow milk', 'full milk', 'milk, full']]);
  });

  test('is none where the column has numbers, such as potassium', async () => {
    for (const cells of [
      ['<0.1', '300*', '(120)'],
      ['300 mg', 'Tr', '61 ± 2'],
      ['300', '#DIV/0!', '61'],
    ])
      expect((await namesIn(table('k', ...cells))).names).toEqual([undefined, undefined, undefined]);
    const { names, lines } = await namesIn(table('k', '0.433', '-', '0.224'));
    expect(names).toEqual([undefined, undefined, undefined]);
    expect(lines.join('\n')).not.toContain('names ');
  });

  test('is reported with an example', async () => {
    const { lines } = await namesIn(table('Synonyms', 'a; b', '', 'c'));
    expect(lines.join('\n')).toContain('other names    3, of 2 foods, such as "a" for "Food 0"');
  });
});

test('an array in JSON has names, also late', async () => {
  const rows = [{}, { synonyms: ['a', 'b'] }].map((more, i) => ({
    ...{ food: `Food ${i}`, kcal: 1, protein: 1, carbs: 1, fat: 1 },
    ...more,
  }));
  expect((await namesIn(JSON.stringify(rows), 'json')).names).toEqual([undefined, ['a', 'b']]);
});

test('FoodData Central has common names and additional descriptions', async () => {
  const attributes = [
    '"id","fdc_id","seq_num","food_attribute_type_id","name","value"',
    '"1","1","1","1000","Common Name","garbanzo beans"',
    '"2","1","2","1001","Additional Description","chick peas;ceci"',
    '"3","1","3","998","Update Log","Original row 7"',
  ];
  const food = { fdc_id: 1, data_type: 'survey_fndds_food', description: 'Chickpeas' };
  const archive = folder.path('fdc.zip');
  const more = { 'food_attribute.csv': attributes.join('\n') };
  await writeZip(archive, tablesOf([food], { 1: { 208: 1 } }, more));
  const { foods } = await importSources([archive]);
  expect(foods[0]?.names).toEqual(['garbanzo beans', 'chick peas', 'ceci']);
});

test('Open Food Facts has generic names', async () => {
  const figures = 'proteins_100g\tfat_100g\tcarbohydrates_100g\tenergy-kcal_100g';
  const text = `code\tproduct_name\tgeneric_name\t${figures}\n1\tNoir 70\tDark chocolate\t1\t1\t1\t17`;
  expect((await namesIn(`${text}\n`, 'csv')).names).toEqual([['Dark chocolate']]);
});

describe('--names', () => {
  test('adds names to foods by their description, and counts those that are not there', async () => {
    const own = await folder.save('food,name\nfood 0,mine\nFood 0,a\nNo such food,x\n', 'csv');
    const { names, lines } = await namesIn(table('Synonyms', 'a', ''), 'csv', { names: own });
    expect(names).toEqual([['a', 'mine'], undefined]);
    const said = 'own names      3, of 2 foods; no source has 1 food of them: "No such food"';
    expect(lines.join('\n')).toContain(said);
  });

  test('adds them by the code on the packet, in any spelling', async () => {
    const own = await folder.save('food,name\n4-006381-333931,mine\n', 'csv');
    const text = 'name,EAN,kcal,protein,fat,carbs\nBread,04006381333931,250,8,2,50\n';
    expect((await namesIn(text, 'csv', { names: own, nutrients: true })).names).toEqual([['mine']]);
  });

  const foods = table('Synonyms', 'a');
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  test.each<[string, string | Buffer, string]>([
    ['semicolons', 'food;name\nFood 0;mine, too\n;\n', 'mine, too'],
    ['tabs, further columns and quotes', 'id\t"food"\tname\n1\t"Food 0"\tmine\n', 'mine'],
    ['the separator that the first line says', 'sep=;\r\nfood;name\r\nFood 0;mine, too\r\n', 'mine, too'],
    ['bars, and lines that end with CR', 'food|name\rFood 0|mine\r', 'mine'],
    ['UTF-16', Buffer.from('\ufefffood,name\nFood 0,Käse\n', 'utf16le'), 'Käse'],
    ['Windows-1252', latin1('food;name\nFood 0;K\xe4se \x80\n'), 'Käse €'],
  ])('reads %s', async (_what, text, name) => {
    const own = await folder.save(text, 'csv');
    expect((await namesIn(foods, 'csv', { names: own })).names).toEqual([['a', name]]);
  });

  test('says that it reads Windows-1252, and refuses other encodings', async () => {
    const names = await folder.save(latin1('food,name\nFood 0,K\xe4se\n'), 'csv');
    const { lines } = await namesIn(foods, 'csv', { names });
    expect(lines.join('\n')).toContain('csv (read as Windows-1252)');
    for (const name of ['\xcc\xee\xeb\xee\xea\xee', 'K\x81se']) {
      const other = await folder.save(latin1(`food,name\nFood 0,${name}\n`), 'csv');
      expect(await refusalOf([await folder.save(foods, 'csv')], { names: other })).toContain('not UTF-8');
    }
  });

  test.each([
    ['food,name\nFood 0,\n', 'line 2: a name is empty; fill both cells'],
    ['food,name\nFood 0,a,b\n', 'line 2: the number of cells is not that of the header'],
    ['food,name\nFood 0,"a\n', 'line 2: a quote is not closed'],
    ['a,b\n', 'with the columns food and name'],
  ])('refuses %j', async (text, message) => {
    const names = await folder.save(text, 'csv');
    expect(await refusalOf([await folder.save(foods, 'csv')], { names })).toContain(message);
  });
});
