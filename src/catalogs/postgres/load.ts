/**
 * Puts an index into a PostgreSQL database. All of it, tables and switch, is one transaction: readers see the old
 * data set or the new one, and an import that fails or is killed leaves nothing behind.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { FoodIndex } from '../../search/food-index.ts';
import type { FileLabel } from '../../search/index-format.ts';
import { hasPortions, portionCounts } from '../../search/portions.ts';
import type { IndexSections } from '../../search/sections.ts';
import type { PostgresUrl } from '../../settings/postgres-url.ts';
import { systemCode, UserError } from '../../system/errors.ts';
import { identityOfIndex } from '../index/index-file.ts';
import { blocksOf, type LoadProgress } from './blocks.ts';
import { checkTables } from './check.ts';
import { sqlState, Unusable } from './connection.ts';
import { GRACE, IMPORT_CONNECT_TIMEOUT, LOOK_INTERVAL, OUTCOME_PATIENCE, retry } from './deadlines.ts';
import { connectForImport, liftLimits, refusal } from './import-connection.ts';
import {
  CREATE_DATA_SET,
  createTable,
  type Generation,
  indexTable,
  SCHEMA,
  SCHEMA_VERSION,
  type StoredDataSet,
  storeUncompressed,
  tableNames,
  tableOf,
  tablesOf,
} from './schema.ts';

/** A database that a data set is imported into. While it is open no other import can begin. */
export class PostgresTarget {
  readonly #url: PostgresUrl;
  #client: pg.Client;
  /** Rejects if the connection is lost, which COPY would not notice. */
  #lost: Promise<never>;

  private constructor(client: pg.Client, url: PostgresUrl) {
    this.#url = url;
    this.#client = client;
    this.#lost = lossOf(client);
  }

  /**
   * Connects to the host that accepts writes.
   * @throws UserError if there is none, if it refuses, or if another import is running
   */
  static async open(url: PostgresUrl): Promise<PostgresTarget> {
    return new PostgresTarget(await connectForImport(url), url);
  }

  /**
   * Loads an index and switches to it. Returns the bytes of its tables and their indexes.
   * @throws UserError if the server refuses; the old data set stays unchanged
   */
  async load(sections: IndexSections, label: FileLabel, progress: LoadProgress): Promise<number> {
    let isSwitched = false;
    try {
      await this.#reconnect();
      const old = await this.#current();
      const left = await this.#tablesBut(old);
      if (old > 0) await this.#drop(left);
      // More than that of any table, and than the time, so that it also differs from a number that a failover lost.
      const taken = left.map((name) => Number(/\d+$/.exec(name)));
      const generation = Math.max(Math.max(old, ...taken) + 1, Math.floor(Date.now() / 1000));
      const size = await this.#loadAs(generation, sections, label, progress);
      isSwitched = true;
      const others = await this.#tablesBut(generation);
      if (others.length === 0) return size;
      progress('removing the old data set', 0, 0);
      await sleep(GRACE);
      await this.#drop(others);
      return size;
    } catch (error) {
      if (error instanceof UserError) throw error;
      const isRefusal = sqlState(error) !== undefined || systemCode(error) !== undefined || isLoss(error);
      if (!isRefusal && !(error instanceof Unusable)) throw error;
      const outcome = isSwitched
        ? 'The new data set is served; the next import removes the tables of the old one.'
        : 'The data set in service is unchanged; import again.';
      throw refusal(this.#url, `${(error as Error).message}. ${outcome}`);
    }
  }

  /** Connects again if the connection was lost while the sources were read. */
  async #reconnect(): Promise<void> {
    try {
      await this.#client.query({ text: 'SELECT', query_timeout: IMPORT_CONNECT_TIMEOUT } as pg.QueryConfig);
    } catch {
      // Without waiting: the server may be gone.
      void this.close();
      this.#client = await connectForImport(this.#url);
      this.#lost = lossOf(this.#client);
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  /** The number of the current data set; 0 if there is none, or if its tables are missing. */
  async #current(): Promise<number> {
    const { rows } = await this.#client.query(`SELECT to_regclass('${SCHEMA}.data_set') AS name`);
    if (rows[0]?.name === null) return 0;
    const current = await this.#client.query<{ generation: string }>(
      `SELECT generation FROM ${SCHEMA}.data_set WHERE to_regclass('${SCHEMA}.foods_' || generation) IS NOT NULL`,
    );
    return Number(current.rows[0]?.generation ?? 0);
  }

  /** The tables of other data sets: the one before, and those that a killed import did not remove. */
  async #tablesBut(generation: number): Promise<string[]> {
    const { rows } = await this.#client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname = $1 AND tablename ~ '^(foods|patterns|words|portions)_[0-9]+$' AND tablename !~ $2`,
      [SCHEMA, `_${generation}$`],
    );
    return rows.map(({ name }) => name);
  }

  async #drop(tables: readonly string[]): Promise<void> {
    if (tables.length > 0) await this.#client.query(`DROP TABLE ${tables.join()}`);
  }

  async #loadAs(
    number: number,
    sections: IndexSections,
    label: FileLabel,
    progress: LoadProgress,
  ): Promise<number> {
    const client = this.#client;
    const index = new FoodIndex(sections);
    const dataSet: StoredDataSet = {
      ...label,
      foods: index.size,
      identity: identityOfIndex(sections, label),
      ...(hasPortions(sections.portions) && { portions: portionCounts(sections.portions) }),
    };
    const generation = { number, dataSet };
    const names = tableNames(generation);
    const cutKeys = new Set<string>();
    await client.query('BEGIN');
    try {
      // Again, because a proxy may have given this transaction another session.
      await liftLimits(client, 'transaction');
      await this.#createSchema();
      for (const name of names) {
        await client.query(createTable(name, number));
        if (name === 'words') await client.query(storeUncompressed(number));
        await this.#copy(tableOf(name, number), blocksOf(name, sections, index, progress, cutKeys));
      }
      progress('indexes', 0, 0);
      await client.query("SET LOCAL maintenance_work_mem = '256MB'");
      for (const name of names) await client.query(indexTable(name, number));
      await client.query(`ANALYZE ${tablesOf(generation).join()}`);
      await this.#grant(generation);
      progress('checks', 0, 0);
      await checkTables(client, generation, index, cutKeys);
      await client.query(
        `INSERT INTO ${SCHEMA}.data_set (version, generation, facts) VALUES ($1, $2, $3)
          ON CONFLICT (single) DO UPDATE SET version = $1, generation = $2, facts = $3`,
        [SCHEMA_VERSION, number, JSON.stringify(dataSet)],
      );
      const { rows } = await client.query<{ size: string }>(
        'SELECT sum(pg_total_relation_size(name)) AS size FROM unnest($1::regclass[]) name',
        [tablesOf(generation)],
      );
      await this.#commit(number);
      return Number(rows[0]?.size);
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  /** If the connection is lost meanwhile, only the database knows whether the new data set is in service: maybe after a failover. */
  async #commit(generation: number): Promise<void> {
    try {
      await this.#client.query('COMMIT');
    } catch (error) {
      const isCurrent = await retry(performance.now() + OUTCOME_PATIENCE, LOOK_INTERVAL, async () => {
        try {
          await this.#reconnect();
          return (await this.#current()) === generation;
        } catch {
          return undefined;
        }
      });
      if (isCurrent === false) throw error;
      if (isCurrent === undefined) {
        const reason = `${(error as Error).message} at the switch`;
        throw refusal(this.#url, `${reason}. Inspect the database to see whether it has the new data set.`);
      }
    }
  }

  async #createSchema(): Promise<void> {
    // Creating it where it exists requires the right to create others.
    const { rows } = await this.#client.query(`SELECT to_regnamespace('${SCHEMA}') AS schema`);
    if (rows[0]?.schema === null) await this.#client.query(`CREATE SCHEMA ${SCHEMA}`);
    await this.#client.query(CREATE_DATA_SET);
  }

  async #copy(target: string, blocks: Iterable<Buffer>): Promise<void> {
    const stream = this.#client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary, FREEZE true)`));
    await Promise.race([pipeline(Readable.from(blocks), stream), this.#lost]);
  }

  /** Lets every role that may read `data_set` read the new tables, too. */
  async #grant(generation: Generation): Promise<void> {
    const { rows } = await this.#client.query<{ role: string }>(
      `SELECT DISTINCT CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
        FROM pg_class, aclexplode(relacl) WHERE oid = '${SCHEMA}.data_set'::regclass AND privilege_type = 'SELECT'`,
    );
    for (const { role } of rows) {
      await this.#client.query(`GRANT SELECT ON ${tablesOf(generation).join()} TO ${role}`);
    }
  }
}

function lossOf(client: pg.Client): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    client.once('end', () => reject(new Error('the connection to the database was lost')));
  });
  lost.catch(() => {});
  return lost;
}

const isLoss = (error: unknown): boolean => error instanceof Error && /[Cc]onnection/.test(error.message);
