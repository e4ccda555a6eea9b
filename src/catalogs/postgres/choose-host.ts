/**
 * Looks at all servers of an address at once and chooses one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { PostgresHost, Target } from '../../settings/postgres-url.ts';
import { type Credentials, connectTo, isFinal, reasonOf } from './connection.ts';
import { HEAD_START, LOOK_TIMEOUT, unlessSilent } from './deadlines.ts';
import { type Look, lookAt, type Role } from './look.ts';
import type { Generation } from './schema.ts';

/** A server that answered. */
export interface Candidate {
  readonly host: PostgresHost;
  /** An open connection, which the caller ends. */
  readonly client: pg.Client;
  readonly tls: pg.ClientConfig['ssl'];
  readonly look: Look;
}

export interface HostChoice {
  readonly chosen: Candidate | undefined;
  /** Why the other hosts cannot be used. */
  readonly reasons: readonly string[];
  /** Whether no host will become usable by itself, because of a wrong password for example. */
  readonly isHopeless: boolean;
}

/** The first preferred host, or else the first acceptable one. */
export async function chooseHost(
  credentials: Credentials,
  known: Generation | undefined,
): Promise<HostChoice> {
  const { hosts: named, random, target } = credentials.url;
  const hosts = random ? shuffled(named) : named;
  const found: (Candidate | undefined)[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const attempts = hosts.map(async (host, i) => {
    try {
      const candidate = await connectAndLook(credentials, host, known);
      if (isOver) end(candidate.client);
      else found[i] = candidate;
      if (!isWanted(target, candidate.look.role))
        throw new Error(`this server does not match target_session_attrs=${target}`);
    } catch (error) {
      errors[i] = error;
      throw error;
    }
  });
  // If no host is wanted, this waits for all of them.
  await Promise.any(attempts).then(
    () => sleep(HEAD_START),
    () => undefined,
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

async function connectAndLook(
  credentials: Credentials,
  host: PostgresHost,
  known: Generation | undefined,
): Promise<Candidate> {
  const { client, tls } = await connectTo(credentials, host, LOOK_TIMEOUT);
  try {
    return { host, client, tls, look: await lookWithin(client, known) };
  } catch (error) {
    end(client);
    throw error;
  }
}

/** A look with a time limit. */
export async function lookWithin(client: pg.Client, known: Generation | undefined): Promise<Look> {
  const look = await unlessSilent(LOOK_TIMEOUT, lookAt(client, known));
  if (look === undefined) throw new Error(`no answer within ${LOOK_TIMEOUT} ms`);
  return look;
}

export function isAcceptable(target: Target, role: Role): boolean {
  return target === 'prefer-standby' || isWanted(target, role);
}

export function isWanted(target: Target, { standby, readonly }: Role): boolean {
  switch (target) {
    case 'any':
      return true;
    case 'read-write':
      return !readonly;
    case 'read-only':
      return readonly;
    case 'primary':
      return !standby;
    case 'standby':
    case 'prefer-standby':
      return standby;
  }
}

/** Does not wait, because on a stalled network the connection would never end. */
export function end(client: pg.Client): void {
  void client.end().catch(() => {});
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
