/**
 * Reads a table of other names of foods: a CSV file with the columns `name` and `other`.
 */
import { createReadStream } from 'node:fs';
import type { NamePair } from '../foods/catalog.ts';
import { shown, UserError } from '../system/errors.ts';
import { refusePipe } from './bytes/file-kind.ts';
import { unreadable } from './bytes/streams.ts';
import { COMMAS } from './tables/row-splitter.ts';
import { faultOf, scanTable } from './tables/table.ts';

const COLUMNS = 'A table of other names is a CSV file with the columns name and other.';

/** @throws UserError that names the file and the line */
export async function readNamePairs(file: string): Promise<NamePair[]> {
  const pairs: NamePair[] = [];
  const where = shown(file);
  try {
    await refusePipe(file);
    await scanTable(createReadStream(file), COMMAS, where, (header) => {
      const cells = { name: header.need('name', COLUMNS), other: header.need('other', COLUMNS) };
      return (row, width) => {
        const pair = { name: row.text(cells.name).trim(), other: row.text(cells.other).trim() };
        const isEmpty = pair.name === '' || pair.other === '';
        const fault = faultOf(row, width) ?? (isEmpty ? 'a name is empty; fill both cells' : undefined);
        if (fault !== undefined) throw new UserError(`${where}, line ${row.line}: ${fault}.`);
        pairs.push(pair);
      };
    });
  } catch (error) {
    throw unreadable(file, error);
  }
  return pairs;
}
