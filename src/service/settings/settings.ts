/** All settings, one row each. `--help` and the parser use these rows, and a test compares docs/settings.md with them. */

import { compile } from '@fastify/proxy-addr';
import { flagOf, hasScheme, parseInput, shown, UnusableText, UserError, WrongUse } from '#core';
import { isPostgresUrl, parsePostgresUrl } from '#postgres';
import { LOOKUPS } from '../operations/outcomes.ts';
import { parseAllowedOrigin } from './origin.ts';

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Whether the address belongs to a proxy whose `X-Forwarded-For` is trusted; hop 0 is the peer of the connection. */
export type TrustProxy = (address: string, hop: number) => boolean;

const MAX_WINDOW = 86_400;
const MAX_HOPS = 16;

/** Names of networks that the library knows. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function parseRateLimit(text: string): RateLimit {
  const [, requests, seconds] = /^(\d{1,9})\/(\d{1,5})$/.exec(text) ?? [];
  const limit = { requests: Number(requests), seconds: Number(seconds) };
  if (limit.requests > 0 && limit.seconds > 0 && limit.seconds <= MAX_WINDOW) return limit;
  throw new UnusableText(
    'expected REQUESTS/SECONDS, two whole numbers of at least 1, with at most 86400 seconds, such as 100/60 for 100 requests a minute',
  );
}

const CORS_LOOKUPS: readonly string[] = LOOKUPS.map(({ match }) => match);

function corsRoutes(text: string): string {
  const [first, ...others] = text.split(',');
  if (first === 'search' && others.every((each) => CORS_LOOKUPS.includes(each))) return text;
  throw new UnusableText(`expected search, or a list such as ${['search', ...CORS_LOOKUPS].join()}`);
}

function parseTrustProxy(text: string): TrustProxy {
  const hops = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (hops > 0 && hops <= MAX_HOPS) return (_address, hop) => hop < hops;
  const proxies = text.split(',').map((part) => part.trim());
  // The library takes a bare number for an address.
  if (proxies.every((proxy) => !/^\w+$/.test(proxy) || NETWORKS.includes(proxy))) {
    try {
      return compile(proxies);
    } catch {
      // One is neither an address nor a subnet.
    }
  }
  const everybody = /^(true|yes|on|\*|all|0\.0\.0\.0\/0|::\/0)$/i.test(text)
    ? 'a trusted client can claim any address as its own, so not every address can be trusted; '
    : '';
  throw new UnusableText(
    `${everybody}expected the addresses or subnets of the proxies, comma-separated, such as 127.0.0.1 or 10.0.0.0/8, the names loopback, linklocal or uniquelocal, or the number of proxies, 1 to ${MAX_HOPS}`,
  );
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const LOGGED_REQUESTS = ['none', 'requests', 'searches'] as const;

const MEBIBYTE = 1024 * 1024;
const MAX_PORT = 65_535;

interface Setting<Value> {
  /** In `--help`. */
  readonly placeholder: string;
  /** The default, in words, if the setting is absent or empty. */
  readonly absent: string;
  readonly help: string;
  /** @param text undefined if the setting is absent @throws UnusableText */
  parse(text: string | undefined): Value;
}

const ROWS = {
  port: {
    placeholder: 'number',
    absent: '3001',
    help: 'TCP port to listen on, 0 to 65535; 0 selects a free one',
    parse: (text = '3001') => wholeNumber(text, 0, MAX_PORT, '3001'),
  },
  host: {
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
    placeholder: 'origin',
    absent: 'no other origin',
    help: 'the origin whose pages may read the answers, such as https://app.example or capacitor://localhost, or * for every origin',
    parse: (text) => (text === undefined ? undefined : parseAllowedOrigin(text)),
  },
  corsRoutes: {
    placeholder: 'routes',
    absent: 'search',
    help: `what pages on ALLOWED_ORIGIN may read: search, or a comma-separated list of search and any of ${CORS_LOOKUPS.join(', ')}`,
    parse: (text = 'search') => corsRoutes(text),
  },
  foodData: {
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
    placeholder: 'file',
    absent: 'the table that ships with food-lookup',
    help: 'other names of foods for searches by words: a CSV file with the columns name and other, or none',
    parse: (text) => text,
  },
  nodeEnv: {
    placeholder: 'name',
    absent: 'the web client is served if it is built',
    help: '"development" serves no web client at /; "production" does not start without it',
    parse: (text) => text,
  },
  offline: {
    placeholder: 'on or off',
    absent: 'on',
    help: 'whether the page works without a network once it has been opened; off removes what browsers have kept of it',
    parse: (text = 'on') => oneOf(['on', 'off'], text) === 'on',
  },
  offlineFoods: {
    placeholder: 'number',
    absent: '5000',
    help: 'number of foods up to which the page searches a data set by itself; it loads the index, about 230 bytes a food compressed',
    parse: (text = '5000') => wholeNumber(text, 0, 100_000, '5000'),
  },
  logLevel: {
    placeholder: 'level',
    absent: 'info',
    help: `lowest level to log: ${LOG_LEVELS.join(', ')}`,
    parse: (text = 'info') => oneOf(LOG_LEVELS, text),
  },
  logRequests: {
    placeholder: 'detail',
    absent: 'none',
    help: 'requests to log: none, requests (one line each, without the search text), searches (with the search text)',
    parse: (text = 'none') => oneOf(LOGGED_REQUESTS, text),
  },
  operationsPort: {
    placeholder: 'number',
    absent: 'the same as PORT',
    help: 'separate TCP port for /health/live, /health/ready and /metrics, which PORT then does not serve; 0 selects a free one',
    parse: (text) => (text === undefined ? undefined : wholeNumber(text, 0, MAX_PORT, '9001')),
  },
  rateLimit: {
    placeholder: 'requests/seconds',
    absent: 'unlimited',
    help: 'searches allowed for each client, such as 100/60 for 100 in 60 seconds',
    parse: (text) => (text === undefined ? undefined : parseRateLimit(text)),
  },
  trustProxy: {
    placeholder: 'addresses',
    absent: 'none',
    help: 'proxies whose X-Forwarded-For is trusted: comma-separated addresses or subnets, loopback, or the number of proxies',
    parse: (text) => (text === undefined ? undefined : parseTrustProxy(text)),
  },
  maxConnections: {
    placeholder: 'number',
    absent: '20000, or fewer if the limit of open files is lower',
    help: 'maximum number of open connections; further ones are answered 503',
    parse: (text) => (text === undefined ? undefined : wholeNumber(text, 1, 9_999_999, '10000')),
  },
  answerCache: {
    placeholder: 'megabytes',
    absent: '32',
    help: 'memory for the answers that are requested most often, in MiB; 0 keeps none',
    /** Returns bytes. */
    parse: (text = '32') => MEBIBYTE * wholeNumber(text, 0, 99_999, '32', ' of MiB'),
  },
  threads: {
    placeholder: 'number',
    absent: '1',
    help: 'threads that answer requests over one copy of the data set; more than there are cores gain nothing; more than 1 requires Node.js 22.12 or newer, and a data set that is not in a database',
    parse: (text = '1') => wholeNumber(text, 1, 99, '4'),
  },
  shutdownDelay: {
    placeholder: 'seconds',
    absent: '0',
    help: 'seconds after SIGTERM for which /health/ready answers 503 while everything else goes on, before the service shuts down',
    parse: (text = '0') => wholeNumber(text, 0, 3600, '10', ' of seconds'),
  },
} satisfies Readonly<Record<string, Setting<unknown>>>;

/** The values of the settings; undefined is what the row calls `absent`. */
export type Settings = { readonly [Name in keyof typeof ROWS]: ReturnType<(typeof ROWS)[Name]['parse']> };

export const SETTINGS: { readonly [Name in keyof Settings]: Setting<Settings[Name]> } = ROWS;

/** The environment variable of a setting: `ALLOWED_ORIGIN`. */
export const variableOf = (name: keyof Settings): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The value of a flag that is no setting. @throws WrongUse */
export const numberOfFlag = (flag: string, text: string, least: number, most: number, example: string) =>
  parseInput(`${flag}: ${shown(text)}`, () => wholeNumber(text, least, most, example), WrongUse);

function wholeNumber(text: string, least: number, most: number, example: string, unit = ''): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UnusableText(`expected a whole number${unit} from ${least} to ${most}, such as ${example}`);
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value {
  const value = values.find((known) => known === text);
  if (value !== undefined) return value;
  throw new UnusableText(`expected one of ${values.join(', ')}`);
}

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly (keyof Settings)[];

export type Flags = { readonly [Name in keyof Settings]?: string };

/** A flag takes precedence over the environment, and an empty text counts as absent. */
export function readSettings(flags: Flags, environment: NodeJS.ProcessEnv): Settings {
  const values = SETTING_NAMES.map((name) => [name, readSetting(name, flags[name], environment)]);
  return Object.fromEntries(values) as Settings;
}

/** Reads one setting, as {@link readSettings} does. */
export function readSetting<Name extends keyof Settings>(
  name: Name,
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
): Settings[Name] {
  const variable = variableOf(name);
  const text = flag ?? environment[variable] ?? '';
  const [source, Refusal] =
    flag === undefined ? [variable, UserError] : [`${variable} (${flagOf(name)})`, WrongUse];
  const parse = () => SETTINGS[name].parse(text === '' ? undefined : text);
  return parseInput(`${source}: ${shown(text)}`, parse, Refusal);
}
