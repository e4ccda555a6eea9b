/** Looks at the servers of an address: which data set is current in each, and whether it can be searched; and chooses one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { HEAD_START, LOOK_TIMEOUT, unlessSilent } from '../deadlines.ts';
import { type Generation, SCHEMA, SCHEMA_VERSION, StoredTables } from '../schema.ts';
import {
  type Credentials,
  connectTo,
  isFinal,
  NO_DATA_SET,
  REMEDY,
  reasonOf,
  type Tls,
  Unusable,
} from './connection.ts';
import type { PostgresHost, Target } from './postgres-url.ts';

interface LookRow {
  readonly standby: boolean;
  /** Whether the server refuses to write. */
  readonly readonly: boolean;
  /** Null if there is no data set. */
  readonly version: number | null;
  /** A bigint, as the driver gives it. */
  readonly generation: string;
  /** JSON of the `dataSet` of a {@link Generation}. */
  readonly facts: string;
}

const LOOK = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS readonly,
    version, generation, facts FROM (SELECT) AS one LEFT JOIN ${SCHEMA}.data_set ON true`;

/** Begins with a capital, as no folded text and no section does, so that searching for it finds nothing and costs nothing. */
const NOWHERE = 'A';

export type Look = Awaited<ReturnType<typeof lookAt>>;

/** Checks which data set is current, and tries searches. @throws Unusable, or what the driver throws */
export async function lookAt(client: pg.ClientBase) {
  const { rows } = await client.query<LookRow>(LOOK);
  const [row] = rows;
  if (row === undefined || row.version === null) throw new Unusable(NO_DATA_SET);
  const { standby, readonly, version, facts } = row;
  if (version !== SCHEMA_VERSION) {
    throw new Unusable(
      `its tables are of version ${version}, and this program reads version ${SCHEMA_VERSION}; ${REMEDY}`,
    );
  }
  const generation: Generation = { number: Number(row.generation), dataSet: JSON.parse(facts) };
  const tables = new StoredTables(generation, client);
  await tables.answer(NOWHERE);
  await tables.parts(NOWHERE);
  for (const table of ['portions', 'names', 'nutrients'] as const) await tables.apart(table, NOWHERE);
  await tables.withCode(NOWHERE);
  return { standby, readonly, generation };
}

export interface OpenHost {
  readonly host: PostgresHost;
  /** An open connection, which the caller ends. */
  readonly client: pg.Client;
  readonly tls: Tls;
  /** What was found last. */
  look: Look;
}

/** The first preferred host, or else the first acceptable one. */
export async function chooseHost(credentials: Credentials) {
  const { hosts: named, random, target } = credentials.url;
  const hosts = random ? shuffled(named) : named;
  const found: (OpenHost | undefined)[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const attempts = hosts.map(async (host, i) => {
    try {
      const { client, tls } = await connectTo(credentials, host, LOOK_TIMEOUT);
      const look = await lookWithin(client).catch((error: unknown) => {
        end(client);
        throw error;
      });
      if (isOver) end(client);
      else found[i] = { host, client, tls, look };
      if (!isWanted(target, look))
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
    candidates.find(({ look }) => isWanted(target, look)) ??
    candidates.find(({ look }) => isAcceptable(target, look));
  for (const candidate of candidates) if (candidate !== chosen) end(candidate.client);
  return {
    chosen,
    reasons: hosts.flatMap((host, i) => (errors[i] === undefined ? [] : [reasonOf(errors[i], host)])),
    /** Whether no host will become usable by itself, because of a wrong password for example. */
    isHopeless: errors.length === hosts.length && errors.every(isFinal),
  };
}

export async function lookWithin(client: pg.Client): Promise<Look> {
  const look = await unlessSilent(LOOK_TIMEOUT, lookAt(client));
  if (look === undefined) throw new Error(`no answer within ${LOOK_TIMEOUT} ms`);
  return look;
}

/** Does not wait, because on a stalled network the connection would never end. */
export function end(client: pg.Client): void {
  void client.end().catch(() => {});
}

export const isAcceptable = (target: Target, look: Look): boolean =>
  target === 'prefer-standby' || isWanted(target, look);

const IS_WANTED: Readonly<Record<Target, (look: Look) => boolean>> = {
  any: () => true,
  'read-write': ({ readonly }) => !readonly,
  'read-only': ({ readonly }) => readonly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
};

export const isWanted = (target: Target, look: Look): boolean => IS_WANTED[target](look);

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  Array.from(items, (item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
