/** A set of tables by their base names: an unpacked folder, or a zip (zip.ts), in which the data file is found. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { shown, UserError } from '#core';
import { type Bytes, dataFile, fileBytes, held, unreadable, withCount } from './streams.ts';

export interface Archive {
  readonly where: string;
  readonly names: readonly string[];
  readonly tables: readonly string[];
  /** A zip knows its entries by their whole paths, too. */
  has(table: string): boolean;
  /** The number of bytes of a table as stored; 0 if it is absent. */
  size(table: string): number;
  /** The bytes of the table of this exact base name; a table may be read repeatedly. */
  read(table: string): Bytes;
  close(): void;
}

/** Opens a folder that contains `table`, or whose only folder does. */
export async function openFolder(
  folder: string,
  table: string,
  onBytes: (count: number) => void,
): Promise<Archive> {
  const folders = (await entriesOf(folder)).filter((entry) => entry.isDirectory());
  const found: string[] = [];
  for (const each of [folder, ...folders.map(({ name }) => join(folder, name))]) {
    const entries = found[0] === folder ? [] : await entriesOf(each);
    if (entries.some((entry) => entry.name === table && !entry.isDirectory())) found.push(each);
  }
  const [inside, second] = found;
  const where = dataFile(folder);
  if (inside === undefined)
    throw new UserError(
      `${where}: this is a folder without ${table}. Name a data file, or the folder of an unpacked FoodData Central download.`,
    );
  if (second !== undefined) {
    const names = [inside, second].map((each) => shown(basename(each))).join(' and ');
    throw new UserError(`${where}: both ${names} contain ${table}. Name one of these folders.`);
  }
  const sizes = new Map<string, number>();
  for (const entry of await entriesOf(inside))
    if (!entry.isDirectory()) sizes.set(entry.name, (await stat(join(inside, entry.name))).size);
  return {
    where,
    names: [basename(inside), basename(folder)],
    tables: [...sizes.keys()],
    has: (name) => sizes.has(name),
    size: (name) => sizes.get(name) ?? 0,
    read: (name) => withCount(fileBytes(join(inside, name)), onBytes),
    close: () => {},
  };
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(folder, error);
  });

const DATA = /\.(csv|tsv|tab|txt|json|jsonl|ndjson|xlsx|xlsm|xls|ods|parquet|sqlite3?|db)(\.(gz|zst))?$/i;

/** Files that describe data. They count as data only if nothing else does. */
const ABOUT =
  /^(read.?me|licen[cs]e|copying|copyright|notice|change.?log|changes|history|authors|credits|citation|about|metadata|meta|data.?package|data.?dictionary|codebook|schema|manifest|checksums?|sha256sums?|md5sums?)\b/i;

/** @throws UserError if there is none, or more than one */
export function dataEntry({ tables, where }: Archive, expected: string): string {
  const data = tables.filter((name) => DATA.test(name));
  const plain = data.filter((name) => !ABOUT.test(name));
  const [found = []] = [plain, data, tables].filter(({ length }) => length > 0);
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  const some = found.slice(0, 3).map(shown).join(', ') + (found.length > 3 ? ' …' : '');
  throw new UserError(
    `${where}: the zip contains neither ${expected} of FoodData Central nor exactly one data file (it contains ${some || 'nothing'}). Unpack it and name the one to read, or several.`,
  );
}

/** Documents that are zips inside: the entry that shows it, their kind, and what to do. */
const DOCUMENTS: readonly (readonly [entry: string, kind: string, remedy: string])[] = [
  ['xl/workbook.bin', 'a binary Excel workbook (.xlsb)', 'Save it as an Excel workbook (.xlsx)'],
  ['Index/Document.iwa', 'a Numbers file', 'Export it as an Excel workbook (.xlsx) or CSV'],
];

/** Whether the archive is an Excel workbook. @throws UserError if it is another document */
export function isWorkbook(archive: Archive): boolean {
  const [, kind, remedy] = DOCUMENTS.find(([entry]) => archive.has(entry)) ?? [];
  if (kind !== undefined) throw new UserError(`${archive.where} is ${kind}, which is not read. ${remedy}.`);
  return archive.has('[Content_Types].xml');
}

const MANIFEST = 'META-INF/manifest.xml';
const MAX_CONTENT = 128 * 1024 * 1024;

/** Whether the archive is an OpenDocument file. @throws UserError if it has a password, or is much larger than it seems */
export async function isOpenDocument(archive: Archive): Promise<boolean> {
  if (!archive.has(MANIFEST) || !archive.has('content.xml')) return false;
  const manifest = await held(archive.read(MANIFEST), archive.where);
  if (manifest.includes('encryption-data'))
    throw new UserError(`${archive.where} has a password. Save it without one.`);
  let size = 0;
  for await (const { length } of archive.read('content.xml')) {
    size += length;
    if (size > MAX_CONTENT)
      throw new UserError(`${archive.where}: its table is larger than 128 MiB. Save it as CSV.`);
  }
  return true;
}
