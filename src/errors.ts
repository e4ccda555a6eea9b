import { printable } from './printable.ts';

/**
 * An error that the user can fix: a wrong setting, a port in use, a broken data file. It is printed as one line, without
 * a stack trace; every other error is a fault of the program and keeps its trace.
 */
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

/** Exit code of {@link WrongUse}. */
export const WRONG_USE = 2;

/** A command line that is wrong whatever the data and the service: a missing argument, an invalid value. */
export class WrongUse extends UserError {
  override readonly name = 'WrongUse';
  override readonly exitCode = WRONG_USE;
}

/** A text that cannot be used as a value; the message says why and what is expected, as the end of "… cannot be used: …". */
export class UnusableText extends Error {}

/**
 * Parses what a user wrote.
 * @param input names it in the message, such as `PORT: "x"`
 * @throws UserError, or a kind of it, if the parser throws UnusableText
 */
export function parseInput<Value>(input: string, parse: () => Value, Refusal = UserError): Value {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UnusableText ? new Refusal(`${input} cannot be used: ${error.message}.`) : error;
  }
}

/** Thrown by a catalog that cannot answer at the moment; the message is sent to the client. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  /** s after which the client may try again. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter = 1) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/**
 * A value for display inside a one-line message: quoted, with unprintable characters escaped, long values cut, and user
 * and password of an address removed.
 */
export function shown(value: string): string {
  const harmless = withoutPassword(value);
  return printable(JSON.stringify(harmless.length > 100 ? `${harmless.slice(0, 100)}…` : harmless));
}

/**
 * A password that was not encoded may contain any character; the scheme before it, or the name of a parameter, may be
 * missing or misspelt. Addresses of downloads keep their parameters, and paths such as `C:\me@home` are not addresses.
 */
export function withoutPassword(value: string, platform: NodeJS.Platform = process.platform): string {
  // Elsewhere `c:/me@home` may be a user with a password.
  if (platform === 'win32' && /^[a-z]:[\\/]/i.test(value)) return value;
  return value
    .replace(/(:?\/\/|postgres\w*:)[^?]*\?.*@.*/is, '$1***')
    .replace(/^(?!https?:\/\/)((?:postgres|[^?]*(?:\/\/|@))[^?]*\?).*/is, '$1***')
    .replace(/(:?\/\/).*@|^(?![a-z]:\\)[^:@\s]+:(?!\/\/).*@/is, '$1***@')
    .replace(/(password=)[^&]*/gi, '$1***');
}

/** The code of a Node.js system error (`ENOENT`, `EADDRINUSE`), or undefined. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
