/** Measures the import, size and searches of the PostgreSQL catalog. */

import type { FoundAnswer } from '#core';
import { parsePostgresUrl } from '#postgres';
import { readOtherNames } from '#service';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { Postgres } from '../../test/support/postgres.ts';
import { type DataSet, searchable } from '../tools/data-sets.ts';
import { spreadOf } from '../tools/measure.ts';
import { measureImport } from '../tools/process.ts';
import { typedTexts } from '../tools/typed-texts.ts';
import { SEED, textsOf } from '../tools/workload.ts';

/** Distinct texts. */
const TEXTS = 5000;

/** A small dedicated machine, with every safeguard for the data on. */
const SETTINGS = { shared_buffers: '1GB', maintenance_work_mem: '256MB', fsync: 'on' };

/** Times in ms; bytes of each table with its index. @throws if an answer differs from that of the index file */
export async function measurePostgres(set: DataSet) {
  const server = await Postgres.start(SETTINGS);
  try {
    const { seconds } = await measureImport(set.csv, server.url());
    const [{ version } = { version: '' }] = await server.query(
      "SELECT current_setting('server_version') AS version",
    );
    const sizes = await server.query(
      `SELECT regexp_replace(relname, '_[0-9]+$', '') AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relnamespace = 'food_lookup'::regnamespace AND relkind = 'r' ORDER BY 1`,
    );
    return {
      version: String(version),
      foods: set.descriptions.length,
      importSeconds: seconds,
      sizes: Object.fromEntries(sizes.map(({ name, bytes }) => [String(name), Number(bytes)])),
      ...(await measureSearches(server, set)),
    };
  } finally {
    await server.remove();
  }
}

async function measureSearches(server: Postgres, set: DataSet) {
  const texts = textsOf(set.descriptions, TEXTS);
  const typed = [...typedTexts(set.descriptions, TEXTS, SEED)];
  const index = await searchable(set);
  const catalog = await PostgresCatalog.open(parsePostgresUrl(server.url()));
  const names = await readOtherNames('data/other-names.csv');
  // Unmeasured searches, which let V8 compile the code and open the connections.
  for (const text of texts) await catalog.search(text.slice(0, 2));
  const search = await measureSearch(
    texts,
    (text) => catalog.search(text),
    (text) => index.search(text),
  );
  await catalog.searchWords('', names);
  const words = await measureSearch(
    typed,
    (text) => catalog.searchWords(text, names),
    (text) => index.searchWords(text, names).body,
  );
  await catalog.close();
  return { search, words };
}

async function measureSearch(
  texts: readonly string[],
  search: (text: string) => Promise<FoundAnswer>,
  expected: (text: string) => Uint8Array,
) {
  const times: number[] = [];
  for (const text of texts) {
    const start = performance.now();
    const { body } = await search(text);
    times.push(performance.now() - start);
    if (Buffer.compare(body, expected(text)) !== 0)
      throw new Error(`a different answer to ${JSON.stringify(text)}`);
  }
  return { ...spreadOf(times), texts: texts.length };
}
