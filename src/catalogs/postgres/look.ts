/**
 * Looks at the servers of an address: which data set is current in each, and whether it can be searched; and chooses one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { PostgresHost, Target } from '../../settings/postgres-url.ts';
import {
  type Credentials,
  connectTo,
  explained,
  isFinal,
  isPassing,
  NO_DATA_SET,
  NO_RIGHTS,
  reasonOf,
  sqlState,
  type Tls,
  Unusable,
} from './connection.ts';
import { HEAD_START, LOOK_TIMEOUT, unlessSilent } from './deadlines.ts';
import { type Generation, SCHEMA, SCHEMA_VERSION, type StoredDataSet, StoredTables } from './schema.ts';

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

/** Begins with a capital, as no folded text and no section does, so that searching for it finds nothing and costs nothing. */
const NOWHERE = 'A';

/**
 * Checks which data set is current, and tries a search. If another program has damaged the row that says so, the `known`
 * data set may still be there.
 * @throws errors that go away by themselves, unchanged; Unusable if neither data set can be searched
 */
async function lookAt(client: pg.ClientBase, known: Generation | undefined): Promise<Look> {
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
    const facts = JSON.parse(json) as StoredDataSet;
    const { name, date, identity, foods } = facts;
    const texts: unknown[] = [name, date, identity];
    return texts.every((text) => typeof text === 'string') && Number.isSafeInteger(foods) ? facts : undefined;
  } catch {
    return undefined;
  }
}

async function trySearch(client: pg.ClientBase, generation: Generation): Promise<void> {
  const tables = new StoredTables(generation, client);
  try {
    await tables.answer(NOWHERE);
    await tables.parts(NOWHERE);
    await tables.portions(NOWHERE);
  } catch (error) {
    const state = sqlState(error) ?? '';
    if (!/^42/.test(state) || state === NO_RIGHTS) throw error;
    throw new Unusable(`its tables are not as an import makes them: ${(error as Error).message}; ${REMEDY}`);
  }
}

export interface Candidate {
  readonly host: PostgresHost;
  /** An open connection, which the caller ends. */
  readonly client: pg.Client;
  readonly tls: Tls;
  readonly look: Look;
}

export interface HostChoice {
  readonly chosen: Candidate | undefined;
  readonly reasons: readonly string[];
  /** Whether no host will become usable by itself, because of a wrong password for example. */
  readonly isHopeless: boolean;
}

/** The first preferred host, or else the first acceptable one. */
export async function chooseHost(credentials: Credentials, known?: Generation): Promise<HostChoice> {
  const { hosts: named, random, target } = credentials.url;
  const hosts = random ? shuffled(named) : named;
  const found: (Candidate | undefined)[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const attempts = hosts.map(async (host, i) => {
    try {
      const { client, tls } = await connectTo(credentials, host, LOOK_TIMEOUT);
      const look = await lookWithin(client, known).catch((error: unknown) => {
        end(client);
        throw error;
      });
      if (isOver) end(client);
      else found[i] = { host, client, tls, look };
      if (!isWanted(target, look.role))
        throw new Error(`this server does not match target_session_attrs=${target}`);
    } catch (error) {
      errors[i] = error;
      throw error;
    }
  });
  // If no host is wanted, this waits for all of them.
  await Promise.any(attempts).then(
    () => sleep(HEAD_START),
    () => {},
  );
  isOver = true;
  const candidates = found.filter((each) => each !== undefined);
  const chosen =
    candidates.find(({ look }) => isWanted(target, look.role)) ??
    candidates.find(({ look }) => isAcceptable(target, look.role));
  for (const candidate of candidates) if (candidate !== chosen) end(candidate.client);
  return {
    chosen,
    reasons: hosts.flatMap((host, i) => (errors[i] === undefined ? [] : [reasonOf(errors[i], host)])),
    isHopeless: errors.length === hosts.length && errors.every(isFinal),
  };
}

export async function lookWithin(client: pg.Client, known: Generation | undefined): Promise<Look> {
  const look = await unlessSilent(LOOK_TIMEOUT, lookAt(client, known));
  if (look === undefined) throw new Error(`no answer within ${LOOK_TIMEOUT} ms`);
  return look;
}

export const isAcceptable = (target: Target, role: Role): boolean =>
  target === 'prefer-standby' || isWanted(target, role);

const IS_WANTED: Readonly<Record<Target, (role: Role) => boolean>> = {
  any: () => true,
  'read-write': ({ readonly }) => !readonly,
  'read-only': ({ readonly }) => readonly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
};

export const isWanted = (target: Target, role: Role): boolean => IS_WANTED[target](role);

/** Does not wait, because on a stalled network the connection would never end. */
export function end(client: pg.Client): void {
  void client.end().catch(() => {});
}

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  Array.from(items, (item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
