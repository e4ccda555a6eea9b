/**
 * Every setting, one row each. `--help`, the parser and the documentation read the same rows.
 */
import { shown, UserError } from '../errors.ts';
import { NotALimit, parseRateLimit, parseTrustProxy, type RateLimit, type TrustProxy } from './limits.ts';
import { type AllowedOrigin, NotAnOrigin, parseAllowedOrigin } from './origin.ts';
import { isPostgresUrl, NotAPostgresUrl, parsePostgresUrl } from './postgres-url.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Nothing of requests; a line for each, without what was searched for; or with it. */
const LOGGED_REQUESTS = ['none', 'requests', 'searches'] as const;
export type LoggedRequests = (typeof LOGGED_REQUESTS)[number];

export interface Settings {
  /** TCP port, 0 to 65535; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on; undefined: every interface, IPv6 and IPv4. */
  readonly host: string | undefined;
  /** Who may read the answers from another origin; undefined: nobody. */
  readonly allowedOrigin: AllowedOrigin | undefined;
  /** Path of the data set, or the address of a PostgreSQL that holds it; undefined: the foods that ship with the project. */
  readonly foodData: string | undefined;
  /** `development` serves no web client at `/`; `production` does not start without one. */
  readonly nodeEnv: string | undefined;
  readonly logLevel: LogLevel;
  readonly logRequests: LoggedRequests;
  /** TCP port of `/health` and `/metrics` alone; undefined: they are on the port of the searches. */
  readonly operationsPort: number | undefined;
  /** Searches of each client; undefined: as many as it likes. */
  readonly rateLimit: RateLimit | undefined;
  /** Proxies whose `X-Forwarded-For` is believed; undefined: none. */
  readonly trustProxy: TrustProxy | undefined;
  /** Connections that are open at once; undefined: as many as the system allows. */
  readonly maxConnections: number | undefined;
}

export interface Setting<Value> {
  /** Environment variable. */
  readonly variable: string;
  /** The same as a flag of the command line. */
  readonly flag: string;
  /** What stands for the value in `--help`. */
  readonly placeholder: string;
  /** What holds where the setting is absent or empty, in words. */
  readonly absent: string;
  readonly help: string;
  /** Reads the text of the setting; undefined where it is absent. Throws Unusable. */
  parse(text: string | undefined): Value;
}

/** The reason why a text cannot be used, and what is expected. */
class Unusable extends Error {}

export const SETTINGS: { readonly [Name in keyof Settings]: Setting<Settings[Name]> } = {
  port: {
    variable: 'PORT',
    flag: '--port',
    placeholder: 'number',
    absent: '3001',
    help: 'TCP port to listen on, 0 to 65535; 0 takes a free one',
    parse: (text = '3001') => parsePort(text, '3001'),
  },
  host: {
    variable: 'HOST',
    flag: '--host',
    placeholder: 'address',
    absent: 'every interface, IPv6 and IPv4',
    help: 'address to listen on, such as 127.0.0.1',
    parse: (text) => {
      if (text === undefined || /^[a-z0-9.:%_-]+$/i.test(text)) return text;
      throw new Unusable(
        'expected a host name or an IP address without brackets, scheme or port, such as 127.0.0.1',
      );
    },
  },
  allowedOrigin: {
    variable: 'ALLOWED_ORIGIN',
    flag: '--allowed-origin',
    placeholder: 'origin',
    absent: 'no page on another origin may read',
    help: 'the one origin whose pages may read the answers, such as https://app.example, or * for every origin',
    parse: (text) => {
      try {
        return text === undefined ? undefined : parseAllowedOrigin(text);
      } catch (error) {
        if (!(error instanceof NotAnOrigin)) throw error;
        throw new Unusable(
          `${error.message}. Expected scheme://host[:port], such as https://app.example, or *`,
        );
      }
    },
  },
  foodData: {
    variable: 'FOOD_DATA',
    flag: '--food-data',
    placeholder: 'file',
    absent: 'the starter foods that ship with food-lookup',
    help: 'the data set: a CSV file, a SQLite file, or what food-lookup import made: an index file or postgres://user:password@host/database',
    parse: (text) => {
      if (text === undefined) return text;
      if (!isPostgresUrl(text)) {
        if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return text;
        throw new Unusable(
          'expected the path of a CSV, SQLite or index file, or postgres://user:password@host/database',
        );
      }
      try {
        parsePostgresUrl(text);
        return text;
      } catch (error) {
        if (!(error instanceof NotAPostgresUrl)) throw error;
        throw new Unusable(error.message);
      }
    },
  },
  nodeEnv: {
    variable: 'NODE_ENV',
    flag: '--node-env',
    placeholder: 'name',
    absent: 'the web client is served where it is built',
    help: '"development" serves no web client at /; "production" does not start without one',
    parse: (text) => text,
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    flag: '--log-level',
    placeholder: 'level',
    absent: 'info',
    help: `least level that is logged: ${LOG_LEVELS.join(', ')}`,
    parse: (text = 'info') => oneOf(LOG_LEVELS, text),
  },
  logRequests: {
    variable: 'LOG_REQUESTS',
    flag: '--log-requests',
    placeholder: 'what',
    absent: 'none',
    help: 'what is logged of requests: none, requests (a line each, without what was searched for), searches (with it)',
    parse: (text = 'none') => oneOf(LOGGED_REQUESTS, text),
  },
  operationsPort: {
    variable: 'OPERATIONS_PORT',
    flag: '--operations-port',
    placeholder: 'number',
    absent: 'they are on PORT',
    help: 'TCP port of /health/live, /health/ready and /metrics, which are then not on PORT; 0 takes a free one',
    parse: (text) => (text === undefined ? undefined : parsePort(text, '9001')),
  },
  rateLimit: {
    variable: 'RATE_LIMIT',
    flag: '--rate-limit',
    placeholder: 'requests/seconds',
    absent: 'as many as it likes',
    help: 'searches of each client in a time, such as 100/60 for 100 a minute',
    parse: (text) => (text === undefined ? undefined : limit(parseRateLimit, text)),
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    flag: '--trust-proxy',
    placeholder: 'addresses',
    absent: 'none',
    help: 'proxies whose X-Forwarded-For names the client: addresses or subnets parted by commas, loopback, or how many there are',
    parse: (text) => (text === undefined ? undefined : limit(parseTrustProxy, text)),
  },
  maxConnections: {
    variable: 'MAX_CONNECTIONS',
    flag: '--max-connections',
    placeholder: 'number',
    absent: '20000, or what the limit of open files allows',
    help: 'connections that are open at once; one more is answered 503',
    parse: (text) => {
      if (text === undefined || /^[1-9]\d{0,6}$/.test(text)) return text === undefined ? text : Number(text);
      throw new Unusable('expected a whole number from 1 to 9999999, such as 10000');
    },
  },
};

function parsePort(text: string, example: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new Unusable(`expected a whole number from 0 to 65535, such as ${example}`);
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value {
  const value = values.find((known) => known === text);
  if (value !== undefined) return value;
  throw new Unusable(`expected one of ${values.join(', ')}`);
}

function limit<Value>(parse: (text: string) => Value, text: string): Value {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof NotALimit ? new Unusable(error.message) : error;
  }
}

/** Texts given as flags, by the names of the settings. */
export type Flags = { readonly [Name in keyof Settings]?: string };
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings from flags and environment; a flag wins, and an empty text counts as absent.
 * @throws UserError that names the setting, the value and what is expected.
 */
export function readSettings(flags: Flags, environment: Environment): Settings {
  const read = <Name extends keyof Settings>(name: Name): Settings[Name] =>
    readSetting(name, flags[name], environment);
  return {
    port: read('port'),
    host: read('host'),
    allowedOrigin: read('allowedOrigin'),
    foodData: read('foodData'),
    nodeEnv: read('nodeEnv'),
    logLevel: read('logLevel'),
    logRequests: read('logRequests'),
    operationsPort: read('operationsPort'),
    rateLimit: read('rateLimit'),
    trustProxy: read('trustProxy'),
    maxConnections: read('maxConnections'),
  };
}

/** One setting, as {@link readSettings} reads it. */
export function readSetting<Name extends keyof Settings>(
  name: Name,
  flag: string | undefined,
  environment: Environment,
): Settings[Name] {
  const setting = SETTINGS[name];
  const text = flag ?? environment[setting.variable];
  try {
    return setting.parse(text === '' ? undefined : text);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    const source = flag === undefined ? setting.variable : `${setting.variable} (${setting.flag})`;
    throw new UserError(`${source}: ${shown(text ?? '')} cannot be used: ${error.message}.`);
  }
}
