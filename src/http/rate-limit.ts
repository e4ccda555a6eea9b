/**
 * So many searches for each client in a window of time, reported in the headers of the IETF draft
 * "RateLimit header fields for HTTP". The windows of clients are kept in a bounded cache, the library for which is
 * shared with the kept answers; libraries for the whole run behind a router, which searches do not pass.
 *
 * An answer that shared caches may store carries the policy, which is the same for everybody, and no counter: a cache
 * would report one client's counter to all others. `Cache-Control: private` would cost the shared caches, and most of
 * these take `no-cache="RateLimit"` for a plain `no-cache`. So the counter stands in a refusal, which none may store.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { RateLimit, TrustProxy } from '../settings/limits.ts';
import { clientOf } from './client-address.ts';
import type { HeaderList } from './headers.ts';

/** Clients that are remembered; where there are more, those are forgotten that have not asked for longest. */
const MAX_CLIENTS = 100_000;

interface Window {
  used: number;
  /** As of `performance.now()`. */
  readonly startedAt: number;
}

export interface Allowance {
  /** s until the client may ask again; 0: it may. */
  readonly retryAfter: number;
  readonly headers: HeaderList;
}

export class RateLimiter {
  readonly limit: RateLimit;
  readonly #trustProxy: TrustProxy | undefined;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });
  readonly #policy: HeaderList;

  constructor(limit: RateLimit, trustProxy: TrustProxy | undefined) {
    this.limit = limit;
    this.#trustProxy = trustProxy;
    this.#policy = ['RateLimit-Policy', `"search";q=${limit.requests};w=${limit.seconds}`];
  }

  /** Takes one search off what the client has. @param now as of `performance.now()` */
  take(request: IncomingMessage, now: number): Allowance {
    const { requests, seconds } = this.limit;
    const client = clientOf(request, this.#trustProxy);
    let window = this.#windows.get(client);
    if (window === undefined || now - window.startedAt >= 1000 * seconds) {
      window = { used: 0, startedAt: now };
      this.#windows.set(client, window);
    }
    if (window.used < requests) {
      window.used++;
      return { retryAfter: 0, headers: this.#policy };
    }
    // What has passed is 0 at first, to the bit; the time of an end, less now, may be a little more than the window.
    const reset = seconds - Math.floor((now - window.startedAt) / 1000);
    return { retryAfter: reset, headers: [...this.#policy, 'RateLimit', `"search";r=0;t=${reset}`] };
  }
}
