/**
 * A set of tables by their base names: an unpacked folder, or a zip (zip.ts).
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { shown, UserError } from '../../errors.ts';
import { dataFile, unreadable } from './data-file.ts';
import { type Bytes, fileBytes } from './streams.ts';

export interface Archive {
  /** Its name in messages. */
  readonly where: string;
  /** Names that may contain a date: that of the file, and that of the folder inside. */
  readonly names: readonly string[];
  /** The base names of all tables. */
  readonly tables: readonly string[];
  /** A zip knows its entries by their whole paths, too. */
  has(table: string): boolean;
  /** The number of bytes of a table as stored; 0 if it is absent. */
  size(table: string): number;
  /** The bytes of the table of this exact base name; a table may be read repeatedly. */
  read(table: string): Bytes;
  close(): void;
}

/**
 * Opens a folder that contains `table`, or whose only folder does.
 * @param onBytes takes the number of bytes of each chunk that is read
 * @throws UserError
 */
export async function openFolder(
  folder: string,
  table: string,
  onBytes: (count: number) => void,
): Promise<Archive> {
  const found = (await tablesOf(folder, table)) ?? (await tablesBelow(folder, table));
  if (found === undefined) {
    throw new UserError(
      `${dataFile(folder)}: this is a folder without ${table}. Name a data file, or the folder of an unpacked FoodData Central download.`,
    );
  }
  const { inside, tables } = found;
  const sizes = new Map<string, number>();
  for (const name of tables) sizes.set(name, (await stat(join(inside, name))).size);
  return {
    where: dataFile(folder),
    names: [basename(inside), basename(folder)],
    tables,
    has: (name) => sizes.has(name),
    size: (name) => sizes.get(name) ?? 0,
    read: (name) => fileBytes(join(inside, name), onBytes),
    close: () => {},
  };
}

type Tables = { inside: string; tables: string[] };

async function tablesOf(folder: string, table: string): Promise<Tables | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const tables = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    return tables.includes(table) ? { inside: folder, tables } : undefined;
  } catch (error) {
    throw unreadable(folder, error);
  }
}

async function tablesBelow(folder: string, table: string): Promise<Tables | undefined> {
  const folders = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const found: Tables[] = [];
  for (const { name } of folders) {
    const tables = await tablesOf(join(folder, name), table);
    if (tables !== undefined) found.push(tables);
  }
  if (found.length > 1) {
    const names = found.map(({ inside }) => shown(basename(inside))).join(' and ');
    throw new UserError(`${dataFile(folder)}: both ${names} contain ${table}. Name one of these folders.`);
  }
  return found[0];
}
