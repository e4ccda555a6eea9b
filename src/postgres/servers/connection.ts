/// <reference path="./pgpass.d.ts" />
/** One connection to one PostgreSQL server: TLS by `sslmode`, the settings of every session, and what its errors mean. */
import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, rootCertificates } from 'node:tls';
import pg from 'pg';
import pgpass from 'pgpass';
import { passwordFile, shown, systemCode, UserError } from '#core';
import { type PostgresHost, type PostgresUrl, type SslMode, shownHost } from './postgres-url.ts';

/** The TLS options of the driver; false: none. */
export type Tls = Exclude<pg.ClientConfig['ssl'], undefined>;

export type Credentials = Awaited<ReturnType<typeof credentialsOf>>;

/** ms; keep-alives reveal an idle connection that a firewall dropped. */
const KEEP_ALIVE_DELAY = 10_000;

/**
 * The address with TLS options in order of preference, of which each is tried if the server refuses the one before.
 * @throws UserError if a file of certificates cannot be read
 */
export async function credentialsOf(url: PostgresUrl) {
  const read = async (parameter: string, file: string | undefined): Promise<string | undefined> => {
    if (file === undefined) return undefined;
    return readFile(file, 'utf8').catch((error: unknown) => {
      throw new UserError(`${parameter}=${shown(file)}: the file cannot be read (${systemCode(error)}).`);
    });
  };
  const roots =
    url.sslRootCert === 'system' ? [...rootCertificates] : await read('sslrootcert', url.sslRootCert);
  const own = { cert: await read('sslcert', url.sslCert), key: await read('sslkey', url.sslKey) };
  return { url, tls: tlsOptionsOf(url.sslMode, roots, own) };
}

function tlsOptionsOf(mode: SslMode, roots: string | string[] | undefined, own: ConnectionOptions): Tls[] {
  const checked = { ...own, ca: roots };
  const signed = { ...checked, checkServerIdentity: () => undefined };
  const unchecked = { ...own, rejectUnauthorized: false };
  const options: Readonly<Record<SslMode, Tls[]>> = {
    disable: [false],
    allow: [false, unchecked],
    prefer: [unchecked, false],
    // As in libpq: if root certificates are given, one of them must have signed.
    require: [roots === undefined ? unchecked : signed],
    'verify-ca': [signed],
    'verify-full': [checked],
  };
  return options[mode];
}

export function configOf({ url }: Credentials, host: PostgresHost, tls: Tls): pg.ClientConfig {
  return {
    host: host.host,
    port: host.port,
    // Unix sockets have no TLS.
    ssl: host.host.startsWith('/') ? false : tls,
    ...(url.user !== undefined && { user: url.user }),
    ...(url.database !== undefined && { database: url.database }),
    // The driver passes its connection parameters, which its types do not say.
    password: url.password ?? process.env.PGPASSWORD ?? (passwordFromFile as () => Promise<string>),
    application_name: url.applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
  };
}

/** The password from `PGPASSFILE` or the usual file. The driver calls this if the server requires a password. */
async function passwordFromFile(connection: object): Promise<string> {
  const password = await new Promise<string | undefined>((resolve) => pgpass(connection, resolve));
  if (password !== undefined) return password;
  throw new Unusable(
    `the server requires a password; set PGPASSWORD, add a line to ${passwordFile()} or the file that PGPASSFILE names, or put it into the address`,
  );
}

/** Connects to one host within `timeout` ms. An error of an open connection shows in its next query. */
export async function connectTo(
  credentials: Credentials,
  host: PostgresHost,
  timeout: number,
): Promise<{ client: pg.Client; tls: Tls }> {
  for (let i = 0; ; i++) {
    const tls = credentials.tls[i] ?? false;
    const client = new pg.Client({ ...configOf(credentials, host, tls), connectionTimeoutMillis: timeout });
    client.on('error', () => {});
    try {
      await client.connect();
      return { client, tls };
    } catch (error) {
      // If the error is our own, such as a missing password, the driver leaves the socket open.
      void client.end().catch(() => {});
      const isForTls = isWithoutTls(error) || sqlState(error) === '28000';
      if (!isForTls || i >= credentials.tls.length - 1) throw error;
    }
  }
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

/** The SQLSTATE of an error that the server sent, or ''. */
export function sqlState(error: unknown): string {
  return (error instanceof pg.DatabaseError && error.code) || '';
}

/** A server that answers, or its data set, cannot be used until somebody acts. */
export class Unusable extends Error {}

/** Revoked rights, a changed password, tables or a database that were dropped, renamed or altered. */
const OF_OPERATOR = /^(?:0A|28|3D|3F|42)/;

/** Whether a server will keep refusing until somebody acts: a wrong password, an invalid certificate … */
export function isFinal(error: unknown): boolean {
  const isOfTls = /CERT|TLS|SIGNATURE/.test(systemCode(error) ?? '') || isWithoutTls(error);
  return isOfTls || error instanceof Unusable || OF_OPERATOR.test(sqlState(error));
}

/** Wrong values and internal errors: neither another attempt nor another server would help. */
export const isFault = (error: unknown): boolean => /^(?:2[1-4]|XX)/.test(sqlState(error));

export const NO_DATA_SET =
  'it has no data set of food-lookup; import one: food-lookup import SOURCE --to postgres://…';

export const REMEDY = 'import again with it: food-lookup import SOURCE --to postgres://…';

const GRANTS =
  'GRANT USAGE ON SCHEMA food_lookup TO ROLE; GRANT SELECT ON ALL TABLES IN SCHEMA food_lookup TO ROLE';

/** Why a host cannot be used, in one sentence, without credentials. */
export function reasonOf(error: unknown, host: PostgresHost): string {
  return `${shownHost(host)}: ${problemOf(error as Error)}`;
}

function problemOf(error: Error): string {
  const { message } = error;
  if (error instanceof AggregateError) return error.errors.map(String).join('; ');
  const state = sqlState(error);
  if (state === '42501') return `${message}; let its owner run: ${GRANTS}`;
  // There is no such schema, or no such table.
  if (state === '3F000' || (state === '42P01' && message.includes('data_set'))) return NO_DATA_SET;
  return state.startsWith('42')
    ? `its tables are not as an import makes them: ${message}; ${REMEDY}`
    : message;
}
