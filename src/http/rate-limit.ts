/**
 * So many searches for each client in a window of time, told in the headers of the IETF draft
 * "RateLimit header fields for HTTP". The windows of clients are kept in a bounded cache, the library for which is
 * shared with the kept answers; libraries for the whole run behind a router, which searches do not pass.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { RateLimit, TrustProxy } from '../limits.ts';
import { clientOf } from './client-address.ts';

/** Clients that are remembered; where there are more, those are forgotten that have not asked for longest. */
const MAX_CLIENTS = 100_000;

interface Window {
  used: number;
  /** As of `performance.now()`. */
  readonly endsAt: number;
}

export interface Allowance {
  /** s until the client may ask again; 0: it may. */
  readonly retryAfter: number;
  /** Names and values of headers by turns. */
  readonly headers: readonly string[];
}

export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #trustProxy: TrustProxy | undefined;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });
  readonly #policy: string;

  constructor(limit: RateLimit, trustProxy: TrustProxy | undefined) {
    this.#limit = limit;
    this.#trustProxy = trustProxy;
    this.#policy = `"search";q=${limit.requests};w=${limit.seconds}`;
  }

  /** Takes one search off what the client has. @param now as of `performance.now()` */
  take(request: IncomingMessage, now: number): Allowance {
    const { requests, seconds } = this.#limit;
    const client = clientOf(request, this.#trustProxy);
    let window = this.#windows.get(client);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + 1000 * seconds };
      this.#windows.set(client, window);
    }
    const rest = requests - window.used;
    if (rest > 0) window.used++;
    const reset = Math.ceil((window.endsAt - now) / 1000);
    return {
      retryAfter: rest > 0 ? 0 : reset,
      headers: [
        ...['RateLimit-Policy', this.#policy],
        ...['RateLimit', `"search";r=${Math.max(0, rest - 1)};t=${reset}`],
      ],
    };
  }
}
