/**
 * Finds the one data file in a zip, beside what programs and people pack with it.
 */
import { shown, UserError } from '../../errors.ts';
import type { Archive } from './archive.ts';

/** The ends of the names of data files, also where they are packed once more. */
const DATA = /\.(csv|tsv|tab|txt|json|jsonl|ndjson|xlsx|xlsm|parquet|sqlite3?|db)(\.(gz|zst))?$/i;

/** What describes data. Such a file counts as data only where nothing else does. */
const ABOUT =
  /^(read.?me|licen[cs]e|copying|copyright|notice|change.?log|changes|history|authors|credits|citation|about|metadata|meta|data.?package|data.?dictionary|codebook|schema|manifest|checksums?|sha256sums?|md5sums?)\b/i;

/** @throws UserError where there is none, or more than one */
export function dataEntry(archive: Archive, expected: string): string {
  const data = archive.tables.filter((name) => DATA.test(name));
  const plain = data.filter((name) => !ABOUT.test(name));
  const candidates = plain.length > 0 ? plain : data;
  const [only, second] = candidates.length === 0 ? archive.tables : candidates;
  if (only !== undefined && second === undefined) return only;
  const names = (candidates.length === 0 ? archive.tables : candidates).slice(0, 3).map(shown).join(', ');
  if (candidates.length > 1)
    throw new UserError(
      `${archive.where}: the zip holds ${candidates.length} data files (${names}${candidates.length > 3 ? ' …' : ''}), but not ${expected} of FoodData Central. Unpack it and name the one to read, or several.`,
    );
  throw new UserError(
    `${archive.where}: the zip holds neither ${expected} nor one data file alone (it holds ${names || 'nothing'}). Of FoodData Central take the CSV form of a download.`,
  );
}
