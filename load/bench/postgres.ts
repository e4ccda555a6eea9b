/** Measures the import, size and searches of the PostgreSQL catalog. */

import type { FoundAnswer } from '#core';
import { FoodIndex } from '#engine';
import { parsePostgresUrl } from '#postgres';
import { readIndexFile, readOtherNames } from '#service';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { Postgres } from '../../test/support/postgres.ts';
import type { DataSet } from '../tools/data-sets.ts';
import { spreadOf } from '../tools/measure.ts';
import { measureImport } from '../tools/process.ts';
import { typedTexts } from '../tools/typed-texts.ts';
import { textsOf } from '../tools/workload.ts';

/** Distinct texts. */
const TEXTS = 5000;

const SEED = 28;

/** A small dedicated machine, with every safeguard for the data on. */
const SETTINGS = { shared_buffers: '1GB', maintenance_work_mem: '256MB', fsync: 'on' };

/** Times in ms; bytes of each table with its index. @throws if an answer differs from that of the index file */
export async function measurePostgres({ csv, index: indexFile, descriptions }: DataSet) {
  const server = await Postgres.start(SETTINGS);
  try {
    const { seconds } = await measureImport(csv, server.url());
    const [{ version } = { version: '' }] = await server.query(
      "SELECT current_setting('server_version') AS version",
    );
    const sizes = await server.query(
      `SELECT regexp_replace(relname, '_[0-9]+$', '') AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relnamespace = 'food_lookup'::regnamespace AND relkind = 'r' ORDER BY 1`,
    );
    return {
      version: String(version),
      foods: descriptions.length,
      importSeconds: seconds,
      sizes: Object.fromEntries(sizes.map(({ name, bytes }) => [String(name), Number(bytes)])),
      ...(await measureSearches(server, indexFile, descriptions)),
    };
  } finally {
    await server.remove();
  }
}

async function measureSearches(server: Postgres, indexFile: string, descriptions: readonly string[]) {
  const texts = textsOf(descriptions, TEXTS);
  const typed = [...typedTexts(descriptions, TEXTS, SEED)];
  const index = new FoodIndex((await readIndexFile(indexFile)).index);
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
