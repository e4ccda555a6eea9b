/**
 * One check of a server: which data set is current, and whether it can be searched.
 */
import type pg from 'pg';
import { NO_PORTIONS, portionCounts } from '../../search/portions.ts';
import { explained, isPassing, NO_DATA_SET, NO_RIGHTS, sqlState, Unusable } from './connection.ts';
import {
  type Generation,
  partsQuery,
  portionsQuery,
  SCHEMA,
  SCHEMA_VERSION,
  type StoredDataSet,
  searchQuery,
} from './schema.ts';

const CURRENT = `SELECT version, generation, facts FROM ${SCHEMA}.data_set`;

interface CurrentRow {
  readonly version: number;
  /** A bigint, as the driver gives it. */
  readonly generation: string;
  /** JSON of a `StoredDataSet`. */
  readonly facts: string;
}

const ROLE = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS readonly`;

export interface Role {
  readonly standby: boolean;
  /** Whether the server refuses to write. */
  readonly readonly: boolean;
}

export interface Look {
  readonly role: Role;
  /** The current data set, or if that cannot be used, the one known before. */
  readonly generation: Generation;
  /** Why the current data set cannot be used; undefined: `generation` is the current one. */
  readonly fault: string | undefined;
}

const NO_PORTION_COUNTS = portionCounts(NO_PORTIONS);

/** Begins with a capital, as no folded text and no section does, so that searching for it finds nothing and costs nothing. */
const NOWHERE = 'A';

/**
 * Checks which data set is current, and tries a search. If another program has damaged the row that says so, the `known`
 * data set may still be there.
 * @throws errors that go away by themselves, unchanged; Unusable if neither data set can be searched
 */
export async function lookAt(client: pg.ClientBase, known: Generation | undefined): Promise<Look> {
  const { rows } = await client.query<Role>(ROLE);
  const role = rows[0] ?? { standby: false, readonly: false };
  try {
    const generation = await currentGeneration(client);
    await trySearch(client, generation);
    return { role, generation, fault: undefined };
  } catch (error) {
    if (isPassing(error)) throw error;
    const fault = explained(error);
    if (known === undefined) throw new Unusable(fault.message);
    await trySearch(client, known).catch((other: unknown) => {
      throw isPassing(other) ? other : new Unusable(fault.message);
    });
    return { role, generation: known, fault: fault.message };
  }
}

/** @throws Unusable if there is none that this program can read; what the driver throws */
export async function currentGeneration(client: pg.ClientBase): Promise<Generation> {
  const { rows } = await client.query<CurrentRow>(CURRENT);
  const [row] = rows;
  if (row === undefined) throw new Unusable(NO_DATA_SET);
  if (row.version !== SCHEMA_VERSION) {
    throw new Unusable(
      `its tables are of version ${row.version}, and this program reads version ${SCHEMA_VERSION}; ${REMEDY}`,
    );
  }
  const number = Number(row.generation);
  const dataSet = parsed(row.facts);
  if (dataSet === undefined || !Number.isSafeInteger(number)) {
    throw new Unusable(`the row of its table data_set is not as an import writes it; ${REMEDY}`);
  }
  return { number, dataSet };
}

const REMEDY = 'import again with it: food-lookup import SOURCE --to postgres://…';

function parsed(json: string): StoredDataSet | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isStoredDataSet(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStoredDataSet(value: unknown): value is StoredDataSet {
  if (typeof value !== 'object' || value === null) return false;
  const facts = value as Readonly<Record<string, unknown>>;
  const { name, date, source, licence, foods, leftOut, identity } = facts;
  const { notes = [], portions = NO_PORTION_COUNTS } = facts;
  return (
    [name, date, identity, source ?? '', licence ?? ''].every((text) => typeof text === 'string') &&
    [foods, leftOut].every(Number.isSafeInteger) &&
    isCounts(portions) &&
    Array.isArray(notes) &&
    notes.every((note) => typeof note === 'string')
  );
}

function isCounts(value: unknown): boolean {
  const { foods, portions } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [foods, portions].every(Number.isSafeInteger);
}

async function trySearch(client: pg.ClientBase, generation: Generation): Promise<void> {
  const queries = [searchQuery(generation, NOWHERE), partsQuery(generation, NOWHERE)];
  if (generation.dataSet.portions !== undefined) queries.push(portionsQuery(generation, NOWHERE));
  for (const { text, values } of queries) {
    await client.query(text, [...values]).catch((error: Error) => {
      const state = sqlState(error) ?? '';
      throw /^42/.test(state) && state !== NO_RIGHTS
        ? new Unusable(`its tables are not as an import makes them: ${error.message}; ${REMEDY}`)
        : error;
    });
  }
}
