/**
 * Puts an index into a PostgreSQL database. All of it, tables and switch, is one transaction: readers see the old
 * data set or the new one, and an import that fails or is killed leaves nothing behind.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { systemCode, UserError } from '../errors.ts';
import { fold } from '../fold.ts';
import { type PostgresUrl, shownPostgresUrl } from '../postgres-url.ts';
import { FoodIndex } from '../search/food-index.ts';
import type { FileLabel } from '../search/index-format.ts';
import type { IndexSections } from '../search/sections.ts';
import { identityOfIndex } from './index-file.ts';
import { foodBlocks, type LoadProgress, textBlocks } from './postgres-blocks.ts';
import { connectTo, credentialsOf, reasonOf, sqlState } from './postgres-connection.ts';
import {
  answerOf,
  CREATE_DATA_SET,
  createFoods,
  createTexts,
  type Facts,
  type FoundRow,
  foodsTable,
  SCHEMA,
  SCHEMA_VERSION,
  searchQuery,
  stored,
  textsTable,
} from './postgres-schema.ts';

/** ms within which a server must take a connection. */
const CONNECT_TIMEOUT = 10_000;

/** ms for which the old tables stay: services look for a new data set twice a second. */
const GRACE = 2000;

/** Any two numbers: who holds this lock is importing. */
const LOCK = [0x464f4f44, 1];

/** Foods whose descriptions are searched for in the new tables, before they are switched to. */
const CHECKED_FOODS = 50;

/** A database that takes a new data set. While it is open no other import can begin. */
export class PostgresTarget {
  readonly #client: pg.Client;
  readonly #url: PostgresUrl;
  /** Rejects where the connection is lost. */
  readonly #lost: Promise<never>;

  private constructor(client: pg.Client, url: PostgresUrl) {
    this.#client = client;
    this.#url = url;
    this.#lost = new Promise((_, reject) => {
      client.once('end', () => reject(new Error('the connection to the database was lost')));
    });
    this.#lost.catch(() => {});
  }

  /**
   * Connects to the host that can be written to.
   * @throws UserError where there is none, where it refuses, or where another import is running
   */
  static async open(url: PostgresUrl): Promise<PostgresTarget> {
    const credentials = await credentialsOf(url);
    const reasons: string[] = [];
    for (const host of url.hosts) {
      try {
        const { client } = await connectTo(credentials, host, CONNECT_TIMEOUT);
        const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
        if (rows[0]?.standby === false) {
          const target = new PostgresTarget(client, url);
          await target.#prepare().catch(async (error: unknown) => {
            await target.close();
            throw error;
          });
          return target;
        }
        reasons.push(reasonOf(new Error('this is a standby, which cannot be written to'), host));
        await client.end();
      } catch (error) {
        if (error instanceof UserError) throw error;
        reasons.push(reasonOf(error, host));
      }
    }
    throw refusal(url, `no host can be imported to (${reasons.join('; ')}). Name the primary.`);
  }

  async #prepare(): Promise<void> {
    const { rows } = await this.#client.query<{
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
    const { encoding, schema, table, rights } = rows[0] ?? {
      encoding: '',
      schema: false,
      table: false,
      rights: false,
    };
    if (encoding !== 'UTF8') {
      throw refusal(
        this.#url,
        `its encoding is ${encoding}. Make one with UTF8: CREATE DATABASE food ENCODING 'UTF8' TEMPLATE template0.`,
      );
    }
    if (!rights) {
      const remedy = schema
        ? `GRANT CREATE, USAGE ON SCHEMA ${SCHEMA} TO`
        : `CREATE SCHEMA ${SCHEMA} AUTHORIZATION`;
      throw refusal(
        this.#url,
        `this role may not make tables there. Let an administrator run: ${remedy} ${this.#url.user ?? 'ROLE'}.`,
      );
    }
    if (table) await this.#checkVersion();
    const lock = await this.#client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1, $2) AS taken',
      LOCK,
    );
    if (lock.rows[0]?.taken !== true) {
      throw refusal(this.#url, 'another import into this database is running. Wait until it has ended.');
    }
  }

  async #checkVersion(): Promise<void> {
    const { rows } = await this.#client.query<{ version: number }>(`SELECT version FROM ${SCHEMA}.data_set`);
    const version = rows[0]?.version ?? SCHEMA_VERSION;
    if (version === SCHEMA_VERSION) return;
    throw refusal(
      this.#url,
      `its tables are of version ${version}; this program writes version ${SCHEMA_VERSION}. Import with the program that they are of, or remove them: DROP SCHEMA ${SCHEMA} CASCADE.`,
    );
  }

  /**
   * Loads an index and switches to it. Returns the bytes of its tables and their indexes.
   * @throws UserError where the server refuses; the old data set stays as it was
   */
  async load(sections: IndexSections, label: FileLabel, progress: LoadProgress): Promise<number> {
    try {
      const old = await this.#current();
      await this.#dropAllBut(old);
      // Also another number than one that a failover may have lost.
      const generation = Math.max(old + 1, Math.floor(Date.now() / 1000));
      const size = await this.#loadAs(generation, sections, label, progress);
      if (old === 0) return size;
      progress('removing the old data set', 0, 0);
      await this.#run(() => new Promise((resolve) => setTimeout(resolve, GRACE)));
      await this.#dropAllBut(generation);
      return size;
    } catch (error) {
      if (error instanceof UserError) throw error;
      const isRefusal = sqlState(error) !== undefined || systemCode(error) !== undefined || isLoss(error);
      if (!isRefusal) throw error;
      throw refusal(
        this.#url,
        `${(error as Error).message}. What was served before is unchanged; import again.`,
      );
    }
  }

  /** Frees the database for other imports. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  /** The number of the current data set; 0 where there is none. */
  async #current(): Promise<number> {
    const { rows } = await this.#client.query(`SELECT to_regclass('${SCHEMA}.data_set') AS name`);
    if (rows[0]?.name === null) return 0;
    const current = await this.#client.query<{ generation: string }>(
      `SELECT generation FROM ${SCHEMA}.data_set`,
    );
    return Number(current.rows[0]?.generation ?? 0);
  }

  /** Drops the tables of other data sets: the one before, and what an import that was killed did not remove. */
  async #dropAllBut(generation: number): Promise<void> {
    const { rows } = await this.#client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname = $1 AND tablename ~ '^(foods|texts)_[0-9]+$' AND tablename !~ $2`,
      [SCHEMA, `_${generation}$`],
    );
    if (rows.length > 0) await this.#client.query(`DROP TABLE ${rows.map(({ name }) => name).join()}`);
  }

  async #loadAs(
    number: number,
    sections: IndexSections,
    label: FileLabel,
    progress: LoadProgress,
  ): Promise<number> {
    const client = this.#client;
    const index = new FoodIndex(sections);
    const facts: Facts = { ...label, foods: index.size, identity: identityOfIndex(sections, label) };
    await client.query('BEGIN');
    try {
      await client.query(
        'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0',
      );
      await this.#createSchema();
      await client.query(`${createFoods(number)}; ${createTexts(number)}`);
      await this.#copy(`${foodsTable(number)} (id, folded, scores, entry)`, foodBlocks(sections, progress));
      await this.#copy(
        `${textsTable(number)} (key, is_answer, foods)`,
        textBlocks(sections, index, progress),
      );
      progress('indexes', 0, 0);
      await client.query("SET LOCAL maintenance_work_mem = '256MB'");
      await this.#run(() => client.query(`ALTER TABLE ${foodsTable(number)} ADD PRIMARY KEY (id)`));
      await this.#run(() => client.query(`ALTER TABLE ${textsTable(number)} ADD PRIMARY KEY (key)`));
      await this.#run(() => client.query(`ANALYZE ${foodsTable(number)}, ${textsTable(number)}`));
      await this.#grant(number);
      progress('checks', 0, 0);
      await this.#check(number, facts, index);
      await client.query(
        `INSERT INTO ${SCHEMA}.data_set (version, generation, facts) VALUES ($1, $2, $3)
          ON CONFLICT (single) DO UPDATE SET version = $1, generation = $2, facts = $3`,
        [SCHEMA_VERSION, number, JSON.stringify(facts)],
      );
      const { rows } = await client.query<{ size: string }>(
        'SELECT pg_total_relation_size($1) + pg_total_relation_size($2) AS size',
        [foodsTable(number), textsTable(number)],
      );
      await client.query('COMMIT');
      return Number(rows[0]?.size);
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async #createSchema(): Promise<void> {
    const { rows } = await this.#client.query(
      `SELECT to_regnamespace('${SCHEMA}') AS schema, to_regclass('${SCHEMA}.data_set') AS table`,
    );
    if (rows[0]?.schema === null) await this.#client.query(`CREATE SCHEMA ${SCHEMA}`);
    if (rows[0]?.table === null) await this.#client.query(CREATE_DATA_SET);
  }

  async #copy(target: string, blocks: Iterable<Buffer>): Promise<void> {
    const stream = this.#client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary, FREEZE true)`));
    await this.#run(() => pipeline(Readable.from(blocks), stream));
  }

  /** Whoever may read which data set is current may read it. */
  async #grant(number: number): Promise<void> {
    const { rows } = await this.#client.query<{ role: string }>(
      `SELECT DISTINCT CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
        FROM pg_class, aclexplode(relacl) WHERE oid = '${SCHEMA}.data_set'::regclass AND privilege_type = 'SELECT'`,
    );
    for (const { role } of rows) {
      await this.#client.query(`GRANT SELECT ON ${foodsTable(number)}, ${textsTable(number)} TO ${role}`);
    }
  }

  /** @throws Error where the tables do not answer like the index */
  async #check(number: number, facts: Facts, index: FoodIndex): Promise<void> {
    const { rows } = await this.#client.query<{ foods: string }>(
      `SELECT count(*) AS foods FROM ${foodsTable(number)}`,
    );
    if (Number(rows[0]?.foods) !== facts.foods) {
      throw new Error(`${rows[0]?.foods} of ${facts.foods} foods arrived`);
    }
    const step = Math.max(1, Math.floor(facts.foods / CHECKED_FOODS));
    for (let food = 0; food < facts.foods; food += step) {
      const { description } = index.record(food);
      for (const text of [description, ...(description.match(/\p{L}+/gu) ?? []), description.slice(0, 2)]) {
        if (!text.isWellFormed() || text === '') continue;
        const key = stored(fold(text));
        const found = await this.#client.query<FoundRow>(searchQuery({ number, facts }, key));
        if (answerOf(key, found.rows).equals(index.search(text))) continue;
        throw new Error(`the new tables answer ${JSON.stringify(text)} otherwise than the index`);
      }
    }
  }

  /** Work that may take long, ended where the connection is lost meanwhile. */
  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    return Promise.race([work(), this.#lost]);
  }
}

const isLoss = (error: unknown): boolean => error instanceof Error && /[Cc]onnection/.test(error.message);

function refusal(url: PostgresUrl, reason: string): UserError {
  return new UserError(`Database ${shownPostgresUrl(url)}: ${reason}`);
}
