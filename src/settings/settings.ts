/**
 * All settings, one row each. `--help` and the parser use these rows, and a test compares docs/settings.md with them.
 */
import { parseInput, shown, UnusableText, UserError, WrongUse } from '../errors.ts';
import { hasScheme } from '../paths.ts';
import { parseRateLimit, parseTrustProxy, type RateLimit, type TrustProxy } from './limits.ts';
import { type AllowedOrigin, parseAllowedOrigin } from './origin.ts';
import { isPostgresUrl, parsePostgresUrl } from './postgres-url.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** No requests; one line per request, without the text of the search; or with it. */
const LOGGED_REQUESTS = ['none', 'requests', 'searches'] as const;
export type LoggedRequests = (typeof LOGGED_REQUESTS)[number];

const MEBIBYTE = 1024 * 1024;

export interface Settings {
  /** TCP port, 0 to 65535; 0 selects a free one. */
  readonly port: number;
  /** Address to listen on; undefined: every interface, IPv6 and IPv4. */
  readonly host: string | undefined;
  /** The origin whose pages may read the answers; undefined: none but the service's own. */
  readonly allowedOrigin: AllowedOrigin | undefined;
  /** Path of the data set, or address of the PostgreSQL database with it; undefined: the foods that ship with the project. */
  readonly foodData: string | undefined;
  /** Path of a table of other names for searches by words, or `none`; undefined: the table that ships with the project. */
  readonly otherNames: string | undefined;
  /** `development` serves no web client at `/`; `production` requires one. */
  readonly nodeEnv: string | undefined;
  readonly logLevel: LogLevel;
  readonly logRequests: LoggedRequests;
  /** Separate TCP port of `/health` and `/metrics`; undefined: they share `port`. */
  readonly operationsPort: number | undefined;
  /** Searches allowed for each client; undefined: unlimited. */
  readonly rateLimit: RateLimit | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted; undefined: none. */
  readonly trustProxy: TrustProxy | undefined;
  /** Maximum number of open connections; undefined: as many as the system allows. */
  readonly maxConnections: number | undefined;
  /** Bytes of memory for the answers that are requested most often; 0: none. */
  readonly answerCache: number;
  /** Threads that answer requests, over one copy of the data set. */
  readonly threads: number;
}

export interface Setting<Value> {
  /** Environment variable. */
  readonly variable: string;
  /** Flag of the command line. */
  readonly flag: string;
  /** Placeholder for the value in `--help`. */
  readonly placeholder: string;
  /** The default, in words, if the setting is absent or empty. */
  readonly absent: string;
  readonly help: string;
  /** @param text undefined if the setting is absent @throws UnusableText */
  parse(text: string | undefined): Value;
}

export const SETTINGS: { readonly [Name in keyof Settings]: Setting<Settings[Name]> } = {
  port: {
    variable: 'PORT',
    flag: '--port',
    placeholder: 'number',
    absent: '3001',
    help: 'TCP port to listen on, 0 to 65535; 0 selects a free one',
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
      throw new UnusableText(
        'expected a host name or an IP address without brackets, scheme or port, such as 127.0.0.1',
      );
    },
  },
  allowedOrigin: {
    variable: 'ALLOWED_ORIGIN',
    flag: '--allowed-origin',
    placeholder: 'origin',
    absent: 'no other origin',
    help: 'the origin whose pages may read the answers, such as https://app.example, or * for every origin',
    parse: (text) => (text === undefined ? undefined : parseAllowedOrigin(text)),
  },
  foodData: {
    variable: 'FOOD_DATA',
    flag: '--food-data',
    placeholder: 'file',
    absent: 'the starter foods that ship with food-lookup',
    help: 'the data set: a file of foods (CSV, Excel workbook, JSON, Parquet, SQLite), or the target of food-lookup import: an index file or postgres://user:password@host/database',
    parse: (text) => {
      if (text === undefined) return text;
      if (isPostgresUrl(text)) parsePostgresUrl(text);
      else if (hasScheme(text)) {
        throw new UnusableText(
          'expected the path of a file, or postgres://user:password@host/database. To serve what an address has, import it first: food-lookup import ADDRESS --to foods.idx',
        );
      }
      return text;
    },
  },
  otherNames: {
    variable: 'OTHER_NAMES',
    flag: '--other-names',
    placeholder: 'file',
    absent: 'the table that ships with food-lookup',
    help: 'other names of foods for searches by words: a CSV file with the columns name and other, or none',
    parse: (text) => text,
  },
  nodeEnv: {
    variable: 'NODE_ENV',
    flag: '--node-env',
    placeholder: 'name',
    absent: 'the web client is served if it is built',
    help: '"development" serves no web client at /; "production" does not start without it',
    parse: (text) => text,
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    flag: '--log-level',
    placeholder: 'level',
    absent: 'info',
    help: `lowest level to log: ${LOG_LEVELS.join(', ')}`,
    parse: (text = 'info') => oneOf(LOG_LEVELS, text),
  },
  logRequests: {
    variable: 'LOG_REQUESTS',
    flag: '--log-requests',
    placeholder: 'detail',
    absent: 'none',
    help: 'requests to log: none, requests (one line each, without the search text), searches (with the search text)',
    parse: (text = 'none') => oneOf(LOGGED_REQUESTS, text),
  },
  operationsPort: {
    variable: 'OPERATIONS_PORT',
    flag: '--operations-port',
    placeholder: 'number',
    absent: 'the same as PORT',
    help: 'separate TCP port for /health/live, /health/ready and /metrics, which PORT then does not serve; 0 selects a free one',
    parse: (text) => (text === undefined ? undefined : parsePort(text, '9001')),
  },
  rateLimit: {
    variable: 'RATE_LIMIT',
    flag: '--rate-limit',
    placeholder: 'requests/seconds',
    absent: 'unlimited',
    help: 'searches allowed for each client, such as 100/60 for 100 in 60 seconds',
    parse: (text) => (text === undefined ? undefined : parseRateLimit(text)),
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    flag: '--trust-proxy',
    placeholder: 'addresses',
    absent: 'none',
    help: 'proxies whose X-Forwarded-For is trusted: comma-separated addresses or subnets, loopback, or the number of proxies',
    parse: (text) => (text === undefined ? undefined : parseTrustProxy(text)),
  },
  maxConnections: {
    variable: 'MAX_CONNECTIONS',
    flag: '--max-connections',
    placeholder: 'number',
    absent: '20000, or fewer if the limit of open files is lower',
    help: 'maximum number of open connections; further ones are answered 503',
    parse: (text) => {
      if (text === undefined || /^[1-9]\d{0,6}$/.test(text)) return text === undefined ? text : Number(text);
      throw new UnusableText('expected a whole number from 1 to 9999999, such as 10000');
    },
  },
  answerCache: {
    variable: 'ANSWER_CACHE',
    flag: '--answer-cache',
    placeholder: 'megabytes',
    absent: '32',
    help: 'memory for the answers that are requested most often, in MiB; 0 keeps none',
    parse: (text = '32') => {
      if (/^\d{1,5}$/.test(text)) return Number(text) * MEBIBYTE;
      throw new UnusableText('expected a whole number of MiB from 0 to 99999, such as 32');
    },
  },
  threads: {
    variable: 'THREADS',
    flag: '--threads',
    placeholder: 'number',
    absent: '1',
    help: 'threads that answer requests over one copy of the data set, up to the number of cores; more than 1 requires Node.js 22.12 or newer, and a data set that is not in a database',
    parse: (text = '1') => {
      if (/^[1-9]\d?$/.test(text)) return Number(text);
      throw new UnusableText('expected a whole number from 1 to 99, such as 4');
    },
  },
};

function parsePort(text: string, example: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new UnusableText(`expected a whole number from 0 to 65535, such as ${example}`);
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value {
  const value = values.find((known) => known === text);
  if (value !== undefined) return value;
  throw new UnusableText(`expected one of ${values.join(', ')}`);
}

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly (keyof Settings)[];

/** The flags of a command, by the names of the settings. */
export type Flags = { readonly [Name in keyof Settings]?: string };
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from flags and environment; a flag takes precedence, and an empty text counts as absent.
 * @throws UserError that names the setting, the value and what is expected.
 */
export function readSettings(flags: Flags, environment: Environment): Settings {
  const values = SETTING_NAMES.map((name) => [name, readSetting(name, flags[name], environment)]);
  return Object.fromEntries(values) as Settings;
}

/** Reads one setting, as {@link readSettings} does. */
export function readSetting<Name extends keyof Settings>(
  name: Name,
  flag: string | undefined,
  environment: Environment,
): Settings[Name] {
  const setting = SETTINGS[name];
  const text = flag ?? environment[setting.variable];
  const [source, Refusal] =
    flag === undefined ? [setting.variable, UserError] : [`${setting.variable} (${setting.flag})`, WrongUse];
  const parse = () => setting.parse(text === '' ? undefined : text);
  return parseInput(`${source}: ${shown(text ?? '')}`, parse, Refusal);
}
