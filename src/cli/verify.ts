/**
 * `food-lookup verify FILE`: reads every byte of an index file and reports whether it is intact.
 */
import { readIndexFile } from '../catalogs/index/index-file.ts';
import { shown, UserError, WrongUse } from '../errors.ts';
import { foodCount } from '../food.ts';
import { detectKind } from '../readers/bytes/file-kind.ts';
import { isPostgresUrl } from '../settings/postgres-url.ts';
import { print } from './print.ts';

/** @throws UserError that says what is wrong with the file */
export async function verify(file: string): Promise<void> {
  await requireIndex(file);
  const { index, label, identity, size } = await readIndexFile(file);
  print([
    `${file} is intact: ${label.name} of ${label.date}, ${foodCount(index.entryStarts.length - 1)}, ${size.toLocaleString('en')} bytes, identity ${identity}`,
  ]);
}

/** @throws UserError if the file does not exist or is not an index */
export async function requireIndex(file: string): Promise<void> {
  if (isPostgresUrl(file)) {
    throw new WrongUse(
      'verify reads index files. An import checks the tables of a database before it switches to them; PostgreSQL itself can check them later (pg_amcheck, data checksums).',
    );
  }
  if ((await detectKind(file)) === 'index') return;
  throw new UserError(
    `Index file ${shown(file)}: this file is not an index of food-lookup. Make one: food-lookup import SOURCE --to foods.idx`,
  );
}
