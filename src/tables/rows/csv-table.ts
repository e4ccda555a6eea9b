/** One table: its columns by name, its rows by callback. */
import { amount, shown, UserError } from '#core';
import type { Bytes } from '../bytes/streams.ts';
import { type Dialect, MAX_CELLS, type Row, RowSplitter } from './row-splitter.ts';

export type Header = ReturnType<typeof headerOf>;

/** The columns of a table by their names, trimmed and in lower case. */
function headerOf(texts: readonly string[], where: string) {
  const names = texts.map((name) => name.trim().toLowerCase());
  return {
    names,
    /** The positions of columns by name, -1 if there is none. @throws UserError */
    columns: <Name extends string>(needed: readonly Name[], others: readonly Name[] = []) => {
      const missing = needed.find((name) => !names.includes(name));
      if (missing !== undefined)
        throw new UserError(
          `${where}, line 1: there is no column ${shown(missing)}; the header names ${shown(names.join(','))}. Is this another format, or a newer one?`,
        );
      const positions = [...needed, ...others].map((name) => [name, names.indexOf(name)] as const);
      return Object.fromEntries(positions) as Record<Name, number>;
    },
  };
}

/** Takes the header, and returns what makes an item, or nothing, of a row below and the fault of its cells. */
export type TableReader<Item = never> = (
  header: Header,
) => (row: Row, fault: string | undefined) => Item | undefined;

export function rowFault(row: Pick<Row, 'broken' | 'count'>, width: number): string | undefined {
  if (row.broken !== undefined) return 'a quote is not closed, or closed in the middle of a cell';
  return row.count === width
    ? undefined
    : 'the number of cells is not that of the header: shifted or cut off';
}

export function requireWidth({ count, line }: Row, where: string): void {
  if (count <= MAX_CELLS) return;
  throw new UserError(
    `${where}, line ${line}: ${amount(count)} cells, of which only ${amount(MAX_CELLS)} are read. Leave out columns.`,
  );
}

/** What a function makes of the rows, after each chunk of bytes. */
export async function* readRows<Item>(
  bytes: Bytes,
  dialect: Dialect,
  where: string,
  take: (row: Row) => Item | undefined,
): AsyncGenerator<Item[]> {
  let items: Item[] = [];
  const splitter = new RowSplitter(dialect, where, (row) => {
    const item = take(row);
    if (item !== undefined) items.push(item);
  });
  for await (const chunk of bytes) {
    splitter.push(chunk);
    yield items;
    items = [];
  }
  splitter.end();
  yield items;
}

/** The same for the rows below the header. */
export async function* readTable<Item>(
  bytes: Bytes,
  dialect: Dialect,
  where: string,
  reader: TableReader<Item>,
): AsyncGenerator<Item[]> {
  let width = 0;
  let read: ReturnType<TableReader<Item>> | undefined;
  yield* readRows(bytes, dialect, where, (row) => {
    if (read !== undefined) return read(row, rowFault(row, width));
    requireWidth(row, where);
    width = row.count;
    read = reader(headerOf(row.texts, where));
    return undefined;
  });
  if (read === undefined) throw new UserError(`${where} is empty. Download or unpack it again.`);
}
