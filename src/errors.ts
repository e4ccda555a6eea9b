import { printable } from './printable.ts';

/**
 * What a user can mend: a wrong setting, a taken port, a broken data file. It is shown as one line,
 * without a stack trace; every other error is a fault of ours and keeps its trace.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /** That the command ends with. */
  readonly exitCode: number = 1;
}

/** Exit code of {@link WrongUse}. */
export const WRONG_USE = 2;

/** A command that cannot be carried out as it was given, where exit code 1 has a meaning of its own. */
export class WrongUse extends UserError {
  override readonly name = 'WrongUse';
  override readonly exitCode = WRONG_USE;
}

/** What a catalog throws that cannot answer for now; the message is told to who asked. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  /** s after which it may be asked again. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter = 1) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/**
 * A value as it is shown inside a one-line message: quoted, with unprintable characters escaped, cut where long, and
 * without the user and the password of an address.
 */
export function shown(value: string): string {
  const harmless = withoutPassword(value);
  return printable(JSON.stringify(harmless.length > 100 ? `${harmless.slice(0, 100)}…` : harmless));
}

/**
 * A password that was not encoded may hold any character, the scheme before it may be forgotten or misspelt, and so may
 * the name of a parameter. Addresses to download from are shown with their parameters.
 */
export function withoutPassword(value: string): string {
  return value
    .replace(/(:?\/\/|postgres\w*:)[^?]*\?.*@.*/is, '$1***')
    .replace(/^(?!https?:\/\/)((?:postgres|[^?]*(?:\/\/|@))[^?]*\?).*/is, '$1***')
    .replace(/(:?\/\/).*@|^[^:@\s]+:(?!\/\/).*@/s, '$1***@')
    .replace(/(password=)[^&]*/gi, '$1***');
}

/** The code of a Node.js system error (`ENOENT`, `EADDRINUSE`), or undefined. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
