/**
 * PostgreSQL behind `FoodCatalog`: a data set that is larger than the memory of a machine, or shared by several services. Its
 * tables have what an index has, so the answers are the same (`docs/postgresql.md`).
 *
 * The driver is loaded with the first connection, because loading it takes a tenth of the time of a start.
 */
import type { FileLabel, IndexSections } from '#engine';
import type { LoadProgress } from './blocks.ts';
import type { PostgresCatalog } from './postgres-catalog.ts';
import type { PostgresUrl } from './servers/postgres-url.ts';

export type { LoadPhase } from './blocks.ts';
export {
  isPostgresUrl,
  type PostgresUrl,
  parsePostgresUrl,
  shownPostgresUrl,
} from './servers/postgres-url.ts';

/**
 * Opens the data set of a database for searches.
 * @param patience ms to wait for a server that may be starting or busy
 * @throws UserError if no server can be used, or none has a data set
 */
export async function openStore(url: PostgresUrl, patience?: number): Promise<PostgresCatalog> {
  return (await import('./postgres-catalog.ts')).PostgresCatalog.open(url, patience);
}

/** Checks that an import into the database could begin now. @throws UserError if not, with what to do */
export async function checkStore(url: PostgresUrl): Promise<void> {
  await (await (await import('./load.ts')).connectForImport(url)).end();
}

/**
 * Replaces the data set of a database in one transaction: searches get the old one or the new one.
 * @returns bytes of its tables and their indexes
 * @throws UserError if the database refuses; the old data set then stays
 */
export async function loadStore(
  url: PostgresUrl,
  index: IndexSections,
  label: FileLabel,
  progress: LoadProgress,
): Promise<number> {
  return (await import('./load.ts')).loadIndexInto(url, index, label, progress);
}
