/**
 * Puts an index into a PostgreSQL database. All of it, tables and switch, is one transaction: readers see the old
 * data set or the new one, and an import that fails or is killed leaves nothing behind.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { systemCode, UserError } from '#core';
import {
  type FileLabel,
  FoodIndex,
  hasFacts,
  type IndexSections,
  identityOfIndex,
  portionCounts,
} from '#engine';
import { blocksOf, type LoadProgress } from './blocks.ts';
import { checkTables } from './check.ts';
import {
  GRACE,
  IMPORT_CONNECT_TIMEOUT,
  LOOK_INTERVAL,
  OUTCOME_PATIENCE,
  retry,
  within,
} from './deadlines.ts';
import {
  CREATE_DATA_SET,
  createTable,
  indexTable,
  SCHEMA,
  SCHEMA_VERSION,
  type StoredDataSet,
  storedTable,
  storeUncompressed,
  tableNames,
} from './schema.ts';
import { connectTo, credentialsOf, reasonOf, sqlState, Unusable } from './servers/connection.ts';
import { type PostgresUrl, shownPostgresUrl } from './servers/postgres-url.ts';

/** Two arbitrary numbers that identify the lock of an import. */
const LOCK = [0x464f4f44, 1];

/** Limits that a server or a role may set. An import takes longer than most work. */
const LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'idle_session_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout',
];

/**
 * Loads an index into the host that accepts writes, and switches to it. Returns the bytes of its tables and their indexes.
 * @throws UserError if there is no such host, or if it refuses; the old data set stays unchanged
 */
export async function loadIndexInto(
  url: PostgresUrl,
  sections: IndexSections,
  label: FileLabel,
  progress: LoadProgress,
): Promise<number> {
  let client = await connectForImport(url);
  let isSwitched = false;
  try {
    // More than that of any table, and than the time, so that it also differs from a number that a failover lost.
    const taken = (await tablesBut(client, 0)).map((name) => Number(/\d+$/.exec(name)));
    const number = Math.max(0, ...taken, Math.floor(Date.now() / 1000) - 1) + 1;
    const size = await fill(client, number, sections, label, progress);
    client = await commit(client, url, number);
    isSwitched = true;
    const others = await tablesBut(client, number);
    if (others.length === 0) return size;
    progress('removing the old data set', 0, 0);
    await sleep(GRACE);
    await client.query(`DROP TABLE ${others.join()}`);
    return size;
  } catch (error) {
    if (error instanceof UserError) throw error;
    const isRefusal = sqlState(error) !== '' || systemCode(error) !== undefined || isLoss(error);
    if (!isRefusal && !(error instanceof Unusable)) throw error;
    const outcome = isSwitched
      ? 'The new data set is served; the next import removes the tables of the old one.'
      : 'The data set in service is unchanged; import again.';
    throw importFailure(url, `${(error as Error).message}. ${outcome}`);
  } finally {
    // This also rolls back what is not committed.
    await client.end().catch(() => {});
  }
}

/** The tables of other data sets: the one before, and those that a killed import did not remove. */
async function tablesBut(client: pg.Client, number: number): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname = $1 AND tablename ~ '^(foods|patterns|words|portions|names|nutrients|codes)_[0-9]+$' AND tablename !~ $2`,
    [SCHEMA, `_${number}$`],
  );
  return rows.map(({ name }) => name);
}

/** Begins the transaction, and does all of it but the commit. Returns the bytes of the tables and their indexes. */
async function fill(
  client: pg.Client,
  number: number,
  sections: IndexSections,
  label: FileLabel,
  progress: LoadProgress,
): Promise<number> {
  const index = new FoodIndex(sections);
  const codes = sections.codes.foods.length;
  const dataSet: StoredDataSet = {
    ...label,
    foods: index.size,
    identity: identityOfIndex(sections, label, crc32),
    ...(hasFacts('portions', sections.facts) && { portions: portionCounts(sections.facts) }),
    ...(hasFacts('names', sections.facts) && { hasNames: true }),
    ...(hasFacts('nutrients', sections.facts) && { hasNutrients: true }),
    ...(codes > 0 && { codes }),
  };
  const names = tableNames(dataSet);
  const tables = names.map((name) => storedTable(name, number));
  await client.query('BEGIN');
  // Again, because a proxy may have given this transaction another session.
  await liftLimits(client, true);
  await createSchema(client);
  for (const name of names) {
    await client.query(createTable(name, number));
    if (name === 'words') await client.query(storeUncompressed(number));
    await copy(client, storedTable(name, number), blocksOf(name, sections, index, progress));
  }
  progress('indexes', 0, 0);
  await client.query("SET LOCAL maintenance_work_mem = '256MB'");
  for (const name of names) await client.query(indexTable(name, number));
  await client.query(`ANALYZE ${tables.join()}`);
  await grant(client, tables);
  progress('checks', 0, 0);
  await checkTables(client, { number, dataSet }, index);
  await client.query(
    `INSERT INTO ${SCHEMA}.data_set (version, generation, facts) VALUES ($1, $2, $3)
      ON CONFLICT (single) DO UPDATE SET version = $1, generation = $2, facts = $3`,
    [SCHEMA_VERSION, number, JSON.stringify(dataSet)],
  );
  const { rows } = await client.query<{ size: string }>(
    'SELECT sum(pg_total_relation_size(name)) AS size FROM unnest($1::regclass[]) name',
    [tables],
  );
  return Number(rows[0]?.size);
}

async function createSchema(client: pg.Client): Promise<void> {
  // Creating it where it exists requires the right to create others.
  const { rows } = await client.query(`SELECT to_regnamespace('${SCHEMA}') AS schema`);
  if (rows[0]?.schema === null) await client.query(`CREATE SCHEMA ${SCHEMA}`);
  await client.query(CREATE_DATA_SET);
}

async function copy(client: pg.Client, target: string, blocks: Iterable<Buffer>): Promise<void> {
  // COPY would not notice that the connection is lost.
  const lost = once(client, 'end').then(() => {
    throw new Error('the connection to the database was lost');
  });
  lost.catch(() => {});
  const stream = client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary, FREEZE true)`));
  await Promise.race([pipeline(Readable.from(blocks), stream), lost]);
}

/** Lets every role that may read `data_set` read the new tables, too. */
async function grant(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ role: string }>(
    `SELECT DISTINCT CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
      FROM pg_class, aclexplode(relacl) WHERE oid = '${SCHEMA}.data_set'::regclass AND privilege_type = 'SELECT'`,
  );
  for (const { role } of rows) await client.query(`GRANT SELECT ON ${tables.join()} TO ${role}`);
}

/** Switches to the new data set. Returns the connection to go on with: after a loss, only the database knows whether it succeeded. */
async function commit(client: pg.Client, url: PostgresUrl, number: number): Promise<pg.Client> {
  try {
    await client.query('COMMIT');
    return client;
  } catch (error) {
    // Without waiting: the server may be gone.
    void client.end().catch(() => {});
    const found = await retry(within(OUTCOME_PATIENCE), LOOK_INTERVAL, async () => {
      const other = await connectForImport(url).catch(() => undefined);
      // Its tables are there if they and the switch are.
      const statement = `SELECT to_regclass('${storedTable('foods', number)}') IS NOT NULL AS done`;
      const answer = await other?.query(statement).catch(() => void other.end());
      return other && answer ? { other, isDone: answer.rows[0]?.done === true } : undefined;
    });
    if (found === undefined) {
      const reason = `${(error as Error).message} at the switch`;
      throw importFailure(url, `${reason}. Inspect the database to see whether it has the new data set.`);
    }
    if (found.isDone) return found.other;
    await found.other.end();
    throw error;
  }
}

const isLoss = (error: unknown): boolean => error instanceof Error && /[Cc]onnection/.test(error.message);

/** Connects to the host that accepts writes, with the lock that excludes other imports. @throws UserError if this fails */
export async function connectForImport(url: PostgresUrl): Promise<pg.Client> {
  const credentials = await credentialsOf(url);
  const reasons: string[] = [];
  for (const host of url.hosts) {
    let client: pg.Client | undefined;
    try {
      ({ client } = await connectTo(credentials, host, IMPORT_CONNECT_TIMEOUT));
      await prepare(client, url.user);
      return client;
    } catch (error) {
      await client?.end().catch(() => {});
      if (error instanceof UserError) throw importFailure(url, error.message);
      reasons.push(reasonOf(error, host));
    }
  }
  throw importFailure(url, `no host can be imported to (${reasons.join('; ')}). Name the primary.`);
}

/** Lifts the limits that this version of the server knows, for a transaction or for the session. */
async function liftLimits(client: pg.Client, isLocal: boolean): Promise<void> {
  const statement = 'SELECT set_config(name, $1, $2) FROM pg_settings WHERE name = ANY($3)';
  await client.query(statement, ['0', isLocal, LIMITS]);
}

type FoundDatabase = Record<'standby' | 'schema' | 'table' | 'rights', boolean> & { encoding: string };

/** @throws UserError with the fault of the database; any other error is one of this host */
async function prepare(client: pg.Client, role = 'ROLE'): Promise<void> {
  await liftLimits(client, false);
  const { rows } = await client.query<FoundDatabase>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding,
      to_regnamespace('${SCHEMA}') IS NOT NULL AS schema,
      to_regclass('${SCHEMA}.data_set') IS NOT NULL AS table,
      CASE WHEN to_regnamespace('${SCHEMA}') IS NULL THEN has_database_privilege(current_database(), 'CREATE')
        ELSE has_schema_privilege('${SCHEMA}', 'CREATE') END AS rights`,
  );
  const [found] = rows;
  if (found?.standby) throw new Error('this is a standby, which cannot be written to');
  if (found?.encoding !== 'UTF8')
    throw new UserError(
      `its encoding is ${found?.encoding}. Create one with UTF8: CREATE DATABASE food ENCODING 'UTF8' TEMPLATE template0.`,
    );
  if (!found.rights) {
    const remedy = found.schema
      ? `GRANT CREATE, USAGE ON SCHEMA ${SCHEMA} TO`
      : `CREATE SCHEMA ${SCHEMA} AUTHORIZATION`;
    throw new UserError(
      `this role may not create tables there. Let an administrator run: ${remedy} ${role}.`,
    );
  }
  const current = `SELECT version FROM ${SCHEMA}.data_set`;
  const known = found.table ? await client.query<{ version: number }>(current) : undefined;
  const version = known?.rows[0]?.version;
  if (version !== undefined && version !== SCHEMA_VERSION)
    throw new UserError(
      `its tables are of version ${version}; this program writes version ${SCHEMA_VERSION}. Import with a program of that version, or remove the tables: DROP SCHEMA ${SCHEMA} CASCADE.`,
    );
  const lock = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', LOCK);
  if (lock.rows[0]?.taken !== true)
    throw new UserError('another import into this database is running. Wait until it has ended.');
}

function importFailure(url: PostgresUrl, reason: string): UserError {
  return new UserError(`Database ${shownPostgresUrl(url)}: ${reason}`);
}
