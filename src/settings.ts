/**
 * Every setting, one row each. `--help`, the parser and the documentation read the same rows.
 */
import { shown, UserError } from './errors.ts';
import { type AllowedOrigin, NotAnOrigin, parseAllowedOrigin } from './origin.ts';
import { isPostgresUrl, NotAPostgresUrl, parsePostgresUrl } from './postgres-url.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Settings {
  /** TCP port, 0 to 65535; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on; undefined: every interface, IPv6 and IPv4. */
  readonly host: string | undefined;
  /** Who may read the answers from another origin; undefined: nobody. */
  readonly allowedOrigin: AllowedOrigin | undefined;
  /** Path of the data set, or the address of a PostgreSQL that holds it; undefined: the foods that ship with the project. */
  readonly foodData: string | undefined;
  /** `production` serves the web client at `/`. */
  readonly nodeEnv: string | undefined;
  readonly logLevel: LogLevel;
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
    parse: (text = '3001') => {
      if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
      throw new Unusable('expected a whole number from 0 to 65535, such as 3001');
    },
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
      if (text === undefined || !/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return text;
      if (!isPostgresUrl(text)) {
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
    absent: 'the API alone',
    help: '"production" serves the web client at /',
    parse: (text) => text,
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    flag: '--log-level',
    placeholder: 'level',
    absent: 'info',
    help: `least level that is logged: ${LOG_LEVELS.join(', ')}`,
    parse: (text = 'info') => {
      const level = LOG_LEVELS.find((known) => known === text);
      if (level !== undefined) return level;
      throw new Unusable(`expected one of ${LOG_LEVELS.join(', ')}`);
    },
  },
};

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
