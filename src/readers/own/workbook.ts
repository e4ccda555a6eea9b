/**
 * Foods from the sheet of an Excel workbook that has the columns of foods.
 */
import { shown, UserError } from '../../errors.ts';
import type { FoodRecord } from '../../food.ts';
import type { Archive } from '../bytes/archive.ts';
import type { SourceReport } from '../report/source-report.ts';
import { UNCALCULATED, Workbook } from '../tables/workbook.ts';
import { type ColumnOptions, countFields } from './candidates.ts';
import { basisOfTitle } from './heading.ts';
import { OwnFoods, type OwnTable } from './own-foods.ts';
import { basisRank, compare } from './plan.ts';
import { HEADER_ROWS } from './table-header.ts';

export interface WorkbookSource {
  readonly archive: Archive;
  readonly report: SourceReport;
  /** With the sheet to read; by default the one with most columns of foods. */
  readonly options: ColumnOptions & { readonly table?: string };
}

/** The foods, in batches, including those without a description. @throws UserError that names the rows and columns */
export async function* readWorkbook({
  archive,
  report,
  options,
}: WorkbookSource): AsyncGenerator<FoodRecord[]> {
  const book = await Workbook.open(archive);
  const { sheets, others } = await chooseSheets(book, options, archive.where);
  const names = sheets.map(shown).join(', ');
  const part = `${sheets.length > 1 ? 'sheets' : 'sheet'} ${[names, ...others.map(shown)].join(' rather than ')}`;
  report.part = report.part === '' ? part : `${report.part}, ${part}`;
  for (const sheet of sheets) {
    const where = `${archive.where}, sheet ${shown(sheet)}`;
    yield* foodsOfSheet(book, { where, report, options, commas: true, title: sheet });
  }
}

async function* foodsOfSheet(
  book: Workbook,
  table: OwnTable & { title: string },
): AsyncGenerator<FoodRecord[]> {
  const { where, title: sheet } = table;
  const foods = new OwnFoods(table);
  for await (const { row, cells } of book.rows(sheet)) {
    const tableRow = {
      width: cells.length,
      cell: (index: number) => {
        const cell = cells[index];
        if (cell === UNCALCULATED && foods.reads(index))
          throw new UserError(
            `${where}, row ${row}: it has a formula without its value. Open the workbook and save it again.`,
          );
        // A food may be named `1664`, which a workbook keeps as a number.
        return typeof cell === 'number' && foods.names(index) ? String(cell) : cell;
      },
    };
    foods.row(tableRow, () => `row ${row}`);
    if (foods.isBatch) yield foods.take();
  }
  yield foods.end();
}

interface Choice {
  /** The sheets to read: several if they are parts of one table. */
  readonly sheets: readonly string[];
  /** Further sheets with columns of foods. */
  readonly others: readonly string[];
}

/** @throws UserError if no sheet has the columns of foods, or the wanted one is missing */
async function chooseSheets(
  book: Workbook,
  options: WorkbookSource['options'],
  where: string,
): Promise<Choice> {
  const { sheets } = book;
  const names = sheets.slice(0, 10).map(shown).join(', ');
  if (options.table !== undefined) {
    const wanted = options.table.toLowerCase();
    const sheet =
      sheets.find((name) => name === options.table) ?? sheets.find((name) => name.toLowerCase() === wanted);
    if (sheet !== undefined) return { sheets: [sheet], others: [] };
    throw new UserError(
      `${where}: there is no sheet ${shown(options.table)}; it has ${names}. Name one of them with --table.`,
    );
  }
  const [only, second] = sheets;
  if (only !== undefined && second === undefined) return { sheets: [only], others: [] };
  const found: SheetHeader[] = [];
  for (const [i, sheet] of sheets.entries()) {
    const header = await headerOf(book, sheet, options);
    found.push({ ...header, rank: [i < book.visible ? 0 : 1, ...header.rank] });
  }
  const fitting = found
    .filter(({ fields }) => fields >= 2)
    .toSorted((a, b) => compare([...a.rank, -a.fields], [...b.rank, -b.fields]));
  const [best] = fitting;
  if (best !== undefined) {
    // A sheet for each group of foods.
    const isPart = (each: SheetHeader): boolean =>
      each.header === best.header && compare(each.rank, best.rank) === 0;
    const nameOf = ({ sheet }: SheetHeader): string => sheet;
    return {
      sheets: fitting.filter(isPart).map(nameOf),
      others: fitting.filter((each) => !isPart(each)).map(nameOf),
    };
  }
  throw new UserError(
    `${where}: no sheet has columns of foods; it has ${names}. Name the one to read with --table, and its columns with --column.`,
  );
}

interface SheetHeader {
  readonly sheet: string;
  /** The number of fields that the header names. */
  readonly fields: number;
  readonly header: string;
  /** Smaller is better: a visible sheet, figures per 100 g. */
  readonly rank: readonly number[];
}

async function headerOf(book: Workbook, sheet: string, options: ColumnOptions): Promise<SheetHeader> {
  let best = { fields: 0, header: '' };
  const titles = [sheet];
  let rows = 0;
  for await (const { cells } of book.rows(sheet)) {
    const headings = Array.from(cells, (cell) => String(cell ?? ''));
    const fields = countFields(headings, options);
    if (fields > best.fields) best = { fields, header: JSON.stringify(headings) };
    if (best.fields === 0) titles.push(...headings);
    if (++rows >= HEADER_ROWS) break;
  }
  const basis = titles.map(basisOfTitle).find((each) => each !== undefined);
  return { ...best, sheet, rank: [basisRank(basis)] };
}
