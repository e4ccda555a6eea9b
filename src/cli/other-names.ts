/**
 * The other names of foods that `OTHER_NAMES` names.
 */
import { fileURLToPath } from 'node:url';
import { NO_OTHER_NAMES, type OtherNames } from '../catalog.ts';
import { UserError } from '../errors.ts';
import { readNamePairs } from '../readers/other-names.ts';
import { OtherNameTable } from '../search/words/other-names.ts';

/** The same relative path from `src` and from `dist`. */
const SHIPPED = fileURLToPath(new URL('../../data/other-names.csv', import.meta.url));

/**
 * @param setting path of a table, or "none"; undefined: the table that ships with the project
 * @throws UserError if the table cannot be used
 */
export async function readOtherNames(setting: string | undefined): Promise<OtherNames> {
  if (setting === 'none') return NO_OTHER_NAMES;
  try {
    return new OtherNameTable(await readNamePairs(setting ?? SHIPPED));
  } catch (error) {
    throw error instanceof UserError ? new UserError(`OTHER_NAMES: ${error.message}`) : error;
  }
}
