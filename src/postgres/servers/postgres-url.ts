/** Parses addresses of PostgreSQL like libpq: `postgres://user:password@host:port,host:port/database?sslmode=…`. */
import { UnusableText } from '#core';

/** From no TLS to a certificate that is verified together with the host name. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** Which of several servers to connect to. */
const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type Target = (typeof TARGETS)[number];

export interface PostgresHost {
  /** A name, an address without brackets, or the directory of a socket. */
  readonly host: string;
  readonly port: number;
}

export type PostgresUrl = Readonly<ReturnType<typeof parsePostgresUrl>>;

const DEFAULT_PORT = 5432;
const DEFAULT_CONNECTIONS = 8;
const MAX_POOL = 100;

const FORM =
  /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^#]*))?$/;

const PARAMETERS = [
  ...['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
  ...['target_session_attrs', 'load_balance_hosts', 'pool_max_conns', 'application_name'],
];

/** Whether a text is intended as an address of PostgreSQL, even if a colon or a slash is missing. */
export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?(?::|\/\/)/.test(text);

const EXPECTED_URL =
  'expected postgres://user:password@host:port/database, with special characters of the password as %40, %2F …';

/** The message repeats only plain names that have a value: anything else may be part of a password. */
function unknownParameter(name: string, query: string): string {
  if (query.includes('@')) return EXPECTED_URL;
  const isName = /^[a-z_]+$/i.test(name) && `&${query}`.includes(`&${name}=`);
  const fault = isName ? `the parameter ${name} is not known` : 'parameters are written name=value';
  return `${fault}; there are ${PARAMETERS.join(', ')}`;
}

/** @throws UnusableText */
export function parsePostgresUrl(text: string) {
  const [matched, user, password, authority = '', database, query = ''] = FORM.exec(text) ?? [];
  if (matched === undefined) throw new UnusableText(EXPECTED_URL);
  const given = new URLSearchParams(query);
  const unknown = [...given.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw new UnusableText(unknownParameter(unknown, query));
  const hosts = hostsOf(authority, given);
  const textOf = (name: string): string | undefined => given.get(name) ?? undefined;
  const oneOf = <Value extends string>(name: string, values: readonly Value[], absent: Value): Value => {
    const value = textOf(name) ?? absent;
    const found = values.find((each) => each === value);
    if (found === undefined) throw new UnusableText(`${name} is one of ${values.join(', ')}`);
    return found;
  };
  const connections = Number(textOf('pool_max_conns') ?? DEFAULT_CONNECTIONS);
  if (!Number.isInteger(connections) || connections < 1 || connections > MAX_POOL) {
    throw new UnusableText(`pool_max_conns is a whole number from 1 to ${MAX_POOL}`);
  }
  return {
    /** At least one. */
    hosts,
    user: decodedPart(user),
    password: decodedPart(password),
    database: decodedPart(database),
    sslMode: oneOf('sslmode', SSL_MODES, 'prefer'),
    /** A file of certificates, or "system"; undefined: the certificates that Node.js trusts. */
    sslRootCert: textOf('sslrootcert'),
    /** Files of the client certificate and its key. */
    sslCert: textOf('sslcert'),
    sslKey: textOf('sslkey'),
    target: oneOf('target_session_attrs', TARGETS, hosts.length > 1 ? 'prefer-standby' : 'any'),
    /** Whether to try the hosts in random order. */
    random: oneOf('load_balance_hosts', ['disable', 'random'], 'disable') === 'random',
    /** Maximum number of connections of a service process, not counting the one that watches. */
    connections,
    applicationName: textOf('application_name') ?? 'food-lookup',
  };
}

/** The address for display, without user and password. */
export const shownPostgresUrl = ({ hosts, database }: PostgresUrl): string =>
  `postgres://${hosts.map(shownHost).join()}/${database ?? ''}`;

export const shownHost = ({ host, port }: PostgresHost): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Empty parts count as absent. */
function decodedPart(part: string | undefined): string | undefined {
  if (part === undefined || part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UnusableText(
      'a percent sign must be followed by two hexadecimal digits; write %25 for the sign itself',
    );
  }
}

function hostsOf(authority: string, given: URLSearchParams): readonly PostgresHost[] {
  if (authority !== '') return authority.split(',').map(hostOf);
  const ports = (given.get('port') ?? String(DEFAULT_PORT)).split(',');
  return (given.get('host') ?? 'localhost')
    .split(',')
    .map((host, i) => ({ host, port: portOf(ports[i] ?? ports[0]) }));
}

function hostOf(text: string): PostgresHost {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/.exec(text) ?? [];
  const host = decodedPart(bracketed ?? plain);
  if (host === undefined && text !== '')
    throw new UnusableText('expected host:port, or several, comma-separated');
  return { host: host ?? 'localhost', port: portOf(port) };
}

function portOf(text: string | undefined): number {
  const port = text === undefined || text === '' ? DEFAULT_PORT : Number(text);
  if (Number.isInteger(port) && port > 0 && port <= 65535) return port;
  throw new UnusableText('a port is a number from 1 to 65535');
}
