/** Foods from the sheet of an Excel workbook that has the columns of foods. */
import { type FoodRecord, shown, UserError } from '#core';
import { UNCALCULATED, type Workbook } from '../rows/workbook.ts';
import { basisOfTitle } from '../words/headings.ts';
import { basisRank } from './amounts.ts';
import { type ColumnOptions, compare, countFields } from './candidates.ts';
import { LongTable } from './long-table.ts';
import { OwnFoods } from './own-foods.ts';
import { isOfFoods } from './plan.ts';
import type { OwnSource } from './row-reader.ts';
import { TableHeader } from './table-header.ts';

export async function* readWorkbook(
  opening: Promise<Workbook>,
  { where: at, report, options }: OwnSource,
): AsyncGenerator<FoodRecord[]> {
  const book = await opening;
  const { sheets, others } = await chooseSheets(book, options, at);
  const names = sheets.map(shown).join(', ');
  const part = `${sheets.length > 1 ? 'sheets' : 'sheet'} ${[names, ...others.map(shown)].join(' rather than ')}`;
  report.part = report.part === '' ? part : `${report.part}, ${part}`;
  for (const title of sheets) {
    const where = `${at}, sheet ${shown(title)}`;
    const foods = new OwnFoods({ where, report, options, commas: true, title });
    for await (const { row, cells } of book.rows(title)) {
      const cell = (index: number) => {
        const value = cells[index];
        if (value === UNCALCULATED && foods.columns?.needs.has(index))
          throw new UserError(
            `${where}, row ${row}: it has a formula without its value. Open the workbook and save it again.`,
          );
        return value;
      };
      foods.row({ width: cells.length, cell, place: () => `row ${row}` });
      if (foods.isBatch) yield foods.take();
    }
    yield foods.end();
  }
}

type Sheet = Awaited<ReturnType<typeof sheetHeader>>;

/** The sheets to read, and others with columns of foods. */
async function chooseSheets(book: Workbook, options: ColumnOptions, where: string) {
  const { sheets } = book;
  const names = sheets.slice(0, 10).map(shown).join(', ');
  const { table } = options;
  if (table !== undefined) {
    const sheet =
      sheets.find((name) => name === table) ??
      sheets.find((name) => name.toLowerCase() === table.toLowerCase());
    if (sheet !== undefined) return { sheets: [sheet], others: [] };
    throw new UserError(
      `${where}: there is no sheet ${shown(table)}; it has ${names}. Name one of them with --table.`,
    );
  }
  if (sheets.length === 1) return { sheets, others: [] };
  const headers: Sheet[] = [];
  for (const sheet of sheets) headers.push(await sheetHeader(book, sheet, options, where));
  const [best, ...others] = headers
    .filter(({ fields }) => fields >= 2)
    .toSorted((a, b) => compare(a.rank, b.rank));
  const long = headers.find(({ fault }) => fault !== undefined)?.fault;
  if (best === undefined && long !== undefined) throw long;
  if (best === undefined)
    throw new UserError(
      `${where}: no sheet has columns of foods; it has ${names}. Name the one to read with --table, and its columns with --column.`,
    );
  // A sheet for each group of foods.
  const isPart = ({ header, rank }: Sheet) => header === best.header && compare(rank, best.rank) === 0;
  return {
    sheets: [best, ...others.filter(isPart)].map(({ sheet }) => sheet),
    others: others.filter((each) => !isPart(each)).map(({ sheet }) => sheet),
  };
}

/** The header of a sheet, the number of fields that it names, and how good it is; a smaller rank is better. */
async function sheetHeader(book: Workbook, sheet: string, options: ColumnOptions, where: string) {
  const at = `${where}, sheet ${shown(sheet)}`;
  const header = new TableHeader(options, at);
  let headings: readonly string[] = [];
  let fault: LongTable | undefined;
  try {
    headings = await headingsOf(header, book.rows(sheet), at);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (error instanceof LongTable) fault = error;
  }
  const fields = countFields(headings, options);
  const titles = [sheet, ...header.titles];
  const basis = basisRank(titles.map(basisOfTitle).find((each) => each !== undefined));
  const hidden = book.sheets.indexOf(sheet) < book.visible ? 0 : 1;
  const rank = [hidden, fields > 0 && isOfFoods(headings, options) ? 0 : 1, basis, -fields];
  return { fields, header: JSON.stringify(headings), sheet, rank, fault };
}

async function headingsOf(header: TableHeader, rows: ReturnType<Workbook['rows']>, where: string) {
  for await (const { row, cells } of rows) {
    const texts = Array.from(cells, (cell) => String(cell ?? ''));
    const found = header.take(texts, `${where}, row ${row}`);
    if (found !== undefined) return found.headings;
  }
  return header.end().headings;
}
