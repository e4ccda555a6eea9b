/**
 * Finds the data file in a zip among the other files that programs and people add.
 */
import { shown, UserError } from '../../errors.ts';
import type { Archive } from './archive.ts';

/** The extensions of data files, even if they are packed again. */
const DATA = /\.(csv|tsv|tab|txt|json|jsonl|ndjson|xlsx|xlsm|parquet|sqlite3?|db)(\.(gz|zst))?$/i;

/** Files that describe data. They count as data only if nothing else does. */
const ABOUT =
  /^(read.?me|licen[cs]e|copying|copyright|notice|change.?log|changes|history|authors|credits|citation|about|metadata|meta|data.?package|data.?dictionary|codebook|schema|manifest|checksums?|sha256sums?|md5sums?)\b/i;

/** @throws UserError if there is none, or more than one */
export function dataEntry(archive: Archive, expected: string): string {
  const data = archive.tables.filter((name) => DATA.test(name));
  const plain = data.filter((name) => !ABOUT.test(name));
  const candidates = plain.length > 0 ? plain : data;
  const zips = archive.tables.filter((name) => /\.zip$/i.test(name));
  if (candidates.length === 0 && zips.length > 1)
    throw new UserError(
      `${archive.where}: the zip contains ${zips.length} other zips (${zips.slice(0, 3).map(shown).join(', ')}${zips.length > 3 ? ' …' : ''}). Unpack it and name the one to read, or several.`,
    );
  const [only, second] = candidates.length === 0 ? archive.tables : candidates;
  if (only !== undefined && second === undefined) return only;
  const names = (candidates.length === 0 ? archive.tables : candidates).slice(0, 3).map(shown).join(', ');
  if (candidates.length > 1)
    throw new UserError(
      `${archive.where}: the zip contains ${candidates.length} data files (${names}${candidates.length > 3 ? ' …' : ''}), but not ${expected} of FoodData Central. Unpack it and name the one to read, or several.`,
    );
  throw new UserError(
    `${archive.where}: the zip contains neither ${expected} nor exactly one data file (it contains ${names || 'nothing'}). From FoodData Central, use a CSV download.`,
  );
}

/** Documents that are zips inside: the entry that shows it, their kind, and what to do. */
const DOCUMENTS: readonly (readonly [entry: string, kind: string, remedy: string])[] = [
  ['xl/workbook.bin', 'a binary Excel workbook (.xlsb)', 'Save it as an Excel workbook (.xlsx)'],
  ['word/document.xml', 'a Word document', 'Copy the table in it into a spreadsheet and save that'],
  ['ppt/presentation.xml', 'a presentation', 'Copy the table in it into a spreadsheet and save that'],
  ['META-INF/manifest.xml', 'an OpenDocument file (.ods)', 'Save it as an Excel workbook (.xlsx) or CSV'],
  ['Index/Document.iwa', 'a Numbers file', 'Export it as an Excel workbook (.xlsx) or CSV'],
];

/** Whether the archive is an Excel workbook. @throws UserError if it is another document */
export function isWorkbook(archive: Archive): boolean {
  const document = DOCUMENTS.find(([entry]) => archive.has(entry));
  if (document !== undefined) {
    const [, kind, remedy] = document;
    throw new UserError(`${archive.where} is ${kind}, which is not read. ${remedy}.`);
  }
  return archive.has('[Content_Types].xml');
}
