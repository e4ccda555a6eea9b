/** The same table gives the same foods, and the same refusals with their places, whatever it is written in. */
import fc from 'fast-check';
import initSqlJs from 'sql.js';
import { describe, expect, it, test } from 'vitest';
import { casesOf } from '../support/cases.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { foodOf, importSources, refusalOf } from '../support/import.ts';
import { saidOf } from '../support/own-table.ts';
import { parquetOf } from '../support/parquet.ts';
import { rowOf, workbookOf } from '../support/workbook.ts';

type Cell = string | number | null;
type Table = readonly [headings: readonly string[], ...rows: (readonly Cell[])[]];

interface Way {
  readonly write: (table: Table) => string | Buffer | Uint8Array | Promise<Buffer>;
  /** Where the header is, and a row, counted from 0. */
  readonly header: string;
  readonly place: (row: number) => string;
}

const { Database } = await initSqlJs();
const xml = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : cell;
const separated = (separator: string, mark: string) => (table: Table) =>
  table
    .map((row) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const cells = row.map((cell) =>
        typeof cell === 'number' ? String(cell).replace('.', mark) : quoted(cell ?? ''),
      );
      return `${cells.join(separator)}\n`;
    })
    .join('');
const objects = ([headings, ...rows]: Table) =>
  rows.map((row) => JSON.stringify(Object.fromEntries(headings.map((name, i) => [name, row[i]]))));

async function workbookWith(table: Table): Promise<Buffer> {
  return workbookOf({ sheets: [{ name: 'A', data: table.map((row) => rowOf(...row.map(xml))).join('') }] });
}

function databaseWith([headings, ...rows]: Table): Uint8Array {
  const db = new Database();
  db.run(`CREATE TABLE entries (${headings.map((name) => `"${name}"`)})`);
  for (const row of rows) db.run(`INSERT INTO entries VALUES (${row.map(() => '?')})`, [...row]);
  const bytes = db.export();
  db.close();
  return bytes;
}

const parquetWith = ([headings, ...rows]: Table): Buffer =>
  parquetOf(
    headings,
    rows.map((row) => row.map((cell) => String(cell ?? ''))),
  );

const line = (row: number) => `line ${row + 2}`;
const row = (at: number) => `row ${at + 1}`;
const WAYS: Readonly<Record<string, Way>> = {
  CSV: { write: separated(',', '.'), header: ', line 1', place: line },
  'CSV with decimal commas': { write: separated(';', ','), header: ', line 1', place: line },
  JSON: { write: (table) => `[${objects(table)}]`, header: '', place: (at) => `line 1, object ${at + 1}` },
  'JSON lines': {
    write: (table) => objects(table).join('\n'),
    header: '',
    place: (at) => `line ${at + 1}, object ${at + 1}`,
  },
  workbook: { write: workbookWith, header: ', sheet "A", row 1', place: (at) => row(at + 1) },
  SQLite: { write: databaseWith, header: ', table entries', place: row },
  Parquet: { write: parquetWith, header: '', place: row },
};

const folder = temporaryFolder();
const save = async ({ write }: Way, table: Table) => folder.save(await write(table));

const COLUMNS = [...HEADER.split(','), 'popularity', 'portion_1', 'portion_1_g'];
const hundredths = (max: number) => fc.nat(max).map((units) => units / 100);
const figure = fc.option(hundredths(9999));
const portion = fc.record({
  portion: fc.constantFrom('1 large', '1 cup, chopped', '2 "patties"'),
  grams: fc.integer({ min: 1, max: 99_999 }).map((units) => units / 100),
});
const food = fc.record({
  description: fc
    .string({ unit: fc.constantFrom(...'aéß🧀,; |\t"\'\n<&1-='), minLength: 1, maxLength: 9 })
    // These stand for no name.
    .filter((text) => !text.includes('-') || !/^[\s-]+$/.test(text)),
  kcal: hundredths(90_000),
  figures: fc.tuple(figure, figure, figure, figure, figure),
  popularity: fc.option(fc.nat(1000)),
  portion: fc.option(portion),
});

describe.each(Object.entries(WAYS))('%s', (_name, way) => {
  test('gives the foods of a random table', async () => {
    const foods = fc.uniqueArray(food, { selector: ({ description }) => description, maxLength: 5 });
    const isRead = fc.asyncProperty(foods, async (all) => {
      const rows = all.map((each) => {
        const { description, kcal, figures, popularity, portion: one } = each;
        return [description, kcal, ...figures, popularity, one?.portion ?? null, one?.grams ?? null];
      });
      const expected = all.map(({ description, kcal, figures, popularity, portion: one }) => {
        const [protein_g, carbohydrate_g, fa_sat_g, fa_mono_g, fa_poly_g] = figures.map((each) =>
          each === null ? null : String(each),
        ) as (string | null)[] as [string, string, string, string, string];
        return foodOf(description, {
          ...{ kcal: String(kcal), protein_g, carbohydrate_g, fa_sat_g, fa_mono_g, fa_poly_g },
          ...(popularity !== null && { popularity }),
          ...(one !== null && { portions: [{ portion: one.portion, grams: String(one.grams) }] }),
        });
      });
      // A first row, as JSON without objects has no names.
      const first = ['Bar', 1, ...Array(COLUMNS.length - 2).fill(null)];
      const { foods: found } = await importSources([await save(way, [COLUMNS, first, ...rows])]);
      expect(found.slice(1)).toEqual(expected);
    });
    await fc.assert(isRead, { numRuns: 40 });
  });

  /** A table of lines with commas, in which an empty cell is unknown. */
  const tableOf = ([headings = '', ...rows]: readonly string[]): Table => [
    headings.split(','),
    ...rows.map((row) =>
      row.split(',').map((cell) => (cell === '' ? null : /^-?[\d.]+$/.test(cell) ? Number(cell) : cell)),
    ),
  ];

  it.each(
    casesOf(`
      amounts in the rows | Food,kcal,Protein,Carbs,Fat,Grams | Bar,100,2,12,5,40
      groups in front | My - Food,My - kcal,My - Protein,My - Carbs,My - Fat | Bar,250,5,30,12.5
      twins that agree | Food,kcal,Protein,Carbs,Fat,Protein (g) | Bar,250,5,30,12.5,5
      kJ where kcal are unknown | Food,kcal,Protein,Carbs,Fat,kJ | Bar,,5,30,12.5,1046
      words for “not known” | Food,kcal,Protein,Carbs,Fat,Mono fat | Bar,250,5,30,12.5,n/a
    `),
  )('is read with %s', async (_what, ...lines) => {
    const { foods } = await importSources([await save(way, tableOf(lines))]);
    expect(foods.map(saidOf)).toEqual(['Bar 250/5/30/12.50']);
  });

  it.each(
    casesOf(`
      PLACE, column "Protein": "much" is not a plain decimal number such as 1.5. Leave the cell
        | Food,kcal,Protein,Carbs,Fat | Rice,365,7,80,1 | Bar,250,much,30,12.5
      PLACE, column popularity: "-5" is not a plain decimal number of 0 or more, such as 12. Leave the cell
        | Food,kcal,Protein,Carbs,Fat,popularity | Rice,365,7,80,1,5 | Bar,250,5,30,12.5,-5
      PLACE, column portion_1_g: "0" is not a weight above 0 and up to 1,000,000 g
        | Food,kcal,Protein,Carbs,Fat,portion_1,portion_1_g | Rice,365,7,80,1,1 cup,9 | Bar,250,5,30,12.5,1 bar,0
      PLACE, column "Amount": the figures are for "1 cup", whose weight is not known
        | Food,kcal,Protein,Carbs,Fat,Amount | Rice,365,7,80,1,100 g | Bar,250,5,30,12.5,1 cup
      HEADER: columns C, "Protein", and F, "Protein (g)", fit protein_g equally well, but differ: PLACE has "5" and "6".
        | Food,kcal,Protein,Carbs,Fat,Protein (g) | Rice,365,7,80,1,7 | Bar,250,5,30,12.5,6
      HEADER, column "Energy": its figures fit the others as kJ
        | Food,Energy,Protein,Carbs,Fat | Rice,1527,7,80,1 | Bar,1046,5,30,12.5
      HEADER: the header lacks protein_g | Food,kcal,x,Carbs,Fat | Rice,365,7,80,1 | Bar,250,5,30,12.5
      HEADER: the heading "kcal per serving" says that kcal is per serving
        | Food,kcal per serving,Protein,Carbs,Fat | Rice,365,7,80,1 | Bar,250,5,30,12.5
      HEADER: it has a row for each figure, which the column "x" names; its headings are "Food,x,y". Make it a table with
        | Food,x,y | Bar,kcal,250 | Bar,Protein,5 | Bar,Fat,12.5 | Egg,kcal,143 | Egg,Protein,12.6
      HEADER: it has a row for each figure, which the column "Nutrient" names
        | Code,Nutrient,Value | 1,kcal,250 | 2,kcal,143 | 3,kcal,61 | 4,kcal,89
      HEADER: this is a diary: it has dates (column "Date") and meals (column "Meal")
        | Food,kcal,Protein,Carbs,Fat,Date,Meal | Rice,365,7,80,1,1 May,Lunch | Bar,250,5,30,12.5,1 May,Lunch
    `),
  )('refuses: %s', async (message = '', ...lines) => {
    const refusal = await refusalOf([await save(way, tableOf(lines))]);
    const sentence = message.replace(/^HEADER/, `FILE${way.header}`).replace('PLACE', way.place(1));
    expect(refusal.replace(/^Data file "[^"]*"/, 'FILE')).toContain(sentence);
  });
});
