/**
 * Reads the table of other names that `OTHER_NAMES` names.
 */
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NO_OTHER_NAMES, type OtherNames } from '../catalog.ts';
import { shown, UserError } from '../errors.ts';
import { unreadable } from '../readers/bytes/data-file.ts';
import { COMMAS } from '../readers/tables/row-splitter.ts';
import { faultOf, scanTable } from '../readers/tables/table.ts';
import { type OtherName, OtherNameTable } from '../search/words/other-names.ts';

/** The same relative path from `src` and from `dist`. */
const SHIPPED = fileURLToPath(new URL('../../data/other-names.csv', import.meta.url));

/**
 * @param setting path of a CSV file with the columns `name` and `other`, or "none"; undefined: the table that ships with the project
 * @throws UserError that names the file and the line
 */
export async function readOtherNames(setting: string | undefined): Promise<OtherNames> {
  if (setting === 'none') return NO_OTHER_NAMES;
  const file = setting ?? SHIPPED;
  const where = `OTHER_NAMES: ${shown(file)}`;
  const names: OtherName[] = [];
  let cells = { name: 0, other: 0 };
  try {
    await scanTable(createReadStream(file), COMMAS, where, {
      header: (header) => {
        cells = { name: header.need('name'), other: header.need('other') };
      },
      row: (row, width) => {
        const pair = { name: row.text(cells.name).trim(), other: row.text(cells.other).trim() };
        const isEmpty = pair.name === '' || pair.other === '';
        const fault = faultOf(row, width) ?? (isEmpty ? 'a name is empty; fill both cells' : undefined);
        if (fault !== undefined) throw new UserError(`${where}, line ${row.line}: ${fault}.`);
        names.push(pair);
      },
    });
  } catch (error) {
    throw unreadable(file, error);
  }
  return new OtherNameTable(names);
}
