/**
 * Foods from the sheet of an Excel workbook that has the columns of foods.
 */
import { shown, UserError } from '../../errors.ts';
import type { FoodRecord } from '../../food.ts';
import type { Archive } from '../bytes/archive.ts';
import type { SourceReport } from '../report/source-report.ts';
import { UNCALCULATED, Workbook } from '../tables/workbook.ts';
import { inBatches } from './batches.ts';
import { type ColumnOptions, countFields } from './candidates.ts';
import { HEADER_ROWS, OwnFoods } from './own-foods.ts';

export interface WorkbookSource {
  readonly archive: Archive;
  readonly report: SourceReport;
  /** With the sheet to read; by default the one with most columns of foods. */
  readonly options: ColumnOptions & { readonly table?: string };
}

/** The foods, in batches, including those without a description. @throws UserError that names the rows and columns */
export const readWorkbook = (source: WorkbookSource): AsyncGenerator<FoodRecord[]> =>
  inBatches(foodsOf(source));

async function* foodsOf({ archive, report, options }: WorkbookSource): AsyncGenerator<FoodRecord> {
  const book = await Workbook.open(archive);
  const { sheet, others } = await chooseSheet(book, options, archive.where);
  const part = `sheet ${[sheet, ...others].map(shown).join(' rather than ')}`;
  report.part = report.part === '' ? part : `${report.part}, ${part}`;
  const where = `${archive.where}, sheet ${shown(sheet)}`;
  const foods = new OwnFoods({ where, report, options, commas: true });
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
    const food = foods.row(tableRow, () => `row ${row}`);
    if (food !== undefined) yield food;
  }
  foods.end();
}

interface Choice {
  readonly sheet: string;
  /** Further sheets with columns of foods. */
  readonly others: readonly string[];
}

/** @throws UserError if no sheet has the columns of foods, or the wanted one is missing */
async function chooseSheet(
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
    if (sheet !== undefined) return { sheet, others: [] };
    throw new UserError(
      `${where}: there is no sheet ${shown(options.table)}; it has ${names}. Name one of them with --table.`,
    );
  }
  const [only, second] = sheets;
  if (only !== undefined && second === undefined) return { sheet: only, others: [] };
  const found: { sheet: string; fields: number }[] = [];
  for (const sheet of sheets) found.push({ sheet, fields: await fieldsOf(book, sheet, options) });
  const [best, ...others] = found
    .filter(({ fields }) => fields >= 2)
    .toSorted((a, b) => b.fields - a.fields)
    .map(({ sheet }) => sheet);
  if (best !== undefined) return { sheet: best, others };
  throw new UserError(
    `${where}: no sheet has columns of foods; it has ${names}. Name the one to read with --table, and its columns with --column.`,
  );
}

/** The number of fields that the header of a sheet names. */
async function fieldsOf(book: Workbook, sheet: string, options: ColumnOptions): Promise<number> {
  let most = 0;
  let rows = 0;
  for await (const { cells } of book.rows(sheet)) {
    const headings = Array.from(cells, (cell) => String(cell ?? ''));
    most = Math.max(most, countFields(headings, options));
    if (++rows >= HEADER_ROWS) break;
  }
  return most;
}
