/// <reference path="./pgpass.d.ts" />
/**
 * One connection to one PostgreSQL server: TLS as `sslmode` says, what every session is set to, and which errors
 * pass by themselves.
 */
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import pg from 'pg';
import pgpass from 'pgpass';
import { shown, systemCode, UserError } from '../../errors.ts';
import { type PostgresHost, type PostgresUrl, type SslMode, shownHost } from '../../settings/postgres-url.ts';

/** What the driver is told of TLS; false: none. */
type Tls = Exclude<pg.ClientConfig['ssl'], undefined>;

/** All that connections to the hosts of one address have in common. */
export interface Credentials {
  readonly url: PostgresUrl;
  /** Ways to speak to a server, the preferred first; the next is taken where the server does not know it. */
  readonly tls: readonly Tls[];
}

/** ms; an idle connection that a firewall forgot is noticed. */
const KEEP_ALIVE_DELAY = 10_000;

/** @throws UserError where a file of certificates cannot be read */
export async function credentialsOf(url: PostgresUrl): Promise<Credentials> {
  const read = async (parameter: string, file: string | undefined): Promise<string | undefined> => {
    if (file === undefined) return undefined;
    return readFile(file, 'utf8').catch((error: unknown) => {
      throw new UserError(`${parameter}=${shown(file)}: the file cannot be read (${systemCode(error)}).`);
    });
  };
  const roots = url.sslRootCert === 'system' ? rootCertificates : await read('sslrootcert', url.sslRootCert);
  const certificate = {
    cert: await read('sslcert', url.sslCert),
    key: await read('sslkey', url.sslKey),
  };
  return { url, tls: waysOf(url.sslMode, roots, certificate) };
}

function waysOf(
  mode: SslMode,
  roots: string | readonly string[] | undefined,
  { cert, key }: { readonly cert: string | undefined; readonly key: string | undefined },
): Tls[] {
  const own = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
  const checked = {
    ...own,
    ...(roots !== undefined && { ca: typeof roots === 'string' ? roots : [...roots] }),
  };
  const unchecked = { ...own, rejectUnauthorized: false };
  switch (mode) {
    case 'disable':
      return [false];
    case 'allow':
      return [false, unchecked];
    case 'prefer':
      return [unchecked, false];
    case 'require':
      // As libpq does: with certificates at hand, one of them must have signed.
      return [roots === undefined ? unchecked : { ...checked, checkServerIdentity: () => undefined }];
    case 'verify-ca':
      return [{ ...checked, checkServerIdentity: () => undefined }];
    case 'verify-full':
      return [checked];
  }
}

/** What the driver is told to connect with. */
export function configOf({ url }: Credentials, host: PostgresHost, tls: Tls): pg.ClientConfig {
  return {
    host: host.host,
    port: host.port,
    // Sockets of the machine itself know no TLS.
    ssl: host.host.startsWith('/') ? false : tls,
    ...(url.user !== undefined && { user: url.user }),
    ...(url.database !== undefined && { database: url.database }),
    // The driver hands over what it connects with, which its types do not say.
    password: url.password ?? process.env.PGPASSWORD ?? (passwordFromFile as () => Promise<string>),
    application_name: url.applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
  };
}

/**
 * The password of a connection in `PGPASSFILE` or `~/.pgpass`, read anew for each one. The driver calls this where the
 * server wants a password.
 */
async function passwordFromFile(connection: pgpass.Connection): Promise<string> {
  const password = await new Promise<string | undefined>((resolve) => pgpass(connection, resolve));
  if (password !== undefined) return password;
  throw new Unusable(
    'the server wants a password; give it by PGPASSWORD, by a line in ~/.pgpass or the file of PGPASSFILE, or in the address',
  );
}

export interface Connected {
  readonly client: pg.Client;
  /** As the driver connected. */
  readonly tls: Tls;
}

/**
 * Connects to one host within `timeout` ms. An error of an open connection is told by its next query.
 * @throws what the driver throws
 */
export async function connectTo(
  credentials: Credentials,
  host: PostgresHost,
  timeout: number,
): Promise<Connected> {
  const [last, ...others] = [...credentials.tls].reverse();
  for (const tls of others.reverse()) {
    try {
      return await connectWith(credentials, host, timeout, tls);
    } catch (error) {
      if (!refusesTls(error)) throw error;
    }
  }
  return connectWith(credentials, host, timeout, last ?? false);
}

async function connectWith(
  credentials: Credentials,
  host: PostgresHost,
  timeout: number,
  tls: Tls,
): Promise<Connected> {
  const client = new pg.Client({ ...configOf(credentials, host, tls), connectionTimeoutMillis: timeout });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // Where it is ours, as for want of a password, the driver leaves the socket open.
    void client.end().catch(() => {});
    throw error;
  }
  return { client, tls };
}

/** Whether the server wants the other way: without TLS, or with it. */
function refusesTls(error: unknown): boolean {
  return isWithoutTls(error) || sqlState(error) === '28000';
}

/** What the driver says where a server knows no TLS. */
function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

/** The SQLSTATE of an error that the server sent, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

const UNDEFINED_TABLE = '42P01';
const INVALID_SCHEMA = '3F000';
export const NO_RIGHTS = '42501';

/**
 * Shutdown, start, failover, too many connections, a conflict with what is replayed on a standby, a time limit:
 * what another try or another server may mend. So are all errors of the connection itself.
 */
const PASSING = /^(?:08...|57P0.|57014|40...|53...|55P03|25006)$/;

/** Revoked rights, a password that was changed, tables or a database that were dropped, renamed or altered. */
const OF_OPERATOR = /^(?:0A...|28...|3D...|3F...|42...)$/;

/** Why a server cannot be used that can be reached, or its data set: another try would end in the same way. */
export class Unusable extends Error {}

export function isPassing(error: unknown): boolean {
  if (error instanceof Unusable) return false;
  const state = sqlState(error);
  return state === undefined ? error instanceof Error : PASSING.test(state);
}

/** Whether no search can be expected to succeed until the servers or their data are mended. */
export function isOutage(error: unknown): boolean {
  return error instanceof Unusable || isPassing(error) || OF_OPERATOR.test(sqlState(error) ?? '');
}

/** Whether a server that is not used yet will not take us by itself: a wrong password, a certificate that does not hold … */
export function isFinal(error: unknown): boolean {
  const isOfTls = /CERT|TLS|SIGNATURE/.test(systemCode(error) ?? '') || isWithoutTls(error);
  return isOfTls || !isPassing(error);
}

/** Why a host cannot be used, in one sentence, without credentials. */
export function reasonOf(error: unknown, host: PostgresHost): string {
  const message =
    error instanceof AggregateError ? error.errors.map(String).join('; ') : (error as Error).message;
  return `${shownHost(host)}: ${message}`;
}

export const NO_DATA_SET =
  'it holds no data set of food-lookup; make one: food-lookup import SOURCE --to postgres://…';

/** What the error of a server means here, where that is known. */
export function explained(error: unknown): Error {
  switch (sqlState(error)) {
    case UNDEFINED_TABLE:
    case INVALID_SCHEMA:
      return new Error(NO_DATA_SET);
    case NO_RIGHTS:
      return new Error(
        `${(error as Error).message}; let its owner run: GRANT USAGE ON SCHEMA food_lookup TO ROLE; GRANT SELECT ON ALL TABLES IN SCHEMA food_lookup TO ROLE`,
      );
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
}
