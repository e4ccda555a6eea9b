/**
 * Asks all servers of an address and chooses one.
 */
import type pg from 'pg';
import type { PostgresHost, Target } from '../../settings/postgres-url.ts';
import { type Credentials, connectTo, isFinal, reasonOf } from './connection.ts';
import { type Look, lookAt, type Role } from './look.ts';
import type { Generation } from './schema.ts';

/** ms for which a look at a server may take. */
const LOOK_TIMEOUT = 500;

/** ms within which a host that is named earlier is preferred to one that answered first. */
const HEAD_START = 20;

/** A server that was asked. */
export interface Candidate {
  readonly host: PostgresHost;
  /** An open connection, which the caller ends. */
  readonly client: pg.Client;
  readonly tls: pg.ClientConfig['ssl'];
  readonly look: Look;
}

export interface Election {
  readonly chosen: Candidate | undefined;
  /** Why others cannot be used. */
  readonly reasons: readonly string[];
  /** Whether none of them can be expected to be usable by itself, as where a password is wrong. */
  readonly isHopeless: boolean;
}

/** The first of the hosts that is wanted; where none is, the first that will do. */
export async function elect(credentials: Credentials, known: Generation | undefined): Promise<Election> {
  const { hosts: named, random, target } = credentials.url;
  const hosts = random ? shuffled(named) : named;
  const found: (Candidate | undefined)[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const attempts = hosts.map(async (host, i) => {
    try {
      const candidate = await ask(credentials, host, known);
      if (isOver) end(candidate.client);
      else found[i] = candidate;
      if (!isWanted(target, candidate.look.role))
        throw new Error(`this is not what target_session_attrs=${target} wants`);
    } catch (error) {
      errors[i] = error;
      throw error;
    }
  });
  // All have their say where none is wanted.
  await Promise.any(attempts).then(
    () => pause(HEAD_START),
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

async function ask(
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
  return within(LOOK_TIMEOUT, lookAt(client, known));
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

/** Fails after so many ms, but not where the answer has arrived while this process was busy with something else. */
async function within<Result>(ms: number, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([result, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Without waiting: a stalled network would never let go. */
export function end(client: pg.Client): void {
  void client.end().catch(() => {});
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
