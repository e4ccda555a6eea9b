/** Tables of names in CSV: those of a user for foods, those that hold for all foods, and those in another language. */
import { isUtf8 } from 'node:buffer';
import { type NamePair, shown, UserError } from '#core';
import { encodingByMark, textOf, UTF8, wordInWindows1252 } from './bytes/encoding.ts';
import { refusePipe } from './bytes/file-kind.ts';
import { fileBytes, held } from './bytes/streams.ts';
import { OwnNames } from './food/names-of-user.ts';
import { endsWithCr, SEPARATORS, withLf } from './own/csv-foods.ts';
import { rowFault } from './rows/csv-table.ts';
import { type Row, RowSplitter } from './rows/row-splitter.ts';

/** Reads names that hold for all foods. @throws UserError that names the file and the line */
export async function readNamePairs(file: string): Promise<NamePair[]> {
  const { rows } = await readNames(file, ['name', 'other']);
  return rows.map(([name, other]) => ({ name, other }));
}

/** Reads a user's own names of foods. @throws UserError that names the file and the line */
export async function readOwnNames(file: string): Promise<OwnNames> {
  const { rows, encoding } = await readNames(file, ['food', 'name']);
  return new OwnNames(
    encoding === UTF8 ? file : `${file} (read as ${encoding})`,
    rows.map(([food, name]) => [food, name]),
  );
}

/**
 * Reads what foods are called in another language, by their descriptions: a name, and others separated by semicolons.
 * @throws UserError that names the file and the line
 */
export async function readTranslations(file: string): Promise<Map<string, [string, ...string[]]>> {
  const { rows } = await readNames(file, ['food', 'name'], ['other names']);
  return new Map(
    rows.map(([food, name, others = '']) => {
      const names = others.split(';').map((each) => each.trim());
      return [food, [name, ...names.filter((each) => each !== '')]] as const;
    }),
  );
}

type Cells = [string, string, ...string[]];

interface TextRow extends Pick<Row, 'line' | 'count' | 'broken'> {
  readonly cells: readonly string[];
}

/** The cells of two columns, which must not be empty, and of further ones, with the encoding of the file. */
async function readNames(file: string, needed: readonly [string, string], others: readonly string[] = []) {
  const where = shown(file);
  await refusePipe(file);
  const { text, encoding } = utf8Of(await held(fileBytes(file), where), where);
  const isHeader = ({ cells }: TextRow): boolean => needed.every((name) => indexOf(cells, name) >= 0);
  let table: readonly TextRow[] = [];
  for (const separator of SEPARATORS) {
    table = rowsIn(text, separator);
    // The first line may be `sep=;`.
    if (table.slice(0, 2).some(isHeader)) break;
  }
  const [header, ...below] = table.slice(table.findIndex(isHeader));
  if (header === undefined || !isHeader(header))
    throw new UserError(
      `${where}, line 1: the header names ${shown(text.toString('utf8').split('\n', 1)[0]?.trim() ?? '')}. A table of other names is a CSV file with the columns ${needed.join(' and ')}.`,
    );
  const columns = [...needed, ...others].map((name) => indexOf(header.cells, name));
  const rows = below
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map((row) => {
      const texts = columns.map((column) => row.cells[column] ?? '');
      const isEmpty = texts.slice(0, needed.length).includes('');
      const fault = rowFault(row, header.count) ?? (isEmpty ? 'a name is empty; fill both cells' : undefined);
      if (fault !== undefined) throw new UserError(`${where}, line ${row.line}: ${fault}.`);
      return texts as Cells;
    });
  return { rows, encoding };
}

const indexOf = (cells: readonly string[], name: string): number =>
  cells.findIndex((cell) => cell.toLowerCase() === name);

function rowsIn(text: Buffer, separator: string): TextRow[] {
  const rows: TextRow[] = [];
  const splitter = new RowSplitter({ separator, quotes: true }, '', ({ texts, line, count, broken }) =>
    rows.push({ cells: texts.map((text) => text.trim()), line, count, broken }),
  );
  splitter.push(text);
  splitter.end();
  return rows;
}

/** The text in UTF-8 with line ends that the splitter knows. @throws UserError unless its encoding is certain */
function utf8Of(bytes: Buffer, where: string): { readonly text: Buffer; readonly encoding: string } {
  const marked = encodingByMark(bytes);
  const likely = marked ?? (isUtf8(bytes) ? UTF8 : wordInWindows1252(bytes)?.[0]);
  if (likely === undefined)
    throw new UserError(`${where}: the text is not UTF-8. Save the table of names as CSV in UTF-8.`);
  const text = Buffer.from(textOf(bytes, likely));
  return { text: endsWithCr(text) ? withLf(text) : text, encoding: likely };
}
