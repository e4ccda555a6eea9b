/** How a request of the typed client can fail. */

/** The caller's signal aborted the request. */
export class SearchAborted extends Error {
  override readonly name = 'SearchAborted';
  readonly kind = 'aborted';
}

/**
 * There is no response that this page may read: the service is not running, the network is down, or the service does not allow the
 * origin of this page. Browsers do not reveal which.
 */
export class BlockedOrUnreachable extends Error {
  override readonly name = 'BlockedOrUnreachable';
  readonly kind = 'blocked-or-unreachable';
}

/** The address is not that of a service: empty, without `http://`, or of another scheme. Nothing was requested. */
export class UnusableAddress extends Error {
  override readonly name = 'UnusableAddress';
  readonly kind = 'unusable-address';
}

/** The response contains none of what was requested. The message is that of the service if it sent one. */
export class AnsweredWithError extends Error {
  override readonly name = 'AnsweredWithError';
  readonly kind = 'answered-with-error';
  /** The HTTP status; 200 if the text to search for was empty, or if something other than the service answered. */
  readonly status: number;
  /** s after which the service asks to be asked again, with 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(message);
    this.status = status;
    const [seconds] = headers.get('retry-after')?.match(/^\d+$/) ?? [];
    this.retryAfter = seconds === undefined ? undefined : Number(seconds);
  }
}

/** Every error of the functions of this client, distinguished by `kind`. */
export type SearchError = SearchAborted | BlockedOrUnreachable | UnusableAddress | AnsweredWithError;

const KINDS = [SearchAborted, BlockedOrUnreachable, UnusableAddress, AnsweredWithError];
export const isSearchError = (error: unknown): error is SearchError =>
  KINDS.some((kind) => error instanceof kind);
