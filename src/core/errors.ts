import { printable } from './printable.ts';

/** An error that the user can fix, printed as one line; every other error is a fault of the program and keeps its trace. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  readonly exitCode: number = 1;
  /** Further lines, such as all faults of a file; the message has the first. */
  readonly details: readonly string[];

  constructor(message: string, details: readonly string[] = []) {
    super(message);
    this.details = details;
  }
}

export const WRONG_USE = 2;

/** A command line that is wrong whatever the data and the service: a missing argument, an invalid value. */
export class WrongUse extends UserError {
  override readonly name = 'WrongUse';
  override readonly exitCode = WRONG_USE;
}

/** A text that cannot be used as a value; the message says why and what is expected, as the end of "… cannot be used: …". */
export class UnusableText extends Error {}

/** @param input what a user wrote, such as `PORT: "x"` @throws UserError, or a kind of it, if the parser throws UnusableText */
export function parseInput<Value>(input: string, parse: () => Value, Refusal = UserError): Value {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UnusableText ? new Refusal(`${input} cannot be used: ${error.message}.`) : error;
  }
}

/** Thrown by a catalog that cannot answer at the moment; the message is sent to the client. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** A value for display inside a one-line message, without user and password. */
export function shown(value: string): string {
  const harmless = withoutPassword(value);
  return printable(JSON.stringify(harmless.length > 100 ? `${harmless.slice(0, 100)}…` : harmless));
}

/**
 * An address without user, password and, unless it is of the web, parameters: `postgres://***@host/foods?***`. One of the web
 * ends at a parameter with a password, whose `&` may not be encoded. An address that is
 * written wrongly may have a password anywhere, so nothing is left of it: `postgres//me:secret@host` becomes `***`.
 */
export function withoutPassword(value: string, platform: NodeJS.Platform = process.platform): string {
  // Elsewhere `c:/me@home` may be a user with a password.
  if (/^[a-z]:\\/i.test(value) || (platform === 'win32' && /^[a-z]:\//i.test(value))) return value;
  // One of PostgreSQL may name several hosts, each with a port.
  const isAddress = URL.canParse(value.replace(/(:\d+),[^/?#]*/, '$1'));
  const authority = isAddress ? AUTHORITY.exec(value)?.[0] : undefined;
  if (authority === undefined) return MAYBE_ADDRESS.test(value) ? '***' : value;
  const rest = value.slice(authority.length);
  if (rest.includes('@')) return '***';
  const ofWeb = /^https?:/i.test(value);
  return (
    authority.replace(/\/\/.*@/s, '//***@') +
    (ofWeb ? rest.replace(/(password=).*/is, '$1***') : rest.replace(/([?#]).*/s, '$1***'))
  );
}

/** The beginning of an address, up to its path: `postgres://me:secret@host:5432`. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** No valid address, but probably meant as one: `me:secret@host`, `//me:secret@host`, `postgres//host/foods?password=secret`. */
const MAYBE_ADDRESS = /^[^@\s]+:.*@|\/\/.*@|(^postgres|\/\/|@).*\?|password=/is;

/** Such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
