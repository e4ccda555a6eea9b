/**
 * Reads the table of other names that `OTHER_NAMES` names.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CsvError, parse } from 'csv-parse/sync';
import { NO_OTHER_NAMES, type OtherNames } from '../catalog.ts';
import { shown, UserError } from '../errors.ts';
import { unreadable } from '../readers/bytes/data-file.ts';
import { type OtherName, OtherNameTable } from '../search/words/other-names.ts';

/** The same relative path from `src` and from `dist`. */
const SHIPPED = fileURLToPath(new URL('../../data/other-names.csv', import.meta.url));

const COLUMNS = ['name', 'other'] as const;

/**
 * @param setting a path, or "none"; undefined: the table that ships with the project
 * @throws UserError that names the file and the line
 */
export async function readOtherNames(setting: string | undefined): Promise<OtherNames> {
  if (setting === 'none') return NO_OTHER_NAMES;
  const file = setting ?? SHIPPED;
  const text = await readFile(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  return new OtherNameTable(rowsOf(text, file));
}

function rowsOf(text: Buffer, file: string): OtherName[] {
  const at = (line: number): string => `OTHER_NAMES: ${shown(file)}, line ${line}`;
  try {
    const rows = parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true, info: true });
    return (rows as unknown as { record: Record<string, string>; info: { lines: number } }[]).map(
      ({ record: { name, other }, info: { lines } }) => {
        if (name === undefined || other === undefined)
          throw new UserError(`${at(1)}: the header lacks ${COLUMNS.join(' or ')}. Name both columns.`);
        if (name === '' || other === '')
          throw new UserError(`${at(lines)}: a name is empty. Fill both cells.`);
        return { name, other };
      },
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UserError(`${at(Number(error.lines ?? 1))}: ${error.message}`);
  }
}
