/**
 * What `inspect` shows of the data set in a database.
 */

import { readEntry } from '../../foods/food.ts';
import { NO_PORTIONS, portionCounts } from '../../search/portions.ts';
import { type PostgresUrl, shownPostgresUrl } from '../../settings/postgres-url.ts';
import { UserError } from '../../system/errors.ts';
import { connectTo, credentialsOf, explained, reasonOf } from './connection.ts';
import { INSPECT_CONNECT_TIMEOUT } from './deadlines.ts';
import { currentGeneration } from './look.ts';
import { tableOf, tablesOf } from './schema.ts';

/** Reads all entries, which takes about a second per million. @throws UserError if no host answers */
export async function inspectDatabase(url: PostgresUrl, samples: number) {
  const credentials = await credentialsOf(url);
  const reasons: string[] = [];
  for (const host of url.hosts) {
    try {
      const { client } = await connectTo(credentials, host, INSPECT_CONNECT_TIMEOUT);
      try {
        const generation = await currentGeneration(client);
        const { number, dataSet } = generation;
        const { name, date, source, licence, notes = [], foods, leftOut, identity } = dataSet;
        const counted = await client.query<Record<string, string>>(
          `SELECT count(*) FILTER (WHERE strpos(entry, '"kcal":null') = 0) AS kcal,
            count(*) FILTER (WHERE strpos(entry, '"protein_g":null') = 0) AS protein_g,
            count(*) FILTER (WHERE strpos(entry, '"carbohydrate_g":null') = 0) AS carbohydrate_g,
            count(*) FILTER (WHERE strpos(entry, '"fat_g":"0.00"') = 0) AS fat_g,
            (SELECT sum(pg_total_relation_size(name)) FROM unnest($1::regclass[]) name) AS bytes
            FROM ${tableOf('foods', number)}`,
          [tablesOf(generation)],
        );
        const { bytes, ...known } = counted.rows[0] ?? {};
        const first = await client.query<{ entry: string }>(
          `SELECT entry FROM ${tableOf('foods', number)} ORDER BY id LIMIT $1`,
          [samples],
        );
        return {
          ...{ name, date, source, licence, notes, foods, leftOut, bytes: Number(bytes), identity },
          portions: dataSet.portions ?? portionCounts(NO_PORTIONS),
          known: Object.fromEntries(Object.entries(known).map(([column, count]) => [column, Number(count)])),
          sample: first.rows.map(({ entry }) => readEntry(entry).description),
        };
      } finally {
        await client.end();
      }
    } catch (error) {
      reasons.push(reasonOf(explained(error), host));
    }
  }
  throw new UserError(`Database ${shownPostgresUrl(url)}: ${reasons.join('; ')}`);
}
