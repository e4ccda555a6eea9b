/**
 * The connection of an import to the host of an address that accepts writes, with the lock that excludes other imports, and
 * without the limits that suit shorter work.
 */
import type pg from 'pg';
import { type PostgresUrl, shownPostgresUrl } from '../../settings/postgres-url.ts';
import { UserError } from '../../system/errors.ts';
import { connectTo, credentialsOf, explained, reasonOf } from './connection.ts';
import { IMPORT_CONNECT_TIMEOUT } from './deadlines.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

/** Two arbitrary numbers that identify the lock of an import. */
const LOCK = [0x464f4f44, 1];

/** Limits that a server or a role may set. An import takes longer than most work, and idles while it reads its sources. */
const LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'idle_session_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout',
];

/** @throws UserError if there is no such host, if it refuses, or if another import is running */
export async function connectForImport(url: PostgresUrl): Promise<pg.Client> {
  const credentials = await credentialsOf(url);
  const reasons: string[] = [];
  for (const host of url.hosts) {
    try {
      const { client } = await connectTo(credentials, host, IMPORT_CONNECT_TIMEOUT);
      try {
        await prepare(client, url);
        return client;
      } catch (error) {
        await client.end().catch(() => {});
        throw error;
      }
    } catch (error) {
      if (error instanceof UserError) throw error;
      reasons.push(reasonOf(explained(error), host));
    }
  }
  throw refusal(url, `no host can be imported to (${reasons.join('; ')}). Name the primary.`);
}

/** Lifts the limits that this version of the server knows. */
export async function liftLimits(client: pg.Client, until: 'session' | 'transaction'): Promise<void> {
  await client.query(`SELECT set_config(name, '0', $1) FROM pg_settings WHERE name = ANY($2)`, [
    until === 'transaction',
    LIMITS,
  ]);
}

async function prepare(client: pg.Client, url: PostgresUrl): Promise<void> {
  const { rows: roles } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (roles[0]?.standby !== false) throw new Error('this is a standby, which cannot be written to');
  await liftLimits(client, 'session');
  const { rows } = await client.query<{
    encoding: string;
    schema: boolean;
    table: boolean;
    rights: boolean;
  }>(
    `SELECT current_setting('server_encoding') AS encoding, to_regnamespace('${SCHEMA}') IS NOT NULL AS schema,
      to_regclass('${SCHEMA}.data_set') IS NOT NULL AS table,
      CASE WHEN to_regnamespace('${SCHEMA}') IS NULL THEN has_database_privilege(current_database(), 'CREATE')
        ELSE has_schema_privilege('${SCHEMA}', 'CREATE') END AS rights`,
  );
  const [found] = rows;
  if (found?.encoding !== 'UTF8') {
    throw refusal(
      url,
      `its encoding is ${found?.encoding}. Create one with UTF8: CREATE DATABASE food ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (!found.rights) {
    const remedy = found.schema
      ? `GRANT CREATE, USAGE ON SCHEMA ${SCHEMA} TO`
      : `CREATE SCHEMA ${SCHEMA} AUTHORIZATION`;
    throw refusal(
      url,
      `this role may not create tables there. Let an administrator run: ${remedy} ${url.user ?? 'ROLE'}.`,
    );
  }
  if (found.table) await checkVersion(client, url);
  const lock = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', LOCK);
  if (lock.rows[0]?.taken !== true) {
    throw refusal(url, 'another import into this database is running. Wait until it has ended.');
  }
}

async function checkVersion(client: pg.Client, url: PostgresUrl): Promise<void> {
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${SCHEMA}.data_set`);
  const version = rows[0]?.version ?? SCHEMA_VERSION;
  if (version === SCHEMA_VERSION) return;
  throw refusal(
    url,
    `its tables are of version ${version}; this program writes version ${SCHEMA_VERSION}. Import with a program of that version, or remove the tables: DROP SCHEMA ${SCHEMA} CASCADE.`,
  );
}

export function refusal(url: PostgresUrl, reason: string): UserError {
  return new UserError(`Database ${shownPostgresUrl(url)}: ${reason}`);
}
