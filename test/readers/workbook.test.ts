import { describe, expect, it, test } from 'vitest';
import { temporaryFolder } from '../support/files.ts';
import { foodOf, importSources, refusalOf } from '../support/import.ts';
import { zipOf } from '../support/packing.ts';
import { seeded } from '../support/random.ts';
import { type Parts, rowOf, type Sheet, workbookOf } from '../support/workbook.ts';

const HEADER = rowOf('Food', 'Calories (kcal)', 'Protein (g)', 'Carbs (g)', 'Fat (g)');
const EGG_ROW = rowOf('Egg', 143, 12.56, 0.72, 9.51);
const EGG = foodOf('Egg', { kcal: '143', protein_g: '12.56', carbohydrate_g: '0.72', fa_sat_g: '9.51' });
const FOODS: Sheet = { name: 'Foods', data: HEADER + EGG_ROW };

const folder = temporaryFolder();
const saved = async (parts: Parts): Promise<string> => folder.save(await workbookOf(parts), 'xlsx');
/** The workbook of one egg with another part. */
const withPart = (path: string, content: string | Uint8Array): Promise<string> =>
  saved({ sheets: [FOODS], others: { [`xl/${path}`]: content } });
const withRow = (...cells: (string | number | null)[]): Promise<string> =>
  saved({ sheets: [{ ...FOODS, data: HEADER + rowOf(...cells) }] });

describe('cells are read', () => {
  const shared =
    '<si><t>Food</t></si><si><r><t xml:space="preserve">Egg, </t></r><r><rPr><b/></rPr><t>raw</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si>';
  const long = ['12.300000000000001', '0.1', '0.30000000000000004', '1E-7'];
  const exact = { kcal: '12.3', protein_g: '0.1', carbohydrate_g: '0.3', fa_sat_g: '0.0000001' };
  it.each<[string, string[], Partial<typeof EGG>, string?]>([
    ['as shared texts, with formats', ['<c t="s"><v>1</v></c>', '1'], { description: 'Egg, raw' }, shared],
    ['with entities', ['Bread &amp; &quot;jam&quot; &#233;', '1'], { description: 'Bread & "jam" é' }],
    ['as character data', ['Bread <![CDATA[& <butter>]]>', '1'], { description: 'Bread & <butter>' }],
    ['with escaped characters', ['Egg_x005F_raw_x0041_', '1'], { description: 'Egg_rawA' }],
    ['with formulas', ['<c t="str"><f>A1</f><v>Egg</v></c>', '<c><f>7*2</f><v>14</v></c>'], { kcal: '14' }],
    ['with 15 digits, as in Excel', ['Egg', ...long.map((figure) => `<c><v>${figure}</v></c>`)], exact],
    ['with errors as unknown figures', ['Egg', '<c t="e"><v>#N/A</v></c>'], { kcal: null }],
    ['as texts with a decimal comma', ['Egg', '143', '12,56', '0,72', '9,51'], {}],
    ['as a name that consists of digits', ['<c><v>1664</v></c>', '45'], { description: '1664', kcal: '45' }],
    [
      'by their references, in any columns',
      ['<c r="A2" t="str"><v>Egg</v></c>', '<c r="E2"><v>7</v></c>'],
      { fa_sat_g: '7', kcal: null },
    ],
  ])('%s', async (_what, cells, expected, texts) => {
    const file = await saved({
      sheets: [{ ...FOODS, data: HEADER + rowOf(...cells) }],
      ...(texts === undefined ? {} : { shared: texts }),
    });
    const { foods } = await importSources([file]);
    expect(foods).toEqual([expect.objectContaining(expected)]);
  });

  test('with any prefix of the tags', async () => {
    const sheet = `<worksheet xmlns:x="a"><sheetData>${HEADER + EGG_ROW}</sheetData></worksheet>`;
    const file = await withPart('worksheets/sheet1.xml', sheet.replaceAll(/<(\/?)/g, '<$1x:'));
    expect((await importSources([file])).foods).toEqual([EGG]);
  });
});

describe('among several sheets,', () => {
  const notes: Sheet = { name: 'Notes', data: rowOf('Made by hand') };
  const old: Sheet = { name: 'Old', data: HEADER + rowOf('Old', 1, 1, 1, 1), state: 'hidden' };
  const names: Sheet = { name: 'Names', data: rowOf('Food', 'Protein') + rowOf('Milk', 3) };

  test.each<[string, Sheet[], RegExp]>([
    ['the columns of foods', [notes, FOODS], / \(Excel workbook, sheet "Foods"\)$/],
    ['most of them', [names, notes, FOODS], /sheet "Foods" rather than "Names"\)$/],
    ['them, if others are hidden', [old, FOODS], /sheet "Foods" rather than "Old"\)$/],
  ])('the one with %s is chosen, and named', async (_what, sheets, line) => {
    const { foods, report } = await importSources([await saved({ sheets })]);
    expect(foods).toEqual([EGG]);
    expect(report.lines()[0]).toMatch(line);
  });

  test('--table chooses another, in any case', async () => {
    const other: Sheet = { name: 'Drinks', data: HEADER + rowOf('Tea', 1, 0, 0, 0) };
    const file = await saved({ sheets: [FOODS, other] });
    expect((await importSources([file], { table: 'drinks' })).foods).toMatchObject([{ description: 'Tea' }]);
    expect(await refusalOf([file], { table: 'Food' })).toMatch(
      /there is no sheet "Food"; it has "Foods", "Drinks"\. Name one of them with --table/,
    );
  });

  test('each is left after its first rows, before all of it has been unpacked', async () => {
    const random = seeded(1);
    const many = Array.from({ length: 20 }, (_, sheet): Sheet => {
      const rows = Array.from({ length: 4000 }, () => rowOf(random(2 ** 32), random(2 ** 32)));
      return { name: `Sheet ${sheet}`, data: rows.join('') };
    });
    const file = await saved({ sheets: many });
    for (let i = 0; i < 5; i++) expect(await refusalOf([file])).toMatch(/no sheet has columns of foods/);
  });
});

test('a single sheet is refused by the columns that it lacks', async () => {
  const data = rowOf('food', 'notes') + rowOf('Egg', 'boiled');
  expect(await refusalOf([await saved({ sheets: [{ ...FOODS, data }] })])).toMatch(/the header lacks/);
});

const bomb = (text: string): string => text.repeat(Math.ceil((80 * 1024 * 1024) / text.length));

describe('a figure with the format', () => {
  const foodWith = (format: string, value: string): Promise<string> =>
    saved({
      sheets: [{ ...FOODS, data: HEADER + rowOf('Egg', 143, `<c s="1"><v>${value}</v></c>`, 0.72, 9.51) }],
      styles: `<numFmts>${/^\d+$/.test(format) ? '' : `<numFmt numFmtId="170" formatCode="${format}"/>`}</numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs><xf numFmtId="0"/><xf numFmtId="${/^\d+$/.test(format) ? format : 170}"/></cellXfs>`,
    });

  it.each([
    ['14', '46054', '2026-02-01'],
    ['20', '0.52', '12:28'],
    ['mmm\\ yy', '46054', '2026-02-01'],
    ['[$-409]d/m/yyyy;@', '46054.5', '2026-02-01'],
  ])('%s is a date', async (format, value, date) => {
    expect(await refusalOf([await foodWith(format, value)])).toContain(
      `row 2, column "Protein (g)": "${date}" is not a plain decimal number such as 1.5. The spreadsheet took the figure for a date or time`,
    );
  });

  it.each(['9', '10', '0.0%', '0.0\\ %'])('%s is a percentage', async (format) => {
    expect(await refusalOf([await foodWith(format, '0.126')])).toContain(
      'row 2, column "Protein (g)": "12.6%" is not a plain decimal number such as 1.5. Write only figures in the cells',
    );
  });

  it.each([
    ...['0', '2', '49', '0.00E+00', '[Red]0.0_);[Blue]-0.0', 'General'],
    ...['0&quot; g a day&quot;', '#,##0.0\\ \\m\\g'],
  ])('%s is a figure', async (format) => {
    const { foods } = await importSources([await foodWith(format, '12.56')]);
    expect(foods).toEqual([EGG]);
  });
});

test('a formula without its value in a column that is not read does not matter', async () => {
  const data = (HEADER + EGG_ROW).replace('</row>', '<c t="str"><v>Price</v></c></row>');
  const price = `${data.slice(0, data.lastIndexOf('</row>'))}<c><f>1+1</f></c></row>`;
  expect((await importSources([await saved({ sheets: [{ ...FOODS, data: price }] })])).foods).toEqual([EGG]);
});

const LONG_TEXT = `<si><t>${'x'.repeat(1000)}</t></si>`;
const UNCALCULATED = 'sheet "Foods", row 2: it has a formula without its value.';

describe('refused with one sentence is', () => {
  const attributes = Array.from({ length: 1e5 }, (_, i) => `a${i}="x"`);
  const entities = '<!DOCTYPE a [<!ENTITY b "xxxx"><!ENTITY c "&b;&b;">]><worksheet>&c;</worksheet>';
  const elsewhere = '<workbook><sheets><sheet name="a" r:id="x"/></sheets></workbook>';
  const packed = async (...names: string[]) =>
    folder.save(await zipOf(Object.fromEntries(names.map((name) => [name, '']))));
  const withData = (data: string) => saved({ sheets: [{ name: 'Foods', data }] });
  const withSheet = (content: string) => withPart('worksheets/sheet1.xml', content);
  it.each<[string, () => Promise<string>]>([
    ['row 2: it refers to the text "7", which the workbook lacks', () => withRow('<c t="s"><v>7</v></c>')],
    [`${UNCALCULATED} Open the workbook and save it again.`, () => withRow('Egg', '<c><f>71*2</f></c>')],
    ['the workbook has no sheet with cells', () => saved({ sheets: [] })],
    ['has no sheet with cells', () => withPart('workbook.xml', elsewhere)],
    ['sheet "Foods": the XML cannot be read (', () => withSheet('<worksheet><sheetData><row>')],
    [', xl/workbook.xml: the XML cannot be read', () => withPart('workbook.xml', 'what')],
    [
      'the XML cannot be read (the text is not UTF-8). Save the file again',
      () => withPart('workbook.xml', Buffer.of(0xff)),
    ],
    ['tags nest more than 100 deep', () => withData(bomb('<a>').slice(0, 3e6))],
    ['a tag has more than 100 attributes', () => withData(`<row ${attributes.join(' ')}/>`)],
    ['the XML cannot be read', () => withSheet(entities)],
    ['a cell has more than 65536 characters, more than Excel writes', () => withRow('x'.repeat(7e4))],
    ['unpacks to more than 250 times its size', () => saved({ sheets: [FOODS], shared: bomb(LONG_TEXT) })],
    ['row 2: it has a cell beyond the last column of Excel', () => withRow('<c r="ZZZ2"><v>1</v></c>')],
    [
      '(.xlsb), which is not read. Save it as an Excel',
      () => packed('[Content_Types].xml', 'xl/workbook.bin'),
    ],
    ['is a Numbers file, which is not read. Export it as', () => packed('Index/Document.iwa')],
  ])('a workbook: %s', async (message, make) => expect(await refusalOf([await make()])).toContain(message));
});
